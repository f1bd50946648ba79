import type { ProcessMark } from "../../core/model/ports.ts";
import type { StateStore, StorePorts } from "../../core/state/state-store.ts";
import { readEarlierJournals } from "./earlier-journals.ts";
import { released } from "./ledger.ts";
import { openLedgerStore } from "./ledger-store.ts";
import type { JournalPlace } from "./place.ts";

/** A process that wrote creates to the ledger, and did not release them. */
export interface LedgerProcess {
  readonly mark: ProcessMark;
  /** Its records stay: the next run looks for the objects of its open creates, as for those of an ended one. */
  release(): Promise<void>;
}

/** The process with this id, as messages show it; null if the ledger has none. */
export async function processInLedger(
  id: string,
  { place, store, ports }: { readonly place: JournalPlace; readonly store: StateStore; readonly ports: Pick<StorePorts, "files" | "clock" | "process"> },
): Promise<LedgerProcess | null> {
  const ledger = openLedgerStore(store, ports);
  const earlier = place.isFolder ? await readEarlierJournals(place.folder, ports) : null;
  if (earlier && earlier.paths.length > 0) ledger.owe(earlier.addTo);
  await ledger.read();
  const mark = ledger.known().processes[id];
  if (!mark) return null;
  return {
    mark,
    release: async () => {
      await ledger.update((now) => released(now, id));
      for (const path of earlier?.paths ?? []) await ports.files.remove(path);
    },
  };
}
