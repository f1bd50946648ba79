import type { ExpressionProblem } from "./syntax/syntax.ts";

/**
 * Ends an evaluation. Caught by `try`, by a branch not taken, and by the caller of the evaluation. Not an `Error`: a
 * configuration can cause millions, and each would capture its stack.
 */
export class ExpressionFailure {
  readonly problem: ExpressionProblem;

  constructor(problem: ExpressionProblem) {
    this.problem = problem;
  }
}

/** A value that an operator or a function does not accept. */
export function invalidValue(detail: string): ExpressionFailure {
  return new ExpressionFailure({ code: "expression_failed", summary: "Expression cannot be evaluated", detail });
}

/** A reference to something that does not exist. */
export function invalidReference(detail: string, hint?: string, cause?: string): ExpressionFailure {
  const said = { code: "reference_invalid", summary: "Invalid reference", detail };
  return new ExpressionFailure({ ...said, ...(hint === undefined ? {} : { hint }), ...(cause === undefined ? {} : { cause }) });
}

/** An expression that exceeds a limit of this evaluation: nothing in the expression may catch that. */
class ExpressionTooLarge extends ExpressionFailure {}

export function tooLarge(detail: string): ExpressionFailure {
  return new ExpressionTooLarge({
    code: "expression_limit",
    summary: "Expression too large",
    detail,
    hint: "Make the list smaller, or split the expression.",
    ways: [{ kind: "use-terraform" }],
  });
}

export function isLimit(failure: ExpressionFailure): boolean {
  return failure instanceof ExpressionTooLarge;
}

/** Runs `work`. A failure without an offset gets `offset`. */
export function at<T>(offset: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionFailure) || error.problem.offset !== undefined) throw error;
    const Failure = isLimit(error) ? ExpressionTooLarge : ExpressionFailure;
    throw new Failure({ ...error.problem, offset });
  }
}
