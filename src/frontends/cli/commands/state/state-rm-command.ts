import { firstFew } from "../../../../core/model/words.ts";
import { blockOf } from "../../../../core/model/address.ts";
import { pluralOf } from "../../../../core/model/definition.ts";
import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { removeInstances } from "../../../../core/state/edit.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import { assertDecided, changeRecords, meantAddresses, storeRecords } from "../../../../operations/state/records.ts";

/** Removes the records of some addresses. Sends nothing: the service keeps everything. */
export const definition: CommandDefinition<CommandOptions, readonly [addresses: readonly string[]]> = {
  description: "removes records from the state; deletes nothing in the service",
  example: { lines: ["outreach state rm outreach_webhook.crm-replies"] },
  declare: (command) =>
    withState(command)
      .argument("<addresses...>", "as in outreach_webhook.crm-replies")
      .option("--dry-run", "print what would be removed, and change nothing", false),
  run: (context, { options, operands: [typed] }) =>
    changeRecords(context, options, "state rm", async (records): Promise<ExitCode> => {
      const addresses = meantAddresses(context, records, typed);
      assertDecided(records, (address) => addresses.some((one) => one === address || one === blockOf(address)));
      const { value, diagnostics } = removeInstances(records.open.document, addresses);
      if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
      const { document, removed } = value;
      if (!options.dryRun) await storeRecords(context, records, document);
      context.out(lines(removed, options.dryRun ? "Would remove" : "Removed"));
      context.out(
        options.dryRun
          ? "\nNothing was changed.\n"
          : `Successfully removed ${String(removed.length)} resource instance(s).\n\n${stillThere(removed, context)}\n`,
      );
      return 0;
    }),
};

/** The most instances of a block that are printed, not only counted. */
const MAX_LINES = 20;

function lines(removed: readonly RecordedInstance[], verb: string): string {
  return [...new Set(removed.map(({ address }) => blockOf(address)))]
    .map((block) => {
      const addresses = removed.flatMap(({ address }) => (blockOf(address) === block ? [address] : []));
      if (addresses.length > MAX_LINES) return `${verb} ${String(addresses.length)} instances of ${block}\n`;
      return addresses.map((address) => `${verb} ${address}\n`).join("");
    })
    .join("");
}

/** The objects that stay in the service, and what the next apply does. */
function stillThere(removed: readonly RecordedInstance[], { catalog }: OperationContext): string {
  // An object of a type that this version does not support stays as well.
  const isForgotten = (type: string): boolean =>
    catalog.resources.some((resource) => resource.type === type && resource.destroy !== "delete");
  const lasting = removed.filter(({ type }) => !isForgotten(type));
  const ids = lasting.flatMap(({ id, deposed = [] }) => [
    ...(id === null ? [] : [id]),
    ...deposed.map((one) => one.id),
  ]);
  return [
    "outreach deleted nothing in the service.",
    ...(ids.length > 0
      ? [
          `These ${pluralOf(
            catalog,
            lasting.map(({ type }) => type),
          )} still exist, and are no longer managed: ${firstFew(ids, MAX_LINES)}.`,
        ]
      : []),
    ...(lasting.length < removed.length ? ["The next apply sends unsubscriptions again that are still declared."] : []),
  ].join("\n");
}
