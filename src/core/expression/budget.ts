import { tooLarge } from "./failure.ts";

/** What one evaluation may still do. */
export interface Budget {
  /** Counts work: a unit is one step, or one element that is looked at. Fails when there is no more. */
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
