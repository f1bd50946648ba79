import type { AnyResource } from "../model/definition.ts";
import { type Attributes, canonicalJson } from "../model/value.ts";

/** The same text for objects that are the same by the attributes of their identity, or by some of them, however they are written. */
export function identityKey({ type, identity, schema }: AnyResource, attributes: Attributes, names: readonly string[] = identity): string {
  return canonicalJson([
    type,
    ...names.map((name) => {
      const value = attributes[name] ?? null;
      return schema[name]?.canonical?.(value) ?? value;
    }),
  ]);
}
