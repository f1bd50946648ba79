import { type Diagnostic, DiagnosticsError } from "../model/diagnostic.ts";
import type { Random } from "../model/ports.ts";
import { type StateDocument, decodeState, encodeState } from "./document.ts";
import { fold } from "./fold.ts";
import { type JournalContents, readJournal } from "./journal.ts";
import { type JournalEvent, type PendingIntent, pendingIntents } from "./journal-event.ts";
import type { StateStore } from "./state-store.ts";

const SALT_BYTES = 16;

/** The state as it stands, with an earlier run's journal folded in memory. Nothing was written. */
export interface OpenState {
  readonly document: StateDocument;
  /** The version of the stored bytes, null when there is no state yet: then `document` is a new one. */
  readonly version: string | null;
  /** Whether a journal lies beside the state and is to be folded into it. */
  readonly journal: JournalContents | null;
  readonly pending: readonly PendingIntent[];
}

/** Reads state and journal. Throws `DiagnosticsError` for what cannot be understood. */
export async function readState(store: StateStore, random: Random, signal: AbortSignal): Promise<OpenState> {
  const stored = await store.read(signal);
  const document = stored ? decodeState(stored.bytes, store.name) : newState(random);
  const journal = store.journal ? await readJournal(store.journal) : null;
  if (journal) assertContinues(journal, { document: stored ? document : null, store });
  const folded = journal ? fold(document, journal.events) : document;
  return { document: folded, version: stored?.version ?? null, journal, pending: pendingIntents(folded.pending) };
}

/** Writes the document under the next serial, if the stored one is still what was read. */
export async function writeState(store: StateStore, open: Pick<OpenState, "document" | "version">, signal: AbortSignal): Promise<OpenState> {
  const document = { ...open.document, serial: open.document.serial + 1 };
  const version = await store.write(encodeState(document), open.version, signal);
  return { document, version, journal: null, pending: pendingIntents(document.pending) };
}

/** Folds events into the stored state, and only then removes the journal that held them. */
export async function foldInto(store: StateStore, open: OpenState, events: readonly JournalEvent[], signal: AbortSignal): Promise<OpenState> {
  const written = await writeState(store, { ...open, document: fold(open.document, events) }, signal);
  await store.journal?.remove();
  return written;
}

function newState(random: Random): StateDocument {
  return {
    format: 2,
    lineage: random.uuid(),
    serial: 0,
    salt: Buffer.from(random.bytes(SALT_BYTES)).toString("hex"),
    service: null,
    instances: [],
    outputs: [],
    tombstones: [],
    pending: [],
    journalSeq: 0,
  };
}

/** The journal must continue this very state: a different or an older one would be told outcomes that are not its own. */
function assertContinues({ header }: JournalContents, { document, store }: { readonly document: StateDocument | null; readonly store: StateStore }): void {
  if (document?.lineage === header.lineage && header.baseSerial <= document.serial) return;
  const why =
    document === null
      ? "there is no state that it belongs to"
      : document.lineage === header.lineage
        ? `it was begun at serial ${String(header.baseSerial)}, but the state has serial ${String(document.serial)}: an older state was restored`
        : "it belongs to another state (another lineage)";
  throw new DiagnosticsError(
    [
      {
        code: "journal_foreign",
        severity: "error",
        summary: "The journal does not belong to the state",
        detail: `${store.journal?.name ?? "The journal"} tells what a run has sent, but ${why}. Going on could double or lose what it tells of.`,
        hint: `Restore the state that belongs to it (see ${store.name}.backup), or compare the service's webhooks with the state and then move the journal away.`,
      },
    ],
    { undecided: true },
  );
}

/** Says, for each write whose outcome is open, what is known and what to do. */
export function pendingDiagnostics(pending: readonly PendingIntent[], now: string): readonly Diagnostic[] {
  return pending.map(({ intent, deleted, cause }): Diagnostic => {
    const what = intent.op === "replace" ? (deleted ? "create (second half of a replace)" : "delete (first half of a replace)") : intent.op;
    const why = cause === null ? "the run ended before the service's answer was stored" : cause;
    return {
      code: "outcome_pending",
      severity: "error",
      summary: "The outcome of an earlier write is undecided",
      detail: `The ${what} of ${intent.address ?? intent.type} may or may not have been carried out: ${why}. ${now}`,
      ...(intent.address === null ? {} : { address: intent.address }),
    };
  });
}
