import type { CommandDefinition } from "../../program/command-definition.ts";
import { type JsonOptions, withJson } from "../../program/options.ts";
import { printSource } from "../../session/print-source.ts";

export const getWebhooksCommand: CommandDefinition<JsonOptions> = {
  name: "webhooks",
  description: "lists all live webhooks, managed or not",
  example: { lines: ["outreach get webhooks --json"] },
  declare: withJson,
  run: (context, { options }) =>
    printSource(
      context,
      {
        type: "outreach_webhooks",
        config: {},
        rows: { attribute: "webhooks", columns: ["id", "target_url", "type", "campaign_id", "created_at"] },
      },
      options,
    ),
};
