import { tooLarge } from "./expression-failure.ts";

/** Limits the work of one evaluation. */
export interface Budget {
  /** Counts work: a unit is one step, or one visited element. Throws when the budget is used up. */
  spend(units: number): void;
  /** Counts the elements of a value that exists already: one reference may be to a large value, and many references to the same one. */
  refer(units: number): void;
  /** Counts one step. */
  step(): void;
  /** Counts a failure that the expression catches: it takes as long as many steps. */
  failed(): void;
  /** Whether this evaluation has not asked for this text before. */
  isFirst(text: string): boolean;
}

const MAX_UNITS = 1_000_000;
const STEPS_OF_FAILURE = 20;
/** Together, values may have more elements than the expressions may take steps: looking at an element is quicker. */
const STEPS_OF_UNIT = 0.25;

/** What all expressions of a configuration may take together: about a second. */
const MAX_STEPS_TOGETHER = 2_000_000;
const DIVIDE = "Let fewer expressions go through long lists, or divide the configuration.";

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
  const take = (units: number, together: number): void => {
    left -= units;
    if (shared) shared.left -= together;
    if (left < 0) throw tooLarge(`This expression takes more than ${String(MAX_UNITS)} steps.`);
    if (shared && shared.left < 0)
      throw tooLarge(
        `The expressions of this configuration take more than ${String(MAX_STEPS_TOGETHER)} steps together.`,
        DIVIDE,
      );
  };
  const steps = (count: number): void => {
    take(count, count);
  };
  return {
    spend: (units) => {
      take(units, units * STEPS_OF_UNIT);
    },
    refer: (units) => {
      take(units, 0);
    },
    step: () => {
      steps(1);
    },
    failed: () => {
      steps(STEPS_OF_FAILURE);
    },
    isFirst: (text) => asked.size < asked.add(text).size,
  };
}
