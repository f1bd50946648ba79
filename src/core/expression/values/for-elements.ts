import { convert } from "./convert-value.ts";
import { invalidValue } from "../expression-failure.ts";
import {
  type Term,
  UNKNOWN_TERM,
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

/** A key as a string. Throws an `ExpressionFailure` for any other value. */
export function keyText(key: Term): string {
  const name = convert(key, "string");
  if (name?.kind !== "string") throw invalidValue(`A key must be text, but it is ${describe(key)}.`);
  return name.value;
}

/** The elements that a `for` iterates over. */
export function elements(source: Term): readonly (readonly [key: Term, value: Term])[] {
  if (isMapping(source)) return [...source.entries].map(([key, value]) => [text(key), marked(value, source.marks)]);
  if (!isSequence(source)) return [];
  return itemsOf(source).map((item, index) => [source.kind === "set" ? item : number(index), item]);
}

/** The object that a `for` produces; with `group`, each value is a list. */
export function forObject(
  results: readonly { readonly key: Term | null; readonly value: Term }[],
  group: boolean,
): Term {
  const grouped = new Map<string, Term[]>();
  for (const { key, value } of results) {
    const name = keyText(key ?? UNKNOWN_TERM);
    const before = grouped.get(name);
    if (before && !group) {
      const shown = describeKey(name, deepMarks(key ?? UNKNOWN_TERM));
      throw invalidValue(
        `Two elements have the key ${shown} in this for expression. To collect them in a list, write ... after the value.`,
      );
    }
    if (before) before.push(value);
    else grouped.set(name, [value]);
  }
  return mapping(
    "object",
    [...grouped].map(([name, values]) => [name, group ? sequence("tuple", values) : (values[0] ?? UNKNOWN_TERM)]),
  );
}
