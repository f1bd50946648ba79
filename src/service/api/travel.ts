/**
 * How evenly requests travel, measured by their answers. The service's window counts a request when it arrives, and only
 * the time of its answer bounds that. All times in milliseconds.
 */
export interface Travel {
  /** The shortest time between a request and its answer so far. */
  readonly fastestMs: number;
  /** The last answers, until something unexpected discards them. */
  readonly recentMs: readonly number[];
  /** How much faster than the fastest answer the next one may be. */
  readonly jitterMs: number;
}

/** The margin until enough is measured. It covers requests that travel faster or slower than others. */
export const FULL_MARGIN_MS = 100;
/** The smallest margin: clocks of other processes and of the service, which may run at slightly different speeds. */
const GUARD_MS = 15;
/** The answers that count as enough. */
const MEASURED = 20;

export const UNKNOWN_TRAVEL: Travel = { fastestMs: Number.POSITIVE_INFINITY, recentMs: [], jitterMs: FULL_MARGIN_MS };

/** An answer that is faster than the margin expects shows that the measurement was wrong: it starts again. */
export function withAnswer({ fastestMs, recentMs }: Travel, durationMs: number): Travel {
  const trusted = durationMs < fastestMs - GUARD_MS ? [] : recentMs;
  return measured(Math.min(fastestMs, durationMs), [...trusted, durationMs].slice(-MEASURED));
}

/** After a refusal by the rate limit: the full margin until enough is measured again. */
export function withRefusal({ fastestMs }: Travel): Travel {
  return measured(fastestMs, []);
}

/** Expects that no answer is further below the fastest one than that one is below half of the others. */
function measured(fastestMs: number, recentMs: readonly number[]): Travel {
  const median = recentMs.toSorted((a, b) => a - b)[MEASURED / 2] ?? Number.POSITIVE_INFINITY;
  return { fastestMs, recentMs, jitterMs: recentMs.length < MEASURED ? FULL_MARGIN_MS : median - fastestMs };
}

/** How much longer than the service's window a request counts. It arrived at most `late` later than the fastest one would have. */
export function marginMs({ jitterMs }: Travel, late: number): number {
  return Math.max(late + GUARD_MS, Math.min(FULL_MARGIN_MS, late + GUARD_MS + jitterMs));
}

/** How much later than the fastest one a request can have arrived. Unanswered, it may still be on its way. */
export function lateMs(fastestMs: number, takenMs: number, answeredMs: number): number {
  return Math.max(0, answeredMs - takenMs - fastestMs);
}
