import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withJson } from "../../program/command-options.ts";
import { printSource } from "./print-source.ts";

interface CampaignsOptions extends CommandOptions {
  readonly status?: string;
  readonly nameRegex?: string;
}

const campaigns: CommandDefinition<CampaignsOptions> = {
  description: "lists the team's campaigns",
  example: { lines: ["outreach get campaigns --status running"] },
  declare: (command) =>
    withJson(command)
      .option("--status <status>", "only campaigns in this status")
      .option("--name-regex <regex>", "only campaigns whose name matches"),
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

const schedules: CommandDefinition<CommandOptions, readonly [campaignId: string]> = {
  description: "lists the schedules of a campaign",
  example: { lines: ["outreach get schedules cam_000001"] },
  declare: (command) => withJson(command).argument("<campaign-id>"),
  run: (context, { options, operands: [campaignId] }) =>
    printSource(
      context,
      {
        type: "outreach_schedules",
        config: { campaign_id: campaignId },
        rows: {
          attribute: "schedules",
          columns: ["id", "name", "timezone", "start", "end", "weekdays", "seconds_to_wait"],
        },
      },
      options,
    ),
};

const warmup: CommandDefinition<CommandOptions, readonly [userMailboxId: string]> = {
  description: "prints the warm-up settings of a user's mailbox",
  example: { lines: ["outreach get warmup usm_000001"] },
  declare: (command) => withJson(command).argument("<user-mailbox-id>"),
  run: (context, { options, operands: [userMailboxId] }) =>
    printSource(context, { type: "outreach_warmup_settings", config: { user_mailbox_id: userMailboxId } }, options),
};

/** By their last words. */
export const GET_COMMANDS = { campaigns, schedules, warmup };
