import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import { instancesAt } from "../../../../core/state/edit.ts";
import { recordedWaiting } from "../../../../core/plan/rechecks.ts";
import { waitingNote } from "../../../../operations/messages/waiting-notes.ts";
import { jsonText } from "../../../../output/json/escaped-json.ts";
import { visible } from "../../../../core/model/visible.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../../program/command-options.ts";
import { meantAddresses, readRecords } from "../../../../operations/state/records.ts";

interface StateListOptions extends CommandOptions {
  readonly id?: string;
}

/** Prints recorded addresses, one a line or as JSON: all, or those at some addresses. */
export const definition: CommandDefinition<StateListOptions, readonly [addresses: readonly string[]]> = {
  description: "lists the recorded addresses",
  example: { lines: ["outreach state list outreach_webhook.audit"] },
  declare: (command) =>
    withStatePath(command)
      .argument("[addresses...]", "only these, as in outreach_webhook.audit for all instances of a block")
      .option("--id <id>", "only the record with this id")
      .option("--json", "print JSON: address and id of each record", false),
  run: async (context, { options: { id, json, ...options }, operands: [typed] }) => {
    const records = await readRecords(context, options);
    const { document } = records.open;
    const found = meantAddresses(context, records, typed).map((address) => instancesAt(document, address));
    const diagnostics = found.flatMap((one) => one.diagnostics);
    if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
    const chosen = typed.length === 0 ? null : new Set(found.flatMap(({ value }) => value));
    const rows = document.instances
      .filter((instance) => chosen?.has(instance) ?? true)
      .flatMap(({ address, id: current, deposed = [] }) => [
        { address, id: current, deposed: false },
        ...deposed.map((one) => ({ address, id: one.id, deposed: true })),
      ])
      .filter((row) => id === undefined || id === row.id);
    if (json) context.out(`${jsonText(rows, { indented: true })}\n`);
    else
      context.out(
        rows
          .map((row) => `${visible(`${row.address}${row.deposed ? ` (deposed ${String(row.id)})` : ""}`)}\n`)
          .join(""),
      );
    const nowMs = context.clock.now();
    const instances = document.instances.filter((instance) => chosen?.has(instance) ?? true);
    if (!json)
      printDiagnostics(
        context,
        waitingNote(recordedWaiting(context.catalog, instances, nowMs) ?? undefined, { nowMs }),
      );
    return 0;
  },
};
