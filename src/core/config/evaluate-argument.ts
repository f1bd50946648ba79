import { evaluateTemplate } from "../expression/evaluate-template.ts";
import { ExpressionFailure } from "../expression/failure.ts";
import type { ExpressionProblem, Template } from "../expression/syntax.ts";
import { parseTemplate, referencesOf } from "../expression/template.ts";
import { deepMarks, toValue } from "../expression/term.ts";
import { UNKNOWN, type Value } from "../model/value.ts";
import type { Argument } from "./block.ts";
import { type Scope, resolveReference, rootOf, wholeDataSource } from "./resolve-reference.ts";

export type { Scope };

export interface Evaluated {
  readonly value: Value;
  /** Whether anything sensitive went into it. */
  readonly sensitive: boolean;
  /** The addresses of the data sources whose values went into it, sorted. */
  readonly references: readonly string[];
  readonly problems: readonly ExpressionProblem[];
}

/**
 * The value of a plain argument or a template. A template that is one expression has that expression's own type. With
 * problems the value is unknown; their `offset` counts from 0 in the template's text.
 */
export function evaluateArgument(argument: Exclude<Argument, { kind: "secret" | "list" }>, scope: Scope): Evaluated {
  if (argument.kind === "literal") return { value: argument.value, sensitive: false, references: [], problems: [] };
  const template = parseTemplate(argument.text);
  if ("detail" in template) {
    const { detail, offset } = template;
    return failed([{ code: "expression_invalid", summary: "Invalid expression", detail, offset }]);
  }
  // As in Terraform, what is declared nowhere is a mistake even where nothing depends on it, as in the branch that is not taken.
  const undeclared = [...referencesOf(template).flatMap((reference) => problemsOf(() => rootOf(reference, scope))), ...wholeDataSource(template, scope)];
  return undeclared.length > 0 ? failed(undeclared, mentionsSensitive(template, scope)) : evaluateDeclared(template, scope);
}

function evaluateDeclared(template: Template, scope: Scope): Evaluated {
  const { term, problems } = evaluateTemplate(template, (reference) => resolveReference(reference, scope));
  if (!term) return failed(problems, mentionsSensitive(template, scope));
  let value: Value = UNKNOWN;
  const invalid = problemsOf(() => (value = toValue(term)));
  if (invalid.length > 0) return failed(invalid, mentionsSensitive(template, scope));
  const { sensitive, references } = deepMarks(term);
  return { value, sensitive, references: [...references].toSorted(), problems: [] };
}

function failed(problems: readonly ExpressionProblem[], sensitive = false): Evaluated {
  return { value: UNKNOWN, sensitive, references: [], problems };
}

function mentionsSensitive(template: Template, scope: Scope): boolean {
  return referencesOf(template).some((reference) => {
    let sensitive = false;
    problemsOf(() => (sensitive = rootOf(reference, scope).marks.sensitive));
    return sensitive;
  });
}

function problemsOf(work: () => unknown): readonly ExpressionProblem[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    return [error.problem];
  }
}
