import { at, invalidReference } from "../../../src/core/expression/expression-failure.ts";
import { evaluateTemplate } from "../../../src/core/expression/evaluate-template.ts";
import { selectStep } from "../../../src/core/expression/select-step.ts";
import type { ExpressionProblem, Reference } from "../../../src/core/expression/syntax/syntax.ts";
import { parseTemplate } from "../../../src/core/expression/syntax/template.ts";
import { type Term, fromValue, toValue } from "../../../src/core/expression/syntax/term.ts";
import { loadPatterns } from "../../../src/core/model/pattern.ts";
import type { Value } from "../../../src/core/model/value.ts";
import { LOCALS, VARIABLES } from "./cases.ts";

await loadPatterns();

/** Our evaluation of a template, with the variables and locals of the tables: its value or its problems. */
export function evaluateHere(
  text: string,
): { readonly value: Value } | { readonly problems: readonly Pick<ExpressionProblem, "detail" | "offset">[] } {
  const template = parseTemplate(text);
  if ("detail" in template) return { problems: [template] };
  const { term, problems } = evaluateTemplate(template, resolve);
  return term ? { value: toValue(term) } : { problems };
}

const ROOTS: ReadonlyMap<string | number | undefined, Value> = new Map<string, Value>([
  ["var", VARIABLES],
  ["local", LOCALS],
  ["terraform", { workspace: "default" }],
]);

function resolve({ steps: [root, ...steps], offset, text }: Reference): Term {
  const found = ROOTS.get(root);
  return at(offset, () => {
    if (found === undefined) throw invalidReference(`There is no ${text}.`);
    return steps.reduce((term, step) => selectStep(term, step, text), fromValue(found));
  });
}
