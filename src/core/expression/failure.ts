import type { ExpressionProblem } from "./syntax/syntax.ts";

/** Ends an evaluation. Caught by `try`, by a branch not taken, and by the caller of the evaluation. */
export class ExpressionFailure extends Error {
  override readonly name = "ExpressionFailure";
  readonly problem: ExpressionProblem;

  constructor(problem: ExpressionProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** A value that an operator or a function does not accept. */
export function invalidValue(detail: string): ExpressionFailure {
  return new ExpressionFailure({ code: "expression_failed", summary: "Expression cannot be evaluated", detail });
}

/** A reference to something that does not exist. */
export function invalidReference(detail: string, hint?: string): ExpressionFailure {
  return new ExpressionFailure({ code: "reference_invalid", summary: "Invalid reference", detail, ...(hint === undefined ? {} : { hint }) });
}

const LIMIT = "expression_limit";

export function tooLarge(detail: string): ExpressionFailure {
  return new ExpressionFailure({ code: LIMIT, summary: "Expression too large", detail, hint: "Make the list smaller, or split the expression." });
}

export function isLimit({ problem }: ExpressionFailure): boolean {
  return problem.code === LIMIT;
}

/** Runs `work`. A failure without an offset gets `offset`. */
export function at<T>(offset: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionFailure) || error.problem.offset !== undefined) throw error;
    throw new ExpressionFailure({ ...error.problem, offset });
  }
}
