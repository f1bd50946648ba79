import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import { type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, nearest, errorOf, noteOf, warningOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { firstFew } from "../model/words.ts";
import { identityKey } from "./identity.ts";
import type { PlanOptions, Scope } from "./plan-context.ts";

/** Of the addresses of one object, one must be a target, and none may be excluded. */
type Includes = (...addresses: readonly string[]) => boolean;

export interface Targeting {
  /** Whether the plan includes an object that is known under these addresses. */
  readonly includes: Includes;
  readonly isReplaceRequested: (address: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

interface Addressed {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  readonly options: PlanOptions;
  readonly removals?: readonly { readonly address: string }[];
  /** New address → the recorded one. */
  readonly moves: ReadonlyMap<string, string>;
}

/** Whether a plan is about a part of the configuration alone. */
export function isPartial({ targets, excludes }: Scope): boolean {
  return targets.length > 0 || excludes.length > 0;
}

/** Whether a plan of this scope includes an object. */
export function inScope({ targets, excludes }: Scope): Includes {
  const isTarget = targets.length === 0 ? () => true : within(targets);
  const isExcluded = excludedIn({ excludes });
  return (...addresses) => addresses.some(isTarget) && !addresses.some(isExcluded);
}

/** Whether the exclusions name an address. */
export function excludedIn({ excludes }: Pick<Scope, "excludes">): (address: string) => boolean {
  return within(excludes);
}

/** A target and an exclusion name an instance, or a block with all its instances. */
export function openTargets({ catalog, declarations, instances, options, moves, removals = [] }: Addressed): Targeting {
  const { targets, excludes, replace, refreshOnly, guarded } = options;
  if (!isPartial(options) && replace.length === 0)
    return { includes: () => true, isReplaceRequested: () => false, diagnostics: [] };
  const recorded = addressesOf([...instances, ...[...moves.keys()].map((address) => ({ address }))]);
  const isReplaceRequested = within(replace);
  const final = instances.filter(({ type, address }) => !resourceOf(catalog, type).list && isReplaceRequested(address));
  const known = addressesOf([...declarations, ...instances, ...removals]);
  const unmatched = excludes.filter((excluded) => !known.has(excluded));
  // What a scheduled comparison, or an approved plan, leaves out may be gone, or not be there yet.
  const isStanding = (refreshOnly && declarations.length === 0) || !guarded;
  const mistakes = [
    ...targets
      .filter((target) => !known.has(target))
      .map((target) => unknownAddress(target, known, `The target ${target} is neither declared nor recorded.`)),
    ...(isStanding ? [] : unmatched).map((excluded) =>
      unknownAddress(excluded, known, `The exclusion ${excluded} is neither declared nor recorded.`),
    ),
    ...replace
      .filter((target) => !recorded.has(target))
      .map((target) => unknownAddress(target, recorded, `${target} cannot be replaced: it is not in the state.`)),
    ...final.map((instance) => notReplaceable(instance, catalog)),
  ];
  return {
    includes: inScope(options),
    isReplaceRequested,
    diagnostics:
      mistakes.length === 0 && isPartial(options)
        ? [targeted(options), ...(isStanding && guarded ? unmatched.map(notRecorded) : [])]
        : mistakes,
  };
}

interface Leaving {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
  /** Under the addresses that they have moved to. */
  readonly instances: readonly RecordedInstance[];
  /** New address → the one that it is recorded under. */
  readonly origins: ReadonlyMap<string, string>;
  /** The recorded addresses that have moved to a new key. */
  readonly moved: ReadonlySet<string>;
  readonly options: PlanOptions;
}

/**
 * Leaves out the records that nothing declares any more where an excluded address has their identity or their block: it may take their place,
 * and nothing would follow them.
 */
export function withoutReplaced(
  targeting: Targeting,
  { catalog, declarations, instances, origins, moved, options }: Leaving,
): Targeting {
  const { excludes, refreshOnly, importsOnly } = options;
  if (excludes.length === 0 || refreshOnly || importsOnly) return targeting;
  const isListed = ({ type }: { readonly type: string }): boolean => resourceOf(catalog, type).list !== undefined;
  const keyOf = ({ type, attributes }: Declaration | RecordedInstance): string =>
    identityKey(resourceOf(catalog, type), attributes);
  const isExcluded = excludedIn(options);
  const declared = new Set(declarations.map(({ address }) => address));
  const blocks = new Set(excludes.map(blockOf));
  const identities = new Set(declarations.filter((one) => isListed(one) && isExcluded(one.address)).map(keyOf));
  const left = instances.filter(
    (one) =>
      isListed(one) &&
      !declared.has(one.address) &&
      !moved.has(one.address) &&
      targeting.includes(one.address, origins.get(one.address) ?? one.address) &&
      (blocks.has(blockOf(one.address)) || identities.has(keyOf(one))),
  );
  if (left.length === 0) return targeting;
  const isLeft = new Set(left.map(({ address }) => address));
  return {
    ...targeting,
    includes: (...addresses) => targeting.includes(...addresses) && !addresses.some((address) => isLeft.has(address)),
    diagnostics: [...targeting.diagnostics, keptForExcluded([...isLeft])],
  };
}

const SHOWN = 5;

function keptForExcluded(left: readonly string[]): Diagnostic {
  return noteOf("kept_for_excluded", "Kept for an address that is left out", {
    detail: `No longer declared, but kept, because an excluded address may take the place: ${firstFew(left, SHOWN)}.`,
  });
}

/** Whether an address is one of these, or in one of these blocks. */
export function within(targets: readonly string[]): (address: string) => boolean {
  const wanted = new Set(targets);
  return (address) => wanted.has(address) || wanted.has(blockOf(address));
}

function addressesOf(addressed: readonly { readonly address: string }[]): ReadonlySet<string> {
  return new Set(addressed.flatMap(({ address }) => [address, blockOf(address)]));
}

function unknownAddress(typed: string, known: ReadonlySet<string>, detail: string): Diagnostic {
  const meant = [...known].find((address) => address.endsWith(`.${typed}`)) ?? nearest(typed, [...known]);
  return errorOf("address_unknown", "No such address", {
    detail,
    ways: [meant === null ? { kind: "list-records" } : { kind: "use-address", address: meant }],
  });
}

function notRecorded(excluded: string): Diagnostic {
  return noteOf("exclusion_unmatched", "An exclusion matches nothing", {
    detail: `${excluded} is not recorded, so there was nothing to leave out.`,
  });
}

function notReplaceable({ address, type }: RecordedInstance, catalog: Catalog): Diagnostic {
  return errorOf("replace_impossible", "Cannot be replaced", {
    detail: `${address} cannot be replaced: no documented request undoes a ${resourceOf(catalog, type).noun}.`,
    ways: [{ kind: "keep", address }],
    address,
  });
}

function targeted({ targets, excludes }: Scope): Diagnostic {
  const but = targets.length > 0 && excludes.length > 0 ? ", without the excluded addresses" : "";
  const scope = targets.length > 0 ? `includes only the targets${but}` : "leaves out the excluded addresses";
  return warningOf("targeted", "Resource targeting is in effect", {
    detail: `The plan ${scope}: the result may not be everything that the configuration declares.`,
    hint:
      targets.length > 0
        ? "Use targets only to recover from mistakes."
        : "Exclude addresses only until you can apply them again.",
    ways: [{ kind: "untarget" }],
  });
}
