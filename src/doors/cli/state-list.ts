import { DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { instancesAt } from "../../core/state/edit.ts";
import type { StatePathOptions } from "./options.ts";
import { meantAddresses, readRecords } from "./records.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface StateListOptions extends StatePathOptions {
  readonly id?: string;
}

/** Prints what is recorded, an address a line: everything, or what lies at some addresses. */
export async function stateListCommand(terminal: Terminal, typed: readonly string[], { id, ...options }: StateListOptions): Promise<ExitCode> {
  const records = await readRecords(terminal, options);
  const { document } = records.open;
  const found = meantAddresses(terminal, records, typed).map((address) => instancesAt(document, address));
  const diagnostics = found.flatMap((one) => one.diagnostics);
  if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  const chosen = typed.length === 0 ? null : new Set(found.flatMap(({ value }) => value));
  const lines = document.instances
    .filter((instance) => chosen?.has(instance) ?? true)
    .flatMap(({ address, id: current, deposed = [] }) => [
      ...(id === undefined || id === current ? [`${address}\n`] : []),
      ...deposed.flatMap((one) => (id === undefined || id === one.id ? [`${address} (deposed ${one.id})\n`] : [])),
    ]);
  terminal.out(lines.join(""));
  return 0;
}
