import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Attributes, Value } from "../model/value.ts";
import { sameMeaning } from "../model/attribute.ts";

/** The record of an adopted object: the live values that the service shows, and the declared values of the rest. */
export function adoptedAttributes(
  { schema }: AnyResource,
  declared: Attributes,
  live: Pick<LiveObject, "attributes">,
): Attributes {
  const attributes: Record<string, Value> = {};
  for (const [name, attribute] of Object.entries(schema)) {
    const seen = live.attributes[name];
    const wanted = declared[name] ?? attribute.default ?? null;
    attributes[name] = seen === undefined || sameMeaning(attribute, wanted, seen) ? wanted : seen;
  }
  return attributes;
}

/**
 * The attributes of an object before its import: what the service does not show is null, or the default. Not what is only computed, what names
 * an object that cannot be listed, or what Terraform has no attribute for.
 */
export function beforeImport(
  { schema, list, identity }: AnyResource,
  after: Attributes,
  returned: Attributes,
): Attributes {
  const before: Record<string, Value> = { ...after };
  for (const [name, { mode, frontends, default: fallback = null }] of Object.entries(schema)) {
    const isGiven =
      name in returned ||
      mode === "computed" ||
      frontends?.includes("terraform") === false ||
      (!list && identity.includes(name));
    if (!isGiven) before[name] = fallback;
  }
  return before;
}

/** The record of an object that was taken over. What the service does not show is assumed as declared, or unobserved where nothing is declared. */
export function adoptedInstance(
  { schema, type, version, list }: AnyResource,
  adopted: Pick<RecordedInstance, "address" | "provider" | "id" | "attributes" | "returned" | "recordedAtMs"> &
    Partial<Pick<RecordedInstance, "masked" | "lookups">>,
): RecordedInstance {
  const unseen = Object.entries(schema).flatMap(([name, { mode, writeOnly, onChange }]) =>
    !list || mode === "computed" || writeOnly || onChange === "record" || name in adopted.returned ? [] : [name],
  );
  const isNull = (name: string): boolean => (adopted.attributes[name] ?? null) === null;
  return {
    ...adopted,
    type,
    schemaVersion: version,
    unobserved: unseen.filter(isNull),
    assumed: unseen.filter((name) => !isNull(name)),
  };
}
