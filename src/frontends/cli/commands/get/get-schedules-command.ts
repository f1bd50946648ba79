import type { CommandDefinition } from "../../program/command-definition.ts";
import { type JsonOptions, withJson } from "../../program/command-options.ts";
import { printSource } from "./print-source.ts";

export const getSchedulesCommand: CommandDefinition<JsonOptions, readonly [campaignId: string]> = {
  name: "schedules",
  description: "lists the schedules of a campaign",
  example: { lines: ["outreach get schedules cam_000001"] },
  declare: (command) => withJson(command).argument("<campaign-id>"),
  run: (context, { options, operands: [campaignId] }) =>
    printSource(
      context,
      {
        type: "outreach_schedules",
        config: { campaign_id: campaignId },
        rows: { attribute: "schedules", columns: ["id", "name", "timezone", "start", "end", "weekdays", "seconds_to_wait"] },
      },
      options,
    ),
};
