import { describe, expect, test } from "vitest";
import { type Reservation, slidingPacer } from "../../src/service/api/pacer.ts";
import { chanceOf } from "../core/apply/chance.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { WINDOWS, storyOf } from "../service/pacing-stories.ts";
import { EVEN, type Ending, type Story, play, shareOfLimit } from "../service/pacing-world.ts";
import { type Database, QUICK, machines } from "./budget-world.ts";

const NEVER = new AbortController().signal;
const SEEDS = Number(process.env["OUTREACH_SEEDS"] ?? 30);

async function together(
  story: Story,
  database: Database,
  monotonicMs?: (nowMs: number, process: number) => number,
): Promise<Ending> {
  return play(story, undefined, machines(database, monotonicMs));
}

/** Machines that were started at different times, with clocks that are not quite exact, far from and near to a database that fails at times. */
async function playSeed(seed: number): Promise<Ending> {
  const { below, percent, oneOf } = chanceOf(seed + 1_000_000);
  const upTo = (max: number): number => (below(1e6) / 1e6) * max;
  const [startedMs, drift] = [[upTo(1e8), upTo(1e8), upTo(1e8)], [0, 0, 0].map(() => 1 + upTo(0.0004) - 0.0002)];
  const [databaseDrift, nearMs, jitterMs, broken] = [
    1 + upTo(0.0004) - 0.0002,
    oneOf([0.2, 2, 30]),
    oneOf([0, 1, 40]),
    oneOf([0, 0, 5]),
  ];
  return together(
    { ...storyOf(seed), processes: oneOf([2, 3]), requests: 40 },
    {
      clockMs: (nowMs) => 1_700_000_000_000 + nowMs * databaseDrift,
      wayMs: () => nearMs + upTo(jitterMs),
      fault: () => (percent(broken) ? oneOf(["down", "unconfirmed"]) : "none"),
    },
    (nowMs, process) => (startedMs[process] ?? 0) + nowMs * (drift[process] ?? 1),
  );
}

describe("processes of several machines that share a budget", () => {
  test(`nothing is refused in ${String(SEEDS)} stories of clocks, latencies, killed processes, and a database that fails`, async () => {
    const refusing: string[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { refused } = await playSeed(seed);
      if (refused > 0) refusing.push(`seed ${String(seed)}: ${String(refused)} refused`);
    }
    expect(refusing).toEqual([]);
  }, 120_000);

  test.each(WINDOWS.flatMap((window) => ([1, 2] as const).map((each) => ({ window, each }))))(
    "three use 95 % of the limit: $window window, $each in a reservation",
    async (setting) => {
      const { refused, arrivals } = await together({ ...EVEN, ...setting, processes: 3, requests: 200 }, QUICK);
      expect(refused).toBe(0);
      expect(shareOfLimit(arrivals)).toBeGreaterThan(0.95);
    },
  );

  test.each([
    ["ahead by a second", 1000],
    ["ahead by an hour", 3.6e6],
    ["back by a second", -1000],
    ["back by an hour", -3.6e6],
  ])("nothing is refused, and nobody waits for long, when the database's clock is set %s", async (_, byMs) => {
    for (const jumpMs of [3000, 3700, 4400]) {
      const database = { ...QUICK, clockMs: (nowMs: number) => QUICK.clockMs(nowMs) + (nowMs < jumpMs ? 0 : byMs) };
      const { refused, arrivals } = await together({ ...EVEN, processes: 3, requests: 60 }, database);
      expect(refused).toBe(0);
      expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeLessThan(18_000 + 8000);
    }
  });

  test("the slots of a killed process come back after 10 seconds", async () => {
    const clock = virtualClock();
    const { log } = machines(QUICK);
    await slidingPacer(clock, 1, log(clock, 0, clock)).reserve(20, NEVER);
    const other = slidingPacer(clock, 1, log(clock, 1, clock));
    for (let sent = 0; sent < 20; sent++) (await other.reserve(1, NEVER)).take();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(10_000);
    expect(clock.monotonicMs()).toBeLessThan(12_200);
  });

  /** One process is stopped between its reservation and its request, while another one sends as fast as it may. */
  async function stoppedFor(stoppedMs: number, database: Database): Promise<readonly number[]> {
    const clock = virtualClock();
    const { log } = machines(database);
    const [stopped, other] = [
      slidingPacer(clock, 1, log(clock, 0, clock)),
      slidingPacer(clock, 1, log(clock, 1, clock)),
    ];
    const times: number[] = [];
    async function send(slot: Reservation, count: number): Promise<void> {
      await slot.renew(NEVER);
      for (let sent = 0; sent < count; sent++) {
        slot.take()({ status: 200, headers: {} });
        times.push(clock.monotonicMs());
      }
      slot.release();
    }
    const reserved = await stopped.reserve(1, NEVER);
    const others = (async () => {
      await clock.sleep(450, NEVER);
      while (clock.monotonicMs() < stoppedMs + 2100) await send(await other.reserve(5, NEVER), 5);
    })();
    await clock.sleep(stoppedMs, NEVER);
    await Promise.all([send(reserved, 1), others]);
    return times;
  }

  test.each([
    ["", QUICK],
    [" over a crash of the database", { ...QUICK, crashedMs: 400 }],
  ])("a process that was stopped%s sends no request too many", async (_, database) => {
    for (let stoppedMs = 450; stoppedMs < 14_500; stoppedMs += 250) {
      const times = await stoppedFor(stoppedMs, database);
      expect(
        Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 2000).length)),
      ).toBeLessThanOrEqual(20);
    }
  });

  test("nothing is refused when a crash of the database empties the table", async () => {
    for (const crashedMs of [3000, 3700, 4400]) {
      const { refused, arrivals } = await together({ ...EVEN, processes: 3, requests: 60 }, { ...QUICK, crashedMs });
      expect(refused).toBe(0);
      expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeLessThan(18_000 + 10_000);
    }
  });
});
