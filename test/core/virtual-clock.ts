import type { Clock } from "../../src/core/model/ports.ts";

/** The time of a virtual clock, for all that share it. */
export interface VirtualTime {
  /** Milliseconds since the clock's start. */
  nowMs: number;
}

/** A clock whose time passes only while everything sleeps. */
export interface VirtualClock extends Clock {
  /** The durations of all sleeps so far, in milliseconds. */
  readonly slept: readonly number[];
  /** How many sleep now. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/**
 * Wakes the earliest sleeper when nothing else is left to do, as far as `isBusy` can tell. `soon` runs a function when no promise is left to settle:
 * `afterPromises` is quickest where nothing waits for the system.
 */
export function virtualClock(
  startMs = 1_700_000_000_000,
  isBusy = (): boolean => false,
  soon: (run: () => void) => unknown = setImmediate,
  time: VirtualTime = { nowMs: 0 },
): VirtualClock {
  const slept: number[] = [];
  const sleepers: Sleeper[] = [];
  let isScheduled = false;
  function schedule(): void {
    if (isScheduled || sleepers.length === 0) return;
    isScheduled = true;
    soon(wakeNext);
  }
  function wakeNext(): void {
    isScheduled = false;
    if (isBusy()) return schedule();
    let next = 0;
    for (let at = 1; at < sleepers.length; at++) if ((sleepers[at]?.atMs ?? 0) < (sleepers[next]?.atMs ?? 0)) next = at;
    const [sleeper] = sleepers.splice(next, 1);
    if (!sleeper) return;
    time.nowMs = Math.max(time.nowMs, sleeper.atMs);
    sleeper.wake();
    schedule();
  }
  return {
    slept,
    get sleepers() {
      return sleepers.length;
    },
    now: () => startMs + time.nowMs,
    monotonicMs: () => time.nowMs,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        slept.push(durationMs);
        const onAbort = (): void => {
          const at = sleepers.indexOf(sleeper);
          if (at >= 0) sleepers.splice(at, 1);
          reject(signal.reason as Error);
        };
        const wake = (): void => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        const sleeper = { atMs: time.nowMs + durationMs, wake };
        sleepers.push(sleeper);
        signal.addEventListener("abort", onAbort, { once: true });
        schedule();
      }),
  };
}

/** A tick inside a tick would run before the promises that the first one resolved. */
export function afterPromises(run: () => void): void {
  queueMicrotask(() => process.nextTick(run));
}

/** The clock of a simulated world, in which nothing waits for the system. */
export function worldClock(world: VirtualTime): VirtualClock {
  return virtualClock(0, undefined, afterPromises, world);
}
