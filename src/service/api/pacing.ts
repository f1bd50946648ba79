/** The two things that pacing needs of a clock. `sleep` rejects when the signal is aborted. */
export interface PacingClock {
  monotonicMs(): number;
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** Permission for a number of requests. A slot counts against the limit from the moment it is reserved until the window has passed since it was taken. */
export interface Reservation {
  take(): void;
  /** Gives back what was not taken. */
  release(): void;
}

export interface Pacer {
  /** Resolves, in the order of the calls, when `count` requests may be sent at once. */
  reserve(count: number, signal: AbortSignal): Promise<Reservation>;
  /** Holds everything back that is not reserved yet: the service has asked to wait. */
  pause(durationMs: number): void;
}

const WINDOW_MS = 2100;
const LIMIT = 20;

/**
 * Keeps within the service's 20 requests per 2 s (Limits), whether its window is fixed or slides: a log of the requests
 * of the last 2.1 s. `share` leaves room for other users of the key: 0 < share ≤ 1.
 */
export function slidingPacer(clock: PacingClock, share = 1): Pacer {
  const limit = Math.max(2, Math.floor(LIMIT * share));
  let taken: number[] = [];
  let reserved = 0;
  let pausedUntilMs = 0;
  let queue: Promise<unknown> = Promise.resolve();
  let wake = new AbortController();

  function waitMs(count: number): number {
    const now = clock.monotonicMs();
    taken = taken.filter((at) => at > now - WINDOW_MS);
    const excess = taken.length + reserved + count - limit;
    const freeAt = excess <= 0 ? now : (taken[excess - 1] ?? now + WINDOW_MS) + WINDOW_MS;
    return Math.max(freeAt, pausedUntilMs) - now;
  }

  async function admit(count: number, signal: AbortSignal): Promise<Reservation> {
    for (;;) {
      signal.throwIfAborted();
      const ms = waitMs(count);
      if (ms <= 0) break;
      await clock.sleep(ms, AbortSignal.any([signal, wake.signal])).catch((error: unknown) => {
        if (signal.aborted) throw error;
      });
    }
    reserved += count;
    let left = count;
    return {
      take: () => {
        if (left === 0) throw new Error("no reserved request is left");
        left--;
        reserved--;
        taken.push(clock.monotonicMs());
      },
      release: () => {
        reserved -= left;
        left = 0;
        wake.abort();
        wake = new AbortController();
      },
    };
  }

  return {
    reserve: (count, signal) => {
      if (count > limit) throw new Error(`${String(count)} requests cannot be sent at once`);
      const turn = queue.then(() => admit(count, signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    pause: (durationMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + durationMs);
    },
  };
}
