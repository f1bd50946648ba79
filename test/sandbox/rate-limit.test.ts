import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_CHOICES } from "../../src/sandbox/choices.ts";
import { rateHeaders, RateLimiter } from "../../src/sandbox/rate-limit.ts";

const limit = { limit: 20, windowMs: 2000 };

describe("the rate limit", () => {
  test("with a sliding window never allows more than the limit in any window", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }), (gaps) => {
        const limiter = new RateLimiter({ ...limit, kind: "sliding" });
        const allowed: number[] = [];
        let now = 0;
        for (const gap of gaps) if (limiter.take("key", (now += gap)).allowed) allowed.push(now);
        for (const start of allowed)
          expect(allowed.filter((at) => at >= start && at < start + 2000).length).toBeLessThanOrEqual(20);
      }),
    );
  });

  test("with a fixed window allows a burst at the end of one and another at the start of the next", () => {
    const limiter = new RateLimiter({ ...limit, kind: "fixed" });
    const taken = (now: number, count: number): number =>
      Array.from({ length: count }, () => limiter.take("key", now)).filter((one) => one.allowed).length;
    expect([taken(0, 1), taken(1990, 20), taken(2000, 21)]).toEqual([1, 19, 20]);
  });

  test("with a sliding window frees one request as the oldest leaves", () => {
    const limiter = new RateLimiter({ limit: 2, windowMs: 2000, kind: "sliding" });
    const taken = [0, 500, 1000, 2000, 2100, 2500].map((now) => limiter.take("key", now));
    expect(taken.map((one) => one.allowed)).toEqual([true, true, false, true, false, true]);
    expect(taken.map((one) => one.resetAt)).toEqual([2000, 2000, 2000, 2500, 2500, 4000]);
  });

  test.each([
    ["iso", "2026-07-01T12:00:00.500Z"],
    ["http-date", "Wed, 01 Jul 2026 12:00:01 GMT"],
    ["js-date", "Wed Jul 01 2026 13:00:00 GMT+0100 (Central European Standard Time)"],
    ["epoch-seconds", "1782907201"],
  ] as const)("writes the reset date as %s", (resetFormat, text) => {
    const verdict = { allowed: true, limit: 20, remaining: 3, resetAt: Date.parse("2026-07-01T12:00:00.500Z") };
    expect(rateHeaders(verdict, 0, { ...DEFAULT_CHOICES, resetFormat })["X-RateLimit-Reset"]).toBe(text);
  });

  test.each([
    ["when-limited", undefined, "2"],
    ["always", "0", "2"],
    ["never", undefined, undefined],
  ] as const)("sends Retry-After %s: %s with an answer, %s with a refusal", (retryAfter, allowed, refused) => {
    const verdict = { limit: 20, remaining: 0, resetAt: 2000 };
    const sent = (isAllowed: boolean): unknown =>
      rateHeaders({ ...verdict, allowed: isAllowed }, 0, { ...DEFAULT_CHOICES, retryAfter })["Retry-After"];
    expect([sent(true), sent(false)]).toEqual([allowed, refused]);
  });
});
