import type { Clock } from "../../model/ports.ts";

/** How long a list is not believed after a write: since its answer, or since it was given up waiting for one. */
export interface ListingDelayMs {
  readonly answered: number;
  readonly unanswered: number;
}

/**
 * How much of the listing delay is left; never more than all of it, even if the clock was set back. A request that was announced
 * may still be sent within `aheadMs`, and the delay begins after it.
 */
export function remainingListingDelayMs(
  { answered, lastAtMs }: { readonly answered: boolean; readonly lastAtMs: number },
  listingDelayMs: ListingDelayMs,
  nowMs: number,
  aheadMs = 0,
): number {
  const delayMs = answered ? listingDelayMs.answered : listingDelayMs.unanswered;
  return Math.min(lastAtMs + delayMs - nowMs, delayMs + aheadMs);
}

export interface ListWait {
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
  /** Receives the duration of each wait. */
  readonly waiting?: ((durationMs: number) => void) | undefined;
}

/** Waits until the service's list must show the last writes, which may be no time at all. */
export async function waitForList(waitMs: number, { clock, signal, waiting }: ListWait): Promise<void> {
  if (waitMs <= 0) return;
  waiting?.(waitMs);
  await clock.sleep(waitMs, signal);
}
