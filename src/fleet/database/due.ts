/** Whether somebody waits for a run with this trigger. */
export function isAskedFor(trigger = "next_trigger"): string {
  return `coalesce(${trigger} IN ('request', 'adopt', 'approval'), false)`;
}

/** Whether a row of the teams may be reconciled once its time has come. A paused team only is where somebody waits for it. */
export function mayRun(isAwaited = isAskedFor()): string {
  return `(removed IS NULL AND NOT parked AND (NOT paused OR ${isAwaited}))`;
}

const IS_DUE = `next_run <= now() AND NOT running AND ${mayRun()}`;

/** Teams that failed last time may hang, so they get a few of the workers only. The others get all, as do those that somebody waits for. */
export const IS_DUE_AT_ONCE = `(${IS_DUE} AND (failures = 0 OR ${isAskedFor()}))`;
export const IS_DUE_AFTER_FAILURE = `(${IS_DUE} AND failures > 0 AND NOT ${isAskedFor()})`;

/** The order in which teams that are due are reconciled. */
export const URGENCY = `CASE WHEN ${isAskedFor()} THEN 0 WHEN interrupted THEN 1 ELSE 2 END`;
