import type { Clock } from "../../src/core/model/ports.ts";
import { afterPromises } from "../core/virtual-clock.ts";
import type { World } from "./world.ts";

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/**
 * The clock of a world. Its time passes only while everything sleeps: a tick comes after all promises that can go on have
 * gone on, and nothing in the simulation waits for anything else.
 */
export function worldClock(world: World): Clock & { readonly sleepers: number } {
  const sleepers: Sleeper[] = [];
  let isScheduled = false;
  function schedule(): void {
    if (isScheduled || sleepers.length === 0) return;
    isScheduled = true;
    afterPromises(wakeNext);
  }
  function wakeNext(): void {
    isScheduled = false;
    let next = 0;
    for (let at = 1; at < sleepers.length; at++) if ((sleepers[at]?.atMs ?? 0) < (sleepers[next]?.atMs ?? 0)) next = at;
    const [sleeper] = sleepers.splice(next, 1);
    if (!sleeper) return;
    world.nowMs = Math.max(world.nowMs, sleeper.atMs);
    sleeper.wake();
    schedule();
  }
  return {
    now: () => world.nowMs,
    monotonicMs: () => world.nowMs,
    get sleepers() {
      return sleepers.length;
    },
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const onAbort = (): void => {
          const at = sleepers.indexOf(sleeper);
          if (at >= 0) sleepers.splice(at, 1);
          reject(signal.reason as Error);
        };
        const wake = (): void => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        const sleeper = { atMs: world.nowMs + durationMs, wake };
        sleepers.push(sleeper);
        signal.addEventListener("abort", onAbort, { once: true });
        schedule();
      }),
  };
}
