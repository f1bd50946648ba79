import { type Diagnostic, DiagnosticsError, errorOf } from "../model/diagnostic.ts";
import type { ProcessMark, Random } from "../model/ports.ts";
import { type StateDocument, UnreadableState, decodeState, emptyState, encodeState, withBackup } from "./document.ts";
import { fold } from "./fold.ts";
import { type JournalContents, readJournal } from "./journal.ts";
import { type PendingIntent, openRequest, pendingIntents } from "./journal-event.ts";
import type { KeyChange, StateBackup, StateStore, StoredState } from "./state-store.ts";

const SALT_BYTES = 16;
const PLAN_KEY_BYTES = 32;

/** The current state, with an earlier run's journal folded in memory. Nothing was written. */
export interface OpenState {
  readonly document: StateDocument;
  /** The version of the stored bytes, null when there is no state yet: then `document` is a new one. */
  readonly version: string | null;
  /** The journal next to the state that is still to be folded into it. */
  readonly journal: JournalContents | null;
  /** A journal lies there whose first line was not finished: it is removed before another one begins. */
  readonly unfinished?: true;
  /** The journal, where the state is older than its beginning: nothing of it is folded in, and nothing may be written before recovery has looked at it. */
  readonly restored: JournalContents | null;
  readonly pending: readonly PendingIntent[];
  /** The id of this run, for the windows that it stores. */
  readonly run: string;
  /** The run that stored this version by windows; absent for any other write. */
  readonly storedBy?: string;
  /** The process that stored the document by windows, as in `StateDocument`. */
  readonly sender?: ProcessMark;
  /** How the next write changes the encryption of the state. Absent: it does not. */
  readonly keyChange?: KeyChange;
}

/** Reads state and journal. Throws `DiagnosticsError` if one of them cannot be read. */
export async function readState(
  store: StateStore,
  random: Random,
  signal: AbortSignal,
  {
    setsAside = false,
  }: { /** Whether a journal of another state is moved out of the way. */ readonly setsAside?: boolean } = {},
): Promise<OpenState> {
  const stored = await readDocument(store, signal);
  const { run: storedBy, sender, ...document } = stored?.document ?? newState(random);
  const version = stored?.version ?? null;
  const more = {
    run: random.uuid(),
    ...(storedBy === undefined ? {} : { storedBy }),
    ...(sender ? { sender } : {}),
    ...(stored?.keyChange ? { keyChange: stored.keyChange } : {}),
  };
  const journal = store.journal ? await readJournal(store.journal) : null;
  const unfinished = journal === "unfinished" ? { unfinished: true as const } : {};
  if (!journal || journal === "unfinished" || !store.journal)
    return {
      document,
      version,
      journal: null,
      ...unfinished,
      restored: null,
      pending: pendingIntents(document.pending),
      ...more,
    };
  if (version === null) throw new DiagnosticsError([journalAlone(store)], { undecided: true });
  const { lineage, baseSerial, baseSeq } = journal.header;
  if (document.lineage !== lineage) {
    const aside = setsAside ? await store.journal.setAside(`${lineage}-${String(baseSeq)}`) : null;
    throw new DiagnosticsError([journalForeign(store.journal.name, aside)], { undecided: true });
  }
  if (baseSerial > document.serial || baseSeq > document.journalSeq)
    return { document, version, journal, restored: journal, pending: pendingIntents(document.pending), ...more };
  const folded = fold(document, journal.events);
  return { document: folded, version, journal, restored: null, pending: pendingIntents(folded.pending), ...more };
}

/** Names the backup as the way out only if it can be read. */
async function readDocument(
  store: StateStore,
  signal: AbortSignal,
): Promise<(Omit<StoredState, "bytes"> & { readonly document: StateDocument }) | null> {
  const { name, backup } = store;
  try {
    const stored = await store.read(signal);
    return stored && { ...stored, document: decodeState(stored.bytes, name) };
  } catch (error) {
    if (!(error instanceof UnreadableState) || !backup || !(await isReadable(backup, signal))) throw error;
    throw withBackup(error, backup.name);
  }
}

async function isReadable(backup: StateBackup, signal: AbortSignal): Promise<boolean> {
  try {
    const bytes = await backup.read(signal);
    if (bytes === null) return false;
    decodeState(bytes, backup.name);
    return true;
  } catch (error) {
    if (error instanceof DiagnosticsError) return false;
    throw error;
  }
}

/** The open state with another document, as recovery leaves it. */
export function withDocument(open: OpenState, document: StateDocument): OpenState {
  return { ...open, document, restored: null, pending: pendingIntents(document.pending) };
}

/** Writes the document under the next serial, if the stored one is still what was read. */
export async function writeState(store: StateStore, open: OpenState, signal: AbortSignal): Promise<OpenState> {
  if (open.restored)
    throw new DiagnosticsError([stateRestored(store, { document: open.document, journal: open.restored })], {
      undecided: true,
    });
  const document = { ...open.document, serial: open.document.serial + 1 };
  const version = await store.write(encodeState(document), open.version, signal);
  return { document, version, journal: null, restored: null, pending: pendingIntents(document.pending), run: open.run };
}

/** The bytes of a document for a file outside its store: encrypted if the state is. */
export async function encodeForFile({ encryption }: StateStore, document: StateDocument): Promise<Uint8Array> {
  const bytes = encodeState(document);
  const { lineage, serial } = document;
  return encryption ? encryption.seal(bytes, { kind: "state", lineage, serial }) : bytes;
}

/** Writes the state with an earlier run's journal in it, in the form that a fold has, and only then removes the journal. */
export async function foldInto(store: StateStore, open: OpenState, signal: AbortSignal): Promise<OpenState> {
  const written = await writeState(store, { ...open, document: fold(open.document, []) }, signal);
  await store.journal?.remove();
  return written;
}

function newState(random: Random): StateDocument {
  const hex = (count: number): string => Buffer.from(random.bytes(count)).toString("hex");
  return emptyState({ lineage: random.uuid(), salt: hex(SALT_BYTES), planKey: hex(PLAN_KEY_BYTES) });
}

function journalAlone(store: StateStore): Diagnostic {
  return errorOf("journal_foreign", "The journal does not belong to the state", {
    detail: `${store.journal?.name ?? "The journal"} records what a run has sent, but its state is missing. Continuing could duplicate or lose those objects.`,
    hint: `Restore the state that belongs to it (see ${store.name}.backup), or compare the live objects with the configuration and then move the journal away.`,
    ways: [{ kind: "list-live" }],
  });
}

function journalForeign(name: string, aside: string | null): Diagnostic {
  return errorOf("journal_foreign", "The journal belongs to another state", {
    detail: `${name} records what a run with another state (another lineage) has sent. ${aside === null ? "Nothing of it was applied." : `It was set aside as ${aside}, and nothing of it was applied.`}`,
    hint: "Compare the live objects with the plan: this state does not manage what that run created. If this is the wrong state, restore the right one, and rename the journal back.",
    ways: [{ kind: "list-live" }, { kind: "plan" }],
  });
}

/** The error of commands that do not check the journal of a restored state. */
export function stateRestored(
  store: StateStore,
  { document, journal }: { readonly document: Pick<StateDocument, "serial">; readonly journal: JournalContents },
): Diagnostic {
  return errorOf("journal_foreign", "The journal does not belong to the state", {
    detail: `${store.journal?.name ?? "The journal"} begins at serial ${String(journal.header.baseSerial)}, but the state has serial ${String(document.serial)}: an older state was restored. Continuing could duplicate or lose the objects in the journal.`,
    hint: "A plan compares the journal with the live objects.",
    ways: [{ kind: "plan" }],
  });
}

/** An error for each undecided write, where it blocks a command; `now` is what that means for the command. */
export function pendingDiagnostics(pending: readonly PendingIntent[], now: string): readonly Diagnostic[] {
  return pending.map((one): Diagnostic => {
    const { intent, cause } = one;
    const { address, type } = intent;
    const why = cause === null ? "the run ended before the service's answer was stored" : cause;
    return errorOf("outcome_pending", "The outcome of a write is undecided", {
      detail: `The ${openRequest(one).words} of ${address ?? type} may or may not have been carried out: ${why}. ${now}`,
      hint: "Resolve it first.",
      ways: [{ kind: "retry", address, type }],
      ...(address === null ? {} : { address }),
    });
  });
}
