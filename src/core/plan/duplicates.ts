import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Attributes, canonicalJson, hasUnknown, type Value } from "../model/value.ts";
import { declaredTwiceDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { isDuplicate } from "./observe.ts";
import { allowsDuplicate } from "./protection.ts";

/** Finds the live objects that are not managed and are what `wanted` would create. */
export type FindDuplicates = (definition: AnyResource, wanted: Attributes) => readonly LiveObject[];

/** Sorts the unmanaged objects by the first attribute of their identity, so that each search looks at few of them. */
export function duplicateFinder(catalog: Catalog, live: ReadonlyMap<string, LiveListing>, managedIds: ReadonlySet<string>): FindDuplicates {
  const buckets = new Map<string, ReadonlyMap<string, readonly LiveObject[]>>();
  for (const [type, { objects }] of live) {
    const definition = resourceOf(catalog, type);
    const bucket = new Map<string, LiveObject[]>();
    for (const object of objects) {
      if (managedIds.has(object.id)) continue;
      const label = labelOf(definition, object.attributes);
      const there = bucket.get(label);
      if (there) there.push(object);
      else bucket.set(label, [object]);
    }
    buckets.set(type, bucket);
  }
  return (definition, wanted) => {
    const bucket = buckets.get(definition.type);
    if (!bucket || allowsDuplicate(wanted)) return [];
    const near = [...(bucket.get(labelOf(definition, wanted)) ?? []), ...(bucket.get(UNOBSERVED) ?? [])];
    return near.filter((object) => isDuplicate(definition, wanted, object));
  };
}

const UNOBSERVED = "";

function labelOf({ identity, schema }: AnyResource, attributes: Attributes): string {
  const [first = ""] = identity;
  const value: Value | undefined = attributes[first];
  if (value === undefined) return UNOBSERVED;
  return canonicalJson(schema[first]?.canonical?.(value) ?? value);
}

/** Two declarations of the same identity would deliver each event twice, unless both say that they mean it. */
export function duplicateDeclarations({
  catalog,
  declarations,
}: {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
}): readonly Diagnostic[] {
  const firsts = new Map<string, Declaration>();
  return declarations.flatMap((declaration) => {
    const definition = resourceOf(catalog, declaration.type);
    if (!definition.list || definition.identity.some((name) => hasUnknown(declaration.attributes[name] ?? null))) return [];
    const key = identityKey(definition, declaration.attributes);
    const first = firsts.get(key);
    firsts.set(key, first ?? declaration);
    if (!first || (allowsDuplicate(first.attributes) && allowsDuplicate(declaration.attributes))) return [];
    return [declaredTwiceDiagnostic(definition, first, declaration)];
  });
}
