import {
  type Pace,
  type Sent,
  type SharedRequests,
  countedMs,
  heed,
  largestReservation,
  newPace,
  noteAnswer,
  takeOne,
  toShare,
  unexplained,
  waitMs,
} from "./pace.ts";
import { type RateAnswer, rateAdvice } from "./rate-headers.ts";

/** The things that pacing needs of a clock. `sleep` rejects when the signal is aborted. */
export interface PacingClock {
  /** Milliseconds since 1970. */
  now(): number;
  monotonicMs(): number;
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** Permission for a number of requests. A slot counts against the limit from the moment it is reserved until the window has passed since it was taken. */
export interface Reservation {
  /** Call it when a request is sent, and the function that it returns with the answer, when one comes. */
  take(): (answer: RateAnswer) => void;
  /** Gives back what was not taken. */
  release(): void;
}

export interface Pacer {
  /**
   * Resolves, in the order of the calls, when `count` requests may be sent at once. `ahead` of all that wait goes what
   * still holds a reservation: they may be waiting for that one.
   */
  reserve(count: number, signal: AbortSignal, ahead?: boolean): Promise<Reservation>;
  /** Holds everything back that is not reserved yet: the service has asked to wait. */
  pause(durationMs: number): void;
}

/** What other processes send with the same key. */
export interface SharedLog {
  /**
   * Runs `decide` exactly once: with what the others have sent, while none of them can do the same, and tells them what it
   * returns; or, when that cannot be had, with null. Throws nothing of its own.
   */
  exchange(decide: (others: SharedRequests | null) => SharedRequests): Promise<void>;
  /** What the others have sent, without a say in it. */
  look(): SharedRequests | null;
}

/** Others may see a request this much too early: well within the room that the window leaves. */
const STALE_MS = 25;
const MAX_PAUSE_MS = 120_000;

/**
 * Keeps within the service's 20 requests per 2 s (Limits), whether its window is fixed or slides: a log of the requests
 * of the last 2.1 s, corrected by the headers of the answers. `share` leaves room for other users of the key: 0 < share ≤ 1.
 */
export function slidingPacer(clock: PacingClock, share = 1, shared: SharedLog | null = null): Pacer {
  const pace = newPace(share);
  const common = commonPace(pace, clock, shared);
  const wake = wakeable(clock);
  let queue: Promise<unknown> = Promise.resolve();

  async function admit(count: number, signal: AbortSignal): Promise<Reservation> {
    for (;;) {
      signal.throwIfAborted();
      const ms = await common.ask(count);
      if (ms === 0) return reservation(count, { pace, clock, common, wakeUp: wake.wakeUp });
      await wake.sleep(ms, signal);
    }
  }

  return {
    reserve: (count, signal, ahead = false) => {
      if (count > largestReservation(pace)) return Promise.reject(new Error(`${String(count)} requests cannot be sent at once`));
      if (ahead) return admit(count, signal);
      const turn = queue.then(() => admit(count, signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    pause: (durationMs) => {
      pace.pausedUntilMs = Math.max(pace.pausedUntilMs, clock.monotonicMs() + Math.min(durationMs, MAX_PAUSE_MS));
      common.publish();
    },
  };
}

/** A pace together with what other processes know of it. */
interface CommonPace {
  /** Reserves and resolves to 0, or to how long to wait before asking again. */
  ask(count: number): Promise<number>;
  /** Tells the others soon how things are. */
  publish(): void;
  /** Learns anew what the others have sent. */
  look(): void;
}

function commonPace(pace: Pace, clock: PacingClock, shared: SharedLog | null): CommonPace {
  let publishing = false;
  return {
    ask: async (count) => {
      let ms = waitMs(pace, count, clock.monotonicMs());
      if (ms > 0) return ms;
      const decide = (others: SharedRequests | null): SharedRequests => {
        pace.others = others ?? pace.others;
        const now = clock.monotonicMs();
        ms = waitMs(pace, count, now);
        if (ms <= 0) pace.reserved += count;
        return toShare(pace, now);
      };
      if (shared) await shared.exchange(decide);
      else decide(null);
      return Math.max(0, ms);
    },
    publish: () => {
      if (!shared || publishing) return;
      publishing = true;
      void shared.exchange((others) => {
        publishing = false;
        pace.others = others ?? pace.others;
        return toShare(pace, clock.monotonicMs());
      });
    },
    look: () => {
      pace.others = shared?.look() ?? pace.others;
    },
  };
}

interface Pacing {
  readonly pace: Pace;
  readonly clock: PacingClock;
  readonly common: CommonPace;
  readonly wakeUp: () => void;
}

function reservation(count: number, pacing: Pacing): Reservation {
  const { pace, clock, common, wakeUp } = pacing;
  const reservedMs = clock.monotonicMs();
  let left = count;
  return {
    take: () => {
      if (left === 0) throw new Error("no reserved request is left");
      left--;
      const sent = takeOne(pace, clock.monotonicMs());
      if (sent.takenMs - reservedMs > STALE_MS) common.publish();
      return (answer) => observe(sent, answer, pacing);
    },
    release: () => {
      if (left === 0) return;
      pace.reserved -= left;
      left = 0;
      common.publish();
      wakeUp();
    },
  };
}

function observe(sent: Sent, answer: RateAnswer, { pace, clock, common, wakeUp }: Pacing): void {
  const now = clock.monotonicMs();
  const advice = rateAdvice(answer, clock.now());
  const pausedBeforeMs = pace.pausedUntilMs;
  const strangersBefore = pace.strangers.count;
  noteAnswer(pace, sent, now);
  if (unexplained(pace, sent, advice) > 0) common.look();
  heed(pace, sent, advice, now);
  if (pace.pausedUntilMs > pausedBeforeMs || countedMs(pace, sent) - sent.takenMs > STALE_MS) common.publish();
  if (strangersBefore > 0) wakeUp();
}

/** Sleep that something other than time may end. */
function wakeable(clock: PacingClock): { sleep(ms: number, signal: AbortSignal): Promise<void>; wakeUp(): void } {
  let wake = new AbortController();
  return {
    sleep: (ms, signal) =>
      clock.sleep(ms, AbortSignal.any([signal, wake.signal])).catch((error: unknown) => {
        if (signal.aborted) throw error;
      }),
    wakeUp: () => {
      wake.abort();
      wake = new AbortController();
    },
  };
}
