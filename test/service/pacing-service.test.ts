import { describe, expect, it } from "vitest";
import { DEFAULT_CHOICES, type SandboxChoices } from "../../src/sandbox/choices.ts";
import { RateLimiter, rateHeaders } from "../../src/sandbox/rate-limit.ts";
import { type Pacer, slidingPacer } from "../../src/service/api/pacer.ts";
import { virtualClock } from "../core/virtual-clock.ts";

const { signal } = new AbortController();

interface Service {
  /** Sends one reserved request; the answer's headers are in lower case. */
  send(pacer: Pacer): Promise<number>;
  readonly arrivals: readonly number[];
  readonly refused: () => number;
  /** A request of another client with the same key. */
  otherClient(): void;
}

interface Line {
  readonly travelMs?: (index: number) => number;
  readonly resetFormat?: SandboxChoices["resetFormat"];
  /** The pacer does not see the answers. */
  readonly ignoresAnswers?: boolean;
}

/** The sandbox's own limiter behind a network that takes `travelMs(n)` each way for the n-th request. */
function service(
  clock: ReturnType<typeof virtualClock>,
  kind: "fixed" | "sliding",
  { travelMs = () => 0, resetFormat = DEFAULT_CHOICES.resetFormat, ignoresAnswers = false }: Line = {},
): Service {
  const limiter = new RateLimiter({ limit: 20, windowMs: 2000, kind });
  const arrivals: number[] = [];
  let sent = 0;
  let refused = 0;
  return {
    arrivals,
    refused: () => refused,
    otherClient: () => void limiter.take("key", clock.now()),
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
      if (!ignoresAnswers)
        answered({
          status: verdict.allowed ? 200 : 429,
          headers: {
            date,
            ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
          },
        });
      slot.release();
      return verdict.allowed ? 200 : 429;
    },
  };
}

/** Sends `count` requests, `parallel` at a time. */
async function sendAll(pacer: Pacer, { send }: Service, count: number, parallel = 4): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await send(pacer);
    }),
  );
}

/** Requests per second between the first and the last, without the first burst, as a share of 10 per second. */
function shareOfLimit(arrivals: readonly number[]): number {
  return (arrivals.length - 20) / ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 0.01;
}

describe.each(["fixed", "sliding"] as const)("a service with a %s window", (kind) => {
  it.each(["iso", "http-date", "epoch-seconds"] as const)(
    "is used to 97 % with no request refused (reset as %s)",
    async (resetFormat) => {
      const clock = virtualClock();
      const one = service(clock, kind, { travelMs: () => 15, resetFormat });
      await sendAll(slidingPacer(clock), one, 400);
      expect(one.refused()).toBe(0);
      expect(shareOfLimit(one.arrivals)).toBeGreaterThan(0.97);
    },
  );

  it("refuses nothing when opening connections makes the first requests late", async () => {
    const clock = virtualClock();
    const one = service(clock, kind, { travelMs: (index) => (index < 4 ? 350 : 40) });
    await sendAll(slidingPacer(clock), one, 200);
    expect(one.refused()).toBe(0);
  });

  it("refuses nothing when some answers take ten times as long", async () => {
    const clock = virtualClock();
    const one = service(clock, kind, { travelMs: (index) => (index % 7 === 3 ? 400 : 40) });
    await sendAll(slidingPacer(clock), one, 200);
    expect(one.refused()).toBe(0);
  });

  it("leaves room for others according to the share", async () => {
    const clock = virtualClock();
    const one = service(clock, kind);
    await sendAll(slidingPacer(clock, 0.5), one, 100);
    expect(one.refused()).toBe(0);
    for (const [index, at] of one.arrivals.entries())
      expect((one.arrivals[index + 10] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(2000);
  });

  it("is shared with another client that only the headers show", async () => {
    const refused = async (ignoresAnswers: boolean): Promise<number> => {
      const clock = virtualClock();
      const one = service(clock, kind, { travelMs: () => 5, ignoresAnswers });
      const over = new AbortController();
      const other = (async () => {
        while (!over.signal.aborted) {
          for (let index = 0; index < 12; index++) one.otherClient();
          await clock.sleep(1500, signal);
        }
      })();
      await sendAll(slidingPacer(clock), one, 200);
      over.abort();
      await other;
      return one.refused();
    };
    const [heeding, ignoresAnswers] = [await refused(false), await refused(true)];
    expect(heeding).toBeLessThan(ignoresAnswers / 2);
  });
});

describe("a reservation", () => {
  it.each([0, -1, 1.1, Number.NaN])("is refused for a share of %s", (share) => {
    expect(() => slidingPacer(virtualClock(), share)).toThrow(RangeError);
  });

  it("waits ten minutes at most", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    pacer.pause(1e9);
    await pacer.reserve(1, signal);
    expect(clock.monotonicMs()).toBe(600_000);
  });
});

/** How long the second request must wait after an answer with these headers to the first. */
async function waitAfter(
  headers: (nowMs: number) => { readonly [name: string]: string },
  status = 200,
): Promise<number> {
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
    ["Retry-After in another form", 429, () => ({ "retry-after": "soon" }), 0],
    ["Retry-After in a successful answer", 200, () => ({ "retry-after": "2" }), 0],
    [
      "no requests left until a date",
      200,
      (now: number) => ({ ...NONE_LEFT, "x-ratelimit-reset": iso(now + 1501) }),
      1501,
    ],
    [
      "no requests left until a date beyond the documented window",
      200,
      (now: number) => ({ ...NONE_LEFT, date: http(now), "x-ratelimit-reset": iso(now + 9001) }),
      9001,
    ],
    ["no requests left and no date", 200, () => NONE_LEFT, 2100],
    [
      "no requests left until a date in the past",
      200,
      (now: number) => ({ ...NONE_LEFT, "x-ratelimit-reset": iso(now - 5000) }),
      2100,
    ],
    [
      "no requests left until next year",
      200,
      (now: number) => ({ ...NONE_LEFT, date: http(now), "x-ratelimit-reset": iso(now + 3e10) }),
      2100,
    ],
    [
      "a date of a service whose clock is an hour ahead",
      200,
      (now: number) => ({ ...NONE_LEFT, date: http(now + 3.6e6), "x-ratelimit-reset": iso(now + 3.6e6 + 1501) }),
      1751,
    ],
    [
      "a distant date without a Date header",
      200,
      (now: number) => ({ ...NONE_LEFT, "x-ratelimit-reset": iso(now + 50_000) }),
      2100,
    ],
    ["enough left", 200, () => ({ "x-ratelimit-limit": "20", "x-ratelimit-remaining": "19" }), 0],
    [
      "invalid numbers",
      200,
      () => ({ "x-ratelimit-limit": "many", "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "x" }),
      0,
    ],
    ["more left than the limit", 200, () => ({ "x-ratelimit-limit": "5", "x-ratelimit-remaining": "50" }), 0],
    ["a limit of zero", 200, () => ({ "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0" }), 0],
  ])("with %s", async (_, status, headers, expected) => {
    expect(await waitAfter(headers, status)).toBeCloseTo(expected, 3);
  });

  it("slow the pace for a lower limit, and never speed it up for a higher one", async () => {
    for (const [told, sentAtOnce] of [
      ["6", 6],
      ["1000", 20],
    ] as const) {
      const clock = virtualClock();
      const pacer = slidingPacer(clock);
      let remaining = Number(told);
      let sent = 0;
      for (; clock.monotonicMs() === 0; sent++) {
        const slot = await pacer.reserve(1, signal);
        slot.take()({
          status: 200,
          headers: { "x-ratelimit-limit": told, "x-ratelimit-remaining": String(--remaining) },
        });
      }
      expect(sent - 1).toBe(sentAtOnce);
    }
  });
});
