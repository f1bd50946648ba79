import type { Operation } from "./choices.ts";
import type { LoggedRequest } from "./request-log.ts";

/** What a fault does to a request. Where it is `before` processing, the answer that it spoils is its own. */
export type FaultAction =
  /** The connection ends without an answer. */
  | { readonly kind: "drop" }
  /** The connection is reset, after this many bytes of the body: half of them by default, 0 for no answer at all. */
  | { readonly kind: "reset"; readonly afterBytes?: number }
  /**
   * Another answer. Without `status` and `body`, the true one with other headers; without `body`, the status's
   * usual words. A header that is null is left out. `bodyBase64` is for bytes that are not text.
   */
  | {
      readonly kind: "answer";
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | null>>;
      readonly body?: string;
      readonly bodyBase64?: string;
    }
  /** A page of HTML, as a proxy in between would send; 502 by default. */
  | { readonly kind: "html"; readonly status?: number }
  /** The body ends too early, after this many bytes (half of them by default). */
  | { readonly kind: "truncate"; readonly afterBytes?: number }
  /** The body comes in pieces of `bytes` (1 by default), `pauseMs` apart (1,000 by default). */
  | { readonly kind: "slow"; readonly bytes?: number; readonly pauseMs?: number }
  /** Processing (`before`) or answering (`after`) waits so long (1,000 by default), whether or not the client does. */
  | { readonly kind: "late"; readonly delayMs?: number };

/** Which requests a fault hits, and what it does to them. Without any condition it hits every request. */
export type Fault = {
  readonly action: FaultAction;
  /** Before the request is processed, or after it took its effect; `before` by default. */
  readonly when?: "before" | "after";
  /** How many requests it hits, 1 by default; null: all until it is removed. */
  readonly times?: number | null;
  /** How many requests that it would hit it lets through first. */
  readonly skip?: number;
  /** The share of requests that it hits, between 0 and 1; 1 by default. */
  readonly probability?: number;
  readonly method?: string;
  /** A path relative to the base address; `*` stands for any text. */
  readonly path?: string;
  readonly operation?: Operation;
  readonly key?: string;
  /** Any other condition; only for callers in the same process. */
  readonly where?: (request: LoggedRequest) => boolean;
};

/** A fault that was added, with what is left of it. */
export type ActiveFault = { readonly id: string; readonly fault: Fault; readonly hits: number };

/** The faults of a sandbox, in the order in which they were added. */
export class Faults {
  readonly #random: () => number;
  #active: { id: string; fault: Fault; hits: number; skipped: number; path: RegExp | null }[] = [];
  #lastId = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  add(fault: Fault): string {
    const id = `fault_${String(++this.#lastId)}`;
    this.#active.push({ id, fault, hits: 0, skipped: 0, path: fault.path === undefined ? null : glob(fault.path) });
    return id;
  }

  /** Whether there was such a fault. */
  remove(id: string): boolean {
    const before = this.#active.length;
    this.#active = this.#active.filter((one) => one.id !== id);
    return this.#active.length < before;
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly ActiveFault[] {
    return this.#active.map(({ id, fault, hits }) => ({ id, fault, hits }));
  }

  /** The first fault that hits this request at this moment; a used-up one is removed. */
  take(when: "before" | "after", request: LoggedRequest): FaultAction | null {
    if (this.#active.length === 0) return null;
    for (const one of this.#active) {
      if ((one.fault.when ?? "before") !== when || !matches(one.fault, one.path, request)) continue;
      if (one.skipped < (one.fault.skip ?? 0)) {
        one.skipped++;
        continue;
      }
      if (one.fault.probability !== undefined && this.#random() >= one.fault.probability) continue;
      one.hits++;
      const times = one.fault.times === undefined ? 1 : one.fault.times;
      if (times !== null && one.hits >= times) this.remove(one.id);
      return one.fault.action;
    }
    return null;
  }
}

function matches(fault: Fault, path: RegExp | null, request: LoggedRequest): boolean {
  return (
    (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
    (path === null || path.test(request.path)) &&
    (fault.operation === undefined || fault.operation === request.operation) &&
    (fault.key === undefined || fault.key === request.key) &&
    (fault.where === undefined || fault.where(request))
  );
}

function glob(text: string): RegExp {
  return new RegExp(
    `^${text
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
}
