import type { ProcessMark } from "../../core/model/ports.ts";
import type { Hidden } from "../../core/model/process-fate.ts";
import type { StateStore, StorePorts } from "../../core/state/state-store.ts";
import { released } from "./ledger.ts";
import { openLedgerStore } from "./ledger-store.ts";

/** A process that wrote creates to the ledger, and did not release them. */
export interface LedgerProcess {
  readonly mark: ProcessMark;
  /** Its records stay: the next run looks for the objects of its open creates, as for those of an ended one. */
  release(): Promise<void>;
}

/** The process with this id, as messages show it; null if the ledger has none. */
export async function processInLedger(
  id: string,
  { store, ports }: { readonly store: StateStore; readonly ports: Pick<StorePorts, "clock" | "process"> },
): Promise<LedgerProcess | null> {
  const ledger = openLedgerStore(store, ports);
  await ledger.read();
  const mark = ledger.known().processes[id];
  return mark ? { mark, release: () => ledger.update((now) => released(now, id)) } : null;
}

/** The process in a message: `process 17 on runner-1`. */
export function processText({ pid, host, pidNamespace }: ProcessMark, hidden: Hidden | null): string {
  return `process ${String(pid)} ${hidden === "namespace" && pidNamespace !== null ? `in ${pidNamespace} ` : ""}on ${host}`;
}
