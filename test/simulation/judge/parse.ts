import { createHash } from "node:crypto";
import { ofBytes } from "../of-bytes.ts";
import type { Stored } from "../service.ts";

/** An object as the state or the journal records it. */
export interface Recorded {
  readonly address: string;
  readonly type: string;
  readonly id: string | null;
  readonly attributes: { readonly [name: string]: unknown };
  /** Older objects of the address, still to be deleted. */
  readonly deposed: readonly string[];
}

/** A write that is announced, and has no outcome. */
export interface OpenWrite {
  readonly op: string;
  readonly address: string | null;
  readonly id: string | null;
  readonly key: { readonly [name: string]: unknown };
  readonly planned: { readonly [name: string]: unknown };
  /** Whether its request may be a create: of a replace, by the half that is open. */
  readonly mayCreate: boolean;
  /** The service's time before its request was sent; null where it was not known. */
  readonly sinceMs: number | null;
  /** What its request carries in the target URL. */
  readonly mark: string | null;
}

/** What lies in the place of a state, read without the product's code. */
export interface Found {
  /** Why it cannot be read, one text for each reason. */
  readonly problems: readonly string[];
  readonly lineage: string | null;
  readonly serial: number;
  readonly records: ReadonlyMap<string, Recorded>;
  readonly open: readonly OpenWrite[];
}

type Json = { readonly [name: string]: unknown };

const NOTHING: Found = { problems: [], lineage: null, serial: 0, records: new Map(), open: [] };
const KINDS = new Set(["intent", "listed", "recorded", "moved", "deleted", "created", "done", "failed", "undecided"]);

const NO_BYTES = new Uint8Array();
const known = ofBytes(() => new WeakMap<Uint8Array, Found>());

/** Reads state and journal by their formats: every byte that is there must make sense, but for a torn last line. Bytes never change. */
export function parseStored(stored: Stored): Found {
  const ofState = known(stored.state ?? NO_BYTES);
  const found = ofState.get(stored.journal ?? NO_BYTES) ?? parsed(stored);
  ofState.set(stored.journal ?? NO_BYTES, found);
  return found;
}

function parsed({ state, journal }: Stored): Found {
  const events = journal ? parseJournal(new TextDecoder().decode(journal)) : { header: null, events: [], problems: [] };
  if (!state)
    return {
      ...NOTHING,
      problems: [
        ...events.problems,
        ...(events.events.length > 0 ? ["a journal with events lies there without a state"] : []),
      ],
    };
  const document = parseState(new TextDecoder().decode(state));
  if (typeof document === "string") return { ...NOTHING, problems: [document, ...events.problems] };
  const isOwn = events.header === null || events.header["lineage"] === document["lineage"];
  const problems = [...events.problems, ...(isOwn ? [] : ["the journal belongs to another lineage"])];
  return {
    ...folded(document, events.events),
    problems,
    lineage: String(document["lineage"]),
    serial: Number(document["serial"]),
  };
}

function parseState(text: string): Json | string {
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    return "the state is not JSON";
  }
  const { checksum, ...rest } = document;
  if (document["format"] !== 1) return `the state has format ${String(document["format"])}`;
  if (checksum !== digits(JSON.stringify(rest))) return "the checksum of the state does not match";
  const isWhole = ["instances", "outputs", "lostCreates", "pending"].every((name) => Array.isArray(document[name]));
  return isWhole && Number.isInteger(document["serial"]) ? document : "the state lacks a part";
}

function parseJournal(text: string): {
  readonly header: Json | null;
  readonly events: readonly Json[];
  readonly problems: readonly string[];
} {
  const lines = text.split("\n");
  const problems: string[] = [];
  // What stands behind the last end of a line is torn, and so may be the very last line.
  lines.pop();
  const parsed = lines.flatMap((line, index): readonly Json[] => {
    const json = line.slice(9);
    if (line.slice(0, 8) === digits(json) && line[8] === " ") return [JSON.parse(json) as Json];
    if (index < lines.length - 1) problems.push(`line ${String(index + 1)} of the journal is damaged`);
    return [];
  });
  const [header = null, ...events] = parsed;
  if (header !== null && header["journal"] !== 1) problems.push("the journal does not begin with its header");
  events.forEach((event, index) => {
    const before = events[index - 1];
    if (!KINDS.has(String(event["kind"])))
      problems.push(`the journal has an event of the kind ${String(event["kind"])}`);
    if (before && Number(event["seq"]) <= Number(before["seq"]))
      problems.push("the numbers of the journal do not grow");
  });
  return { header, events, problems };
}

function folded(document: Json, journal: readonly Json[]): Pick<Found, "records" | "open"> {
  const fresh = journal.filter(({ seq }) => Number(seq) > Number(document["journalSeq"]));
  const all = [...(document["pending"] as readonly Json[]), ...fresh];
  const intents = new Map(all.flatMap((event) => (event["kind"] === "intent" ? [[event["seq"], event] as const] : [])));
  const records = new Map(
    (document["instances"] as readonly Json[]).map((record) => [String(record["address"]), recorded(record)]),
  );
  const put = (address: unknown, record: unknown): void => {
    if (record === null || record === undefined) records.delete(String(address));
    else records.set(String((record as Json)["address"]), recorded(record as Json));
  };
  for (const event of fresh) {
    const address = intents.get(event["of"])?.["address"];
    if (event["kind"] === "recorded") put(event["address"], event["record"]);
    else if (event["kind"] === "moved")
      for (const one of event["records"] as readonly Json[]) put(one["address"], one["record"]);
    else if (event["kind"] === "deleted") put(address, null);
    else if (event["kind"] === "done" || event["kind"] === "created") put(address, event["record"]);
  }
  const closed = new Set(
    all.flatMap((event) => (event["kind"] === "done" || event["kind"] === "failed" ? [event["of"]] : [])),
  );
  return { records, open: [...intents].flatMap(([seq, intent]) => (closed.has(seq) ? [] : [openWrite(intent, all)])) };
}

function openWrite(intent: Json, events: readonly Json[]): OpenWrite {
  const { seq, op, order, ahead } = intent;
  const has = (kind: string): boolean => events.some((event) => event["kind"] === kind && event["of"] === seq);
  const isSecondHalf = has(order === "create-first" ? "created" : "deleted");
  const mayCreate =
    op === "create" ||
    (op === "replace" &&
      ((order === "create-first") !== isSecondHalf ||
        (ahead === true && order !== "create-first" && !has("undecided"))));
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    op: String(op),
    address: text(intent["address"]),
    id: text(intent["id"]),
    key: (intent["key"] ?? {}) as Json,
    planned: (intent["planned"] ?? {}) as Json,
    mayCreate,
    sinceMs: typeof intent["serverDate"] === "string" ? Date.parse(intent["serverDate"]) : null,
    mark: text(intent["mark"]),
  };
}

function recorded(record: Json): Recorded {
  const deposed = ((record["deposed"] ?? []) as readonly Json[]).map(({ id }) => String(id));
  return {
    address: String(record["address"]),
    type: String(record["type"]),
    id: typeof record["id"] === "string" ? record["id"] : null,
    attributes: record["attributes"] as Json,
    deposed,
  };
}

function digits(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** The ids of all recorded webhooks, the deposed ones included. */
export function managedIds({ records }: Pick<Found, "records">): ReadonlySet<string> {
  return new Set([...records.values()].flatMap(({ id, deposed }) => [...(id === null ? [] : [id]), ...deposed]));
}
