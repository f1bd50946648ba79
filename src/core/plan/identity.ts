import type { Schema } from "../model/attribute.ts";
import type { AnyResource } from "../model/definition.ts";
import { type Attributes, canonicalJson, hasUnknown } from "../model/value.ts";

/** A text that is equal for objects that are the same by the attributes of their identity, or by some of them, however they are written. */
export function identityKey(
  { type, identity, schema }: AnyResource,
  attributes: Attributes,
  names: readonly string[] = identity,
): string {
  const values = names.map((name) => {
    const value = attributes[name] ?? null;
    return schema[name]?.canonical?.(value) ?? value;
  });
  const key = [type, ...values];
  // Without objects there is nothing to sort: this is asked for every object of a large configuration. Joined, it is in one piece.
  if (values.some((value) => typeof value === "object" && value !== null)) return canonicalJson(key);
  return ["[", key.map((value) => JSON.stringify(value)).join(","), "]"].join("");
}

/** A text that is equal for objects with the same exclusive value, however it is written; null where there is none, or it is not known yet. */
export function exclusiveKey(definition: AnyResource, attributes: Attributes): string | null {
  const { exclusive } = definition;
  const value = exclusive === undefined ? null : (attributes[exclusive] ?? null);
  return exclusive === undefined || value === null || hasUnknown(value)
    ? null
    : identityKey(definition, attributes, [exclusive]);
}

/** The version of all identity schemas. It rises when the attributes of an identity change. */
export const IDENTITY_VERSION = 0;

/** The attributes that tell which live object a resource is: its id where objects can be listed, otherwise those of its identity. */
export function identitySchema({ schema, identity, list }: AnyResource): Schema {
  const names: readonly string[] = list ? ["id"] : identity;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}

/** The values of an identity in their canonical form; null while any of them is absent or unknown. */
export function identityValues(schema: Schema, attributes: Attributes): Attributes | null {
  const values = Object.entries(schema).map(([name, { canonical }]) => {
    const value = attributes[name] ?? null;
    return [name, canonical && !hasUnknown(value) ? canonical(value) : value] as const;
  });
  return values.some(([, value]) => value === null || hasUnknown(value)) ? null : Object.fromEntries(values);
}
