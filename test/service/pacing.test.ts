import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Pacer, slidingPacer } from "../../src/service/api/pacer.ts";
import { virtualClock } from "../core/virtual-clock.ts";

const NEVER = new AbortController().signal;
const [LIMIT, WINDOW_MS] = [20, 2000];

/** The most requests in any window of the service, sliding or fixed with any start. */
function mostInAnyWindow(times: readonly number[]): number {
  return Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at < start + WINDOW_MS).length));
}

async function take(pacer: Pacer, count = 1, signal = NEVER): Promise<void> {
  const slot = await pacer.reserve(count, signal);
  for (let index = 0; index < count; index++) slot.take();
  slot.release();
}

describe("the pace", () => {
  test.each([
    ["all at once", 200, 1, 1],
    ["all at once, in pairs", 100, 2, 1],
    ["with half the limit", 60, 1, 0.5],
    ["with the smallest share that allows a pair", 12, 2, 0.1],
  ])("stays within the limit in any window: %s", async (_, calls, each, share) => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock, share);
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: calls }, async () => {
        await take(pacer, each);
        times.push(...Array.from({ length: each }, () => clock.monotonicMs()));
      }),
    );
    const limit = Math.max(2, Math.floor(LIMIT * share));
    const windowMs = 2100 * Math.max(1, 2 / (LIMIT * share));
    expect(mostInAnyWindow(times)).toBe(limit);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(Math.ceil((calls * each) / limit) * windowMs);
  });

  test("waits longer between pairs if the share is too small for one pair per window", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock, 0.01);
    for (let pair = 0; pair < 3; pair++) await take(pacer, 2);
    expect(clock.monotonicMs()).toBe(2 * 20_100);
  });

  test("stays within the limit for requests at any time after their reservation", async () => {
    const step = fc.record({
      afterMs: fc.nat(1500),
      heldMs: fc.nat(3000),
      each: fc.constantFrom(1, 1, 2),
      takes: fc.constantFrom(0, 1, 2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = virtualClock();
        const pacer = slidingPacer(clock);
        const times: number[] = [];
        await Promise.all(
          steps.map(async ({ afterMs, heldMs, each, takes }) => {
            await clock.sleep(afterMs, NEVER);
            const slot = await pacer.reserve(each, NEVER);
            await clock.sleep(heldMs, NEVER);
            for (let index = 0; index < Math.min(each, takes); index++) {
              slot.take();
              times.push(clock.monotonicMs());
            }
            slot.release();
          }),
        );
        expect(mostInAnyWindow(times)).toBeLessThanOrEqual(LIMIT);
      }),
      { numRuns: 60 },
    );
  });

  test("is first come, first served, even if the first wants more", async () => {
    const pacer = slidingPacer(virtualClock());
    await take(pacer, 19);
    const order: string[] = [];
    await Promise.all([take(pacer, 2).then(() => order.push("pair")), take(pacer).then(() => order.push("single"))]);
    expect(order).toEqual(["pair", "single"]);
  });

  test("counts reserved slots until they are used or released", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    const held = await pacer.reserve(20, NEVER);
    let admitted = false;
    const waiting = take(pacer).then(() => (admitted = true));
    await clock.sleep(60_500, NEVER);
    expect(admitted).toBe(false);
    held.release();
    await waiting;
    expect(clock.monotonicMs()).toBe(60_500);
  });

  test("allows both requests of a pair at any time after their reservation", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    const pair = await pacer.reserve(2, NEVER);
    await take(pacer, 18);
    const before = clock.monotonicMs();
    pair.take();
    pair.take();
    expect(clock.monotonicMs()).toBe(before);
    await take(pacer);
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(before + WINDOW_MS);
  });

  test("allows no more requests than reserved", async () => {
    const pacer = slidingPacer(virtualClock());
    const slot = await pacer.reserve(1, NEVER);
    slot.take();
    expect(() => slot.take()).toThrow("all reserved requests are used");
    const released = await pacer.reserve(1, NEVER);
    released.release();
    released.release();
    expect(() => released.take()).toThrow("all reserved requests are used");
    await expect(pacer.reserve(21, NEVER)).rejects.toThrow("exceed the largest reservation");
  });

  test("delays all requests for as long as the service asks, and the longer wait wins", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    pacer.pause(5000);
    pacer.pause(1000);
    await take(pacer);
    expect(clock.monotonicMs()).toBe(5000);
  });

  test("retries a request of a pair before others that wait for more", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock, 0.1);
    const pair = await pacer.reserve(2, NEVER);
    pair.take();
    const order: string[] = [];
    const behind = take(pacer, 2).then(() => order.push("behind"));
    const again = await pacer.reserve(1, NEVER, true);
    order.push("again");
    again.take();
    again.release();
    pair.take();
    pair.release();
    await behind;
    expect(order).toEqual(["again", "behind"]);
  });

  test("also delays requests that already wait", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    await take(pacer, 20);
    const waiting = take(pacer);
    await clock.sleep(100, NEVER);
    pacer.pause(9900);
    await waiting;
    expect(clock.monotonicMs()).toBe(10_000);
  });

  test("continues with the queue when a waiting request is interrupted", async () => {
    const clock = virtualClock();
    const pacer = slidingPacer(clock);
    await take(pacer, 20);
    const stop = new AbortController();
    const interrupted = take(pacer, 2, stop.signal);
    const behind = take(pacer);
    stop.abort(new Error("interrupted"));
    await expect(interrupted).rejects.toThrow("interrupted");
    await behind;
    expect(clock.monotonicMs()).toBeLessThan(3000);
  });

  test("leaves nothing behind in a signal that lives longer than a wait", async () => {
    const stop = new AbortController();
    const pacer = slidingPacer(virtualClock());
    await take(pacer, 20, stop.signal);
    await take(pacer, 20, stop.signal);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });
});

test("a share that changes holds for what is sent from now on", async () => {
  const clock = virtualClock();
  const pacer = slidingPacer(clock, 0.1);
  await take(pacer, 2);
  pacer.setShare(1);
  await take(pacer, 18);
  expect(clock.monotonicMs()).toBe(0);
  await take(pacer);
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(WINDOW_MS);
  expect(() => pacer.setShare(0)).toThrow(RangeError);
});
