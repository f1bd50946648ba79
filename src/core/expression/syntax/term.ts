import { type SecretDigest, UNKNOWN, type Value, isSecretDigest, isUnknown } from "../../model/value.ts";
import { tooLarge, invalidValue } from "../expression-failure.ts";

/** The origin of a value: whether it is sensitive, and the data sources it depends on. */
export interface Marks {
  readonly sensitive: boolean;
  readonly references: ReadonlySet<string>;
}

/** A value during an evaluation, with Terraform's types, which `Value` lacks. `size` counts all nested values; a string counts one per 64 characters. */
export type Term = Unmarked & { readonly marks: Marks; readonly size: number };

type Unmarked =
  | { readonly kind: "null" | "unknown" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "digest"; readonly value: SecretDigest }
  | { readonly kind: "tuple" | "list" | "set"; readonly items: readonly Term[] }
  | { readonly kind: "object" | "map"; readonly entries: ReadonlyMap<string, Term> };

export type Sequence = Extract<Term, { readonly items: unknown }>;
export type Mapping = Extract<Term, { readonly entries: unknown }>;

const NO_REFERENCES: ReadonlySet<string> = new Set();
export const NO_MARKS: Marks = { sensitive: false, references: NO_REFERENCES };
const SENSITIVE: Marks = { sensitive: true, references: NO_REFERENCES };

export const MAX_SIZE = 1_000_000;
export const MAX_TEXT = 1_000_000;
export const MAX_DEPTH = 100;
/** Plans use these keys to mark values. */
const RESERVED = ["$unknown", "$secret"];

export const NULL: Term = { kind: "null", marks: NO_MARKS, size: 1 };
export const UNKNOWN_TERM: Term = { kind: "unknown", marks: NO_MARKS, size: 1 };

export function bool(value: boolean): Term {
  return { kind: "bool", value, marks: NO_MARKS, size: 1 };
}

/** Throws for inexact numbers: whole numbers beyond 2^53, and numbers that are not finite. */
export function number(value: number): Term {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw invalidValue(`The result is too large: numbers are exact up to ${String(Number.MAX_SAFE_INTEGER)}.`);
  return { kind: "number", value: value + 0, marks: NO_MARKS, size: 1 };
}

/** Strings are normalized to NFC, as in Terraform, so that equal-looking strings are equal. */
export function text(value: string): Term {
  if (value.length > MAX_TEXT) throw tooLarge(`A string here is longer than ${String(MAX_TEXT)} characters.`);
  return { kind: "string", value: normalized(value), marks: NO_MARKS, size: 1 + Math.floor(value.length / 64) };
}

/** No character before U+0300 combines with another one. */
const NORMAL = /^[\0-\u{2ff}]*$/u;

function normalized(value: string): string {
  return NORMAL.test(value) ? value : value.normalize("NFC");
}

export function sequence(kind: Sequence["kind"], items: readonly Term[]): Term {
  return { kind, items, marks: NO_MARKS, size: sizeOf(items) };
}

/** Sorts the entries by key, as Terraform does. The last of equal keys wins. */
export function mapping(kind: Mapping["kind"], entries: Iterable<readonly [string, Term]>): Term {
  const all = new Map<string, Term>();
  let isSorted = true;
  let last: string | null = null;
  for (const [key, term] of entries) {
    const name = normalized(key);
    isSorted &&= last === null || compareText(last, name) < 0;
    last = name;
    all.set(name, term);
  }
  const sorted = isSorted ? all : new Map([...all].toSorted(([a], [b]) => compareText(a, b)));
  return { kind, entries: sorted, marks: NO_MARKS, size: sizeOf(all.values()) };
}

function sizeOf(children: Iterable<Term>): number {
  let size = 1;
  for (const child of children) size += child.size;
  if (size > MAX_SIZE) throw tooLarge(`A value here has more than ${String(MAX_SIZE)} elements.`);
  return size;
}

/** Compares by code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++)
    if (a.charCodeAt(index) !== b.charCodeAt(index)) return (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0);
  return a.length - b.length;
}

const PRINTABLE_ASCII = /^[ -~]*$/;
const WINDOW = 256;

/** Grapheme clusters: one visible character can consist of several code points. */
export function charactersOf(value: string): readonly string[] {
  if (PRINTABLE_ASCII.test(value)) return value.split("");
  const segmenter = new Intl.Segmenter();
  const found: string[] = [];
  // Each step of the segmenter takes as long as its whole text: it gets a window at a time, whose last cluster may go on behind it.
  for (let [at, width] = [0, WINDOW]; at < value.length;) {
    const clusters = Array.from(segmenter.segment(value.slice(at, at + width)), ({ segment }) => segment);
    if (at + width < value.length) clusters.pop();
    width = clusters.length === 0 ? width * 2 : WINDOW;
    for (const cluster of clusters) at += cluster.length;
    found.push(...clusters);
  }
  return found;
}

export function isSequence(term: Term): term is Sequence {
  return "items" in term;
}

export function isMapping(term: Term): term is Mapping {
  return "entries" in term;
}

export function marked(term: Term, marks: Marks): Term {
  if (marks === NO_MARKS) return term;
  const all = joinMarks([term.marks, marks]);
  return all === term.marks ? term : { ...term, marks: all };
}

export function unmasked(term: Term): Term {
  return { ...term, marks: { ...term.marks, sensitive: false } };
}

export function masked(term: Term): Term {
  return marked(term, SENSITIVE);
}

export function joinMarks(many: readonly Marks[]): Marks {
  let all = NO_MARKS;
  for (const marks of many) {
    if (marks === all || marks === NO_MARKS) continue;
    if (all === NO_MARKS) all = marks;
    else
      all = {
        sensitive: all.sensitive || marks.sensitive,
        references: marks.references.size === 0 ? all.references : new Set([...all.references, ...marks.references]),
      };
  }
  return all;
}

/** The marks of a value and of all nested values. */
export function deepMarks(term: Term): Marks {
  const found = { sensitive: false, references: new Set<string>() };
  collectMarks(term, found);
  return found.sensitive || found.references.size > 0 ? found : NO_MARKS;
}

function collectMarks(term: Term, found: { sensitive: boolean; references: Set<string> }): void {
  if (term.marks !== NO_MARKS) {
    found.sensitive ||= term.marks.sensitive;
    for (const reference of term.marks.references) found.references.add(reference);
  }
  if (isSequence(term)) for (const item of term.items) collectMarks(item, found);
  else if (isMapping(term)) for (const value of term.entries.values()) collectMarks(value, found);
}

/** The elements, each with the marks of the sequence added. */
export function itemsOf({ items, marks }: Sequence): readonly Term[] {
  return items.map((item) => marked(item, marks));
}

/** Values have no types: arrays become tuples, maps become objects. A digest is sensitive. */
export function fromValue(value: Value, depth = 0): Term {
  if (depth > MAX_DEPTH) throw tooLarge(`A value here is nested more than ${String(MAX_DEPTH)} levels deep.`);
  if (value === null) return NULL;
  if (typeof value === "boolean") return bool(value);
  if (typeof value === "number") return { kind: "number", value, marks: NO_MARKS, size: 1 };
  if (typeof value === "string") return text(value);
  if (isUnknown(value)) return UNKNOWN_TERM;
  if (isSecretDigest(value)) return { kind: "digest", value, marks: SENSITIVE, size: 1 };
  const isArray = (some: typeof value): some is readonly Value[] => Array.isArray(some);
  if (isArray(value))
    return sequence(
      "tuple",
      value.map((item) => fromValue(item, depth + 1)),
    );
  return mapping(
    "object",
    Object.entries(value).map(([key, item]) => [key, fromValue(item, depth + 1)]),
  );
}

/** Sets become arrays, in the set's order. */
export function toValue(term: Term, depth = 0): Value {
  if (depth > MAX_DEPTH) throw tooLarge(`A value here is nested more than ${String(MAX_DEPTH)} levels deep.`);
  switch (term.kind) {
    case "null":
      return null;
    case "unknown":
      return UNKNOWN;
    case "bool":
    case "number":
    case "string":
    case "digest":
      return term.value;
    case "tuple":
    case "list":
    case "set":
      return term.items.map((item) => toValue(item, depth + 1));
    case "object":
    case "map": {
      const taken = RESERVED.find((key) => term.entries.has(key));
      if (taken !== undefined) throw invalidValue(`${JSON.stringify(taken)} cannot be a key: plans reserve it.`);
      return Object.fromEntries([...term.entries].map(([key, value]) => [key, toValue(value, depth + 1)]));
    }
  }
}

/** Whether the value or a nested value is unknown. */
export function hasUnknownIn(term: Term): boolean {
  if (term.kind === "unknown") return true;
  if (isSequence(term)) return term.items.some(hasUnknownIn);
  return isMapping(term) && [...term.entries.values()].some(hasUnknownIn);
}

const NAMES: { readonly [kind in Term["kind"]]: string } = {
  null: "null",
  unknown: "an unknown value",
  bool: "true or false",
  number: "a number",
  string: "text",
  digest: "a secret, of which only the fingerprint is known",
  tuple: "a list",
  list: "a list",
  set: "a set",
  object: "a map",
  map: "a map",
};

/** The type of a value, for messages; never the value itself. */
export function describe({ kind }: Term): string {
  return NAMES[kind];
}

/** A key for messages, masked if it is sensitive. */
export function describeKey(key: string | number, { sensitive }: Marks): string {
  if (sensitive) return "(sensitive value)";
  const shown = JSON.stringify(key);
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
