import type { AnyResource, LiveListing, LiveObject } from "../model/definition.ts";
import { parsedTimeMs } from "../model/time.ts";
import { type Attributes, canonicalJson } from "../model/value.ts";

/** A recorded object that a list does not show. */
export interface Unlisted {
  readonly id: string | null;
  readonly attributes: Attributes;
}

/** Whether a recorded object that the list does not show is gone from the service, as far as the list can tell. */
export type IsMissing = (object: Unlisted) => boolean;

interface Listed {
  readonly complete: boolean;
  readonly evidence?: LiveListing["evidence"] | undefined;
}

/**
 * Decides what counts as missing from a list. Everything does where the list is whole. Where the service may have truncated it,
 * an object counts as missing only by evidence, each of which holds for a list that is cut at either of its ends:
 *
 * - A longer answer to the same plain request was seen. Then the cap is not at the length of this one, which is whole. This
 *   counts different objects: a service may cut before or after it lists something twice.
 * - The answer is in the order of creation, and the object was created between two that it shows: a cut at an end leaves it in.
 * - A list that was whole beyond doubt has lacked the object before: the service never brings an object back.
 *
 * The evidence is for plans and reads. Recovery creates again only from a list that is whole by itself.
 */
export function missingFrom(definition: AnyResource, { complete, evidence }: Listed): IsMissing {
  if (isWhole(definition, { complete, evidence })) return () => true;
  if (!evidence) return () => false;
  const { answer, absent } = evidence;
  const isBetween = answer === null ? null : betweenListed(definition, answer);
  return (object) => (object.id !== null && absent.has(object.id)) || (isBetween !== null && isBetween(object));
}

/**
 * Whether a list is whole, by itself or because a longer one was seen. An ordered list that lost several objects at once does
 * not count: a cap that the service introduced since looks the same. Then only the objects between two listed ones count as missing.
 */
export function isWhole(definition: AnyResource, { complete, evidence }: Listed): boolean {
  if (complete) return true;
  if (!evidence?.answer) return false;
  const { answer, longestSeen } = evidence;
  const fewer = longestSeen - answer.length;
  return fewer === 1 || (fewer > 1 && creationOrder(definition, answer) === null);
}

/** How a list is ordered by creation; null where it is not, or where it shows too little to tell. */
export function creationOrder(definition: AnyResource, listed: readonly LiveObject[]): "ascending" | "descending" | null {
  const times = timesOf(definition, listed);
  if (times === null) return null;
  const order = isAscending(times) ? "ascending" : isAscending(times.toReversed()) ? "descending" : null;
  return order !== null && arrangements(times) >= MIN_ARRANGEMENTS ? order : null;
}

/** A list in no order looks ordered in two of its arrangements, so by chance in at most one list of 500,000. */
const MIN_ARRANGEMENTS = 1_000_000;

/** In how many ways ordered values, some of them equal, could have been arranged: n! divided by k! for each k equal ones. */
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
    return known.length === values.length && (isAscending(known) || isAscending(known.toReversed())) ? [{ name, values: known }] : [];
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
function timesOf({ createdAt }: AnyResource, objects: readonly Pick<LiveObject, "attributes">[]): readonly number[] | null {
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
