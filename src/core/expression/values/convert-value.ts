import { numberIn, numberText } from "./decimal.ts";
import { identityOf } from "./equal.ts";
import {
  type Term,
  bool,
  compareText,
  deepMarks,
  hasUnknownIn,
  isMapping,
  isSequence,
  itemsOf,
  mapping,
  marked,
  number,
  sequence,
  text,
  UNKNOWN_TERM,
} from "../syntax/term.ts";

/** Terraform's types. `dynamic` is the type of null and of unknown values, which fit everywhere. */
export type TermType =
  | "dynamic"
  | "bool"
  | "number"
  | "string"
  | "digest"
  | { readonly kind: "list" | "set" | "map"; readonly of: TermType }
  | { readonly kind: "tuple"; readonly of: readonly TermType[] }
  | { readonly kind: "object"; readonly of: ReadonlyMap<string, TermType> };

export function typeOf(term: Term): TermType {
  switch (term.kind) {
    case "null":
    case "unknown":
      return "dynamic";
    case "tuple":
      return { kind: "tuple", of: term.items.map(typeOf) };
    case "list":
    case "set":
      return { kind: term.kind, of: unify(term.items.map(typeOf)) ?? "dynamic" };
    case "object":
      return { kind: "object", of: new Map([...term.entries].map(([key, value]) => [key, typeOf(value)])) };
    case "map":
      return { kind: "map", of: unify([...term.entries.values()].map(typeOf)) ?? "dynamic" };
    default:
      return term.kind;
  }
}

/** The common type that all can be converted to, as Terraform finds it; null if there is none. */
export function unify(types: readonly TermType[]): TermType | null {
  const known = types.filter((type) => type !== "dynamic");
  const [first] = known;
  if (first === undefined) return "dynamic";
  if (known.every((type) => typeof type === "string")) {
    if (known.every((type) => type === first)) return first;
    return known.includes("string") && !known.includes("digest") ? "string" : null;
  }
  const composite = known.filter((type) => typeof type !== "string");
  if (composite.length < known.length) return null;
  if (composite.every(({ kind }) => kind === "map" || kind === "object")) return unifyMappings(composite);
  return composite.some(({ kind }) => kind === "map" || kind === "object") ? null : unifySequences(composite);
}

type Composite = Exclude<TermType, string>;

function unifySequences(types: readonly Composite[]): TermType | null {
  const tuples = types.flatMap((type) => (type.kind === "tuple" ? [type.of] : []));
  const [first = []] = tuples;
  if (tuples.length === types.length && tuples.every(({ length }) => length === first.length)) {
    const of = first.map((_, index) => unify(tuples.map((tuple) => tuple[index] ?? "dynamic")));
    return of.includes(null) ? null : { kind: "tuple", of: of.filter((type) => type !== null) };
  }
  const ofKind = (kind: Composite["kind"]): readonly Composite[] => types.filter((type) => type.kind === kind);
  const [lists, sets] = [ofKind("list"), ofKind("set")];
  // Sets convert to the lists' common type, and tuples to the sets'. Without sets, all elements count.
  const leading = sets.length === 0 ? types : lists.length > 0 ? lists : sets;
  const of = unify(leading.flatMap(elementTypes));
  if (of === null) return null;
  const type = { kind: sets.length > 0 && lists.length === 0 ? ("set" as const) : ("list" as const), of };
  return types.every((one) => mayConvert(one, type)) ? type : null;
}

/** Whether some values of one type can be converted to the other. */
function mayConvert(from: TermType, to: TermType): boolean {
  if (from === to || from === "dynamic" || to === "dynamic") return true;
  if (from === "digest" || to === "digest") return false;
  if (typeof from === "string" || typeof to === "string")
    return typeof from === typeof to && (from === "string" || to === "string");
  if (to.kind === "list" || to.kind === "set" || to.kind === "map") {
    const isMap = from.kind === "map" || from.kind === "object";
    return isMap === (to.kind === "map") && elementTypes(from).every((one) => mayConvert(one, to.of));
  }
  return from.kind === to.kind;
}

function unifyMappings(types: readonly Composite[]): TermType | null {
  const objects = types.flatMap((type) => (type.kind === "object" ? [type.of] : []));
  const [first = new Map<string, TermType>()] = objects;
  const names = [...first.keys()];
  if (
    objects.length === types.length &&
    objects.every((object) => object.size === first.size && names.every((name) => object.has(name)))
  ) {
    const of = names.map((name) => [name, unify(objects.map((object) => object.get(name) ?? "dynamic"))] as const);
    return of.some(([, type]) => type === null)
      ? null
      : { kind: "object", of: new Map(of.flatMap(([name, type]) => (type === null ? [] : [[name, type]]))) };
  }
  const of = unify(types.flatMap(elementTypes));
  return of === null ? null : { kind: "map", of };
}

function elementTypes({ kind, of }: Composite): readonly TermType[] {
  if (kind === "tuple") return of;
  return kind === "object" ? [...of.values()] : [of];
}

const BOOLS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Converts as Terraform does; null if the value does not fit. Null and unknown values fit everywhere. */
export function convert(term: Term, type: TermType): Term | null {
  if (type === "dynamic" || term.kind === "null" || term.kind === "unknown") return term;
  const converted = typeof type === "string" ? convertPrimitive(term, type) : convertComposite(term, type);
  return converted && marked(converted, term.marks);
}

function convertPrimitive(term: Term, type: "bool" | "number" | "string" | "digest"): Term | null {
  if (term.kind === type) return term;
  if (type === "string" && term.kind === "number") return text(numberText(term.value));
  if (type === "string" && term.kind === "bool") return text(String(term.value));
  if (term.kind !== "string") return null;
  if (type === "number") {
    const value = numberIn(term.value);
    return value === null ? null : number(value);
  }
  const suggestion = type === "bool" ? BOOLS.get(term.value) : undefined;
  return suggestion === undefined ? null : bool(suggestion);
}

function convertComposite(term: Term, type: Composite): Term | null {
  if (type.kind === "list" || type.kind === "set" || type.kind === "tuple") {
    if (!isSequence(term) || (type.kind === "tuple" && (term.kind !== "tuple" || term.items.length !== type.of.length)))
      return null;
    const items = term.items.map((item, index) =>
      convert(item, type.kind === "tuple" ? (type.of[index] ?? "dynamic") : type.of),
    );
    const all = items.filter((item) => item !== null);
    if (all.length < items.length) return null;
    return type.kind === "set" ? setOf(all) : sequence(type.kind, all);
  }
  if (!isMapping(term) || (type.kind === "object" && term.kind !== "object")) return null;
  const entries = [...term.entries].map(
    ([key, value]) =>
      [key, convert(value, type.kind === "object" ? (type.of.get(key) ?? "dynamic") : type.of)] as const,
  );
  const all = entries.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  return all.length < entries.length ? null : mapping(type.kind, all);
}

/** Removes duplicates and sorts as Terraform does: numbers and strings by value, null last, lists and maps by their text. With an unknown element the set is unknown: it may equal another one. */
export function setOf(items: readonly Term[]): Term {
  const marks = deepMarks(sequence("tuple", items));
  if (items.some(hasUnknownIn)) return marked(UNKNOWN_TERM, marks);
  const distinct = [...new Map(items.map((item) => [identityOf(item), item])).values()];
  const sorted = distinct
    .map((item) => ({ item, by: item.kind === "string" ? item.value : sortText(item) }))
    .toSorted(compareTerms);
  return marked(
    sequence(
      "set",
      sorted.map(({ item }) => item),
    ),
    marks,
  );
}

interface Sortable {
  readonly item: Term;
  readonly by: string;
}

function compareTerms({ item: a, by }: Sortable, { item: b, by: other }: Sortable): number {
  if (a.kind === "null" || b.kind === "null") return Number(a.kind === "null") - Number(b.kind === "null");
  if ((a.kind === "number" && b.kind === "number") || (a.kind === "bool" && b.kind === "bool"))
    return Number(a.value) - Number(b.value);
  return compareText(by, other);
}

/** The text that Terraform sorts lists and maps in a set by. */
function sortText(term: Term): string {
  if (isSequence(term)) return `${term.items.map(sortText).join(";")};`;
  if (isMapping(term))
    return `${[...term.entries].map(([key, value]) => `${JSON.stringify(key)}:${sortText(value)}`).join(";")};`;
  if (term.kind === "number") return numberText(term.value);
  return term.kind === "bool" ? (term.value ? "T" : "F") : term.kind === "string" ? JSON.stringify(term.value) : "null";
}

/** Converts to a list, set or map of one element type. Null if that is impossible or the elements have no common type. */
export function toCollection(term: Term, kind: "list" | "set" | "map"): Term | null {
  const children =
    kind === "map" ? (isMapping(term) ? [...term.entries.values()] : []) : isSequence(term) ? itemsOf(term) : [];
  const of = unify(children.map(typeOf));
  return of && convert(term, { kind, of });
}
