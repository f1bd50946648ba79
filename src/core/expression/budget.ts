import { tooLarge } from "./failure.ts";

/** Limits the work of one evaluation. */
export interface Budget {
  /** Counts work: a unit is one step, or one visited element. Throws when the budget is used up. */
  spend(units: number): void;
  /** Counts one step, also of what the whole configuration may take. */
  step(): void;
  /** Counts a failure that the expression catches: it takes as long as many steps. */
  failed(): void;
  /** Whether this evaluation has not asked for this text before. */
  isFirst(text: string): boolean;
}

const MAX_UNITS = 1_000_000;
const STEPS_OF_FAILURE = 20;

/** What all expressions of a configuration may take together: about a second. */
const MAX_STEPS_TOGETHER = 5_000_000;

/** The steps that the expressions of one configuration have left together. */
export interface SharedSteps {
  left: number;
}

export function sharedSteps(): SharedSteps {
  return { left: MAX_STEPS_TOGETHER };
}

export function newBudget(shared: SharedSteps | undefined): Budget {
  let left = MAX_UNITS;
  const asked = new Set<string>();
  const spend = (units: number): void => {
    left -= units;
    if (left < 0) throw tooLarge(`This expression takes more than ${String(MAX_UNITS)} steps.`);
  };
  const steps = (count: number): void => {
    spend(count);
    if (shared && (shared.left -= count) < 0)
      throw tooLarge(`The expressions of this configuration take more than ${String(MAX_STEPS_TOGETHER)} steps together.`);
  };
  return {
    spend,
    step: () => {
      steps(1);
    },
    failed: () => {
      steps(STEPS_OF_FAILURE);
    },
    isFirst: (text) => asked.size < asked.add(text).size,
  };
}
