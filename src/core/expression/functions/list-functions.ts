import { setOf, toCollection } from "../values/convert-value.ts";
import { calculate } from "../values/decimal.ts";
import { identityOf } from "../values/equal.ts";
import { type ExpressionFailure, invalidValue } from "../expression-failure.ts";
import { type FunctionDefinition, type Parameter, numberAt } from "./function-definition.ts";
import {
  type Sequence,
  type Term,
  UNKNOWN_TERM,
  compareText,
  describe,
  hasUnknownIn,
  isSequence,
  itemsOf,
  number,
  sequence,
} from "../syntax/term.ts";

const LIST: Parameter = { name: "list", type: "any" };
const STRINGS: Parameter = { name: "list", type: "strings" };
/** Terraform's own limit. */
const MAX_RANGE = 1024;

export const LIST_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  element: {
    parameters: [LIST, { name: "index", type: "number" }],
    marks: "outer",
    call: (args) => element(listAt(args, 0, "element"), numberAt(args, 1)),
  },
  concat: {
    parameters: [LIST],
    rest: LIST,
    marks: "outer",
    call: (args) => {
      const lists = args.map((_, index) => listAt(args, index, "concat"));
      const all = sequence("tuple", lists.flatMap(itemsOf));
      return (lists.every(({ kind }) => kind === "list") ? toCollection(all, "list") : null) ?? all;
    },
  },
  distinct: {
    parameters: [LIST],
    call: ([list = UNKNOWN_TERM]) => {
      const all = toCollection(list, "list");
      if (!all || !isSequence(all)) throw notUniform("distinct", list);
      if (hasUnknownIn(all)) return UNKNOWN_TERM;
      const found = new Map<string, Term>();
      for (const item of all.items) if (!found.has(identityOf(item))) found.set(identityOf(item), item);
      return sequence("list", [...found.values()]);
    },
  },
  compact: {
    parameters: [STRINGS],
    call: ([list]) =>
      sequence(
        "list",
        itemsIn(list).filter((item) => item.kind === "string" && item.value !== ""),
      ),
  },
  flatten: {
    parameters: [LIST],
    marks: "outer",
    call: ([list = UNKNOWN_TERM]) => {
      if (!isSequence(list)) throw wrongList("flatten", list);
      const items = flatItems(list);
      // An unknown element may turn out to be a list.
      return items.some(({ kind }) => kind === "unknown") ? UNKNOWN_TERM : sequence("tuple", items);
    },
  },
  sort: {
    parameters: [STRINGS],
    call: ([list]) => {
      const items = itemsIn(list).map((item) => {
        if (item.kind !== "string") throw invalidValue("sort cannot sort null: its list contains one.");
        return item;
      });
      return sequence(
        "list",
        items.toSorted((a, b) => compareText(a.value, b.value)),
      );
    },
  },
  reverse: {
    parameters: [LIST],
    marks: "outer",
    call: ([list = UNKNOWN_TERM]) => {
      if (!isSequence(list)) throw wrongList("reverse", list);
      return sequence(list.kind === "tuple" ? "tuple" : "list", list.items.toReversed());
    },
  },
  range: {
    parameters: [{ name: "limit", type: "number" }],
    rest: { name: "step", type: "number" },
    call: (args) => range(args.map((_, index) => numberAt(args, index))),
  },
  toset: {
    parameters: [{ ...LIST, nullable: true }],
    call: ([list = UNKNOWN_TERM]) => {
      if (list.kind === "null") return list;
      const all = toCollection(list, "list");
      if (!all || !isSequence(all)) throw notUniform("toset", list);
      return setOf(all.items);
    },
  },
  tolist: {
    parameters: [{ ...LIST, nullable: true }],
    marks: "outer",
    call: ([list = UNKNOWN_TERM]) => {
      const all = toCollection(list, "list");
      if (!all) throw notUniform("tolist", list);
      return all;
    },
  },
};

function listAt(args: readonly Term[], index: number, name: string): Sequence {
  const list = args[index] ?? UNKNOWN_TERM;
  if (!isSequence(list) || list.kind === "set") throw wrongList(name, list);
  return list;
}

function wrongList(name: string, term: Term): ExpressionFailure {
  return invalidValue(`The argument list of ${name} must be a list, but it is ${describe(term)}.`);
}

function notUniform(name: string, term: Term): ExpressionFailure {
  return isSequence(term)
    ? invalidValue(`The elements of the list for ${name} have no common type.`)
    : wrongList(name, term);
}

function itemsIn(list: Term | undefined): readonly Term[] {
  return list && isSequence(list) ? list.items : [];
}

function element({ items }: Sequence, index: number): Term {
  if (items.length === 0) throw invalidValue("The list for element is empty.");
  if (!Number.isSafeInteger(index)) throw invalidValue("The index of element must be a whole number.");
  return items.at(index % items.length) ?? UNKNOWN_TERM;
}

function flatItems(list: Sequence): readonly Term[] {
  return itemsOf(list).flatMap((item) => (isSequence(item) ? flatItems(item) : [item]));
}

function range(given: readonly number[]): Term {
  const [first = 0, second, third] = given;
  if (given.length > 3) throw invalidValue("range takes a limit; a start and a limit; or a start, a limit and a step.");
  const [start, limit] = second === undefined ? [0, first] : [first, second];
  const step = third ?? (limit < start ? -1 : 1);
  if ((step > 0 && limit < start) || (step < 0 && limit > start))
    throw invalidValue("range never reaches its limit: the step has the wrong sign.");
  const items: Term[] = [];
  for (let at = start; step < 0 ? at > limit : at < limit; at = calculate("+", at, step)) {
    if (items.length >= MAX_RANGE) throw invalidValue(`range returns at most ${String(MAX_RANGE)} numbers.`);
    items.push(number(at));
  }
  return sequence("list", items);
}
