import type { BegunRun, Trigger } from "./fleet-store.ts";
import type { TeamResult } from "./team-work.ts";

/** When a team is reconciled again, and why. */
export interface NextRun {
  readonly afterMs: number;
  readonly trigger: Trigger;
}

/** The first pause after a failure; each further one is twice as long. */
const FIRST_PAUSE_MS = 15_000;
/** A team that fails for ever is still reconciled so often. */
const LONGEST_PAUSE_MS = 60 * 60_000;
/** After so many runs that could not decide an outcome, with no run between them that could, somebody has to. */
const MOST_UNDECIDED = 3;
/** After so many runs that found the state locked, one after the other, the team is shown as locked. */
export const MOST_BUSY = 3;
/** Another run holds the lock of the state, usually for seconds. */
const BUSY_PAUSE_MS = 15_000;
/** Teams that were reconciled together do not stay together. */
const JITTER = 0.1;

/** Null where a person must act first. `chance` is from 0 to less than 1. */
export function nextRun(
  { outcome, needsPerson = false }: Pick<TeamResult, "outcome" | "needsPerson">,
  before: Pick<BegunRun, "busy" | "failures" | "undecided" | "intervalMs">,
  chance: number,
): NextRun | null {
  const { intervalMs } = before;
  const failures = before.failures + 1;
  const spread = (ms: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * chance));
  switch (outcome) {
    case "undecided":
      // What a list that failed, or comes too late, could not decide, the next run may.
      if (before.undecided + 1 >= MOST_UNDECIDED) return null;
      return { afterMs: spread(pauseMs(failures, intervalMs)), trigger: "retry" };
    case "failed":
      if (needsPerson) return null;
      return { afterMs: spread(pauseMs(failures, intervalMs)), trigger: "retry" };
    case "busy":
      // Who left the lock may only be frozen, and go on: a person has to find out.
      if (needsPerson && before.busy + 1 >= MOST_BUSY) return null;
      return { afterMs: spread(Math.min(BUSY_PAUSE_MS, intervalMs)), trigger: "retry" };
    // The plan that replaces it is made at once.
    case "outdated":
    case "interrupted":
      return { afterMs: 0, trigger: "retry" };
    case "unchanged":
    case "applied":
    case "waiting":
      return { afterMs: spread(intervalMs), trigger: "interval" };
  }
}

/** Never longer than an hour, or than the interval where that is longer. */
function pauseMs(failures: number, intervalMs: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), Math.max(LONGEST_PAUSE_MS, intervalMs));
}
