import type { CommandDefinition } from "../../program/command-definition.ts";
import { type JsonOptions, withJson } from "../../program/command-options.ts";
import { printSource } from "./print-source.ts";

export const getWarmupCommand: CommandDefinition<JsonOptions, readonly [userMailboxId: string]> = {
  name: "warmup",
  description: "prints the warm-up settings of a user's mailbox",
  example: { lines: ["outreach get warmup usm_000001"] },
  declare: (command) => withJson(command).argument("<user-mailbox-id>"),
  run: (context, { options, operands: [userMailboxId] }) =>
    printSource(context, { type: "outreach_warmup_settings", config: { user_mailbox_id: userMailboxId } }, options),
};
