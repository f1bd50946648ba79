import { convert } from "../../expression/values/convert.ts";
import { type Term, deepMarks, describe, isMapping, isSequence, itemsOf, marked, toValue } from "../../expression/syntax/term.ts";
import type { Diagnostic, Result } from "../../model/diagnostic.ts";
import type { Repeat } from "../block.ts";
import { termOf } from "./evaluate-argument.ts";
import { type EvaluatedValue, type Scope, evaluateValue } from "./evaluate-block.ts";

/** More instances of one block than this are taken for a mistake. */
const MAX_INSTANCES = 100_000;

/** One instance of a block: its key, and what its arguments can see of it. */
export interface Instance {
  readonly key: string | number;
  readonly sees: Pick<Scope, "each" | "countIndex">;
}

/** The instances that `count` or `for_each` asks for; null while they are not known, and where there is something wrong. */
export function instancesOf(repeat: Repeat, scope: Scope): Result<readonly Instance[] | null> {
  const evaluated = evaluateValue(repeat.value, [repeat.kind], scope);
  if (evaluated.problems.length > 0) return { value: null, diagnostics: evaluated.problems };
  const term = termOf(evaluated);
  if (term.kind === "unknown") return { value: null, diagnostics: [] };
  const found = repeat.kind === "count" ? numbered(term) : keyed(term, evaluated);
  return "summary" in found ? { value: null, diagnostics: [found] } : { value: found, diagnostics: [] };
}

function numbered(term: Term): readonly Instance[] | Diagnostic {
  if (deepMarks(term).sensitive)
    return invalidValue("count", "The value was made from a sensitive one, and the number of instances is printed everywhere.", NOT_SENSITIVE);
  const count = convert(term, "number");
  if (count?.kind !== "number" || !Number.isInteger(count.value) || count.value < 0)
    return invalidValue("count", `It must be a whole number, 0 or more, but it is ${count?.kind === "number" ? String(count.value) : describe(term)}.`);
  if (count.value > MAX_INSTANCES) return tooMany("count");
  return Array.from({ length: count.value }, (_, index) => ({ key: index, sees: { countIndex: index } }));
}

function keyed(term: Term, { fromSensitive }: EvaluatedValue): readonly Instance[] | Diagnostic {
  if (isMapping(term)) {
    if (term.marks.sensitive) return sensitiveKeys();
    if (term.entries.size > MAX_INSTANCES) return tooMany("for_each");
    return [...term.entries].map(([key, value]) => instance(key, marked(value, term.marks), fromSensitive));
  }
  if (isSequence(term) && term.kind !== "set")
    return invalidValue("for_each", "It takes a map or a set of texts, but it is a list.", "Make a set of the list with toset.");
  if (!isSequence(term)) return invalidValue("for_each", `It takes a map or a set of texts, but it is ${describe(term)}.`);
  if (deepMarks(term).sensitive) return sensitiveKeys();
  if (term.items.length > MAX_INSTANCES) return tooMany("for_each");
  const wrong = term.items.find(({ kind }) => kind !== "string");
  if (wrong) return invalidValue("for_each", `It takes a map or a set of texts, but in this set there is ${describe(wrong)}.`);
  return itemsOf(term).flatMap((item) => (item.kind === "string" ? [instance(item.value, item, fromSensitive)] : []));
}

function instance(key: string, term: Term, fromSensitive: boolean): Instance {
  const { sensitive, references } = deepMarks(term);
  return { key, sees: { each: { key, value: toValue(term), term, sensitive, fromSensitive, references: [...references] } } };
}

const NOT_SENSITIVE = "Take it from what is not sensitive, or mark it with nonsensitive.";

function sensitiveKeys(): Diagnostic {
  return invalidValue(
    "for_each",
    "Its keys were made from a sensitive value, and would be part of the addresses, which are printed everywhere.",
    NOT_SENSITIVE,
  );
}

function tooMany(kind: Repeat["kind"]): Diagnostic {
  return invalidValue(kind, `It asks for more than ${String(MAX_INSTANCES)} instances.`);
}

function invalidValue(kind: Repeat["kind"], detail: string, hint?: string): Diagnostic {
  return {
    code: "repeat_invalid",
    severity: "error",
    summary: `Invalid ${kind} argument`,
    detail,
    ...(hint === undefined ? {} : { hint }),
    path: [kind],
  };
}
