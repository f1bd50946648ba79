import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import { type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, errorOf, noteOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { groupBy } from "../model/maps.ts";
import { firstFew } from "../model/words.ts";
import { identityKey } from "./identity.ts";
import type { Scope } from "./plan-context.ts";
import { type Targeting, excludedIn } from "./targets.ts";

interface Replacing {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
  /** Under the addresses that they have moved to. */
  readonly instances: readonly RecordedInstance[];
  /** New address → the one that it is recorded under. */
  readonly origins: ReadonlyMap<string, string>;
  /** The recorded addresses that have moved to a new key. */
  readonly moved: ReadonlySet<string>;
  readonly released: ReadonlySet<string>;
  readonly options: Scope & { readonly destroy: boolean; readonly refreshOnly: boolean; readonly importsOnly: boolean };
}

interface Predecessor {
  /** The recorded address, which is no longer declared. */
  readonly address: string;
  /** The excluded addresses that take its place. */
  readonly excluded: readonly string[];
  /** Whether other addresses take it as well, and the plan includes them. */
  readonly isSplit: boolean;
}

/** An exclusion also leaves out the object whose place the excluded address takes: it would be deleted, and nothing would follow it. */
export function withPredecessors(targeting: Targeting, given: Replacing): Targeting {
  const { excludes, destroy, refreshOnly, importsOnly } = given.options;
  if (excludes.length === 0 || refreshOnly || importsOnly) return targeting;
  const found = predecessors(targeting, given);
  if (found.length === 0) return targeting;
  const kept = found.filter(({ isSplit }) => destroy || !isSplit);
  const split = found.filter((one) => !kept.includes(one));
  const isKept = new Set(kept.map(({ address }) => address));
  return {
    ...targeting,
    includes: (...addresses) => targeting.includes(...addresses) && !addresses.some((address) => isKept.has(address)),
    diagnostics: [
      ...targeting.diagnostics,
      ...(split.length > 0 ? [partExcluded(split)] : []),
      ...(kept.length > 0 ? [keptForExcluded(kept)] : []),
    ],
  };
}

function predecessors(
  { includes }: Targeting,
  { catalog, declarations, instances, origins, moved, released, options }: Replacing,
): readonly Predecessor[] {
  const isExcluded = excludedIn(options);
  const isListed = ({ type }: { readonly type: string }): boolean => resourceOf(catalog, type).list !== undefined;
  const declared = new Set(declarations.map(({ address }) => address));
  const recorded = new Set(instances.map(({ address }) => address));
  const fresh = declarations.filter((one) => isListed(one) && !recorded.has(one.address));
  const ofBlock = groupBy(fresh, ({ address }) => blockOf(address));
  const renamed = groupBy(
    fresh.filter(({ address }) => isExcluded(address)),
    (one) => identityKey(resourceOf(catalog, one.type), one.attributes),
  );
  const standing = new Set(
    instances
      .filter(({ address }) => declared.has(address) || moved.has(address))
      .map(({ address }) => blockOf(address)),
  );
  return instances.flatMap((one): readonly Predecessor[] => {
    const { address } = one;
    const block = blockOf(address);
    if (
      !isListed(one) ||
      declared.has(address) ||
      moved.has(address) ||
      released.has(block) ||
      !includes(address, origins.get(address) ?? address)
    )
      return [];
    const successors = (ofBlock.get(block) ?? [])
      .map((next) => next.address)
      .filter((next) => !standing.has(block) || isSameKey(address, next));
    const same = (renamed.get(identityKey(resourceOf(catalog, one.type), one.attributes)) ?? []).map(
      (next) => next.address,
    );
    const excluded = [...new Set([...successors.filter(isExcluded), ...same])];
    return excluded.length === 0
      ? []
      : [{ address, excluded, isSplit: successors.some((next) => !isExcluded(next) && includes(next)) }];
  });
}

/** Whether one key has all parts of the other: `a` and `a/b`, or no key and any. */
function isSameKey(one: string, other: string): boolean {
  const [first, second] = [partsOf(one), partsOf(other)];
  return [...first].every((part) => second.has(part)) || [...second].every((part) => first.has(part));
}

function partsOf(address: string): ReadonlySet<string> {
  const key = address.slice(blockOf(address).length).replaceAll(/^\["?|"?\]$/g, "");
  return new Set(key === "" ? [] : key.split("/"));
}

const SHOWN = 5;

function lines(found: readonly Predecessor[]): string {
  const shown = found.map(({ address, excluded }) => `${address}: ${firstFew(excluded, SHOWN)}`);
  return `  - ${firstFew(shown, SHOWN, { separator: "\n  - ", last: "\n  - … and " })}`;
}

function partExcluded(split: readonly Predecessor[]): Diagnostic {
  return errorOf("successors_excluded", "Only some of the new instances are excluded", {
    detail: `These are no longer declared, and excluded addresses take a part of their place. The plan would destroy them, and nothing would do the work of that part:\n\n${lines(split)}\n`,
    ways: [{ kind: "exclude", addresses: [...new Set(split.flatMap(({ excluded }) => excluded.map(blockOf)))] }],
  });
}

function keptForExcluded(kept: readonly Predecessor[]): Diagnostic {
  return noteOf("kept_for_excluded", "Kept for an address that is left out", {
    detail: `These are no longer declared, but stay: the plan leaves out the addresses that take their place:\n\n${lines(kept)}\n`,
  });
}
