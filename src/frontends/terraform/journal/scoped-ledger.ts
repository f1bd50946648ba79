import type { ListingDelayMs } from "../../../core/apply/recovery/decide-creates.ts";
import type { Clock, ProcessIdentity, ProcessMark } from "../../../core/model/ports.ts";
import { type JournalScope, type Ledger, NO_RECORDS, type ScopeRecords, isSameScope, recordsOf, released, withRecords } from "../../provider-journal/ledger.ts";
import type { Change, LedgerStore } from "../../provider-journal/ledger-store.ts";
import { type KnownCreate, openLedgerView } from "./ledger-view.ts";

type RecordsChange = (records: ScopeRecords) => ScopeRecords;

/** The part of the ledger that belongs to this process's workspace, service and key. */
export interface ScopedLedger {
  readonly scope: () => Promise<JournalScope>;
  /** Reads it at the first call; after a failure again. Throws if it cannot be read. */
  first(): Promise<void>;
  /** Reads it again. */
  look(): Promise<void>;
  /** As last read or written, and empty before. */
  records(): ScopeRecords;
  creates(): readonly KnownCreate[];
  /** The creates of the other scopes, of processes that do not run here. */
  foreign(): readonly { readonly scope: JournalScope; readonly creates: readonly KnownCreate[] }[];
  /** Resolves once the change is durable. Throws if the change throws, or if it cannot be stored. */
  update(change: RecordsChange): Promise<void>;
  /** Makes the change here, and stores it with the next update. */
  owe(change: RecordsChange): void;
  /** Stores what is owed, if anything is. */
  settle(): Promise<void>;
  /** The last update, if there is anything to store: this process writes no outcome any more. */
  end(change: RecordsChange): Promise<void>;
}

export interface LedgerPlace {
  readonly store: () => Promise<LedgerStore>;
  readonly scope: () => Promise<JournalScope>;
  readonly listingDelayMs: ListingDelayMs;
  /** The id of this process in the ledger. */
  readonly own: string;
}

export interface LedgerPorts {
  readonly process: ProcessIdentity;
  readonly clock: Clock;
}

const NO_SCOPE: JournalScope = { workspace: "", baseUrl: "", key: "" };

function markOf({ host, bootId, pidNamespace, pid, startedAt }: ProcessIdentity): ProcessMark {
  return { host, bootId, pidNamespace, pid, startedAt };
}

export function openScopedLedger({ store, scope, listingDelayMs, own }: LedgerPlace, { process, clock }: LedgerPorts): ScopedLedger {
  const view = openLedgerView({ clock, process, listingDelayMs, own });
  const mark = markOf(process);
  let here = NO_SCOPE;
  let ledger: LedgerStore | null = null;
  let reading: Promise<void> | null = null;
  let known: { readonly ledger: Ledger; readonly creates: readonly KnownCreate[] } | null = null;

  async function look(): Promise<void> {
    here = await scope();
    ledger ??= await store();
    await ledger.read();
    await view.refresh(ledger.known());
    known = null;
  }
  function first(): Promise<void> {
    reading ??= look();
    reading.catch(() => (reading = null));
    return reading;
  }
  async function update(change: Change): Promise<void> {
    await first();
    await ledger?.update(change);
  }
  const current = (): Ledger => ledger?.known() ?? NO_RECORDS;
  const inScope =
    (change: RecordsChange): Change =>
    (now) => {
      const before = recordsOf(now, here);
      const after = change(before);
      return after === before ? now : withRecords({ ...now, processes: { ...now.processes, [own]: mark } }, after);
    };
  return {
    scope,
    first,
    look,
    records: () => recordsOf(current(), here),
    creates: () => {
      const now = current();
      if (known?.ledger !== now) known = { ledger: now, creates: view.creates(recordsOf(now, here)) };
      return known.creates;
    },
    foreign: () =>
      current()
        .scopes.filter((one) => !isSameScope(one.scope, here))
        .map((one) => ({ scope: one.scope, creates: view.creates(one).filter(({ standing }) => standing !== "running") })),
    update: (change) => update(inScope(change)),
    owe: (change) => ledger?.owe(inScope(change)),
    settle: async () => {
      if (ledger?.isOwing()) await update((now) => now);
    },
    end: async (change) => {
      const end: Change = (now) => released(inScope(change)(now), own);
      if (ledger?.isOwing() || end(current()) !== current()) await update(end);
    },
  };
}
