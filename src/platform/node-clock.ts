import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../core/model/ports.ts";

/** Almost 25 days: a timer of Node that is set to more ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** This machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  // `performance.now()` would start at 0 in every process.
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (durationMs, signal) => {
    let leftMs = durationMs;
    do {
      // Node's own error only has the reason as its cause.
      await delay(Math.min(leftMs, LONGEST_TIMER_MS), undefined, { signal }).catch(() => signal.throwIfAborted());
      leftMs -= LONGEST_TIMER_MS;
    } while (leftMs > 0);
  },
};
