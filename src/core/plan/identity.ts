import type { AnyResource } from "../model/definition.ts";
import { type Attributes, type Value, canonicalJson } from "../model/value.ts";

/** The same text for objects that are the same by the attributes of their identity, or by some of them, however they are written. */
export function identityKey({ type, identity, schema }: AnyResource, attributes: Attributes, names: readonly string[] = identity): string {
  const values = names.map((name) => {
    const value = attributes[name] ?? null;
    return schema[name]?.canonical?.(value) ?? value;
  });
  const key = [type, ...values];
  // Without objects there is nothing to sort: this is asked for every object of a large configuration.
  return values.some((value) => typeof value === "object" && value !== null) ? canonicalJson(key) : JSON.stringify(key);
}

/** The values of an identity, separated by slashes: the id of an import where the service has no list. */
export function identityText({ identity }: Pick<AnyResource, "identity">, attributes: Attributes): string {
  return identity.map((name) => textOf(attributes[name])).join("/");
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
