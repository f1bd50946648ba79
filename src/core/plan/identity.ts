import type { AnyResource } from "../model/definition.ts";
import { type Attributes, canonicalJson, hasUnknown } from "../model/value.ts";

/** A text that is equal for objects that are the same by the attributes of their identity, or by some of them, however they are written. */
export function identityKey({ type, identity, schema }: AnyResource, attributes: Attributes, names: readonly string[] = identity): string {
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
  return exclusive === undefined || value === null || hasUnknown(value) ? null : identityKey(definition, attributes, [exclusive]);
}
