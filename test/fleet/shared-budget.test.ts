import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keyName } from "../../src/core/secrets/key-name.ts";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { budgetRows } from "../../src/fleet/database/budget-rows.ts";
import { type BudgetRows, sharedBudget } from "../../src/fleet/shared-budget.ts";
import { FleetUnavailable } from "../../src/fleet/fleet-store.ts";
import { callerOptions } from "../../src/operations/service/connection.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeRandom } from "../../src/platform/node-random.ts";
import { RESERVED_MS, type SharedRequests } from "../../src/service/api/pace.ts";
import { type Pacer, type PacingClock, type RequestCounts, slidingPacer } from "../../src/service/api/pacer.ts";
import type { Part } from "../../src/service/api/shared-parts.ts";
import { type FaultProxy, startFaultProxy } from "../core/state/pg/fault-proxy.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { startSlowProxy } from "../core/state/pg/slow-proxy.ts";
import { migrated, useFleetDatabases } from "./fleet-fixtures.ts";

const { signal } = new AbortController();
const HOUR_MS = 3.6e6;
const NOTHING: SharedRequests = { countedMs: [], held: 0, heldUntilMs: 0, pausedUntilMs: 0, fastestMs: null };
const postgres = usePostgres();
const open = useFleetDatabases();
let url: string;
let proxy: FaultProxy;
let keys = 0;
let key: string;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  ({ url } = await postgres.database());
  await migrated(await open(url));
  proxy = await startFaultProxy(Number(new URL(url).port));
});
beforeEach(() => {
  key = `key ${String(++keys)}`;
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map(async (pool) => pool.end()));
});
afterAll(async () => proxy.close());

function poolOf(at: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: at, pipeline: true, max: 3, ...options });
  pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  pools.push(pool);
  return pool;
}

function rowsOf(pool: pg.Pool, clock: PacingClock = nodeClock): BudgetRows {
  return budgetRows({ pool, schema: "outreach_fleet" }, clock);
}

let participants = 0;
function log(pool: pg.Pool, clock: PacingClock = nodeClock): RequestCounts {
  return sharedBudget(clock, rowsOf(pool, clock), {
    key,
    participant: `p${String(participants++)}`,
  });
}

/** A machine that was started so much earlier. */
function startedBefore(ms: number): PacingClock {
  return { ...nodeClock, monotonicMs: () => nodeClock.monotonicMs() + ms };
}

async function othersOf(one: RequestCounts): Promise<readonly SharedRequests[]> {
  let seen: readonly SharedRequests[] | null = null;
  await one.exchange((others) => {
    seen = others;
    return NOTHING;
  });
  return seen ?? [];
}

async function errorOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => null,
    (error: unknown) => error,
  );
}

async function content(): Promise<unknown> {
  return (await postgres.query(`SELECT requests FROM outreach_fleet.budget WHERE key = '${key}'`, url))[0]?.[
    "requests"
  ];
}

describe("processes that share a budget in PostgreSQL", () => {
  test("see each other's requests in their own time, no earlier than they were sent", async () => {
    const [there, here] = [startedBefore(-3 * HOUR_MS), startedBefore(5 * HOUR_MS)];
    const pool = poolOf(url);
    const beganMs = nodeClock.monotonicMs();
    const now = there.monotonicMs();
    await log(pool, there).exchange(() => ({
      countedMs: [now - 700, now],
      held: 3,
      heldUntilMs: now + 10_000,
      pausedUntilMs: now + 5000,
      fastestMs: 12,
    }));
    const [seen] = await othersOf(log(pool, here));
    const uncertainMs = nodeClock.monotonicMs() - beganMs;
    const at = (value: number | undefined): number => (value ?? Number.NaN) - (beganMs + 5 * HOUR_MS);
    for (const [value, expected] of [
      [seen?.countedMs[0], -700],
      [seen?.countedMs[1], 0],
      [seen?.pausedUntilMs, 5000],
    ] as const) {
      expect(at(value)).toBeGreaterThanOrEqual(expected);
      expect(at(value)).toBeLessThan(expected + uncertainMs + 2);
    }
    expect(seen).toMatchObject({ held: 3, fastestMs: 12 });
    expect(at(seen?.heldUntilMs)).toBeLessThan(10_000 + uncertainMs + 2);
  });

  test("decide one after the other, each with all that was decided before", async () => {
    const totals: number[] = [];
    const parties = Array.from({ length: 3 }, () => ({
      own: [] as number[],
      log: log(poolOf(url, { options: "-c default_transaction_isolation=serializable" })),
    }));
    await othersOf(log(poolOf(url)));
    await Promise.all(
      parties.flatMap(({ own, log }) =>
        Array.from({ length: 20 }, async () =>
          log.exchange((others) => {
            own.push(nodeClock.monotonicMs());
            totals.push(own.length + (others ?? []).reduce((sum, { countedMs }) => sum + countedMs.length, 0));
            return { ...NOTHING, countedMs: [...own] };
          }),
        ),
      ),
    );
    expect(totals).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  test("need two round trips for an exchange, and one connection at a time", async () => {
    const slow = await startSlowProxy(Number(new URL(url).port), 20);
    try {
      const pool = poolOf(slow.through(url));
      const one = log(pool);
      await othersOf(one);
      const before = slow.tripsAtMs.length;
      await Promise.all([othersOf(one), othersOf(one), othersOf(one)]);
      expect(slow.tripsAtMs).toHaveLength(before + 6);
      expect(pool.totalCount).toBe(1);
    } finally {
      await slow.close();
    }
  });

  test("leave in the row what still counts, and no key", async () => {
    await othersOf(log(poolOf(url)));
    const old = { ...NOTHING, participant: "ended", countedMs: [1_700_000_000_000] };
    await postgres.query(
      `UPDATE outreach_fleet.budget SET requests = '${JSON.stringify([old])}' WHERE key = '${key}'`,
      url,
    );
    await log(poolOf(url)).exchange(() => ({ ...NOTHING, held: 1, heldUntilMs: nodeClock.monotonicMs() + 1000 }));
    expect(await content()).toEqual([expect.objectContaining({ held: 1 })]);
  });

  test("peek at what the last exchange showed", async () => {
    const [one, other] = [log(poolOf(url)), log(poolOf(url))];
    expect(one.peek()).toBeNull();
    await othersOf(one);
    await other.exchange(() => ({ ...NOTHING, held: 2, heldUntilMs: nodeClock.monotonicMs() + 1000 }));
    expect(one.peek()).toEqual([]);
    await othersOf(one);
    expect(one.peek()).toMatchObject([{ held: 2 }]);
  });

  test("count the whole limit as reserved for 10 seconds after a crash of the database emptied the table", async () => {
    expect(await othersOf(log(poolOf(url)))).toEqual([]);
    await postgres.query("TRUNCATE outreach_fleet.budget", url);
    const beganMs = nodeClock.monotonicMs();
    const one = log(poolOf(url));
    const [before] = await othersOf(one);
    expect(before?.held).toBe(20);
    expect(before?.heldUntilMs).toBeGreaterThanOrEqual(beganMs + RESERVED_MS);
    key = "another key";
    const [same] = await othersOf(log(poolOf(url)));
    expect(Math.abs((same?.heldUntilMs ?? 0) - (before?.heldUntilMs ?? 0))).toBeLessThan(
      nodeClock.monotonicMs() - beganMs,
    );
    await postgres.query("UPDATE outreach_fleet.budget SET changed = now() - interval '1 hour' WHERE key = ''", url);
    key = "a third key";
    expect(await othersOf(log(poolOf(url)))).toEqual([]);
  });

  test("measure the database's clock when they have the row, not when they begin to wait for it", async () => {
    await othersOf(log(poolOf(url)));
    const holder = await poolOf(url).connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM outreach_fleet.budget WHERE key = $1 FOR UPDATE", [key]);
    let waitedMs = 0;
    const waiting = rowsOf(poolOf(url)).change(key, ({ parts, beganMs, lockedMs }) => {
      waitedMs = lockedMs - beganMs;
      return parts as readonly Part[];
    });
    await expect
      .poll(async () =>
        postgres.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%budget%'",
          url,
        ),
      )
      .toHaveLength(1);
    await nodeClock.sleep(30, signal);
    await holder.query("ROLLBACK");
    holder.release();
    await waiting;
    expect(waitedMs).toBeGreaterThan(29);
  });

  test("go on when the one that has locked the row is killed", async () => {
    await othersOf(log(poolOf(url)));
    const killed = new pg.Client({ connectionString: url });
    killed.on("error", () => undefined);
    await killed.connect();
    await killed.query("BEGIN");
    await killed.query("SELECT FROM outreach_fleet.budget WHERE key = $1 FOR UPDATE", [key]);
    const waiting = othersOf(log(poolOf(url)));
    killed.connection.stream.destroy();
    expect(await waiting).toEqual([]);
  });

  test("do not hide an error of their own", async () => {
    const one = log(poolOf(url));
    await expect(
      one.exchange(() => {
        throw new TypeError("a mistake");
      }),
    ).rejects.toThrow(new TypeError("a mistake"));
    expect(await othersOf(one)).toEqual([]);
  });
});

test("a command shares the log that it is given, and never one of the user's folder", () => {
  const asked: string[] = [];
  const context = {
    clock: nodeClock,
    environment: {},
    pacers: new Map<string, Pacer>(),
    random: nodeRandom,
    redactor: redactor(),
    version: "0",
    userFolder: { folder: "/absent", owner: null },
    requestLog: (name: string): RequestCounts => {
      asked.push(name);
      return { exchange: () => Promise.reject(new FleetUnavailable("none")), peek: () => null };
    },
  } as unknown as Parameters<typeof callerOptions>[0];
  const service = { baseUrl: "https://api.example.com/api", baseUrlFrom: "", apiKey: "the-key" };
  const { pacer } = callerOptions(context, service);
  expect(callerOptions(context, service).pacer).toBe(pacer);
  expect(asked).toEqual([keyName(service)]);
  return expect(pacer.reserve(1, signal)).rejects.toThrow(FleetUnavailable);
});

describe("without the database", () => {
  /** Its long sleeps end at `elapse`. */
  function elapsing(): PacingClock & { elapse(): Promise<void> } {
    const sleepers = new Set<() => void>();
    const sleep = async (ms: number, stop: AbortSignal): Promise<void> => {
      const elapsed = new Promise<void>((resolve) => ms > 5000 && sleepers.add(resolve));
      await Promise.race([nodeClock.sleep(ms, stop), elapsed]);
    };
    const elapse = async (): Promise<void> => {
      await nodeClock.sleep(1, signal);
      for (const wake of sleepers) wake();
    };
    return { ...nodeClock, sleep, elapse };
  }

  test.each([
    ["cut", "BEGIN"],
    ["cut", "fleet_budget_store"],
    ["cut-answer", "BEGIN"],
    ["cut-answer", "fleet_budget_store"],
    ["freeze", "BEGIN"],
    ["freeze-answer", "fleet_budget_store"],
  ] as const)("nothing is reserved, and all is as before once it is back: %s at %s", async (fault, at) => {
    const clock = elapsing();
    const shared = log(poolOf(proxy.through(url)), clock);
    const pacer = slidingPacer(clock, 1, shared);
    await othersOf(shared);
    const met = proxy.failAt(at, fault);
    const failing = errorOf(pacer.reserve(20, signal));
    await met;
    if (fault.startsWith("freeze")) await clock.elapse();
    expect(await failing).toBeInstanceOf(FleetUnavailable);
    const slot = await pacer.reserve(20, signal);
    for (let sent = 0; sent < 20; sent++) slot.take();
    slot.release();
  });

  test("an exchange that gets no connection fails, and keeps none", async () => {
    const clock = elapsing();
    const pool = poolOf(url, { max: 1 });
    const taken = await pool.connect();
    const failing = errorOf(log(pool, clock).exchange(() => NOTHING));
    await clock.elapse();
    expect(await failing).toBeInstanceOf(FleetUnavailable);
    taken.release();
    expect(await othersOf(log(pool))).toEqual([]);
  });

  test("the end of a reservation is shared with the next one", async () => {
    const pool = poolOf(proxy.through(url));
    const [pacer, other] = [slidingPacer(nodeClock, 1, log(pool)), log(poolOf(url))];
    const slot = await pacer.reserve(20, signal);
    const met = proxy.failAt("BEGIN", "cut");
    slot.release();
    await met;
    expect(await othersOf(other)).toMatchObject([{ held: 20 }]);
    (await pacer.reserve(1, signal)).take();
    expect(await othersOf(other)).toMatchObject([{ held: 1 }]);
  });

  test("a table that is missing is reported as an error of the database", async () => {
    const { url: empty } = await postgres.database();
    const reserving = slidingPacer(nodeClock, 1, log(poolOf(empty))).reserve(1, signal);
    await expect(reserving).rejects.toThrow(FleetUnavailable);
    await expect(reserving).rejects.toMatchObject({ cause: { code: expect.stringMatching(/42P01|3F000/) as string } });
  });

  test("a process that froze in the middle loses the row after 5 seconds", async () => {
    const clock = elapsing();
    const frozen = log(poolOf(proxy.through(url)), clock);
    await othersOf(frozen);
    const met = proxy.failAt("fleet_budget_store", "freeze");
    const failing = errorOf(othersOf(frozen));
    await met;
    expect(await othersOf(log(poolOf(url)))).toEqual([]);
    await clock.elapse();
    expect(await failing).toBeInstanceOf(FleetUnavailable);
  });
});
