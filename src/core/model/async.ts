import type { Clock } from "./ports.ts";

/** A signal that is never aborted, for what must not be cut short. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;

/** Lets a bounded number work at once, in the order of the calls. */
export interface Semaphore {
  /** Resolves to the way out, which may be taken twice. */
  enter(): Promise<() => void>;
}

export function semaphore(places: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };
  return {
    enter: async () => {
      if (inside < places) inside++;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      let isInside = true;
      return () => {
        if (isInside) leave();
        isInside = false;
      };
    },
  };
}

/** Settles as a promise does, or rejects with the signal's reason when that is aborted first. The promise goes on. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    over.abort();
  }
}

/** A signal that is aborted with `reason` after a time, unless `end` is called before. */
export function timeLimit(
  limitMs: number,
  { sleep }: Clock,
  reason: () => unknown,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const [late, ended] = [new AbortController(), new AbortController()];
  if (limitMs <= 0) late.abort(reason());
  void sleep(limitMs, ended.signal).then(
    () => late.abort(reason()),
    () => undefined,
  );
  return { signal: late.signal, end: () => ended.abort() };
}

/** Settles as `answer` does, or as `whenLate` does once the time is over. The answer itself is not cut short. */
export async function withinTime<T>(
  answer: Promise<T>,
  limitMs: number,
  { sleep }: Pick<Clock, "sleep">,
  whenLate: () => T | Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const late = sleep(limitMs, ended.signal).then(whenLate);
  // Whichever of the two comes second may fail unheard.
  for (const one of [answer, late]) one.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    ended.abort();
  }
}

export interface Retrying {
  readonly attempts: number;
  /** The pause after an attempt that failed; `attempt` counts from 1. */
  readonly pauseMs: (attempt: number) => number;
  readonly mayRetry: (error: unknown) => boolean;
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

/** Does something that may be done again, until it succeeds. Throws the error of the last attempt, or the signal's reason. */
export async function retrying<T>(
  { attempts, pauseMs, mayRetry, clock, signal }: Retrying,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      signal.throwIfAborted();
      if (!mayRetry(error) || attempt >= attempts) throw error;
    }
    await clock.sleep(pauseMs(attempt), signal);
  }
}
