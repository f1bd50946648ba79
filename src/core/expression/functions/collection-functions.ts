import { convert, toCollection, typeOf, unify } from "../values/convert-value.ts";
import { sameTerms } from "../values/equal.ts";
import { type ExpressionFailure, invalidValue } from "../expression-failure.ts";
import { type FunctionDefinition, type Parameter, stringAt } from "./function-definition.ts";
import {
  type Mapping,
  type Term,
  UNKNOWN_TERM,
  bool,
  charactersOf,
  deepMarks,
  describe,
  describeKey,
  isMapping,
  isSequence,
  itemsOf,
  mapping,
  marked,
  number,
  sequence,
  text,
} from "../syntax/term.ts";

const MAP: Parameter = { name: "map", type: "any" };
const VALUE: Parameter = { name: "value", type: "any", unknown: true };

export const COLLECTION_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  length: {
    parameters: [{ name: "value", type: "any" }],
    marks: "outer",
    call: ([value = UNKNOWN_TERM]) => number(lengthOf(value)),
  },
  keys: {
    parameters: [MAP],
    marks: "outer",
    call: (args) => {
      const { kind, entries } = mapAt(args, "keys");
      return sequence(kind === "map" ? "list" : "tuple", [...entries.keys()].map(text));
    },
  },
  values: {
    parameters: [MAP],
    marks: "outer",
    call: (args) => {
      const { kind, entries } = mapAt(args, "values");
      return sequence(kind === "map" ? "list" : "tuple", [...entries.values()]);
    },
  },
  lookup: {
    parameters: [MAP, { name: "key", type: "string" }, { ...VALUE, name: "default", nullable: true }],
    required: 2,
    marks: "outer",
    call: lookUpKey,
  },
  merge: { parameters: [], rest: { ...MAP, nullable: true }, marks: "outer", call: merge },
  zipmap: {
    parameters: [
      { name: "keys", type: "strings" },
      { name: "values", type: "any" },
    ],
    marks: "outer",
    call: zipMap,
  },
  contains: { parameters: [{ name: "list", type: "any" }, VALUE], call: contains },
  coalesce: { parameters: [], rest: { ...VALUE, nullable: true }, call: coalesce },
  tomap: {
    parameters: [{ ...MAP, nullable: true }],
    marks: "outer",
    call: (args) => {
      const [given = UNKNOWN_TERM] = args;
      const all = toCollection(given, "map");
      if (!all)
        throw isMapping(given)
          ? invalidValue("The values of the map for tomap have no common type.")
          : wrongMap("tomap", given);
      return all;
    },
  },
};

function mapAt([map = UNKNOWN_TERM]: readonly Term[], name: string): Mapping {
  if (!isMapping(map)) throw wrongMap(name, map);
  return map;
}

function wrongMap(name: string, term: Term): ExpressionFailure {
  return invalidValue(`The argument map of ${name} must be a map, but it is ${describe(term)}.`);
}

function lengthOf(value: Term): number {
  if (isSequence(value)) return value.items.length;
  if (isMapping(value)) return value.entries.size;
  if (value.kind === "string") return charactersOf(value.value).length;
  throw invalidValue(`The argument value of length must be a list, a map or text, but it is ${describe(value)}.`);
}

function lookUpKey(args: readonly Term[]): Term {
  const map = mapAt(args, "lookup");
  const [, key = UNKNOWN_TERM, fallback] = args;
  const found = map.entries.get(stringAt(args, 1));
  if (found) return found;
  if (!fallback)
    throw invalidValue(`lookup finds no ${describeKey(stringAt(args, 1), key.marks)} in the map, and has no default.`);
  if (map.kind === "object") return fallback;
  const type = unify([...map.entries.values()].map(typeOf)) ?? "dynamic";
  const converted = convert(fallback, type);
  if (!converted)
    throw invalidValue(
      `The default of lookup must have the type of the map's values, but it is ${describe(fallback)}.`,
    );
  return converted;
}

function merge(args: readonly Term[]): Term {
  const maps = args.flatMap((arg) => {
    if (arg.kind === "null") return [];
    return [mapAt([arg], "merge")];
  });
  const types = maps.map((map) => JSON.stringify([map.kind, typeOf(map)]));
  const sameMaps = maps.length > 0 && maps.every(({ kind }, index) => kind === "map" && types[index] === types[0]);
  return mapping(
    sameMaps ? "map" : "object",
    maps.flatMap(({ entries }) => [...entries]),
  );
}

function zipMap([keys = UNKNOWN_TERM, values = UNKNOWN_TERM]: readonly Term[]): Term {
  if (!isSequence(values) || values.kind === "set")
    throw invalidValue(`The argument values of zipmap must be a list, but it is ${describe(values)}.`);
  const names = isSequence(keys) ? itemsOf(keys) : [];
  if (names.length !== values.items.length)
    throw invalidValue(
      `zipmap needs as many keys as values, but has ${String(names.length)} keys and ${String(values.items.length)} values.`,
    );
  const entries = names.map((name, index) => {
    if (name.kind !== "string") throw invalidValue("A key of zipmap is null.");
    return [name.value, values.items[index] ?? UNKNOWN_TERM] as const;
  });
  return marked(mapping(values.kind === "list" ? "map" : "object", entries), deepMarks(keys));
}

function contains([list = UNKNOWN_TERM, value = UNKNOWN_TERM]: readonly Term[]): Term {
  if (!isSequence(list))
    throw invalidValue(`The argument list of contains must be a list or a set, but it is ${describe(list)}.`);
  const found = list.items.map((item) => sameTerms(item, value));
  if (found.includes(true)) return bool(true);
  return found.includes(null) ? UNKNOWN_TERM : bool(false);
}

/** The first argument that is neither null nor an empty string, converted to the common type. */
function coalesce(args: readonly Term[]): Term {
  const type = unify(args.map(typeOf));
  if (args.length === 0 || type === null) throw invalidValue("The arguments of coalesce have no common type.");
  const found = args.filter(
    (arg) => arg.kind !== "null" && !(type === "string" && arg.kind === "string" && arg.value === ""),
  );
  // As in Terraform, an argument that cannot be converted is skipped.
  for (const arg of found) {
    const converted = convert(arg, type);
    if (converted) return converted;
  }
  throw invalidValue(
    found.length === 0
      ? "All arguments of coalesce are null or empty."
      : "The arguments of coalesce have no common type.",
  );
}
