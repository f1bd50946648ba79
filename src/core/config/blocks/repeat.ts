import { convert } from "../../expression/values/convert-value.ts";
import {
  type Term,
  deepMarks,
  describe,
  isMapping,
  isSequence,
  itemsOf,
  marked,
  toValue,
} from "../../expression/syntax/term.ts";
import { type Diagnostic, type Result, errorOf } from "../../model/diagnostic.ts";
import type { Repeat } from "../block.ts";
import { termOf } from "./evaluate-argument.ts";
import { type EvaluatedValue, type Scope, evaluateValue } from "./evaluate-block.ts";

/** More instances of one block than this count as an error. */
const MAX_INSTANCES = 100_000;

/** More instances of all blocks than this count as an error. */
export const MAX_INSTANCES_TOGETHER = 100_000;

/** One instance of a block: its key, and the values of `each` or `count` in its arguments. */
export interface Instance {
  readonly key: string | number;
  readonly instanceScope: Pick<Scope, "each" | "countIndex">;
}

/** The instances of `count` or `for_each`; null while they are unknown, or if there is a problem. */
export function instancesOf(repeat: Repeat, scope: Scope): Result<readonly Instance[] | null> {
  const evaluated = evaluateValue(repeat.value, [repeat.kind], scope);
  if (evaluated.problems.length > 0) return { value: null, diagnostics: evaluated.problems };
  const term = termOf(evaluated);
  if (term.kind === "unknown") return { value: null, diagnostics: [] };
  const found = repeat.kind === "count" ? countInstances(term, scope) : forEachInstances(term, evaluated, scope);
  return "summary" in found ? { value: null, diagnostics: [found] } : { value: found, diagnostics: [] };
}

function countInstances(term: Term, { hide }: Scope): readonly Instance[] | Diagnostic {
  if (deepMarks(term).sensitive && !hide)
    return invalidRepeat(
      "count",
      "The value is sensitive, but the number of instances is printed everywhere.",
      NOT_SENSITIVE,
    );
  const count = convert(term, "number");
  if (count?.kind !== "number" || !Number.isInteger(count.value) || count.value < 0)
    return invalidRepeat(
      "count",
      `It must be a whole number of at least 0, but it is ${count?.kind === "number" ? String(count.value) : describe(term)}.`,
    );
  if (count.value > MAX_INSTANCES) return tooMany("count");
  return Array.from({ length: count.value }, (_, index) => ({ key: index, instanceScope: { countIndex: index } }));
}

function forEachInstances(
  term: Term,
  { fromSensitive }: EvaluatedValue,
  { hide }: Scope,
): readonly Instance[] | Diagnostic {
  if (isMapping(term)) {
    if (term.marks.sensitive && !hide) return sensitiveKeys();
    if (term.marks.sensitive) for (const key of term.entries.keys()) hide?.(key);
    if (term.entries.size > MAX_INSTANCES) return tooMany("for_each");
    return [...term.entries].map(([key, value]) => instance(key, marked(value, term.marks), fromSensitive));
  }
  if (isSequence(term) && term.kind !== "set")
    return invalidRepeat(
      "for_each",
      "It must be a map or a set of strings, but it is a list.",
      "Convert the list with toset.",
    );
  if (!isSequence(term))
    return invalidRepeat("for_each", `It must be a map or a set of strings, but it is ${describe(term)}.`);
  if (deepMarks(term).sensitive && !hide) return sensitiveKeys();
  if (deepMarks(term).sensitive) for (const item of term.items) if (item.kind === "string") hide?.(item.value);
  if (term.items.length > MAX_INSTANCES) return tooMany("for_each");
  const wrong = term.items.find(({ kind }) => kind !== "string");
  if (wrong)
    return invalidRepeat("for_each", `It must be a map or a set of strings, but this set contains ${describe(wrong)}.`);
  return itemsOf(term).flatMap((item) => (item.kind === "string" ? [instance(item.value, item, fromSensitive)] : []));
}

function instance(key: string, term: Term, fromSensitive: boolean): Instance {
  const { sensitive, references } = deepMarks(term);
  return {
    key,
    instanceScope: { each: { key, value: toValue(term), term, sensitive, fromSensitive, references: [...references] } },
  };
}

const NOT_SENSITIVE = "Use a value that is not sensitive, or mark it with nonsensitive.";

function sensitiveKeys(): Diagnostic {
  return invalidRepeat(
    "for_each",
    "Its keys come from a sensitive value, but would be part of the addresses, which are printed everywhere.",
    NOT_SENSITIVE,
  );
}

function tooMany(kind: Repeat["kind"]): Diagnostic {
  return invalidRepeat(kind, `It creates more than ${String(MAX_INSTANCES)} instances.`);
}

export function tooManyTogether(kind: Repeat["kind"]): Diagnostic {
  return invalidRepeat(
    kind,
    `The blocks of this configuration create more than ${String(MAX_INSTANCES_TOGETHER)} instances together.`,
  );
}

function invalidRepeat(kind: Repeat["kind"], detail: string, hint?: string): Diagnostic {
  return errorOf("repeat_invalid", `Invalid ${kind} argument`, { detail, hint, path: [kind] });
}
