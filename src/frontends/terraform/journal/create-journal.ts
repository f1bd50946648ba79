import type { ListingDelayMs } from "../../../core/apply/live/listing-delay.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Clock, ProcessIdentity, Random } from "../../../core/model/ports.ts";
import { digest } from "../../../core/state/checksum.ts";
import type { LostCreate } from "../../../core/state/lost-create.ts";
import {
  type JournalScope,
  type Ledger,
  NO_RECORDS,
  listsOf,
  recordsOf,
  released,
  withLists,
  withRecords,
} from "../../provider-journal/ledger.ts";
import type { Change, LedgerStore } from "../../provider-journal/ledger-store.ts";
import { type Found, type ListsChange, type RecordsChange, end, returnWithoutId, settle } from "./ledger-changes.ts";
import { isUnreadable, journalNotWritten, journalShortLived, nothingSent } from "./journal-problems.ts";
import {
  type ScopeView,
  createName,
  isBegunBy,
  isOurs,
  openCreatesView,
  scopeView,
  type KnownCreate,
} from "./known-creates.ts";
import { type OwnCreates, openOwnCreates } from "./own-creates.ts";

/**
 * The journal of the provider for one workspace, service and key: its part of the ledger, which all processes share.
 * Terraform's state cannot hold intents, and a provider does not learn addresses. So a create stays in it until nothing of
 * it must be remembered.
 */
export interface CreateJournal extends OwnCreates {
  /** Its place, as messages name it. */
  readonly name: string;
  scope(): Promise<JournalScope>;
  /** Part of every fingerprint. The same for a workspace, service and key, so that fingerprints can be compared. */
  salt(): Promise<string>;
  /** The ledger as this process last read or wrote it. Reads it at the first call. Throws if it cannot. */
  known(): Promise<ScopeView>;
  /** Reads it again. */
  reread(): Promise<ScopeView>;
  /** The name of the create that this process began with this number. */
  nameOf(seq: number): string;
  /** Call it before a create. Stores what could not be stored before. Throws if it cannot, or if the ledger cannot be read: then nothing may be created. */
  prepare(): Promise<void>;
  /** Stores the outcome of an open create whose object was looked for; null if it was not found. Throws if it cannot, also because another process was faster. */
  settle(create: string, found: Found | null): Promise<void>;
  /**
   * Notes that this process returns the object of an earlier create to Terraform. `found`: the object, where Terraform had recorded
   * one without an id; that is stored with the next write.
   */
  markReturned(create: string, found?: Found): void;
  isReturned(create: string): boolean;
  /** Stores what may appear late, once for a key. Throws if it cannot. */
  remember(key: string, lost: LostCreate): Promise<void>;
  /** Notes what a plan saw, with the next write if it is new. */
  note(change: RecordsChange): void;
  /** Notes what the service's lists have shown, with the next write if it is new. */
  learn(change: ListsChange): void;
  /** Warnings, each once: about failed writes to the journal, and about a journal that may be lost. */
  warnings(): readonly Diagnostic[];
  /** Releases the creates of this process, stores what it saw, and forgets what nobody needs. */
  close(options: { readonly wasOrderly: boolean; readonly isOver: (create: KnownCreate) => boolean }): Promise<void>;
}

export interface CreateJournalOptions {
  /** Its place, as messages name it. */
  readonly name: string;
  readonly store: () => Promise<LedgerStore>;
  readonly scope: () => Promise<JournalScope>;
  readonly listingDelayMs: ListingDelayMs;
  /** How long one request to the service may take. */
  readonly timeoutMs: number;
  /** The journal may disappear with the machine. */
  readonly isShortLived: boolean;
}

interface JournalPorts {
  readonly clock: Clock;
  readonly process: ProcessIdentity;
  readonly random: Random;
}

export function openCreateJournal(options: CreateJournalOptions, ports: JournalPorts): CreateJournal {
  const { name, scope, timeoutMs, isShortLived } = options;
  const { clock } = ports;
  const own = ports.random.uuid();
  const ledger = openScopedLedger({ ...options, own }, ports);
  const returned = new Set<string>();
  let warnings: readonly Diagnostic[] = [];
  const warn = (diagnostic: Diagnostic): void => void (warnings = [...warnings, diagnostic]);
  let isFirst = isShortLived;
  const notStored = (error: unknown): void => warn(journalNotWritten(name, error));
  const failed = (error: unknown): Error => nothingSent(name, error);
  const stored = (change: RecordsChange): Promise<void> =>
    ledger.update(change).catch((error: unknown) => Promise.reject(failed(error)));
  return {
    ...openOwnCreates({ ledger, own, timeoutMs, clock, notStored, notBegun: failed }),
    name,
    scope,
    salt: async () => {
      const { workspace, baseUrl, key } = await scope();
      return digest(JSON.stringify([workspace, baseUrl, key]));
    },
    known: ledger.known,
    reread: async () => {
      await ledger.read();
      return ledger.known();
    },
    nameOf: (seq) => createName(own, seq),
    prepare: async () => {
      if (isFirst) warn(journalShortLived(name));
      isFirst = false;
      try {
        await ledger.known();
        await ledger.storeDeferred();
      } catch (error) {
        throw isUnreadable(error) ? error : failed(error);
      }
    },
    settle: (create, found) => stored(settle(create, own, found)),
    markReturned: (create, found) => {
      if (found) ledger.defer(returnWithoutId(create, found));
      returned.add(create);
    },
    isReturned: (create) => returned.has(create),
    remember: (key, lost) =>
      stored((records) =>
        records.lostCreates[key] ? records : { ...records, lostCreates: { ...records.lostCreates, [key]: lost } },
      ),
    note: ledger.note,
    learn: ledger.learn,
    warnings: () => {
      const said = warnings;
      warnings = [];
      return said;
    },
    close: async ({ wasOrderly, isOver }) => {
      const ours = (await ledger.known()).creates.filter(isOurs);
      const names = new Set(ours.map((create) => create.name));
      const over = new Set(ours.flatMap((create) => (isOver(create) ? [create.name] : [])));
      const isReturned = (create: string): boolean => isBegunBy(own, create) || returned.has(create);
      await ledger.end(
        end({
          wasOrderly,
          isOurs: (create) => names.has(create),
          isOver: (create) => over.has(create),
          isReturned,
          nowMs: clock.now(),
        }),
      );
    },
  };
}

/** The part of the ledger that belongs to a scope. */
function openScopedLedger(
  { store, scope, listingDelayMs, own }: CreateJournalOptions & { readonly own: string },
  { process, clock }: JournalPorts,
) {
  const view = openCreatesView({ clock, process, listingDelayMs, own });
  const { host, bootId, pidNamespace, pid, startedAt } = process;
  const mark = { host, bootId, pidNamespace, pid, startedAt };
  let here: JournalScope = { workspace: "", baseUrl: "", key: "" };
  let ledger: LedgerStore | null = null;
  let reading: Promise<void> | null = null;
  let last: { readonly ledger: Ledger; readonly known: ScopeView } | null = null;

  async function read(): Promise<void> {
    here = await scope();
    ledger ??= await store();
    await ledger.read();
    if (await view.refresh(ledger.known())) await ledger.read();
    last = null;
  }
  function first(): Promise<void> {
    reading ??= read();
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
  const inLists =
    (change: ListsChange): Change =>
    (now) => {
      const before = listsOf(now, here);
      const after = change(before);
      return after === before ? now : withLists(now, here, after);
    };
  function deferNews(change: Change): void {
    if (change(current()) !== current()) ledger?.defer(change);
  }
  return {
    read,
    known: async (): Promise<ScopeView> => {
      await first();
      const now = current();
      if (last?.ledger !== now) last = { ledger: now, known: scopeView(now, here, view) };
      return last.known;
    },
    note: (change: RecordsChange) => deferNews(inScope(change)),
    learn: (change: ListsChange) => deferNews(inLists(change)),
    storeDeferred: async () => {
      if (ledger?.hasDeferred()) await update((same) => same);
    },
    update: (change: RecordsChange) => update(inScope(change)),
    defer: (change: RecordsChange) => ledger?.defer(inScope(change)),
    /** The last update, if there is anything to store: this process writes no outcome any more. */
    end: async (change: RecordsChange) => {
      const all: Change = (now) => released(inScope(change)(now), own);
      if (ledger?.hasDeferred() || all(current()) !== current()) await update(all);
    },
  };
}
