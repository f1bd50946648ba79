import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import { instancesAt } from "../../../../core/state/edit.ts";
import { assertKnownTypes } from "../../../../core/state/known-types.ts";
import { jsonText } from "../../../../output/json/escaped-json.ts";
import { instanceJson } from "../../../../output/json/state-json.ts";
import { stateText } from "../../../../output/text/state-text.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../../program/command-options.ts";
import { meantAddresses, readRecords } from "../../../../operations/state/records.ts";

/** Prints the record of one instance. */
export const definition: CommandDefinition<CommandOptions, readonly [address: string]> = {
  description: "prints the record of an address",
  example: { lines: ["outreach state show outreach_webhook.crm-replies"] },
  declare: (command) =>
    withStatePath(command)
      .argument("<address>", "as in outreach_webhook.crm-replies")
      .option("--json", "print JSON", false),
  run: async (context, { options: { json, ...options }, operands: [typed] }) => {
    const records = await readRecords(context, options);
    const [address = typed] = meantAddresses(context, records, [typed]);
    const { value: found, diagnostics } = instancesAt(records.open.document, address);
    if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
    const [instance] = found;
    if (!instance || found.length > 1) throw severalInstances(address, found.length);
    const { catalog, paint } = context;
    const alone = { instances: [instance], outputs: [], lostCreates: [], pending: [] };
    assertKnownTypes(catalog, alone);
    context.out(json ? `${jsonText(instanceJson(instance, catalog))}\n` : stateText(alone, { catalog, paint }));
    return 0;
  },
};

function severalInstances(address: string, count: number): DiagnosticsError {
  return DiagnosticsError.of("address_several", "No instance found for the given address", {
    detail: `${address} is a block of ${String(count)} instances, but this command shows one instance.`,
    hint: "Name one of them.",
    ways: [{ kind: "list-records" }],
  });
}
