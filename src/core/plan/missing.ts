import type { AnyResource, LiveListing, LiveObject } from "../model/definition.ts";
import { isoTime, parsedTimeMs } from "../model/iso-time.ts";
import { type Attributes, canonicalJson } from "../model/value.ts";

/** A recorded object that a list does not show. */
export interface Unlisted {
  readonly id: string | null;
  readonly attributes: Attributes;
}

/** Whether a recorded object that the list does not show is gone from the service, as far as the list can tell. */
export type IsMissing = (object: Unlisted) => boolean;

type Listed = Pick<LiveListing, "complete" | "evidence">;

/**
 * Whether a list is whole: the service showed that nothing follows, the list is empty, or a longer answer to the same request
 * was seen (`proven`); or its length alone says so, as services cut lists at round numbers (`by-length`).
 *
 * A longer list proves that there is no cap at this length, unless the service introduced one since. That would hide one end
 * of the order of creation, so the objects that are missing must not be just one end of it; a single one may be. `unlisted`
 * are the recorded objects that the list does not show.
 */
export function wholeness(
  definition: AnyResource,
  { complete, evidence }: Listed,
  unlisted: readonly Unlisted[],
): "proven" | "by-length" | "unknown" {
  if (complete) return "proven";
  if (!evidence) return "unknown";
  const { answer, records, longestSeen, isContradicted } = evidence;
  if (records === 0 && !isContradicted) return "proven";
  if (answer !== null && answer.length < longestSeen && !isOneEnd(definition, answer, unlisted)) return "proven";
  return records !== null && !isContradicted && !mayBeCap(records) ? "by-length" : "unknown";
}

export function isWhole(definition: AnyResource, listing: Listed, unlisted: readonly Unlisted[]): boolean {
  return wholeness(definition, listing, unlisted) !== "unknown";
}

/** Whether there is a sign that a list is truncated: it was asked for more and did not tell, or it has lacked something before. */
export function mayBeTruncated(definition: AnyResource, listing: LiveListing, unlisted: readonly Unlisted[]): boolean {
  return (
    (listing.isAsked !== false || listing.evidence?.isContradicted === true) && !isWhole(definition, listing, unlisted)
  );
}

/** Services cap their lists at round numbers. */
const CAP_STEP = 5;
const SHORTEST_CAP = 10;

function mayBeCap(records: number): boolean {
  return records >= SHORTEST_CAP && records % CAP_STEP === 0;
}

/** Whether all of several missing objects are older than every listed one, or all are younger, or nobody knows. */
function isOneEnd(definition: AnyResource, listed: readonly LiveObject[], unlisted: readonly Unlisted[]): boolean {
  if (unlisted.length <= 1) return false;
  const [there, gone] = [timesOf(definition, listed), timesOf(definition, unlisted)];
  if (there === null || gone === null || there.length === 0) return true;
  return Math.min(...gone) >= Math.max(...there) || Math.max(...gone) <= Math.min(...there);
}

/** The recorded objects of a type that its list does not show. */
export function unlistedOf<R extends Unlisted & { readonly type: string }>(
  type: string,
  objects: readonly LiveObject[],
  recorded: readonly R[],
): readonly R[] {
  const listed = new Set(objects.map(({ id }) => id));
  return recorded.filter((one) => one.type === type && one.id !== null && !listed.has(one.id));
}

/**
 * Decides what counts as missing from a list. Everything does where the list is whole. Otherwise an object does where the
 * answer is in the order of creation, and the object was created between two that it shows: a cut at an end leaves it in.
 */
export function missingFrom(definition: AnyResource, listing: Listed, unlisted: readonly Unlisted[]): IsMissing {
  if (isWhole(definition, listing, unlisted)) return () => true;
  const answer = listing.evidence?.answer;
  return (answer && betweenListed(definition, answer)) ?? (() => false);
}

/** The recorded objects that a list does not show, without those that count as missing. */
export function hiddenIn<R extends Unlisted>(
  definition: AnyResource,
  listing: Listed,
  unlisted: readonly R[],
): readonly R[] {
  const isMissing = missingFrom(definition, listing, unlisted);
  return unlisted.filter((object) => !isMissing(object));
}

/** Why a list that does not show an object proves nothing, and what would, as sentences without the last full stop. */
export function whyUnknown({ plural }: AnyResource, { objects, evidence }: LiveListing): string {
  const reason = evidence?.isContradicted
    ? "it has lacked objects before that it must have shown"
    : `it shows ${String(evidence?.records ?? objects.length)} ${plural}, which may be the most that it ever shows`;
  return `The service's list may be truncated: ${reason}. A longer list, or one that shows something created later, would decide it`;
}

/** When the service may have carried out a create, by its own clock; null where that is not known. */
export interface CreateTimes {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/**
 * Whether a create whose object the list does not show was not carried out. A list that is not whole decides by its order:
 * newest first with something older than the create, or oldest first with something that is younger, too.
 */
export function createAbsence(
  definition: AnyResource,
  listing: Listed,
  { times: { fromMs, untilMs }, unlisted }: { readonly times: CreateTimes; readonly unlisted: readonly Unlisted[] },
): "proven" | "by-length" | "unknown" {
  const created = {
    id: null,
    attributes:
      definition.createdAt === undefined || fromMs === null ? {} : { [definition.createdAt]: isoTime(fromMs) },
  };
  const whole = wholeness(definition, listing, unlisted.length === 0 ? [] : [...unlisted, created]);
  const answer = listing.evidence?.answer;
  if (whole === "proven" || !answer || fromMs === null) return whole;
  const order = creationOrder(definition, answer);
  const times = (order === null ? null : timesOf(definition, answer)) ?? [];
  const hasOlder = times.some((time) => time + ROUNDING_MS < fromMs);
  const hasYounger = untilMs !== null && times.some((time) => time - ROUNDING_MS > untilMs);
  return hasOlder && (order === "descending" || (order === "ascending" && hasYounger)) ? "proven" : whole;
}

/** How a list is ordered by creation; null where it is not, or where it shows too little to tell. */
export function creationOrder(
  definition: AnyResource,
  listed: readonly LiveObject[],
): "ascending" | "descending" | null {
  const times = timesOf(definition, listed);
  if (times === null) return null;
  const order = isAscending(times) ? "ascending" : isAscending(times.toReversed()) ? "descending" : null;
  return order !== null && arrangements(times) >= MIN_ARRANGEMENTS ? order : null;
}

/** A list in no order looks ordered in two of its arrangements, so by chance in at most one list of 500,000. */
const MIN_ARRANGEMENTS = 1_000_000;

/** How many ways there are to arrange values, some of them equal, could have been arranged: n! divided by k! for each k equal ones. */
function arrangements(values: readonly number[]): number {
  let equal = 0;
  return values.reduce((count, value, index) => {
    equal = value === values[index - 1] ? equal + 1 : 1;
    return (count * (index + 1)) / equal;
  }, 1);
}

/** Services that write times to the second may cut or round the rest. */
const ROUNDING_MS = 1000;

/**
 * Null where the list is not in the order of creation. Objects are often created in another order that a list may have, such
 * as that of their addresses. So the object must lie between two listed ones by every order that the list shows.
 */
function betweenListed(definition: AnyResource, listed: readonly LiveObject[]): IsMissing | null {
  if (creationOrder(definition, listed) === null) return null;
  const times = timesOf(definition, listed) ?? [];
  const others = ["id", ...definition.identity].flatMap((name) => {
    const values = listed.map((object) => textOf(definition, name, object));
    const known = values.filter((value) => value !== null);
    return known.length === values.length && (isAscending(known) || isAscending(known.toReversed()))
      ? [{ name, values: known }]
      : [];
  });
  return (object) => {
    const [time = null] = timesOf(definition, [object]) ?? [];
    if (time === null || !isWithin(time, times)) return false;
    return others.every(({ name, values }) => {
      const value = textOf(definition, name, object);
      const [first = "", last = ""] = [values[0], values.at(-1)];
      if (value === null) return false;
      if (value !== first && value !== last) return value > first !== value > last;
      // Among those with the value of an end, the time decides.
      return isWithin(
        time,
        times.filter((_, index) => values[index] === value),
      );
    });
  };
}

/** Equal to an end is not between. */
function isWithin(time: number, times: readonly number[]): boolean {
  const isRounded = (one: number): boolean => one % ROUNDING_MS === 0;
  const marginMs = isRounded(time) === times.every(isRounded) ? 0 : ROUNDING_MS;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return time - marginMs > Math.min(first, last) && time + marginMs < Math.max(first, last);
}

function isAscending(values: readonly (number | string)[]): boolean {
  return values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
}

/** Milliseconds since the epoch; null where one of them has no time. */
function timesOf(
  { createdAt }: AnyResource,
  objects: readonly Pick<LiveObject, "attributes">[],
): readonly number[] | null {
  const times = objects.flatMap(({ attributes }) => {
    const text = createdAt === undefined ? null : attributes[createdAt];
    const time = typeof text === "string" ? parsedTimeMs(text) : null;
    return time === null ? [] : [time];
  });
  return times.length === objects.length ? times : null;
}

/** Null where the value is not known. */
function textOf({ schema }: AnyResource, name: string, { id, attributes }: Unlisted): string | null {
  if (name === "id") return id;
  const value = attributes[name];
  if (value === undefined) return null;
  const canonical = schema[name]?.canonical?.(value) ?? value;
  if (canonical === null) return "";
  return typeof canonical === "string" ? canonical : canonicalJson(canonical);
}
