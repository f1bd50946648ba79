import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Attributes, hasUnknown } from "../model/value.ts";
import { declaredTwiceDiagnostic, standingDuplicateDiagnostic, standingDuplicatesDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { indexLive } from "./live-index.ts";
import type { Step } from "./plan.ts";
import { allowsDuplicate } from "./protection.ts";

/** Finds the unmanaged live objects that are identical to what `wanted` would create. */
export type FindDuplicates = (definition: AnyResource, wanted: Attributes) => readonly LiveObject[];

export function duplicateFinder(
  catalog: Catalog,
  live: ReadonlyMap<string, LiveListing>,
  managedIds: ReadonlySet<string>,
): FindDuplicates {
  const unmanaged = new Map(
    [...live].map(([type, { objects }]) => {
      const others = objects.filter(({ id }) => !managedIds.has(id));
      return [type, indexLive(resourceOf(catalog, type), others)] as const;
    }),
  );
  return (definition, wanted) =>
    allowsDuplicate(wanted) ? [] : (unmanaged.get(definition.type)?.duplicates(wanted) ?? []);
}

/** A recorded object that is live and stays. */
export interface Standing {
  readonly address: string | null;
  readonly type: string;
  readonly attributes: Attributes;
}

/** More warnings than these become one. */
const SHOWN_SINGLY = 3;

/**
 * Warns about recorded objects with an identical live one that is not managed, such as another run may have created at the
 * same time. Leaves out the ids in `reported`.
 */
export function standingDuplicates(
  standing: readonly Standing[],
  {
    catalog,
    findDuplicates,
    reported = new Set(),
  }: { readonly catalog: Catalog; readonly findDuplicates: FindDuplicates; readonly reported?: ReadonlySet<string> },
): readonly Diagnostic[] {
  return catalog.resources.flatMap((definition) => {
    const doubled = standing.flatMap((one) => {
      if (one.type !== definition.type) return [];
      const duplicates = findDuplicates(definition, one.attributes).filter(({ id }) => !reported.has(id));
      return duplicates.length > 0 ? [{ ...one, duplicates }] : [];
    });
    if (doubled.length > SHOWN_SINGLY) return [standingDuplicatesDiagnostic(definition, doubled)];
    return doubled.map((one) => standingDuplicateDiagnostic(definition, one));
  });
}

/** The objects that a plan leaves in place, by what it declares or records of them. */
export function standingIn(steps: readonly Step[], declarations: readonly Declaration[]): readonly Standing[] {
  const allowed = new Set(
    declarations.flatMap(({ address, attributes }) => (allowsDuplicate(attributes) ? [address] : [])),
  );
  return steps.flatMap((step) => {
    if ((step.action !== "keep" && step.action !== "update-state") || step.id === null || allowed.has(step.address))
      return [];
    return [{ address: step.address, type: step.type, attributes: step.action === "keep" ? step.before : step.after }];
  });
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
    if (!definition.list || definition.identity.some((name) => hasUnknown(declaration.attributes[name] ?? null)))
      return [];
    const key = identityKey(definition, declaration.attributes);
    const first = firsts.get(key);
    firsts.set(key, first ?? declaration);
    if (!first || (allowsDuplicate(first.attributes) && allowsDuplicate(declaration.attributes))) return [];
    return [declaredTwiceDiagnostic(definition, first, declaration)];
  });
}
