import { describe, expect, it } from "vitest";
import { DEFAULT_CHOICES } from "../../src/sandbox/choices.ts";
import { RateLimiter, rateHeaders } from "../../src/sandbox/rate-limit.ts";
import { type Pacer, slidingPacer } from "../../src/service/api/pacing.ts";
import { virtualClock } from "../core/virtual-clock.ts";

const { signal } = new AbortController();
const FREE = { minMs: 0, maxMs: 0 };

interface Service {
  /** Sends one reserved request; its answer is in lower-case headers. */
  send(pacer: Pacer): Promise<number>;
  readonly arrivals: readonly number[];
  readonly refused: () => number;
  /** A request of somebody else with the same key. */
  stranger(): void;
}

/** The sandbox's own limiter behind a line that takes `travelMs(n)` there and as long back for the n-th request. */
function service(clock: ReturnType<typeof virtualClock>, kind: "fixed" | "sliding", travelMs: (index: number) => number = () => 0, resetFormat = DEFAULT_CHOICES.resetFormat): Service {
  const limiter = new RateLimiter({ limit: 20, windowMs: 2000, kind });
  const arrivals: number[] = [];
  let sent = 0;
  let refused = 0;
  return {
    arrivals,
    refused: () => refused,
    stranger: () => void limiter.take("key", clock.now()),
    send: async (pacer) => {
      const slot = await pacer.reserve(1, signal);
      const answered = slot.take();
      const travel = travelMs(sent++);
      if (travel > 0) await clock.sleep(travel, signal);
      arrivals.push(clock.monotonicMs());
      const verdict = limiter.take("key", clock.now());
      if (!verdict.allowed) refused++;
      const headers = rateHeaders(verdict, clock.now(), { ...DEFAULT_CHOICES, resetFormat });
      if (travel > 0) await clock.sleep(travel, signal);
      const date = new Date(clock.now()).toUTCString();
      answered({ status: verdict.allowed ? 200 : 429, headers: { date, ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) } });
      slot.release();
      return verdict.allowed ? 200 : 429;
    },
  };
}

/** Sends `count` requests, `lanes` at a time. */
async function sendAll(pacer: Pacer, { send }: Service, count: number, lanes = 4): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) await send(pacer);
    }),
  );
}

/** Requests a second between the first and the last, the first burst apart, as a share of 10 a second. */
function shareOfLimit(arrivals: readonly number[]): number {
  return (arrivals.length - 20) / ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 0.01;
}

describe.each(["fixed", "sliding"] as const)("a service with a %s window", (kind) => {
  it.each(["iso", "http-date", "epoch-seconds"] as const)("is used to 95 % with no request refused (reset as %s)", async (resetFormat) => {
    const clock = virtualClock();
    const one = service(clock, kind, () => 15, resetFormat);
    await sendAll(slidingPacer(clock), one, 400);
    expect(one.refused()).toBe(0);
    expect(shareOfLimit(one.arrivals)).toBeGreaterThan(0.94);
  });

  it("refuses nothing when opening connections makes the first requests late", async () => {
    const clock = virtualClock();
    const one = service(clock, kind, (index) => (index < 4 ? 350 : 40));
    await sendAll(slidingPacer(clock), one, 200);
    expect(one.refused()).toBe(0);
  });

  it("refuses nothing when some answers take ten times as long", async () => {
    const clock = virtualClock();
    const one = service(clock, kind, (index) => (index % 7 === 3 ? 400 : 40));
    await sendAll(slidingPacer(clock), one, 200);
    expect(one.refused()).toBe(0);
  });

  it("is left to others by the share that is theirs", async () => {
    const clock = virtualClock();
    const one = service(clock, kind);
    await sendAll(slidingPacer(clock, 0.5), one, 100);
    expect(one.refused()).toBe(0);
    for (const [index, at] of one.arrivals.entries()) expect((one.arrivals[index + 10] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(2100);
  });

  it("is shared with somebody who sends half of what it allows, with few refused", async () => {
    const clock = virtualClock();
    const one = service(clock, kind, () => 5);
    const over = new AbortController();
    const other = (async () => {
      while (!over.signal.aborted) {
        one.stranger();
        await clock.sleep(200, signal);
      }
    })();
    await sendAll(slidingPacer(clock), one, 200);
    over.abort();
    await other;
    expect(one.refused()).toBeLessThanOrEqual(10);
  });
});

describe("reservations", () => {
  it("come in the order of the calls, and two are sent back to back", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    const order: string[] = [];
    const times: number[] = [];
    for (let index = 0; index < 19; index++) (await pacer.reserve(1, signal)).take();
    const pair = pacer.reserve(2, signal).then((slot) => {
      order.push("pair");
      slot.take();
      slot.take();
      times.push(clock.monotonicMs());
    });
    const single = pacer.reserve(1, signal).then((slot) => {
      order.push("single");
      slot.take();
    });
    await Promise.all([pair, single]);
    expect(order).toEqual(["pair", "single"]);
    expect(times).toEqual([2100]);
  });

  it("that are given back are free at once", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    const held = await Promise.all(Array.from({ length: 10 }, () => pacer.reserve(2, signal)));
    const next = pacer.reserve(1, signal);
    held[3]?.release();
    await next;
    expect(clock.monotonicMs()).toBe(0);
  });

  it("end with the signal, and the next in line goes on", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    for (let index = 0; index < 20; index++) (await pacer.reserve(1, signal)).take();
    const leaving = new AbortController();
    const first = pacer.reserve(1, leaving.signal);
    const second = pacer.reserve(1, signal);
    leaving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    await second;
    expect(clock.monotonicMs()).toBe(2100);
  });

  it("of two are possible with the smallest share, which then waits longer", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock, 0.01);
    (await pacer.reserve(2, signal)).take();
    await expect(pacer.reserve(3, signal)).rejects.toThrow("3 requests cannot be sent at once");
    (await pacer.reserve(1, signal)).take();
    expect(clock.monotonicMs()).toBe(0);
  });

  it.each([0, -1, 1.1, Number.NaN])("are refused for a share of %s", (share) => {
    expect(() => slidingPacer(virtualClock(), share)).toThrow(RangeError);
  });

  it("wait while the service has asked to, for two minutes at most", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    pacer.pause(3000);
    await pacer.reserve(1, signal);
    expect(clock.monotonicMs()).toBe(3000);
    pacer.pause(1e9);
    await pacer.reserve(1, signal);
    expect(clock.monotonicMs()).toBe(123_000);
  });
});

/** How long the second request has to wait after an answer with these headers to the first. */
async function waitAfter(headers: (nowMs: number) => { readonly [name: string]: string }, status = 200): Promise<number> {
  const clock = virtualClock(1_700_000_000_250);
  const pacer = slidingPacer(clock);
  const slot = await pacer.reserve(1, signal);
  slot.take()({ status, headers: headers(clock.now()) });
  await pacer.reserve(1, signal);
  return clock.monotonicMs();
}

const iso = (ms: number): string => new Date(ms).toISOString();
const http = (ms: number): string => new Date(ms).toUTCString();
const NONE_LEFT = { "x-ratelimit-limit": "20", "x-ratelimit-remaining": "0" };

describe("the headers of an answer", () => {
  it.each([
    ["Retry-After in seconds", 429, () => ({ "retry-after": "3" }), 3000],
    ["Retry-After as a date", 429, (now: number) => ({ "retry-after": http(now + 2750) }), 2750],
    ["a negative Retry-After", 429, () => ({ "retry-after": "-5" }), 0],
    ["a huge Retry-After, which the caller reports", 429, () => ({ "retry-after": "86400" }), 0],
    ["Retry-After that is neither", 429, () => ({ "retry-after": "soon" }), 0],
    ["Retry-After of an answer that is no refusal", 200, () => ({ "retry-after": "2" }), 0],
    ["no requests left until a date", 200, (now: number) => ({ ...NONE_LEFT, "x-ratelimit-reset": iso(now + 1501) }), 1501],
    ["no requests left until a date beyond the documented window", 200, (now: number) => ({ ...NONE_LEFT, date: http(now), "x-ratelimit-reset": iso(now + 9001) }), 9001],
    ["no requests left and no date", 200, () => NONE_LEFT, 2100],
    ["no requests left until a date in the past", 200, (now: number) => ({ ...NONE_LEFT, "x-ratelimit-reset": iso(now - 5000) }), 2100],
    ["no requests left until next year", 200, (now: number) => ({ ...NONE_LEFT, date: http(now), "x-ratelimit-reset": iso(now + 3e10) }), 2100],
    ["a date of a service whose clock is an hour ahead", 200, (now: number) => ({ ...NONE_LEFT, date: http(now + 3.6e6), "x-ratelimit-reset": iso(now + 3.6e6 + 1501) }), 1751],
    ["a far date without the service's own", 200, (now: number) => ({ ...NONE_LEFT, "x-ratelimit-reset": iso(now + 50_000) }), 2100],
    ["enough left", 200, () => ({ "x-ratelimit-limit": "20", "x-ratelimit-remaining": "19" }), 0],
    ["numbers that are none", 200, () => ({ "x-ratelimit-limit": "many", "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "x" }), 0],
    ["more left than the limit", 200, () => ({ "x-ratelimit-limit": "5", "x-ratelimit-remaining": "50" }), 0],
    ["a limit of none", 200, () => ({ "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0" }), 0],
  ])("with %s", async (_, status, headers, expected) => {
    expect(await waitAfter(headers, status)).toBeCloseTo(expected, 3);
  });

  it("make the pace slower with a lower limit, and never faster with a higher one", async () => {
    for (const [told, sentAtOnce] of [["6", 6], ["1000", 20]] as const) {
      const clock = virtualClock();
      const pacer = slidingPacer(clock);
      let remaining = Number(told);
      let sent = 0;
      for (; clock.monotonicMs() === 0; sent++) {
        const slot = await pacer.reserve(1, signal);
        slot.take()({ status: 200, headers: { "x-ratelimit-limit": told, "x-ratelimit-remaining": String(--remaining) } });
      }
      expect(sent - 1).toBe(sentAtOnce);
    }
  });
});
