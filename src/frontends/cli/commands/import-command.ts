import { resourceOf } from "../../../core/model/definition.ts";
import { importOne } from "../../../operations/import-one.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type CommandOptions, withState } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";

export const definition: CommandDefinition<CommandOptions, readonly [address: string, id: string]> = {
  description: "imports an existing webhook into the state; sends no writes",
  example: { lines: ["outreach import outreach_webhook.crm-replies hoo_000001"] },
  declare: (command) =>
    withState(command)
      .argument("<address>", "a declared address, as in outreach_webhook.crm-replies")
      .argument("<id>", "the webhook's id, as in hoo_000001; for an unsubscription CAMPAIGN_ID/EMAIL"),
  run: async (context, { options, operands: [declaredAddress, id] }) => {
    const { status, diagnostics, address, type } = await importOne(context, options, { address: declaredAddress, id });
    printDiagnostics(context, diagnostics);
    if (status === "complete") {
      const { list, noun } = resourceOf(context.catalog, type);
      context.out(
        `${address}: Import complete${list ? ` [id=${id}]` : ""}\n\n${context.paint("green", "Import successful!")} The ${noun} is now managed by this configuration.\n`,
      );
    }
    return exitCodeOf(status);
  },
};
