import { sameMeaning } from "../../../core/model/attribute.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { parsedTimeMs } from "../../../core/model/iso-time.ts";
import { parseUrl } from "../../../core/model/parse-url.ts";
import type { Attributes, Value } from "../../../core/model/value.ts";
import { anotherObject } from "../private-state.ts";
import type { Session } from "../provider-session.ts";
import type { Recorded } from "../type-session.ts";

/**
 * Throws if the live object with this id is another one. Without private state, as Pulumi's deletes are, nothing else tells that the provider
 * speaks to another service than before.
 */
export async function requireSame(session: Session, definition: AnyResource, recorded: Recorded): Promise<void> {
  const { object } = await session.type(definition).find(recorded);
  if (object === null) return;
  const differing = differingIn(definition, object.attributes, recorded.attributes);
  if (differing.length > 0) throw new DiagnosticsError([anotherObject(definition, recorded.id, differing)]);
}

function differingIn(
  { identity, createdAt = "", schema }: AnyResource,
  live: Attributes,
  recorded: Attributes,
): readonly string[] {
  const [seenAtMs, recordedAtMs] = [live, recorded].map((attributes) => timeOf(attributes[createdAt]));
  const isTimed = typeof seenAtMs === "number" && typeof recordedAtMs === "number";
  const isSameTime = isTimed && seenAtMs === recordedAtMs;
  const differing = identity.filter((name) => {
    const [attribute, seen = null, value = null] = [schema[name], live[name], recorded[name]];
    if (attribute === undefined || (attribute.observed ?? "always") !== "always" || seen === null || value === null)
      return false;
    return !sameMeaning(attribute, seen, value) && !(isSameTime && haveSameHost(seen, value));
  });
  return isTimed && !isSameTime ? [...differing, createdAt] : differing;
}

function timeOf(value: Value | undefined): number | null {
  return typeof value === "string" ? parsedTimeMs(value) : null;
}

/** A service may write a URL in a way of its own, such as with a slash at its end. */
function haveSameHost(seen: Value, recorded: Value): boolean {
  const [one, other] = [seen, recorded].map((value) => (typeof value === "string" ? parseUrl(value)?.host : undefined));
  return one !== undefined && one === other;
}
