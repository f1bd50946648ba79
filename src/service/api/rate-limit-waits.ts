import type { RetryRule } from "../../core/model/definition.ts";
import type { Clock } from "../../core/model/ports.ts";
import type { Pacer } from "./pacer.ts";

/** The wait after the first refusal or failure; it doubles with each further one. */
export const BACKOFF_MS = 250;
/** From here on it no longer doubles: a few of the service's windows, so that a request that waits long still gets its turn. */
const MAX_BACKOFF_MS = 8000;
/** The wait after a refusal without `Retry-After`, at least. */
const UNASKED_MS = 1000;
const MINUTE_MS = 60_000;
const LIMIT_MS = 10 * MINUTE_MS;
/** While the create half of a replace waits, neither the old nor the new one exists. */
const REPLACE_LIMIT_MS = 30 * MINUTE_MS;

/** The waits of one request that the rate limit refuses. */
export interface Waits {
  /**
   * Waits until the request may be sent again, and lets this process send nothing else meanwhile. Resolves to false if it must
   * not be sent again, because its time is over or `askedMs`, the service's `Retry-After`, ends later. Rejects with the reason of `stop`.
   */
  pass(askedMs: number | null, stop: AbortSignal): Promise<boolean>;
  /** Why it must not be sent again. */
  words(): string;
}

/** Repeats a request for ten minutes from its first refusal, the create of a replace for half an hour. */
export function rateLimitWaits(
  {
    clock,
    pacer,
    jitter,
  }: { readonly clock: Clock; readonly pacer: Pick<Pacer, "pause">; readonly jitter: () => number },
  rule?: Pick<RetryRule, "ofReplace">,
): Waits {
  const limitMs = rule?.ofReplace ? REPLACE_LIMIT_MS : LIMIT_MS;
  let endMs: number | null = null;
  let backoffMs = BACKOFF_MS;
  let words = "";
  return {
    pass: async (askedMs, stop) => {
      stop.throwIfAborted();
      const nowMs = clock.monotonicMs();
      endMs ??= nowMs + limitMs;
      const leftMs = endMs - nowMs;
      const leastMs = askedMs ?? UNASKED_MS;
      if (leftMs <= 0 || leastMs > leftMs) {
        words =
          leastMs > limitMs
            ? `the service asks to wait ${String(Math.ceil(leastMs / 1000))} s, longer than outreach waits`
            : `its ${String(limitMs / MINUTE_MS)} minutes are over`;
        return false;
      }
      const waitMs = Math.min(Math.max(leastMs, backoffMs) + jitter() * backoffMs, leftMs);
      backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
      pacer.pause(waitMs);
      await clock.sleep(waitMs, stop);
      return true;
    },
    words: () => words,
  };
}
