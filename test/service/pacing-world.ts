import { setMaxListeners } from "node:events";
import { DEFAULT_CHOICES } from "../../src/sandbox/choices.ts";
import { RateLimiter, rateHeaders } from "../../src/sandbox/rate-limit.ts";
import type { Clock } from "../../src/core/model/ports.ts";
import { type Pacer, type Reservation, slidingPacer } from "../../src/service/api/pacer.ts";
import { afterPromises, virtualClock } from "../core/virtual-clock.ts";

export type WindowKind = "fixed" | "fixed grid" | "sliding";

export interface Story {
  readonly window: WindowKind;
  /** Requests, sent by as many at once. */
  readonly requests: number;
  readonly parallel: number;
  /** Requests in one reservation, one after the other. */
  readonly each: 1 | 2;
  /** The milliseconds between a reservation and its request, and between two requests. */
  readonly heldMs: () => number;
  readonly idleMs: () => number;
  /** The milliseconds to the service and back. */
  readonly thereMs: (index: number) => number;
  readonly backMs: (index: number) => number;
  /** What a timer adds. */
  readonly timerMs: () => number;
  /** How much faster the service's clock runs, and how far it is ahead. */
  readonly drift: number;
  readonly aheadMs: number;
  /** How much the wall clock is off at a time. */
  readonly wallMs: (nowMs: number) => number;
}

export interface Ending {
  readonly refused: number;
  /** Sorted; by the service's clock. */
  readonly arrivals: readonly number[];
}

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const LIMIT = 20;
const WINDOW_MS = 2000;

/** A process that sends as fast as the pacer allows, against the service's limit, in virtual time. */
export async function play(story: Story): Promise<Ending> {
  const clock = virtualClock(undefined, undefined, afterPromises);
  const serverNow = (): number => 1_700_000_000_000 + story.aheadMs + clock.monotonicMs() * story.drift;
  const limiter = new RateLimiter({
    limit: LIMIT,
    windowMs: WINDOW_MS,
    kind: story.window === "sliding" ? "sliding" : "fixed",
  });
  const grid = new RateLimiter({ limit: LIMIT, windowMs: 1e12, kind: "fixed" });
  const arrivals: number[] = [];
  let [index, refused] = [0, 0];

  async function send(slot: Reservation): Promise<void> {
    const answered = slot.take();
    const one = index++;
    await clock.sleep(story.thereMs(one), NEVER);
    const now = serverNow();
    arrivals.push(now);
    const verdict =
      story.window === "fixed grid"
        ? { ...grid.take(String(Math.floor(now / WINDOW_MS)), now), resetAt: Math.ceil(now / WINDOW_MS) * WINDOW_MS }
        : limiter.take("key", now);
    if (!verdict.allowed) refused++;
    const headers = Object.entries(rateHeaders(verdict, now, DEFAULT_CHOICES)).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    await clock.sleep(story.backMs(one), NEVER);
    answered({
      status: verdict.allowed ? 200 : 429,
      headers: { date: new Date(serverNow()).toUTCString(), ...Object.fromEntries(headers) },
    });
  }

  async function work(pacer: Pacer, own: Clock): Promise<void> {
    let left = story.requests;
    const worker = async (): Promise<void> => {
      for (left -= story.each; left >= 0; left -= story.each) {
        const slot = await pacer.reserve(story.each, NEVER);
        for (let sent = 0; sent < story.each; sent++) {
          await pause(own, story.heldMs());
          await send(slot);
        }
        slot.release();
        await pause(own, story.idleMs());
      }
    };
    await Promise.all(Array.from({ length: story.parallel }, worker));
  }

  const own: Clock = {
    now: () => clock.now() + story.wallMs(clock.monotonicMs()),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms + story.timerMs(), signal),
  };
  await work(slidingPacer(own), own);
  return { refused, arrivals: arrivals.toSorted((a, b) => a - b) };
}

async function pause(clock: Clock, ms: number): Promise<void> {
  if (ms > 0) await clock.sleep(ms, NEVER);
}

/** Requests a second after the first burst, as a share of the limit. */
export function shareOfLimit(arrivals: readonly number[]): number {
  return (((arrivals.length - LIMIT) / ((arrivals.at(-1) ?? 0) - (arrivals[LIMIT - 1] ?? 0))) * WINDOW_MS) / LIMIT;
}

/** Full speed, without any delay. */
export const EVEN: Story = {
  window: "sliding",
  requests: 200,
  parallel: 4,
  each: 1,
  heldMs: () => 0,
  idleMs: () => 0,
  thereMs: () => 15,
  backMs: () => 15,
  timerMs: () => 0,
  drift: 1,
  aheadMs: 0,
  wallMs: () => 0,
};
