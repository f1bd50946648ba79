import { tooLarge } from "./failure.ts";

/** Limits the work of one evaluation. */
export interface Budget {
  /** Counts work: a unit is one step, or one visited element. Throws when the budget is used up. */
  spend(units: number): void;
  /** Whether this evaluation has not asked for this text before. */
  isFirst(text: string): boolean;
}

const MAX_UNITS = 1_000_000;

export function newBudget(): Budget {
  let left = MAX_UNITS;
  const asked = new Set<string>();
  return {
    spend: (units) => {
      left -= units;
      if (left < 0) throw tooLarge(`This expression takes more than ${String(MAX_UNITS)} steps.`);
    },
    isFirst: (text) => asked.size < asked.add(text).size,
  };
}
