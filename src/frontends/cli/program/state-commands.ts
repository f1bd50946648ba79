import { type StateOptions, withState } from "./options.ts";
import type { ResolveOptions } from "../commands/resolve.ts";
import type { Register } from "./choose.ts";

/** Commands that change or show what is recorded, and leave the service alone. */
export const stateCommands: Register = (program, choose) => {
  withState(program.command("import"))
    .description("take over a webhook that exists already; sends nothing that writes")
    .argument("<address>", "a declared address, as in outreach_webhook.crm-replies")
    .argument("<id>", "the id of the webhook, as in hoo_000001; of an unsubscription CAMPAIGN_ID/EMAIL")
    .addHelpText("after", "\nExample:\n  outreach import outreach_webhook.crm-replies hoo_000001")
    .action((address: string, id: string, options: StateOptions) =>
      choose(async (context) => (await import("../commands/import.ts")).importCommand(context, { address, id }, options)),
    );

  withState(program.command("resolve"))
    .description("settle outcomes that are undecided (exit 3)")
    .argument("<addresses...>", "the addresses that plan names")
    .option("--adopt <id>", "what was open has made this object: record it")
    .option(
      "--retry",
      "take them as not carried out: the next apply does them again if they are still wanted; unconfirmed unsubscriptions are sent at once",
      false,
    )
    .option("--forget", "give them up; unconfirmed unsubscriptions stay as they are", false)
    .addHelpText("after", "\nExample:\n  outreach resolve outreach_webhook.crm-replies --retry")
    .action((addresses: readonly string[], options: ResolveOptions) =>
      choose(async (context) => (await import("../commands/resolve.ts")).resolveCommand(context, addresses, options)),
    );
};
