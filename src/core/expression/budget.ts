import { tooLarge } from "./failure.ts";

/** Limits the work of one evaluation. */
export interface Budget {
  /** Counts work: a unit is one step, or one visited element. Throws when the budget is used up. */
  spend(units: number): void;
}

const MAX_UNITS = 3_000_000;

export function newBudget(): Budget {
  let left = MAX_UNITS;
  return {
    spend: (units) => {
      left -= units;
      if (left < 0) throw tooLarge(`This expression takes more than ${String(MAX_UNITS)} steps.`);
    },
  };
}
