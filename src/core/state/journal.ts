import { parseJson } from "../model/shape.ts";
import { DiagnosticsError, errorOf } from "../model/diagnostic.ts";
import { checksum } from "./checksum.ts";
import { encryptedWithoutKey } from "./encryption/encryption-errors.ts";
import { isEncrypted } from "./encryption/envelope-format.ts";
import type { Journal, JournalEvent, JournalFact } from "./journal-event.ts";
import { eventShape, headerShape } from "./record-shapes.ts";
import type { JournalBytes } from "./state-store.ts";

/** The first line of a journal: which state it continues, and from where. */
export interface JournalHeader {
  readonly journal: 1;
  readonly lineage: string;
  readonly baseSerial: number;
  /** The last event that the state had folded in when this journal was begun. */
  readonly baseSeq: number;
}

export interface JournalContents {
  readonly header: JournalHeader;
  readonly events: readonly JournalEvent[];
}

/**
 * A journal in a file next to the state: a header line, then one line per event, each with a checksum. It creates the file
 * at the first write only, so that a run that sends nothing leaves nothing. An earlier journal must have been folded into
 * the state and removed before. `recorded` are the events so far.
 */
export function openJournal(
  bytes: JournalBytes,
  header: JournalHeader,
): Journal & { recorded(): readonly JournalEvent[] } {
  const events: JournalEvent[] = [];
  let nextSeq = header.baseSeq + 1;
  let begun = false;
  let broken: { readonly error: unknown } | null = null;
  let waiting: JournalEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function write(): Promise<void> {
    next = null;
    const added = waiting;
    waiting = [];
    // After a torn line nothing may follow.
    if (broken) throw broken.error;
    const lines = [...(begun ? [] : [header]), ...added].map(encodeLine).join("");
    begun = true;
    try {
      await bytes.append(new TextEncoder().encode(lines));
    } catch (error) {
      broken = { error };
      throw error;
    }
    for (const event of added) events.push(event);
  }

  /** What comes while the disk is busy is written together, with one flush. */
  async function append(facts: readonly JournalFact[]): Promise<readonly number[]> {
    const added = facts.map((fact): JournalEvent => ({ seq: nextSeq++, ...fact }));
    waiting.push(...added);
    if (!next) {
      next = writing.then(write, write);
      writing = next;
    }
    await next;
    return added.map(({ seq }) => seq);
  }
  return {
    begin: (facts, signal) => {
      signal.throwIfAborted();
      return append(facts);
    },
    record: async (facts) => void (await append(facts)),
    beforeRequest: () => Promise.resolve(),
    recorded: () => events,
  };
}

/**
 * Reads a journal. A torn last line is what a crash leaves, and is ignored; a damaged line before the last one throws
 * `journal_unreadable`, and an encrypted journal `state_encrypted`. Null when there is no journal; `unfinished` when not even its header was finished.
 */
export async function readJournal(
  bytes: Pick<JournalBytes, "name" | "read">,
): Promise<JournalContents | "unfinished" | null> {
  const content = await bytes.read();
  if (content === null) return null;
  const text = new TextDecoder().decode(content);
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  const parsed = lines.map(decodeLine);
  if (parsed.at(-1) === null && torn === "") parsed.pop();
  if (isEncrypted(parsed[0])) throw new DiagnosticsError([encryptedWithoutKey(bytes.name, parsed[0].key?.id)]);
  const damaged = parsed.indexOf(null);
  if (damaged >= 0) throw journalUnreadable(bytes.name, damaged + 1);
  const [header, ...events] = parsed as [JournalHeader | undefined, ...JournalEvent[]];
  if (header === undefined) return "unfinished";
  if (header.journal !== 1 || !headerShape(header)) throw journalUnreadable(bytes.name, 1);
  const odd = events.findIndex((event) => !eventShape(event));
  // The header is the first line.
  if (odd >= 0) throw journalUnreadable(bytes.name, odd + 2);
  return { header, events };
}

/** One line: a checksum and JSON. */
export function encodeLine(line: object): string {
  const json = JSON.stringify(line);
  return `${checksum(json)} ${json}\n`;
}

/** Null for a damaged line. */
export function decodeLine(line: string): unknown {
  const json = line.slice(9);
  if (line.slice(0, 9) !== `${checksum(json)} `) return null;
  return parseJson(json) ?? null;
}

export function journalUnreadable(name: string, line: number): DiagnosticsError {
  return unreadableJournal({
    summary: "The journal cannot be read",
    why: `Line ${String(line)} of ${name} is damaged.`,
  });
}

/** The journal as a whole, or a part of it, is not what a run has written. */
export function unreadableJournal({
  summary,
  why,
}: {
  readonly summary: string;
  readonly why: string;
}): DiagnosticsError {
  return new DiagnosticsError(
    [
      errorOf("journal_unreadable", summary, {
        detail: `${why} The journal records the writes that were in progress when a run ended, so nothing is sent until it can be read.`,
        hint: "Compare the service's list with the state; when they agree, move the journal away.",
        ways: [{ kind: "list-live" }],
      }),
    ],
    { undecided: true },
  );
}
