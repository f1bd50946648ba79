import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../core/model/ports.ts";

/** This machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  // `performance.now()` would start at 0 in every process.
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (durationMs, signal) => {
    // Node's own error only has the reason as its cause.
    await delay(durationMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};
