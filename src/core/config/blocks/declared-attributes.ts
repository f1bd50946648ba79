import type { Declaration } from "../../model/declaration.ts";
import { type Catalog, resourceOf } from "../../model/definition.ts";
import { type Attributes, UNKNOWN, type Value } from "../../model/value.ts";

/** The attributes of a resource before planning: the declared values and the defaults. Secrets are unknown. */
export function declaredAttributes({ type, attributes, secrets }: Declaration, catalog: Catalog): Attributes {
  return Object.fromEntries(
    Object.entries(resourceOf(catalog, type).schema).map(
      ([name, { mode, default: fallback }]): readonly [string, Value] => {
        const computed = Object.hasOwn(secrets, name) || (mode !== "required" && mode !== "optional");
        return [name, attributes[name] ?? fallback ?? (computed ? UNKNOWN : null)];
      },
    ),
  );
}

/** The attributes of a resource that does not exist. */
export function unknownAttributes({ type }: Declaration, catalog: Catalog): Attributes {
  return Object.fromEntries(Object.keys(resourceOf(catalog, type).schema).map((name) => [name, UNKNOWN]));
}

/** The names of a resource's sensitive attributes. */
export function maskedNames({ type, masked }: Declaration, catalog: Catalog): readonly string[] {
  return [
    ...masked,
    ...Object.entries(resourceOf(catalog, type).schema).flatMap(([name, { sensitive }]) => (sensitive ? [name] : [])),
  ];
}
