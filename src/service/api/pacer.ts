import {
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
import { MAX_PAUSE_MS, type RateAnswer, rateAdvice } from "./rate-headers.ts";

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
  return new SlidingPacer(clock, newPace(share), shared);
}

class SlidingPacer implements Pacer {
  readonly #clock: PacingClock;
  readonly #pace: Pace;
  readonly #shared: RequestCounts | null;
  #queue: Promise<unknown> = Promise.resolve();
  /** While no request waits, nothing else tells the others soon that a slot is used. */
  #waiting = 0;
  readonly #sleepers = new Set<() => void>();
  #isPublishing = false;
  /** When what the others know was decided. */
  #sharedMs = Number.NEGATIVE_INFINITY;

  constructor(clock: PacingClock, pace: Pace, shared: RequestCounts | null) {
    this.#clock = clock;
    this.#pace = pace;
    this.#shared = shared;
  }

  async reserve(count: number, signal: AbortSignal, ahead = false): Promise<Reservation> {
    if (count > largestReservation(this.#pace))
      throw new Error(`${String(count)} requests exceed the largest reservation`);
    const turn = this.#admit(count, signal, ahead ? null : this.#queue);
    if (!ahead) this.#queue = turn.catch(() => undefined);
    await turn;
    return this.#reservation(count);
  }

  pause(durationMs: number): void {
    const untilMs = this.#clock.monotonicMs() + Math.min(durationMs, MAX_PAUSE_MS);
    this.#pace.pausedUntilMs = Math.max(this.#pace.pausedUntilMs, untilMs);
    this.#publish();
  }

  /** Resolves when so many more slots are reserved. */
  async #admit(count: number, signal: AbortSignal, before: Promise<unknown> | null): Promise<void> {
    this.#waiting++;
    try {
      if (before) await before;
      for (;;) {
        signal.throwIfAborted();
        const ms = await this.#ask(count);
        if (ms === 0) return;
        await this.#sleep(ms, signal);
      }
    } finally {
      this.#waiting--;
    }
  }

  /** Reserves and resolves to 0, or resolves to the wait before the next attempt. */
  async #ask(count: number): Promise<number> {
    const [pace, clock, shared] = [this.#pace, this.#clock, this.#shared];
    let ms = waitMs(pace, count, clock.monotonicMs());
    if (ms > 0 && shared) {
      // Others may have released slots or got their answers since.
      this.#peek();
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
      if (shared) await this.#exchange(shared, decide);
      else decide(clock.monotonicMs());
    } catch (error) {
      pace.reserved -= reserved;
      throw error;
    }
    return Math.max(0, ms);
  }

  async #exchange(shared: RequestCounts, decide: (nowMs: number) => void): Promise<void> {
    let decidedMs = this.#sharedMs;
    await shared.exchange((others) => {
      this.#pace.others = others ?? this.#pace.others;
      decidedMs = this.#clock.monotonicMs();
      decide(decidedMs);
      return requestsToShare(this.#pace, decidedMs);
    });
    this.#sharedMs = Math.max(this.#sharedMs, decidedMs);
  }

  /** Shares the current state with the others soon. */
  #publish(): void {
    if (!this.#shared || this.#isPublishing) return;
    this.#isPublishing = true;
    const published = (): void => {
      this.#isPublishing = false;
    };
    // The next reservation shares it, or reports the error.
    this.#exchange(this.#shared, published).catch(published);
  }

  #peek(): void {
    this.#pace.others = this.#shared?.peek() ?? this.#pace.others;
  }

  /** Whether the others still keep the reserved slots free, long enough for requests that are sent now. */
  #keepsSlots(): boolean {
    return !this.#shared || this.#clock.monotonicMs() <= this.#sharedMs + USABLE_MS;
  }

  #reservation(count: number): Reservation {
    const pace = this.#pace;
    let left = count;
    let released = false;
    return {
      renew: async (signal) => {
        while (left > 0 && !this.#keepsSlots()) {
          const again = left;
          pace.reserved -= left;
          left = 0;
          // Ahead of the queue, which may be waiting for these slots.
          await this.#admit(again, signal, null);
          left = again;
        }
      },
      take: () => {
        if (left === 0) throw new Error("all reserved requests are used");
        left--;
        const sent = takeSlot(pace, this.#clock.monotonicMs());
        return (answer) => this.#observe(sent, answer);
      },
      release: () => {
        if (released) return;
        released = true;
        pace.reserved -= left;
        if (left > 0 || this.#waiting === 0) this.#publish();
        if (left > 0) this.#wakeUp();
        left = 0;
      },
    };
  }

  #observe(sent: Sent, answer: RateAnswer): void {
    const pace = this.#pace;
    const now = this.#clock.monotonicMs();
    const advice = rateAdvice(answer, this.#clock.now());
    const pausedBeforeMs = pace.pausedUntilMs;
    const otherClientsBefore = pace.otherClients.count;
    recordAnswer(pace, sent, now);
    if (answer.status === 429 || advice.retryMs !== null) recordRefusal(pace);
    if (unexplainedRequests(pace, sent, advice) > 0) this.#peek();
    applyAdvice(pace, sent, advice, now);
    if (pace.pausedUntilMs > pausedBeforeMs) this.#publish();
    if (otherClientsBefore > 0) this.#wakeUp();
  }

  /** Ends early when something changes, also when the signal is aborted. */
  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    // Without AbortSignal.any: it leaves something behind in every signal that lives longer than the sleep.
    const over = new AbortController();
    const wake = (): void => over.abort();
    this.#sleepers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    if (signal.aborted) wake();
    await this.#clock.sleep(ms, over.signal).catch(() => undefined);
    signal.removeEventListener("abort", wake);
    this.#sleepers.delete(wake);
  }

  #wakeUp(): void {
    for (const wake of this.#sleepers) wake();
  }
}
