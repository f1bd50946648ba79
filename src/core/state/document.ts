import { type Diagnostic, DiagnosticsError, errorOf } from "../model/diagnostic.ts";
import type { OutputValue } from "../model/declaration.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { ProcessMark } from "../model/ports.ts";
import { anyWord, isRecord, parseJson } from "../model/shape.ts";
import { hasHidden } from "../model/visible.ts";
import { checksum } from "./checksum.ts";
import { encryptedWithoutKey } from "./encryption/encryption-errors.ts";
import { isEncrypted } from "./encryption/envelope-format.ts";
import type { JournalEvent } from "./journal-event.ts";
import type { LostCreate } from "./lost-create.ts";
import { STATE_PARTS, recordShape } from "./record-shapes.ts";

/** The content of a state file. It holds no secret, only fingerprints under `salt`. */
export interface StateDocument {
  readonly format: 1;
  /** Names this state for its whole life. */
  readonly lineage: string;
  /** Grows by one with every write. */
  readonly serial: number;
  /** Hexadecimal; goes into every fingerprint of this state. */
  readonly salt: string;
  /** Hexadecimal and random; authenticates the plans that are made with this state. No output shows it except the whole document. */
  readonly planKey: string;
  /** The service that the records belong to; null before the first apply. */
  readonly service: { readonly baseUrl: string; readonly keyFingerprint: string } | null;
  readonly instances: readonly RecordedInstance[];
  readonly outputs: readonly OutputValue[];
  /** Creates whose answer was lost, and objects that were missing and given up: what appears late is reported. */
  readonly lostCreates: readonly LostCreate[];
  /** The addresses whose object was deleted for a replace, and that have no new one yet. Absent when there are none. */
  readonly replacing?: readonly string[];
  /** The events of writes whose outcome is undecided. */
  readonly pending: readonly JournalEvent[];
  /** The last journal event that is folded into this document. */
  readonly journalSeq: number;
  /**
   * The run that stored this document as a window, or that could not store it: only the same run knows what became of its open
   * writes. Absent in the state that a run ends with.
   */
  readonly run?: string;
  /** The process of that run, where all open writes are its own: once it has ended, none of them is sent any more. */
  readonly sender?: ProcessMark;
  /**
   * The last write other than a recheck, where those since then, up to this version, were rechecks: they make no saved plan stale.
   * `serial` and `journalSeq` name this version; any other write leaves them behind.
   */
  readonly rechecked?: {
    readonly serial: number;
    readonly journalSeq: number;
    readonly since: Pick<StateDocument, "serial" | "journalSeq">;
  };
  /** What the service's lists have shown, by service, key and resource type. Absent while there is nothing of use. */
  readonly lists?: readonly ListRecord[];
}

/** How many different objects an answer held, and when: milliseconds since the epoch, by the local clock. */
export interface SeenLength {
  readonly length: number;
  readonly atMs: number;
}

/** What the answers of one list have shown, for the case that a later one may be truncated. */
export interface ListKnowledge {
  /** The longest answer to the plain request since the last contradiction, without paging: another request may have another cap. */
  readonly longest?: SeenLength;
  /** When a list had lacked what it must have shown, in milliseconds since the epoch: no length of it proves anything. */
  readonly contradictedAtMs?: number;
  /** A list that stayed as long as it was although `by` more objects were created than deleted. */
  readonly unchanged?: UnchangedLength;
  /** How the list is paged, as its definition names it. */
  readonly paging?: string;
}

export interface UnchangedLength extends SeenLength {
  readonly by: number;
}

/** The knowledge about the list of one service, key and resource type. */
export interface ListRecord extends ListKnowledge {
  readonly baseUrl: string;
  readonly keyFingerprint: string;
  readonly type: string;
}

/** The serial and the last event of the last write other than a recheck. */
export function lastChange({
  serial,
  journalSeq,
  rechecked,
}: StateDocument): Pick<StateDocument, "serial" | "journalSeq"> {
  return rechecked?.serial === serial && rechecked.journalSeq === journalSeq ? rechecked.since : { serial, journalSeq };
}

/** The document with those of these addresses that still wait for a new object. */
export function withReplacing(document: StateDocument, replacing: ReadonlySet<string>): StateDocument {
  const { replacing: _, ...rest } = document;
  if (replacing.size === 0) return rest;
  const recorded = new Set(document.instances.map(({ address }) => address));
  const left = [...replacing].filter((address) => !recorded.has(address)).toSorted();
  return left.length > 0 ? { ...rest, replacing: left } : rest;
}

/** One line per record, so that a small state is easy to compare, and a large one need not fit into a single text. */
export function encodeState(document: StateDocument): Uint8Array {
  const text = `${JSON.stringify({ ...document, instances: [], checksum: checksumOf(document) }, null, 2)}\n`;
  if (document.instances.length === 0) return new TextEncoder().encode(text);
  const at = text.indexOf(NO_INSTANCES) + INSTANCES.length;
  const lines = document.instances.map((record, index) =>
    Buffer.from(`${index === 0 ? "" : ","}\n    ${JSON.stringify(record)}`),
  );
  return Buffer.concat([Buffer.from(text.slice(0, at)), ...lines, Buffer.from(`\n  ${text.slice(at)}`)]);
}

const INSTANCES = '\n  "instances": [';
const NO_INSTANCES = `${INSTANCES}]`;
const END = "\n  ]";

/** What `encodeState` has written, line by line; anything else as a whole. */
function parseState(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = buffer.indexOf(`${INSTANCES}\n`);
  const end = at < 0 ? -1 : buffer.indexOf(END, at);
  if (end < 0) return parseJson(bytes);
  const from = at + INSTANCES.length;
  const rest = parseJson(Buffer.concat([buffer.subarray(0, from), buffer.subarray(end + END.length - 1)]));
  const instances: unknown[] = [];
  for (let start = from + 1; start < end;) {
    const newline = buffer.indexOf("\n", start);
    const isLast = newline === end;
    const record = parseJson(buffer.subarray(start, isLast ? newline : newline - 1));
    if (!isRecord(record) || (!isLast && buffer[newline - 1] !== COMMA)) return parseJson(bytes);
    instances.push(record);
    start = newline + 1;
  }
  return isRecord(rest) ? { ...rest, instances } : parseJson(bytes);
}

const COMMA = 0x2c;

/** A state without records. */
export function emptyState(names: Pick<StateDocument, "lineage" | "salt" | "planKey">): StateDocument {
  return {
    format: 1,
    ...names,
    serial: 0,
    service: null,
    instances: [],
    outputs: [],
    lostCreates: [],
    pending: [],
    journalSeq: 0,
  };
}

/** The document in the place of a state that has moved. `movedTo` tells it from a state. */
export interface MovedState {
  readonly format: 1;
  readonly lineage: string;
  readonly serial: number;
  /** The name of the store that has the state now. */
  readonly movedTo: string;
}

export function encodeMovedState(moved: MovedState): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ ...moved, checksum: checksumOf(moved) }, null, 2)}\n`);
}

/** The state was moved to another store. */
export class StateMoved extends DiagnosticsError {
  readonly moved: MovedState;

  constructor(name: string, moved: MovedState) {
    super([stateMoved(name, moved.movedTo)]);
    this.moved = moved;
  }
}

/** Whether messages can show this as the name of a store, on one line: anybody who can write to a store may have made it. */
export function isPlaceName(name: unknown): name is string {
  return typeof name === "string" && name.length <= MAX_PLACE_NAME && !hasHidden(name);
}

const MAX_PLACE_NAME = 2048;

export function stateMoved(name: string, movedTo: string): Diagnostic {
  return errorOf("state_moved", "The state has moved", {
    detail: `${name} no longer holds the state: it was migrated to ${movedTo}. Nothing was sent.`,
    hint: `Configure ${movedTo} as the state, or update your copy of the configuration.`,
    ways: [{ kind: "migrate-state", from: movedTo, isAlternative: true }, { kind: "choose-state" }],
  });
}

/**
 * Throws `state_encrypted` for an encrypted document, `StateMoved` where the state has moved, and `state_unreadable` for
 * anything else but a whole document of a known format.
 */
export function decodeState(bytes: Uint8Array, name: string): StateDocument {
  const parsed = parseState(bytes);
  if (parsed === undefined)
    throw stateUnreadable(name, bytes.length === 0 ? "The file is empty." : "The file is not JSON.");
  if (isEncrypted(parsed))
    throw new DiagnosticsError([
      isPlaceName(parsed.movedTo) ? stateMoved(name, parsed.movedTo) : encryptedWithoutKey(name, parsed.key?.id),
    ]);
  if (typeof parsed !== "object" || parsed === null || !("format" in parsed))
    throw stateUnreadable(name, "The file is not a state of this tool.");
  const { checksum: stored, ...document } = parsed as StateDocument & { readonly checksum?: unknown };
  if (isMoved(document)) throw new StateMoved(name, document);
  if ((document.format as unknown) !== 1) {
    if (!Number.isInteger(document.format)) throw stateUnreadable(name, "The file is not a state of this tool.");
    throw stateUnreadable(
      name,
      `The file has format ${String(document.format)}; this version reads format 1. Another version wrote it.`,
    );
  }
  if (stored !== checksumOf(document))
    throw stateUnreadable(name, "The checksum does not match: the file was changed or truncated.");
  assertRecords({ ...document }, name);
  return document;
}

function isMoved(document: object): document is MovedState {
  return "format" in document && document.format === 1 && "movedTo" in document && isPlaceName(document.movedTo);
}

/** The checksum of the document's JSON without white space. Null for what is nested too deeply to be a state or a plan. */
export function checksumOf(document: object): string | null {
  try {
    return checksum(piecesOf(document));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The JSON of a document in pieces: together, they may be too long for one text. */
function* piecesOf(document: object): Generator<string> {
  const members = (Object.entries(document) as (readonly [string, unknown])[]).filter(
    ([, value]) => value !== undefined,
  );
  for (const [at, [name, value]] of members.entries()) {
    yield `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    if (!Array.isArray(value)) yield JSON.stringify(value);
    else {
      yield "[";
      for (const [index, item] of value.entries()) yield `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
      yield "]";
    }
  }
  yield "}";
}

/** A checksum does not help where a program has written both. */
function assertRecords(document: { readonly [key: string]: unknown }, name: string): void {
  const { instances, lineage, salt, planKey } = document;
  if (!anyWord(lineage) || !anyWord(salt)) throw stateUnreadable(name, "It has no lineage or no salt.");
  if (typeof planKey !== "string" || !PLAN_KEY.test(planKey))
    throw stateUnreadable(name, "It has no key for its plans.");
  if (!Array.isArray(instances)) throw stateUnreadable(name, "It has no list of instances.");
  const wrong = Object.entries(STATE_PARTS).find(([key, shape]) => !shape(document[key]))?.[0];
  if (wrong !== undefined) throw stateUnreadable(name, `Its ${wrong} is not what a state has there.`);
  const damaged = instances.findIndex((record) => !recordShape(record));
  if (damaged >= 0) throw stateUnreadable(name, `Number ${String(damaged + 1)} of its instances is not a record.`);
}

const PLAN_KEY = /^[0-9a-f]{64}$/;

const NO_BACKUP =
  "Nothing was sent. Restore the state from a copy of your own. Without one, move the file away, and import the live objects.";

/** The error, with the backup as its way out. */
export function withBackup({ diagnostics }: UnreadableState, file: string): UnreadableState {
  const hint = `Nothing was sent. Restore the state as it was before its last write, from your backup ${file}.`;
  return new UnreadableState(
    diagnostics.map((one) => ({ ...one, hint, ways: [{ kind: "replace-state", file, isForced: true }] })),
  );
}

/** The bytes are not a whole document of a known format. */
export class UnreadableState extends DiagnosticsError {
  /** The version of these bytes, if the store that has read them found out. */
  version: string | null = null;
}

export function stateUnreadable(name: string, detail: string): UnreadableState {
  return new UnreadableState([
    errorOf("state_unreadable", "The state cannot be read", { detail: `${detail} State: ${name}.`, hint: NO_BACKUP }),
  ]);
}
