import type { SandboxClock } from "../time.ts";

/** The longest single wait, so that a changed clock is noticed, in milliseconds. */
const MAX_WAIT_MS = 3_600_000;

/** Calls back at the earliest of the times that were set, with a single wait at a time. */
export class Alarm {
  readonly #clock: SandboxClock;
  readonly #onTime: () => void;
  #at = Number.POSITIVE_INFINITY;
  #wait: AbortController | null = null;

  constructor(clock: SandboxClock, onTime: () => void) {
    this.#clock = clock;
    this.#onTime = onTime;
  }

  /** Calls back at `at` (milliseconds since 1970) at the latest. Once it has called back, no time is set. */
  set(at: number): void {
    if (at >= this.#at) return;
    this.cancel();
    const wait = new AbortController();
    this.#at = at;
    this.#wait = wait;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(1, at - this.#clock.now()));
    this.#clock.sleep(waitMs, wait.signal).then(
      () => {
        if (this.#wait !== wait) return;
        this.cancel();
        this.#onTime();
      },
      () => undefined,
    );
  }

  cancel(): void {
    this.#wait?.abort();
    this.#wait = null;
    this.#at = Number.POSITIVE_INFINITY;
  }
}
