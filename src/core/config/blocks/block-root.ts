import { type ExpressionFailure, invalidReference } from "../../expression/expression-failure.ts";
import type { Reference } from "../../expression/syntax/syntax.ts";
import {
  type Marks,
  NO_MARKS,
  type Term,
  UNKNOWN_TERM,
  fromValue,
  mapping,
  marked,
  masked as sensitiveTerm,
  sequence,
} from "../../expression/syntax/term.ts";
import { nearest } from "../../model/diagnostic.ts";
import { type Attributes, UNKNOWN, type Value } from "../../model/value.ts";

/** The instances of a block with `count` or `for_each`, in order; null while they are unknown. */
export type RepeatedBlock = { readonly kind: "count" | "for_each"; readonly keys: readonly (string | number)[] } | null;

/** The target of the first steps of a reference, and the remaining steps. If `term` is present, it replaces `value`. */
export interface Root {
  readonly value: Value;
  readonly term?: Term;
  readonly marks: Marks;
  readonly fromSensitive: boolean;
  readonly steps: Reference["steps"];
}

export const NONE_MASKED: ReadonlyMap<string, readonly string[]> = new Map();

interface BlockReference {
  readonly base: string;
  /** The steps after the name of the block. */
  readonly steps: Reference["steps"];
  readonly declared: { has(address: string): boolean; keys(): Iterable<string> };
  /** Undefined for data that is not read yet. */
  readonly attributesOf: (address: string) => Attributes | undefined;
  readonly masked: ReadonlyMap<string, readonly string[]>;
  readonly repeated: ReadonlyMap<string, RepeatedBlock> | undefined;
  readonly wholeBlocks: Map<string, Root> | undefined;
}

/** A block, one of its instances, or all of them by key. Null if the block does not exist. */
export function blockRoot(block: BlockReference): Root | null {
  const { base, steps, declared } = block;
  const [key, ...others] = steps;
  if (declared.has(base)) return instanceRoot(block, base, steps);
  const repeated = block.repeated?.get(base);
  if (repeated === null) return { value: UNKNOWN, steps: [], marks: NO_MARKS, fromSensitive: false };
  const known = key === undefined ? undefined : `${base}[${JSON.stringify(key)}]`;
  if (known !== undefined && declared.has(known)) return instanceRoot(block, known, others);
  const before = key === undefined ? block.wholeBlocks?.get(base) : undefined;
  if (before) return before;
  const keys = repeated?.keys ?? keysOf(base, declared.keys());
  if (keys.length === 0 && !repeated) return null;
  if (key !== undefined) throw noSuchInstance(base, key, keys);
  const isList = repeated ? repeated.kind === "count" : keys.every((one) => typeof one === "number");
  const root = {
    value: UNKNOWN,
    term: wholeTerm(block, { keys, isList }),
    steps: [],
    marks: NO_MARKS,
    fromSensitive: false,
  };
  block.wholeBlocks?.set(base, root);
  return root;
}

/** All instances. Each carries its own marks, so that a value from one of them does not depend on the others. */
function wholeTerm(
  { base, attributesOf, masked }: BlockReference,
  { keys, isList }: { readonly keys: readonly (string | number)[]; readonly isList: boolean },
): Term {
  const instances = keys.map((key): readonly [string, Term] => {
    const address = `${base}[${JSON.stringify(key)}]`;
    return [
      String(key),
      marked(instanceTerm(attributesOf(address), masked.get(address)), marksOf([address], false).marks),
    ];
  });
  if (!isList) return mapping("object", instances);
  return sequence(
    "tuple",
    instances.map(([, term]) => term),
  );
}

/** A whole instance, with marks on its sensitive attributes only. */
function instanceTerm(attributes: Attributes | undefined, hidden: readonly string[] = []): Term {
  if (!attributes) return UNKNOWN_TERM;
  return mapping(
    "object",
    Object.entries(attributes).map(([name, value]) => [
      name,
      hidden.includes(name) ? sensitiveTerm(fromValue(value)) : fromValue(value),
    ]),
  );
}

/** The keys of the instances; numbers are sorted. */
function keysOf(base: string, addresses: Iterable<string>): readonly (string | number)[] {
  const instances = [...addresses].filter((address) => address.startsWith(`${base}[`));
  const keys = instances.map((address) => JSON.parse(address.slice(base.length + 1, -1)) as string | number);
  return keys.every((key) => typeof key === "number") ? keys.toSorted((a, b) => a - b) : keys;
}

function noSuchInstance(base: string, key: string | number, keys: readonly (string | number)[]): ExpressionFailure {
  const shown = keys.map((one) => JSON.stringify(one));
  const suggestion = nearest(JSON.stringify(key), shown);
  const [first] = shown;
  const hint =
    first === undefined
      ? "It has no instances."
      : suggestion === null
        ? `Write ${base}[${first}].`
        : `Did you mean ${base}[${suggestion}]?`;
  return invalidReference(`${base} has no instance ${base}[${JSON.stringify(key)}].`, hint);
}

export function instanceRoot(
  { attributesOf, masked }: Pick<BlockReference, "attributesOf" | "masked">,
  address: string,
  steps: Reference["steps"],
): Root {
  const attributes = attributesOf(address);
  const [attribute] = steps;
  if (attributes && attribute !== undefined && !Object.hasOwn(attributes, attribute)) {
    const names = Object.keys(attributes);
    const suggestion = nearest(String(attribute), names);
    throw invalidReference(
      `${address} has no attribute ${String(attribute)}.`,
      suggestion === null ? `It has ${names.join(", ")}.` : `Did you mean ${suggestion}?`,
    );
  }
  const hidden = masked.get(address);
  if (attribute === undefined && attributes && hidden)
    return { value: UNKNOWN, term: instanceTerm(attributes, hidden), steps, ...marksOf([address], false) };
  const sensitive = attribute !== undefined && hidden?.includes(String(attribute)) === true;
  return { value: attributes ?? UNKNOWN, steps: attributes ? steps : [], ...marksOf([address], sensitive) };
}

function marksOf(addresses: readonly string[], sensitive: boolean): Pick<Root, "marks" | "fromSensitive"> {
  return { marks: { sensitive, references: new Set(addresses) }, fromSensitive: sensitive };
}
