import type { ExpressionProblem } from "./syntax/syntax.ts";

/**
 * Ends an evaluation. Caught by `try`, by a branch not taken, and by the caller of the evaluation. Not an `Error`: a
 * configuration can cause millions, and each would capture its stack.
 */
export class ExpressionFailure {
  readonly #problem: ExpressionProblem;
  readonly #hint: Hint | undefined;

  /** `hint` is called only for a problem that is shown: most failures are caught, and a suggestion takes long. */
  constructor(problem: ExpressionProblem, hint?: Hint) {
    this.#problem = problem;
    this.#hint = hint;
  }

  get problem(): ExpressionProblem {
    const hint = this.#hint?.();
    return hint === undefined ? this.#problem : { ...this.#problem, hint };
  }

  /** The failure at this offset, unless it already has one. */
  at(offset: number): ExpressionFailure {
    if (this.#problem.offset !== undefined) return this;
    const Failure = isLimit(this) ? ExpressionTooLarge : ExpressionFailure;
    return new Failure({ ...this.#problem, offset }, this.#hint);
  }
}

type Hint = () => string | undefined;

/** A value that an operator or a function does not accept. */
export function invalidValue(detail: string): ExpressionFailure {
  return new ExpressionFailure({ code: "expression_failed", summary: "Expression cannot be evaluated", detail });
}

/** A reference to something that does not exist. */
export function invalidReference(detail: string, hint?: string | Hint, cause?: string): ExpressionFailure {
  const said = {
    code: "reference_invalid",
    summary: "Invalid reference",
    detail,
    ...(cause === undefined ? {} : { cause }),
  };
  return typeof hint === "string" ? new ExpressionFailure({ ...said, hint }) : new ExpressionFailure(said, hint);
}

/** An expression that exceeds a limit of this evaluation: nothing in the expression may catch that. */
class ExpressionTooLarge extends ExpressionFailure {}

export function tooLarge(detail: string, hint = "Make the list smaller, or split the expression."): ExpressionFailure {
  return new ExpressionTooLarge({
    code: "expression_limit",
    summary: "Expression too large",
    detail,
    hint,
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
    throw error instanceof ExpressionFailure ? error.at(offset) : error;
  }
}
