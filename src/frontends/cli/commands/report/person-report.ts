import type { AnyResource, Catalog } from "../../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { groupBy } from "../../../../core/model/maps.ts";
import { parsedTimeMs } from "../../../../core/model/iso-time.ts";
import { compareText } from "../../../../core/model/value.ts";
import { isUnconfirmed, isWatched, personOf } from "../../../../core/plan/irreversible-records.ts";
import { hasOutcome } from "../../../../core/plan/resource.ts";

/**
 * How an irreversible write ended so far, what needs a person first. `waiting`: it was not found, and is looked for again.
 * `not_found`: nobody looks again. `accepted`: the user takes it as done. `assumed`: the user vouched for it, and nothing was sent.
 */
export const OUTCOMES = ["unconfirmed", "not_found", "waiting", "accepted", "assumed", "done"] as const;

export type ReportedOutcome = (typeof OUTCOMES)[number];

/** The irreversible writes of the records, by the person that they are about. Sorted; without a time of its own. */
export interface PersonReport {
  readonly people: readonly ReportedPerson[];
  /** The writes by their outcome. */
  readonly counts: { readonly [outcome in ReportedOutcome]: number };
  readonly requestToDone: RequestToDone;
}

export interface ReportedPerson {
  readonly person: string;
  /** When the person asked, as the list says it; null where no list says it. */
  readonly requestedAt: string | null;
  /** When the first of the records was made. */
  readonly recordedAtMs: number | null;
  /** When the person asked, else when the first record was made; null for a request whose time cannot be read for certain. */
  readonly askedAtMs: number | null;
  readonly reason: string | null;
  readonly source: string | null;
  /** Whether anything declares one of the writes. */
  readonly isDeclared: boolean;
  readonly firstSentAtMs: number | null;
  readonly writes: readonly ReportedWrite[];
}

export interface ReportedWrite {
  /** What identifies the write in addition to the person. */
  readonly place: string;
  readonly outcome: ReportedOutcome;
  readonly isDeclared: boolean;
  readonly firstSentAtMs: number | null;
  readonly lastSentAtMs: number | null;
  readonly doneAtMs: number | null;
  /** Null where it does not wait. What is unconfirmed may wait, too. */
  readonly waitingSinceMs: number | null;
}

/** How long it took from the request of a person to each write that is done; null where nothing is. */
export interface RequestToDone {
  /** The writes that it is measured for, and those of them whose list says when the person asked: the others begin with their first record. */
  readonly count: number;
  readonly fromList: number;
  readonly medianMs: number | null;
  readonly longestMs: number | null;
}

/** What lists say of a person. */
interface Details {
  readonly reason?: string;
  readonly source?: string;
  readonly requested_at?: string;
}

interface Row {
  readonly person: string;
  readonly place: string;
  readonly instance: RecordedInstance;
  readonly write: ReportedWrite;
}

/** What the records tell about each person. Linear in the number of records, apart from sorting. */
export function personReport({ resources }: Catalog, instances: readonly RecordedInstance[]): PersonReport {
  const byType = groupBy(instances, ({ type }) => type);
  const rows = resources.flatMap((definition) => {
    if (!definition.irreversible) return [];
    const own = byType.get(definition.type) ?? [];
    return own.map((instance) => rowOf(definition, instance));
  });
  const people = [...groupBy(rows, ({ person }) => person)].map(([person, own]) => personOfRows(person, own));
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as {
    [outcome in ReportedOutcome]: number;
  };
  for (const { write } of rows) counts[write.outcome]++;
  return {
    people: people.toSorted((a, b) => compareText(a.person, b.person)),
    counts,
    requestToDone: requestToDone(people),
  };
}

function rowOf(definition: AnyResource, instance: RecordedInstance): Row {
  const { attributes } = instance;
  const names = definition.identity.filter((name) => !definition.schema[name]?.personal);
  const place = names
    .map((name) => attributes[name])
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value ?? null)))
    .join("/");
  return {
    person: personOf(definition, attributes) ?? instance.address,
    place,
    instance,
    write: writeOf(definition, instance, place),
  };
}

function writeOf(definition: AnyResource, instance: RecordedInstance, place: string): ReportedWrite {
  const { attributes, undeclared, doneAtMs } = instance;
  const outcome = outcomeOf(definition, instance);
  const firstSentAtMs = outcome === "assumed" ? null : timeOf(instance.recordedAtMs);
  const isDone = outcome === "done" || doneAtMs !== undefined;
  const waits =
    outcome === "waiting" || (outcome === "unconfirmed" && !undeclared && isWatched(definition, attributes));
  return {
    place,
    outcome,
    isDeclared: !undeclared,
    firstSentAtMs,
    lastSentAtMs: timeOf(instance.sentAtMs) ?? firstSentAtMs,
    doneAtMs: isDone ? (timeOf(doneAtMs) ?? firstSentAtMs) : null,
    waitingSinceMs: waits ? firstSentAtMs : null,
  };
}

function outcomeOf(definition: AnyResource, instance: RecordedInstance): ReportedOutcome {
  const { irreversible, schema } = definition;
  const { attributes, undeclared, settled } = instance;
  if (!irreversible) return "done";
  if (isUnconfirmed(definition, instance)) return "unconfirmed";
  if (settled) return "accepted";
  if (hasOutcome(attributes, irreversible.done)) return "assumed";
  if (!hasOutcome(attributes, irreversible.gone)) return "done";
  const { watch } = irreversible;
  if (watch && (attributes[watch.attribute] ?? schema[watch.attribute]?.default) === watch.accept) return "accepted";
  return !undeclared && isWatched(definition, attributes) ? "waiting" : "not_found";
}

function personOfRows(person: string, rows: readonly Row[]): ReportedPerson {
  const { reason = null, source = null, requested_at: requestedAt = null } = firstRequest(rows);
  const recordedAtMs = earliest(rows.map(({ instance }) => timeOf(instance.recordedAtMs)));
  return {
    person,
    requestedAt,
    recordedAtMs,
    askedAtMs: requestedAt === null ? recordedAtMs : requestTimeMs(requestedAt),
    reason,
    source,
    isDeclared: rows.some(({ write }) => write.isDeclared),
    firstSentAtMs: earliest(rows.map(({ write }) => write.firstSentAtMs)),
    writes: rows.map(({ write }) => write).toSorted((a, b) => compareText(a.place, b.place)),
  };
}

/** What the lists say about a person: the earliest request, where several lists have the person. */
function firstRequest(rows: readonly Row[]): Details {
  const said = rows.flatMap(({ instance: { details } }) => (details ? [details] : []));
  const timeOfRequest = ({ requested_at: at = "" }: Details): number => requestTimeMs(at) ?? Infinity;
  return said.reduce((first, one) => (timeOfRequest(one) < timeOfRequest(first) ? one : first), said[0] ?? {});
}

/** ISO 8601. Any other form of a date means different days in different countries. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A time or a day as a list says it, in UTC where it names no zone; null for anything else. */
function requestTimeMs(text: string): number | null {
  const [match, day = "", time = "00:00", zone = "Z"] = TIME.exec(text.trim()) ?? [];
  return match === undefined ? null : parsedTimeMs(`${day}T${time}${zone.toUpperCase()}`);
}

function requestToDone(people: readonly ReportedPerson[]): RequestToDone {
  const spans = people.flatMap(({ askedAtMs, requestedAt, writes }) => {
    if (askedAtMs === null) return [];
    return writes.flatMap(({ doneAtMs }) =>
      doneAtMs === null ? [] : [{ ms: Math.max(0, doneAtMs - askedAtMs), isFromList: requestedAt !== null }],
    );
  });
  const sorted = spans.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return {
    count: sorted.length,
    fromList: spans.filter(({ isFromList }) => isFromList).length,
    medianMs: sorted.length === 0 ? null : (low + high) / 2,
    longestMs: sorted.at(-1) ?? null,
  };
}

function earliest(times: readonly (number | null)[]): number | null {
  return times.reduce((first, one) => (first === null || (one !== null && one < first) ? one : first), null);
}

/** Records of early versions have no time. */
function timeOf(ms: number | undefined): number | null {
  return ms === undefined || ms === 0 ? null : ms;
}
