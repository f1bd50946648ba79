import { NEVER_ABORTED, retrying } from "../../core/model/async.ts";
import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Clock, ProcessIdentity, ProcessMark } from "../../core/model/ports.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { StateStore, StorePorts } from "../../core/state/state-store.ts";
import { type Ledger, NO_RECORDS, decodeLedger, encodeLedger, released } from "./ledger.ts";
import type { Hidden } from "../../core/model/process-fate.ts";

/** A pure change. It may be made again on a newer ledger, also after it was stored: then it changes nothing. It may throw. */
export type Change = (ledger: Ledger) => Ledger;

/** A ledger in a store, which other processes change too. */
export interface LedgerStore {
  /** Its place, as messages name it. */
  readonly name: string;
  /** Reads it as it is stored now. Throws if it cannot. */
  read(): Promise<void>;
  /** The ledger as last read or written, with the deferred changes; empty before. */
  known(): Ledger;
  /** Resolves once the change, and the deferred ones, are durable. Throws if the change throws, or if the ledger cannot be written: it may have been stored then. */
  update(change: Change): Promise<void>;
  /** Makes the change here, and stores it with the next update. It never throws. */
  defer(change: Change): void;
  hasDeferred(): boolean;
}

/** How long a process waits for others that change the ledger in this moment. */
const LOCK_TIMEOUT_MS = 30_000;
const MOST_ATTEMPTS = 30;
const MAX_PAUSE_MS = 500;

interface Pending {
  readonly change: Change;
  /** Null for a deferred change: it stays until it is stored. */
  readonly caller: { readonly stored: () => void; readonly failed: (error: unknown) => void } | null;
}

/**
 * Changes that come while a write is under way go with the next one. On a store that compares and writes in one step, a
 * write begins from what was stored last, and is made again from the current ledger if another process was faster. On any
 * other, each write locks the ledger, reads it and changes it.
 */
export function openLedgerStore(
  store: StateStore,
  ports: { readonly clock: Clock; readonly process: ProcessIdentity },
): LedgerStore {
  let pending: readonly Pending[] = [];
  let writing: Promise<void> | null = null;
  let stored = { ledger: NO_RECORDS, version: null as string | null };
  /** Whether `stored` may be what the store has. */
  let isCurrent = false;
  let known: Ledger | null = null;
  const deferred = (): readonly Pending[] => pending.filter(({ caller }) => caller === null);

  async function read(): Promise<void> {
    const found = await store.read(NEVER_ABORTED);
    stored = found
      ? { ledger: decodeLedger(found.bytes, store.name), version: found.version }
      : { ledger: NO_RECORDS, version: null };
    [isCurrent, known] = [true, null];
  }

  /** Makes one change of the current ledger, or none if it changes nothing. */
  async function change(by: Change): Promise<void> {
    if (!store.isAtomic || !isCurrent) await read();
    const { ledger, version } = stored;
    const changed = by(ledger);
    if (changed === ledger) return;
    const next = { ...changed, serial: ledger.serial + 1 };
    isCurrent = false;
    stored = { ledger: next, version: await store.write(encodeLedger(next), version, NEVER_ABORTED) };
    [isCurrent, known] = [true, null];
  }

  async function writePending(): Promise<void> {
    const batch = pending;
    let refused: Refused = new Map();
    const all: Change = (ledger) => {
      const changed = applyEach(batch, ledger);
      refused = changed.refused;
      return changed.ledger;
    };
    let failure: { readonly error: unknown } | null = null;
    try {
      await withRetries(() => (store.isAtomic ? change(all) : withLock(store, () => change(all), ports)), ports.clock);
    } catch (error) {
      failure = { error };
    }
    const done = new Set(failure ? batch.filter(({ caller }) => caller) : batch);
    [pending, known] = [pending.filter((one) => !done.has(one)), null];
    for (const one of batch) {
      const reason = failure ?? refused.get(one);
      if (reason) one.caller?.failed(reason.error);
      else one.caller?.stored();
    }
  }

  async function writeAll(): Promise<void> {
    while (pending.length > deferred().length) await writePending();
    writing = null;
  }
  return {
    name: store.name,
    read,
    known: () => (known ??= applyEach(deferred(), stored.ledger).ledger),
    update: (by) =>
      new Promise((resolve, failed) => {
        pending = [...pending, { change: by, caller: { stored: resolve, failed } }];
        writing ??= writeAll();
      }),
    defer: (by) => {
      pending = [...pending, { change: by, caller: null }];
      known = null;
    },
    hasDeferred: () => deferred().length > 0,
  };
}

type Refused = ReadonlyMap<Pending, { readonly error: unknown }>;

/** The ledger with a batch of changes. A change that throws fails alone. */
function applyEach(batch: readonly Pending[], ledger: Ledger): { readonly ledger: Ledger; readonly refused: Refused } {
  const refused = new Map<Pending, { readonly error: unknown }>();
  let now = ledger;
  for (const one of batch) {
    try {
      now = one.change(now);
    } catch (error) {
      refused.set(one, { error });
    }
  }
  return { ledger: now, refused };
}

/** Tries again when another process was faster, or has taken the lock away. */
async function withRetries(work: () => Promise<void>, clock: Clock): Promise<void> {
  const hasChanged = (error: unknown): boolean =>
    error instanceof DiagnosticsError &&
    error.diagnostics.some(({ code }) => code === "state_changed" || code === "lock_lost");
  const pauseMs = (attempt: number): number => Math.min(attempt * attempt, MAX_PAUSE_MS);
  await retrying({ attempts: MOST_ATTEMPTS, pauseMs, mayRetry: hasChanged, clock, signal: NEVER_ABORTED }, work);
}

async function withLock(
  store: StateStore,
  work: () => Promise<void>,
  { clock, process }: { readonly clock: Clock; readonly process: ProcessIdentity },
): Promise<void> {
  const { who, host, bootId, pidNamespace, pid, startedAt } = process;
  const holder = { operation: "journal", who, host, bootId, pidNamespace, pid, startedAt, since: isoTime(clock.now()) };
  const lock = await store.lock(holder, LOCK_TIMEOUT_MS, NEVER_ABORTED);
  try {
    await work();
  } finally {
    // What was stored is stored. The next update waits for a lock that stays.
    await lock.release().catch(() => undefined);
  }
}

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
