import type { CommandDefinition } from "../../program/command-definition.ts";
import { type JsonOptions, withJson } from "../../program/command-options.ts";
import { printSource } from "./print-source.ts";

interface CampaignsOptions extends JsonOptions {
  readonly status?: string;
  readonly nameRegex?: string;
}

export const getCampaignsCommand: CommandDefinition<CampaignsOptions> = {
  name: "campaigns",
  description: "lists the team's campaigns",
  example: { lines: ["outreach get campaigns --status running"] },
  declare: (command) =>
    withJson(command).option("--status <status>", "only campaigns in this status").option("--name-regex <regex>", "only campaigns whose name matches"),
  run: (context, { options: { status, nameRegex, ...options } }) =>
    printSource(
      context,
      {
        type: "outreach_campaigns",
        config: { status: status ?? null, name_regex: nameRegex ?? null },
        rows: { attribute: "campaigns", columns: ["id", "name", "status", "labels", "created_at"] },
      },
      options,
    ),
};
