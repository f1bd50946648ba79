import type { Declaration } from "../model/declaration.ts";
import { type Catalog, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasUnknown } from "../model/value.ts";
import { declaredTwiceDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { allowsDuplicate } from "./settings.ts";

/** Two declarations of the same identity would deliver each event twice, unless both say that they mean it. */
export function doubledDeclarations({
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
