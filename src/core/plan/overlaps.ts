import { groupBy } from "../model/maps.ts";
import { firstFew } from "../model/words.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, Catalog } from "../model/definition.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import { type Attributes, hasUnknown, type Value } from "../model/value.ts";
import { identityKey } from "./identity.ts";
import { allowsDuplicate } from "./protection.ts";

/** Objects of one type by what they select. Its cost grows with their number, not with that of their pairs. */
export interface OverlapIndex<T> {
  add(attributes: Attributes, object: T): void;
  /**
   * One of the objects that overlap and are no duplicates; undefined for none. An object that allows duplicates overlaps with none, and
   * neither does one with an unknown value.
   */
  find(attributes: Attributes): T | undefined;
}

export function overlapIndex<T>(definition: AnyResource): OverlapIndex<T> {
  const { overlap } = definition;
  if (!overlap) return { add: () => undefined, find: () => undefined };
  const names = ["allow_duplicate", overlap.place, ...overlap.selectors];
  const isIn = (attributes: Attributes): boolean =>
    !allowsDuplicate(attributes) && !names.some((name) => hasUnknown(attributes[name] ?? null));
  /** The keys of every combination of the marks that each selector has. */
  const keysOf = (attributes: Attributes, marks: (value: Value) => readonly string[]): readonly string[] => {
    const place = identityKey(definition, attributes, [overlap.place]);
    const selected = overlap.selectors.map((name) => marks(attributes[name] ?? null));
    return selected.reduce((keys, some) => keys.flatMap((key) => some.map((mark) => `${key},${mark}`)), [place]);
  };
  /** The first objects of the first two identities: one of them is no duplicate of an object that is looked for. */
  const found = new Map<string, readonly { readonly identity: string; readonly object: T }[]>();
  return {
    add: (attributes, object) => {
      if (!isIn(attributes)) return;
      const identity = identityKey(definition, attributes);
      for (const key of keysOf(attributes, stored)) {
        const before = found.get(key) ?? [];
        if (before.length < 2 && before[0]?.identity !== identity) found.set(key, [...before, { identity, object }]);
      }
    },
    find: (attributes) => {
      if (!isIn(attributes)) return undefined;
      const identity = identityKey(definition, attributes);
      const others = keysOf(attributes, wanted).flatMap((key) => found.get(key) ?? []);
      return others.find((other) => other.identity !== identity)?.object;
    },
  };
}

/** Marks of a selector that no value has as JSON. */
const EVERYTHING = "*";
const ANYTHING = "?";

/** A selector that is null is found by every value; one with a value is found by that value, and by null. */
function stored(value: Value): readonly string[] {
  return value === null ? [EVERYTHING] : [JSON.stringify(value), ANYTHING];
}

function wanted(value: Value): readonly string[] {
  return value === null ? [EVERYTHING, ANYTHING] : [JSON.stringify(value), EVERYTHING];
}

interface Pair {
  readonly first: Declaration;
  readonly second: Declaration;
}

/** Warns about declarations that overlap, once for each place that they have in common. */
export function overlappingDeclarations(
  { catalog, declarations }: { readonly catalog: Catalog; readonly declarations: readonly Declaration[] },
  includes: (address: string) => boolean = () => true,
): readonly Diagnostic[] {
  return catalog.resources.flatMap((definition) => {
    const { overlap } = definition;
    if (!overlap) return [];
    const ofType = declarations.filter(({ type }) => type === definition.type);
    const pairs = pairsOf(definition, overlap.place, ofType).filter(
      ({ first, second }) => includes(first.address) || includes(second.address),
    );
    const byPlace = groupBy(pairs, ({ first }) => identityKey(definition, first.attributes, [overlap.place]));
    return [...byPlace.values()].map((some) => overlapDiagnostic(definition, some));
  });
}

/** Each declaration with one that it overlaps with; in the order of the later one of each pair. */
function pairsOf(definition: AnyResource, place: string, all: readonly Declaration[]): readonly Pair[] {
  // Most declarations share their place with no other one, so only the others are indexed.
  const places = groupBy(all, ({ attributes }) => identityKey(definition, attributes, [place]));
  const sharing = new Set([...places.values()].flatMap((some) => (some.length > 1 ? some : [])));
  const declarations = all.filter((one) => sharing.has(one));
  const index = overlapIndex<number>(definition);
  for (const [at, { attributes }] of declarations.entries()) index.add(attributes, at);
  const pairs = new Map<string, readonly [first: number, second: number]>();
  for (const [at, { attributes }] of declarations.entries()) {
    const other = index.find(attributes);
    if (other !== undefined)
      pairs.set(`${String(Math.min(at, other))},${String(Math.max(at, other))}`, [
        Math.min(at, other),
        Math.max(at, other),
      ]);
  }
  const sorted = [...pairs.values()].toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
  return sorted.flatMap(([one, other]) => {
    const [first, second] = [declarations[one], declarations[other]];
    return first && second ? [{ first, second }] : [];
  });
}

const SHOWN_PAIRS = 10;

function overlapDiagnostic(definition: AnyResource, pairs: readonly Pair[]): Diagnostic {
  const { plural, overlap } = definition;
  const [pair] = pairs;
  if (!overlap || !pair) throw new Error("nothing overlaps");
  const effectOf = ({ first, second }: Pair): string => overlap.effect(first.attributes, second.attributes);
  const lines = pairs.map((one) => `${one.second.address} and ${one.first.address}: ${effectOf(one)}.`);
  return warningOf(`overlapping_${plural}`, `Overlapping ${plural}`, {
    detail:
      pairs.length === 1
        ? `${pair.second.address} and ${pair.first.address} have the same ${overlap.place}, and ${effectOf(pair)}.`
        : `Several ${plural} have the same ${overlap.place}, and overlap:\n${firstFew(lines, SHOWN_PAIRS, { separator: "\n", last: "\n… and " })}`,
    hint: "Remove one of them, or narrow what it selects.",
    ways: [
      {
        kind: "allow-duplicate",
        addresses: [...new Set(pairs.slice(0, SHOWN_PAIRS).map(({ second }) => second.address))],
        isLive: true,
      },
    ],
    address: pair.second.address,
    place: pair.second.locate([]),
  });
}
