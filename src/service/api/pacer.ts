import type { Clock } from "../../core/model/ports.ts";
import {
  type Pace,
  type Sent,
  applyAdvice,
  assertShare,
  largestReservation,
  newPace,
  recordAnswer,
  recordRefusal,
  takeSlot,
  waitMs,
} from "./pace.ts";
import { MAX_PAUSE_MS, type RateAnswer, rateAdvice } from "./rate-headers.ts";

/** Permission for a number of requests. A slot counts against the limit from its reservation until a window after its use. */
export interface Reservation {
  /** Call it when a request is sent. If an answer arrives, call the returned function with it. */
  take(): (answer: RateAnswer) => void;
  /** Returns the unused slots. */
  release(): void;
}

export interface Pacer {
  /**
   * Resolves when `count` requests may be sent back to back, in the order of the calls. `ahead` skips the queue: use it
   * while holding a reservation, because the queue may be waiting for that one. Rejects when the signal is aborted.
   */
  reserve(count: number, signal: AbortSignal, ahead?: boolean): Promise<Reservation>;
  /** Delays everything that is not reserved yet, because the service asked to wait. */
  pause(durationMs: number): void;
}

/** The pacer of a key in this process. */
export interface KeyPacer extends Pacer {
  /** Leaves room for other users of the key from now on: 0 < share ≤ 1. */
  setShare(share: number): void;
}

/**
 * Stays within the service's 20 requests per 2 s (Limits), for a fixed or a sliding window: logs the requests of the last
 * 2 s and a margin, and corrects the log with the times and headers of the answers.
 */
export function slidingPacer(clock: Clock, share = 1): KeyPacer {
  return new SlidingPacer(clock, newPace(share));
}

class SlidingPacer implements KeyPacer {
  readonly #clock: Clock;
  readonly #pace: Pace;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #sleepers = new Set<() => void>();

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock;
    this.#pace = pace;
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
  }

  setShare(share: number): void {
    this.#pace.share = assertShare(share);
  }

  /** Resolves when so many more slots are reserved. */
  async #admit(count: number, signal: AbortSignal, before: Promise<unknown> | null): Promise<void> {
    if (before) await before;
    for (;;) {
      signal.throwIfAborted();
      const ms = waitMs(this.#pace, count, this.#clock.monotonicMs());
      if (ms <= 0) break;
      await this.#sleep(ms, signal);
    }
    this.#pace.reserved += count;
  }

  #reservation(count: number): Reservation {
    const pace = this.#pace;
    let left = count;
    return {
      take: () => {
        if (left === 0) throw new Error("all reserved requests are used");
        left--;
        const sent = takeSlot(pace, this.#clock.monotonicMs());
        return (answer) => this.#observe(sent, answer);
      },
      release: () => {
        pace.reserved -= left;
        if (left > 0) this.#wakeUp();
        left = 0;
      },
    };
  }

  #observe(sent: Sent, answer: RateAnswer): void {
    const pace = this.#pace;
    const now = this.#clock.monotonicMs();
    const advice = rateAdvice(answer, this.#clock.now());
    const otherClientsBefore = pace.otherClients.count;
    recordAnswer(pace, sent, now);
    if (answer.status === 429 || advice.retryMs !== null) recordRefusal(pace);
    applyAdvice(pace, sent, advice, now);
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
