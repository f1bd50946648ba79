import type { Operation } from "./choices.ts";
import type { LoggedRequest } from "./request-log.ts";
import { type Schema, count, time } from "./schema.ts";
import { DEFAULT_CHOICES } from "./choices.ts";

/** The effect of a fault on a request. A fault `before` processing alters a 503, because no true answer exists. */
export type FaultAction =
  /** The connection closes without an answer. */
  | { readonly kind: "drop" }
  /** The connection is reset after this many bytes of the body; half of them by default, 0 for no answer. */
  | { readonly kind: "reset"; readonly afterBytes?: number }
  /**
   * Another answer. Without `status` and `body`: the true one with other headers. Without `body`: the
   * status's standard text. A null header is left out. `bodyBase64` is for bytes that are not text.
   */
  | {
      readonly kind: "answer";
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | null>>;
      readonly body?: string;
      readonly bodyBase64?: string;
    }
  /** An HTML page, as a proxy would send it; status 502 by default. */
  | { readonly kind: "html"; readonly status?: number }
  /** The body ends too early, after this many bytes; half of them by default. */
  | { readonly kind: "truncate"; readonly afterBytes?: number }
  /** The body arrives in chunks of `bytes` (1 by default), `pauseMs` apart (1,000 by default). */
  | { readonly kind: "slow"; readonly bytes?: number; readonly pauseMs?: number }
  /** Delays processing (`before`) or the answer (`after`) by `delayMs` (1,000 by default), even if the client leaves. */
  | { readonly kind: "late"; readonly delayMs?: number };

/** The requests that a fault matches, and its effect. Without a condition it matches every request. */
export type Fault = {
  readonly action: FaultAction;
  /** Before the request is processed, or after it took effect; `before` by default. */
  readonly when?: "before" | "after";
  /** The number of requests it affects, 1 by default; null: every request until the fault is removed. */
  readonly times?: number | null;
  /** Ignores this many matching requests first; 0 by default. */
  readonly skip?: number;
  /** The share of matching requests it affects, between 0 and 1; 1 by default. */
  readonly probability?: number;
  readonly method?: string;
  /** A path relative to the base address; `*` matches any text. */
  readonly path?: string;
  readonly operation?: Operation;
  readonly key?: string;
  /** Any other condition, for callers in the same process. */
  readonly where?: (request: LoggedRequest) => boolean;
};

/** An added fault and the number of requests it has affected. */
export type ActiveFault = { readonly id: string; readonly fault: Fault; readonly hits: number };

/** The faults of a sandbox, in the order they were added. */
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

  /** Whether the fault existed. */
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

  /** The first fault that matches this request now. A fault that is used up is removed. */
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

const bytes = count("bytes of the body");
const ms = time("milliseconds");

/** The JSON Schema of a fault as the control API accepts it (`Fault` without `where`). */
export const FAULT_SCHEMA: Schema = {
  type: "object",
  required: ["action"],
  additionalProperties: false,
  properties: {
    action: {
      type: "object",
      required: ["kind"],
      additionalProperties: false,
      properties: {
        kind: { enum: ["drop", "reset", "answer", "html", "truncate", "slow", "late"] },
        afterBytes: bytes,
        status: { type: "integer", minimum: 200, maximum: 599 },
        headers: { type: "object", additionalProperties: { type: ["string", "null"] } },
        body: { type: "string" },
        bodyBase64: { type: "string" },
        bytes: { ...bytes, minimum: 1 },
        pauseMs: ms,
        delayMs: ms,
      },
    },
    when: { enum: ["before", "after"] },
    times: { type: ["integer", "null"], minimum: 1 },
    skip: { type: "integer", minimum: 0 },
    probability: { type: "number", minimum: 0, maximum: 1 },
    method: { type: "string" },
    path: { type: "string" },
    operation: { enum: Object.keys(DEFAULT_CHOICES.errorForms) },
    key: { type: "string" },
  },
};
