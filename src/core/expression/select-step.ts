import { nearest } from "../model/diagnostic.ts";
import { convert } from "./values/convert-value.ts";
import { invalidReference } from "./expression-failure.ts";
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

/** The attribute or element that one step of a reference selects; `from` names `of` in messages. */
export function selectStep(of: Term, step: string | number, from: string): Term {
  return elementAt(of, typeof step === "string" ? text(step) : number(step), from);
}

/** The element with this key: a number for a list, a string for a map. It has the marks of the collection, the key and the element. */
export function elementAt(of: Term, key: Term, from = "This value"): Term {
  const marks = joinMarks([of.marks, deepMarks(key)]);
  if (of.kind === "unknown" || (key.kind === "unknown" && (isMapping(of) || isSequence(of))))
    return marked(UNKNOWN_TERM, marks);
  if (key.kind === "null") throw invalidReference("A key must not be null.");
  if (isMapping(of)) return marked(entryAt(of, key, from), marks);
  if (of.kind === "set")
    throw invalidReference(
      `${from} is a set, and sets have no order and no keys.`,
      "Convert it to a list with tolist.",
    );
  if (isSequence(of)) return marked(itemAt(of, key, from), marks);
  throw invalidReference(`${from} has no ${key.kind === "number" ? "elements" : "attributes"}: it is ${describe(of)}.`);
}

function entryAt({ entries, marks }: Mapping, key: Term, from: string): Term {
  const name = convert(key, "string");
  if (name?.kind !== "string") throw invalidReference(`The key of a map must be text, but it is ${describe(key)}.`);
  const found = entries.get(name.value);
  if (found) return found;
  const hidden = marks.sensitive || deepMarks(key).sensitive;
  throw invalidReference(`${from} does not exist: the map has no key ${describeKey(name.value, key.marks)}.`, () => {
    const suggestion = hidden ? null : nearest(name.value, [...entries.keys()]);
    return suggestion === null ? undefined : `Did you mean ${suggestion}?`;
  });
}

function itemAt({ items }: Sequence, key: Term, from: string): Term {
  const index = convert(key, "number");
  if (index?.kind !== "number")
    throw invalidReference(
      `${from} is a list: its index must be a number, not ${describe(key)}.`,
      "For the same attribute of every element, write [*].",
    );
  const found = Number.isInteger(index.value) ? items[index.value] : undefined;
  if (found) return found;
  throw invalidReference(
    `${from} does not exist: index ${describeKey(index.value, key.marks)} is outside a list of ${String(items.length)}.`,
  );
}
