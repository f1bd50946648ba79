import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import { instancesAt } from "../../../../core/state/edit.ts";
import type { ExitCode, Output } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type StatePathOptions, withStatePath } from "../../program/options.ts";
import { type RecordsContext, meantAddresses, readRecords } from "../../session/records.ts";

interface StateListOptions extends StatePathOptions {
  readonly id?: string;
}

export const stateListCommand: CommandDefinition<StateListOptions, readonly [addresses: readonly string[]]> = {
  name: "list",
  description: "lists the recorded addresses",
  example: { lines: ["outreach state list outreach_webhook.audit"] },
  declare: (command) =>
    withStatePath(command)
      .argument("[addresses...]", "only these, as in outreach_webhook.audit for all instances of a block")
      .option("--id <id>", "only the record with this id"),
  run: (context, { options, operands: [addresses] }) => listRecorded(context, addresses, options),
};

/** Prints recorded addresses, one a line: all, or those at some addresses. */
async function listRecorded(context: Output & RecordsContext, typed: readonly string[], { id, ...options }: StateListOptions): Promise<ExitCode> {
  const records = await readRecords(context, options);
  const { document } = records.open;
  const found = meantAddresses(context, records, typed).map((address) => instancesAt(document, address));
  const diagnostics = found.flatMap((one) => one.diagnostics);
  if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  const chosen = typed.length === 0 ? null : new Set(found.flatMap(({ value }) => value));
  const lines = document.instances
    .filter((instance) => chosen?.has(instance) ?? true)
    .flatMap(({ address, id: current, deposed = [] }) => [
      ...(id === undefined || id === current ? [`${address}\n`] : []),
      ...deposed.flatMap((one) => (id === undefined || id === one.id ? [`${address} (deposed ${one.id})\n`] : [])),
    ]);
  context.out(lines.join(""));
  return 0;
}
