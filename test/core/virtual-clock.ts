import type { Clock } from "../../src/core/model/ports.ts";

/**
 * A clock whose time passes only while everything sleeps: the earliest sleeper is woken when nothing else is left to do, as far as
 * `isBusy` can tell. `soon` runs a function when no promise is left to settle: `afterPromises` is quickest where nothing waits for the system.
 */
export function virtualClock(
  startMs = 1_700_000_000_000,
  isBusy = (): boolean => false,
  soon: (run: () => void) => unknown = setImmediate,
): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = [];
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  let nowMs = 0;
  let scheduled = false;
  function schedule(): void {
    if (scheduled || sleepers.length === 0) return;
    scheduled = true;
    soon(() => {
      scheduled = false;
      if (isBusy()) return schedule();
      sleepers.sort((a, b) => a.atMs - b.atMs);
      const next = sleepers.shift();
      if (next) nowMs = Math.max(nowMs, next.atMs);
      next?.wake();
      schedule();
    });
  }
  return {
    slept,
    now: () => startMs + nowMs,
    monotonicMs: () => nowMs,
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
        const sleeper = { atMs: nowMs + durationMs, wake };
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
