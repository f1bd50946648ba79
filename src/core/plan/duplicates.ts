import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Attributes, hasUnknown } from "../model/value.ts";
import { declaredTwiceDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { indexLive } from "./live-index.ts";
import { allowsDuplicate } from "./protection.ts";

/** Finds the unmanaged live objects that are identical to what `wanted` would create. */
export type FindDuplicates = (definition: AnyResource, wanted: Attributes) => readonly LiveObject[];

export function duplicateFinder(catalog: Catalog, live: ReadonlyMap<string, LiveListing>, managedIds: ReadonlySet<string>): FindDuplicates {
  const unmanaged = new Map(
    [...live].map(([type, { objects }]) => {
      const others = objects.filter(({ id }) => !managedIds.has(id));
      return [type, indexLive(resourceOf(catalog, type), others)] as const;
    }),
  );
  return (definition, wanted) => (allowsDuplicate(wanted) ? [] : (unmanaged.get(definition.type)?.duplicates(wanted) ?? []));
}

/** Two declarations of the same identity are duplicates, so both have to allow it. */
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
