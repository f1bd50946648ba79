import { nearest } from "../model/diagnostic.ts";
import { convert } from "./values/convert.ts";
import { leadsNowhere } from "./failure.ts";
import {
  type Mapping,
  type Sequence,
  type Term,
  UNKNOWN_TERM,
  deepMarks,
  describe,
  describeKey,
  isMapping,
  isSequence,
  joinMarks,
  marked,
  number,
  text,
} from "./syntax/term.ts";

/** The element of `of` that a step names; `from` is how `of` is called in messages. */
export function stepInto(of: Term, step: string | number, from: string): Term {
  return elementAt(of, typeof step === "string" ? text(step) : number(step), from);
}

/** The element under a key: of a list the number, of a map the text. Its marks are those of all three. */
export function elementAt(of: Term, key: Term, from = "This value"): Term {
  const marks = joinMarks([of.marks, deepMarks(key)]);
  if (of.kind === "unknown" || (key.kind === "unknown" && (isMapping(of) || isSequence(of)))) return marked(UNKNOWN_TERM, marks);
  if (key.kind === "null") throw leadsNowhere("A key must not be null.");
  if (isMapping(of)) return marked(entryAt(of, key, from), marks);
  if (of.kind === "set") throw leadsNowhere(`${from} is a set, which has no order and no keys.`, "Make a list of it with tolist.");
  if (isSequence(of)) return marked(itemAt(of, key, from), marks);
  throw leadsNowhere(`${from} leads nowhere: ${describe(of)} has nothing in it that ${key.kind === "number" ? "an index" : "a name"} could find.`);
}

function entryAt({ entries, marks }: Mapping, key: Term, from: string): Term {
  const name = convert(key, "string");
  if (name?.kind !== "string") throw leadsNowhere(`The key of a map must be text, but it is ${describe(key)}.`);
  const found = entries.get(name.value);
  if (found) return found;
  const hidden = marks.sensitive || deepMarks(key).sensitive;
  const meant = hidden ? null : nearest(name.value, [...entries.keys()]);
  throw leadsNowhere(`${from} leads nowhere: there is no ${describeKey(name.value, key.marks)}.`, meant === null ? undefined : `Did you mean ${meant}?`);
}

function itemAt({ items }: Sequence, key: Term, from: string): Term {
  const index = convert(key, "number");
  if (index?.kind !== "number")
    throw leadsNowhere(`${from} is a list: its elements are found by number, not by ${describe(key)}.`, "For the same attribute of every element, write [*].");
  const found = Number.isInteger(index.value) ? items[index.value] : undefined;
  if (found) return found;
  throw leadsNowhere(`${from} leads nowhere: there is no ${describeKey(index.value, key.marks)} in a list of ${String(items.length)}.`);
}
