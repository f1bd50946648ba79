import type { AnyResource, LiveObject } from "../../model/definition.ts";
import { parsedTimeMs } from "../../model/iso-time.ts";
import { compareText } from "../../model/value.ts";
import { differingAttributes } from "../../plan/differing-attributes.ts";
import type { LiveIndex } from "../../plan/live-index.ts";
import type { Intent } from "../../state/journal-event.ts";

/** The objects that carry a mark. */
export function marked({ byId }: LiveIndex, mark: string): readonly LiveObject[] {
  return [...byId.values()].filter((object) => object.mark === mark);
}

export function oldestFirst({ createdAt = "" }: AnyResource, objects: readonly LiveObject[]): readonly LiveObject[] {
  const timeOf = ({ attributes: { [createdAt]: time } }: LiveObject): string => (typeof time === "string" ? time : "");
  return objects.toSorted((a, b) => compareText(timeOf(a), timeOf(b)) || compareText(a.id, b.id));
}

/**
 * Whether an object with the mark of a create is certainly not a copy that somebody else has made: it shows all that tells objects
 * apart, no other value, and is no older.
 */
export function isProvenOwn(
  definition: AnyResource,
  object: LiveObject,
  { planned, serverDate }: Pick<Intent, "planned" | "serverDate">,
): boolean {
  const wanted = planned ?? {};
  const olderMs = olderByMs(definition, object, { serverDate });
  const isShown = definition.identity.every(
    (name) => (wanted[name] ?? null) === null || object.attributes[name] !== undefined,
  );
  return isShown && olderMs !== null && olderMs <= 0 && differingAttributes(definition, wanted, object).length === 0;
}

/** How long before the intent it was created, by the service's own clock; null where that is not known. */
export function olderByMs(
  { createdAt }: AnyResource,
  { attributes }: LiveObject,
  { serverDate }: Pick<Intent, "serverDate">,
): number | null {
  const text = createdAt === undefined ? null : attributes[createdAt];
  const createdMs = typeof text === "string" ? parsedTimeMs(text) : null;
  const sinceMs = secondOf(serverDate);
  return createdMs === null || sinceMs === null ? null : sinceMs - createdMs;
}

export const SECOND_MS = 1000;

/** A time as text, cut to seconds; null where it is none. */
export function secondOf(text: string): number | null {
  const ms = parsedTimeMs(text);
  return ms === null ? null : Math.floor(ms / SECOND_MS) * SECOND_MS;
}
