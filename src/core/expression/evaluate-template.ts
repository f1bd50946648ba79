import { MAX_MISTAKES } from "../model/diagnostic.ts";
import { type SharedSteps, newBudget } from "./budget.ts";
import { type Environment, type ResolveReference, evaluate } from "./evaluate-expression.ts";
import { joinParts } from "./join-parts.ts";
import { ExpressionFailure } from "./expression-failure.ts";
import type { ExpressionProblem, Template } from "./syntax/syntax.ts";
import { type Term, UNKNOWN_TERM } from "./syntax/term.ts";

/**
 * The value of a template, or the first problem of every part, up to 50. It differs from Terraform as follows. It refuses results that are
 * not exact (whole numbers beyond 2^53, division by zero) or not bounded. It stops at `false &&` and `true ||`, as newer
 * versions do. It writes quotients with 17 digits, rounds decimal halves in `format`, has no negative zero, and finds no
 * common type of objects by dropping attributes. Null and empty collections have no type of their own. Values from outside
 * are never tuples, so `element` counts from their end.
 * A template with a single expression has that expression's type.
 */
export function evaluateTemplate(
  { parts }: Template,
  resolve: ResolveReference,
  steps?: SharedSteps,
): { readonly term: Term | null; readonly problems: readonly ExpressionProblem[] } {
  const environment: Environment = { resolve, budget: newBudget(steps), bound: new Map(), item: null };
  const problems: ExpressionProblem[] = [];
  const attempt = (run: () => Term): Term => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      problems.push(error.problem);
      return UNKNOWN_TERM;
    }
  };
  const isEnough = (): boolean => problems.length >= MAX_MISTAKES;
  const values = parts.map((part) =>
    typeof part === "string" ? part : isEnough() ? UNKNOWN_TERM : attempt(() => evaluate(part, environment)),
  );
  const term = problems.length > 0 ? null : attempt(() => joinParts(parts, values));
  return { term: problems.length > 0 ? null : term, problems };
}
