import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../core/model/ports.ts";

/** This machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (durationMs, signal) => delay(durationMs, undefined, { signal }),
};
