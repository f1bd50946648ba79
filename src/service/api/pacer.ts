import {
  MAX_PAUSE_MS,
  type Pace,
  type Sent,
  type SharedRequests,
  USABLE_MS,
  applyAdvice,
  largestReservation,
  newPace,
  recordAnswer,
  recordRefusal,
  requestsToShare,
  takeSlot,
  unexplainedRequests,
  waitMs,
} from "./pace.ts";
import { type RateAnswer, rateAdvice } from "./rate-headers.ts";

/** The clock for pacing. `sleep` rejects when the signal is aborted. */
export interface PacingClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only grow, the same for all processes of a machine. */
  monotonicMs(): number;
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** Permission for a number of requests. A slot counts against the limit from its reservation until a window after its use. */
export interface Reservation {
  /**
   * Call it right before `take`. Reserves the slots again if others may no longer keep them free, as after a pause of this
   * process. Rejects as `reserve` does: then nothing is reserved any more.
   */
  renew(signal: AbortSignal): Promise<void>;
  /** Call it when a request is sent. If an answer arrives, call the returned function with it. */
  take(): (answer: RateAnswer) => void;
  /** Returns the unused slots. */
  release(): void;
}

export interface Pacer {
  /**
   * Resolves when `count` requests may be sent back to back, in the order of the calls. `ahead` skips the queue: use it
   * while holding a reservation, because the queue may be waiting for that one. Rejects with the error of the shared log
   * if that fails: then nothing is reserved.
   */
  reserve(count: number, signal: AbortSignal, ahead?: boolean): Promise<Reservation>;
  /** Delays everything that is not reserved yet, because the service asked to wait. */
  pause(durationMs: number): void;
}

/** The requests of other processes with the same key. */
export interface RequestCounts {
  /**
   * Runs `decide` once, with the others' requests and under a lock, and shares the result with them. Rejects if nobody can
   * tell whether it was shared: then no request may be sent because of it, and `decide` may not have run. A log that is
   * only a help never rejects: it runs `decide` without the lock, or with null if it cannot be read either.
   */
  exchange(decide: (others: readonly SharedRequests[] | null) => SharedRequests): Promise<void>;
  /** The others' requests as far as they are known without the lock. Null if they are not known. */
  peek(): readonly SharedRequests[] | null;
}

/**
 * Stays within the service's 20 requests per 2 s (Limits), for a fixed or a sliding window: logs the requests of the last
 * 2 s and a margin, and corrects the log with the times and headers of the answers. `share` leaves room for other users of the key: 0 < share ≤ 1.
 */
export function slidingPacer(clock: PacingClock, share = 1, shared: RequestCounts | null = null): Pacer {
  const pace = newPace(share);
  const common = commonPace(pace, clock, shared);
  let waiting = 0;
  const wake = interruptibleSleep(clock);
  let queue: Promise<unknown> = Promise.resolve();

  async function admit(count: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const ms = await common.ask(count);
      if (ms === 0) return;
      await wake.sleep(ms, signal);
    }
  }

  async function counted(admission: Promise<void>): Promise<void> {
    waiting++;
    return admission.finally(() => waiting--);
  }

  const pacing = {
    pace,
    clock,
    common,
    wakeUp: wake.wakeUp,
    isIdle: () => waiting === 0,
    admit: async (count: number, signal: AbortSignal) => counted(admit(count, signal)),
  };
  return {
    reserve: async (count, signal, ahead = false) => {
      if (count > largestReservation(pace)) throw new Error(`${String(count)} requests exceed the largest reservation`);
      const turn = counted(ahead ? admit(count, signal) : queue.then(() => admit(count, signal)));
      if (!ahead) queue = turn.catch(() => undefined);
      await turn;
      return reservation(count, pacing);
    },
    pause: (durationMs) => {
      pace.pausedUntilMs = Math.max(pace.pausedUntilMs, clock.monotonicMs() + Math.min(durationMs, MAX_PAUSE_MS));
      common.publish();
    },
  };
}

/** A pace that includes the other processes. */
interface CommonPace {
  /** Reserves and resolves to 0, or resolves to the wait before the next attempt. */
  ask(count: number): Promise<number>;
  /** Shares the current state with the others soon. */
  publish(): void;
  /** Whether the others still keep the reserved slots free, long enough for requests that are sent now. */
  keepsSlots(): boolean;
  /** Reads the others' requests again. */
  peek(): void;
}

function commonPace(pace: Pace, clock: PacingClock, shared: RequestCounts | null): CommonPace {
  let publishing = false;
  let sharedMs = Number.NEGATIVE_INFINITY;
  const peek = (): void => {
    pace.others = shared?.peek() ?? pace.others;
  };
  async function exchange(log: RequestCounts, decide: (nowMs: number) => void): Promise<void> {
    let decidedMs = sharedMs;
    await log.exchange((others) => {
      pace.others = others ?? pace.others;
      decidedMs = clock.monotonicMs();
      decide(decidedMs);
      return requestsToShare(pace, decidedMs);
    });
    sharedMs = Math.max(sharedMs, decidedMs);
  }
  return {
    peek,
    keepsSlots: () => !shared || clock.monotonicMs() <= sharedMs + USABLE_MS,
    ask: async (count) => {
      let ms = waitMs(pace, count, clock.monotonicMs());
      if (ms > 0 && shared) {
        // Others may have released slots or got their answers since.
        peek();
        ms = waitMs(pace, count, clock.monotonicMs());
      }
      if (ms > 0) return ms;
      let reserved = 0;
      const decide = (nowMs: number): void => {
        ms = waitMs(pace, count, nowMs);
        if (ms <= 0) reserved = count;
        pace.reserved += reserved;
      };
      try {
        if (shared) await exchange(shared, decide);
        else decide(clock.monotonicMs());
      } catch (error) {
        pace.reserved -= reserved;
        throw error;
      }
      return Math.max(0, ms);
    },
    publish: () => {
      if (!shared || publishing) return;
      publishing = true;
      // The next reservation shares it, or reports the error.
      exchange(shared, () => (publishing = false)).catch(() => (publishing = false));
    },
  };
}

interface Pacing {
  readonly pace: Pace;
  readonly clock: PacingClock;
  readonly common: CommonPace;
  readonly wakeUp: () => void;
  /** Whether no request waits: then nothing else tells the others soon that a slot is used. */
  readonly isIdle: () => boolean;
  /** Resolves when so many more slots are reserved. */
  readonly admit: (count: number, signal: AbortSignal) => Promise<void>;
}

function reservation(count: number, pacing: Pacing): Reservation {
  const { pace, clock, common, wakeUp, isIdle, admit } = pacing;
  let left = count;
  let released = false;
  return {
    renew: async (signal) => {
      while (left > 0 && !common.keepsSlots()) {
        const again = left;
        pace.reserved -= left;
        left = 0;
        // Ahead of the queue, which may be waiting for these slots.
        await admit(again, signal);
        left = again;
      }
    },
    take: () => {
      if (left === 0) throw new Error("all reserved requests are used");
      left--;
      const sent = takeSlot(pace, clock.monotonicMs());
      return (answer) => observe(sent, answer, pacing);
    },
    release: () => {
      if (released) return;
      released = true;
      pace.reserved -= left;
      if (left > 0 || isIdle()) common.publish();
      if (left > 0) wakeUp();
      left = 0;
    },
  };
}

function observe(sent: Sent, answer: RateAnswer, { pace, clock, common, wakeUp }: Pacing): void {
  const now = clock.monotonicMs();
  const advice = rateAdvice(answer, clock.now());
  const pausedBeforeMs = pace.pausedUntilMs;
  const otherClientsBefore = pace.otherClients.count;
  recordAnswer(pace, sent, now);
  if (answer.status === 429 || advice.retryMs !== null) recordRefusal(pace);
  if (unexplainedRequests(pace, sent, advice) > 0) common.peek();
  applyAdvice(pace, sent, advice, now);
  if (pace.pausedUntilMs > pausedBeforeMs) common.publish();
  if (otherClientsBefore > 0) wakeUp();
}

/** A sleep that can end early, also when the signal is aborted. */
function interruptibleSleep(clock: PacingClock): { sleep(ms: number, signal: AbortSignal): Promise<void>; wakeUp(): void } {
  const sleepers = new Set<() => void>();
  return {
    // Without AbortSignal.any: it leaves something behind in every signal that lives longer than the sleep.
    sleep: async (ms, signal) => {
      const over = new AbortController();
      const wake = (): void => over.abort();
      sleepers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
      if (signal.aborted) wake();
      await clock.sleep(ms, over.signal).catch(() => undefined);
      signal.removeEventListener("abort", wake);
      sleepers.delete(wake);
    },
    wakeUp: () => {
      for (const wake of sleepers) wake();
    },
  };
}
