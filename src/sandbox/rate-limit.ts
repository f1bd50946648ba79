import type { SandboxChoices } from "./choices.ts";
import { type ValueOf, count, object, oneOf, setting, time } from "./schema.ts";
import { httpTime, isoTime, longTime } from "./sandbox-time.ts";

/**
 * The documented limit (section "Limits": 20 per 2 seconds), per API key, on all routes. The specification does not say whether the window is
 * fixed or sliding; the sandbox uses fixed: a key's first request opens a window, and the first request after its end opens the next.
 */
export const RATE_LIMIT_SCHEMA = object("the rate limit; null: no limit", {
  limit: setting(20, count("requests per window and key", 1)),
  windowMs: setting(2000, time("the length of a window, in milliseconds", 1)),
  kind: setting("fixed", oneOf("the kind of window", "fixed", "sliding")),
});

export type RateLimit = ValueOf<typeof RATE_LIMIT_SCHEMA>;

/** The limiter's decision about one request. */
export type RateVerdict = {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests still allowed in this window. */
  readonly remaining: number;
  /** When the window ends (fixed), or when its oldest request leaves it (sliding); ms since 1970. */
  readonly resetAt: number;
};

/** Above this many keys, the limiter forgets all counts. */
const MAX_KEYS = 10_000;

/** Counts the requests of each key. Refused requests do not count. */
export class RateLimiter {
  readonly #limit: RateLimit;
  /** Times of the counted requests in the current window, oldest first. */
  readonly #times = new Map<string, number[]>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts a request of `key` at `now` and decides whether it is allowed. */
  take(key: string, now: number): RateVerdict {
    const { limit, windowMs, kind } = this.#limit;
    const times = this.#times.get(key) ?? this.#remember(key);
    if (kind === "sliding") while (times.length > 0 && now - (times[0] ?? now) >= windowMs) times.shift();
    else if (times.length > 0 && now - (times[0] ?? now) >= windowMs) times.length = 0;
    const allowed = times.length < limit;
    if (allowed) times.push(now);
    return { allowed, limit, remaining: limit - times.length, resetAt: (times[0] ?? now) + windowMs };
  }

  #remember(key: string): number[] {
    if (this.#times.size >= MAX_KEYS) this.#times.clear();
    const times: number[] = [];
    this.#times.set(key, times);
    return times;
  }
}

/** The headers of the section "Limits" for one decision. */
export function rateHeaders(verdict: RateVerdict, now: number, choices: SandboxChoices): Record<string, string> {
  const headers: Record<string, string> = {
    "X-RateLimit-Limit": String(verdict.limit),
    "X-RateLimit-Remaining": String(verdict.remaining),
    "X-RateLimit-Reset": resetText(verdict.resetAt, choices.resetFormat),
  };
  if (choices.retryAfter === "never") return headers;
  if (!verdict.allowed) headers["Retry-After"] = String(Math.max(1, Math.ceil((verdict.resetAt - now) / 1000)));
  else if (choices.retryAfter === "always") headers["Retry-After"] = "0";
  return headers;
}

function resetText(ms: number, format: SandboxChoices["resetFormat"]): string {
  switch (format) {
    case "iso":
      return isoTime(ms);
    case "http-date":
      return httpTime(Math.ceil(ms / 1000) * 1000);
    case "js-date":
      return longTime(ms);
    case "epoch-seconds":
      return String(Math.ceil(ms / 1000));
  }
}
