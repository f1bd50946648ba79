import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import type { BegunRun } from "../../src/fleet/fleet-store.ts";
import { type QueueOptions, type TeamQueue, openQueue } from "../../src/fleet/queue.ts";
import { retryDatabase } from "../../src/fleet/retry-database.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type FaultProxy, startFaultProxy } from "../core/state/pg/fault-proxy.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import {
  NEVER,
  configurationOf,
  due,
  emptied,
  migrated,
  resultOf,
  storeOf,
  useFleetDatabases,
} from "./fleet-fixtures.ts";

const postgres = usePostgres();
const open = useFleetDatabases();
let own: { readonly url: string; readonly name: string };
let database: FleetDatabase;
let proxy: FaultProxy;
let far: FleetDatabase;

beforeAll(async () => {
  own = await postgres.database();
  database = await migrated(await open(own.url));
  proxy = await startFaultProxy(Number(new URL(own.url).port));
  far = await open(proxy.through(own.url));
});
afterAll(() => proxy.close());
beforeEach(() => emptied(database));

const queues: TeamQueue[] = [];
const registrations: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop(0)));
  await Promise.all(registrations.splice(0).map((registration) => registration.close()));
});

const HOURLY = { afterMs: 3_600_000, trigger: "interval" } as const;
/** Waits for the database in short steps. */
const CLOCK = { ...nodeClock, sleep: (ms: number, signal: AbortSignal) => nodeClock.sleep(ms / 20, signal) };

interface Setting {
  readonly from?: FleetDatabase;
  readonly workers?: number;
  /** By default, each run waits until its team is released. */
  readonly work?: (run: BegunRun) => Promise<void>;
}

/** A queue of a process that is registered, as a controller opens it. */
async function queueOf({ from = database, workers = 2, work }: Setting = {}) {
  const reconciled: string[] = [];
  const logged: string[] = [];
  const held = new Map<string, () => void>();
  const store: FleetStore = storeOf(from, "one");
  registrations.push(await store.register(NEVER));
  await store.adopt(configurationOf("a", ...(await store.teams()).map(({ name }) => name)), "start");
  const retry = retryDatabase({ clock: CLOCK, log: (_, __, message) => logged.push(message), chance: () => 0.5 });
  const run: QueueOptions["run"] = async (begun, signal) => {
    const { team } = begun;
    reconciled.push(team);
    await (work?.(begun) ??
      new Promise<void>((resolve, reject) => {
        held.set(team, resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }));
    await retry(() => store.endRun(begun, resultOf("unchanged"), HOURLY), signal);
  };
  const begin: QueueOptions["begin"] = (most, stop) => retry(() => store.beginRuns(most), stop);
  const queue = openQueue({ workers, begin, run, pollMs: 400, clock: CLOCK, log: (message) => logged.push(message) });
  queues.push(queue);
  return { queue, store, reconciled, logged, release: (team: string) => held.get(team)?.() };
}

/** The teams are due in this order. */
async function declare(...teams: readonly string[]): Promise<void> {
  await storeOf(database).adopt(configurationOf("a", ...teams), "start");
  await database.query({
    text: "UPDATE outreach_fleet.team SET next_run = now() - interval '1 minute' + (ascii(name) - 97) * interval '1 ms'",
  });
}
/** The teams that are due or reconciled. */
const left = async (): Promise<readonly string[]> => {
  const running = (await storeOf(database).teams())
    .filter(({ state }) => state === "running")
    .map(({ name }) => `${name} (runs)`);
  return [...running, ...(await due(database))].toSorted();
};

const PATIENT = { timeout: 10_000 };

describe("the queue of a process", () => {
  test("reconciles teams that are due, as many at once as it may, each once", async () => {
    await declare("a", "b", "c");
    const { queue, reconciled, release } = await queueOf();
    await expect.poll(() => reconciled.toSorted(), PATIENT).toEqual(["a", "b"]);
    expect(queue.running).toBe(2);
    expect(await left()).toEqual(["a (runs)", "b (runs)", "c"]);
    release("a");
    await expect.poll(() => reconciled.at(-1), PATIENT).toBe("c");
    for (const team of ["b", "c"]) release(team);
    await expect.poll(left, PATIENT).toEqual([]);
    expect(reconciled).toHaveLength(3);
  });

  test("reconciles first what somebody asked for, then the teams of processes that have ended, then the others as long as they are due", async () => {
    await declare("a", "b", "c", "d");
    const gone = storeOf(database, "gone");
    await gone.adopt(configurationOf("a", "a", "b", "c", "d"), "start");
    await database.query({
      text: "UPDATE outreach_fleet.team SET next_run = next_run - interval '1 hour' WHERE name = 'c'",
    });
    expect(await gone.beginRuns({ runs: 1, failing: 1 })).toMatchObject([{ team: "c" }]);
    await storeOf(database).sweep();
    await storeOf(database).requestRun("d", "Ada");
    const { reconciled } = await queueOf({ workers: 1, work: async () => undefined });
    await expect.poll(() => reconciled, PATIENT).toEqual(["d", "c", "a", "b"]);
  });

  test("says why a run has ended without a record, and its team is due again", async () => {
    await declare("a");
    let tries = 0;
    const { logged, store, reconciled } = await queueOf({
      work: async () => {
        if (++tries === 1) throw new Error("no such luck");
      },
    });
    await expect.poll(() => logged.join(), PATIENT).toContain("no such luck");
    registrations.push(await store.register(NEVER));
    await storeOf(database, "one").sweep();
    await expect.poll(() => reconciled, PATIENT).toEqual(["a", "a"]);
    await expect.poll(left, PATIENT).toEqual([]);
  });

  test("begins nothing while it is paused, and never more at once than it may", async () => {
    await declare("a", "b", "c", "d");
    const { queue, reconciled, release } = await queueOf();
    await expect.poll(() => reconciled, PATIENT).toHaveLength(2);
    queue.pause();
    release("a");
    await expect.poll(left, PATIENT).toEqual(["b (runs)", "c", "d"]);
    queue.resume();
    await expect.poll(() => reconciled.toSorted(), PATIENT).toEqual(["a", "b", "c"]);
    expect(queue.running).toBe(2);
  });

  test("is at work on few teams that failed last time, so that they leave workers for the others", async () => {
    await declare("a", "b", "c", "d");
    await database.query({ text: "UPDATE outreach_fleet.team SET failures = 1 WHERE name < 'd'" });
    const { reconciled, release } = await queueOf({ workers: 5 });
    await expect.poll(left, PATIENT).toEqual(["a (runs)", "b", "c", "d (runs)"]);
    for (const team of ["d", "a"]) release(team);
    await expect.poll(left, PATIENT).toEqual(["b (runs)", "c"]);
    expect(reconciled).toEqual(["a", "d", "b"]);
  });

  test("waits for runs when it stops, and aborts those that do not end", async () => {
    await declare("a", "b", "c");
    const { queue, reconciled, logged, release } = await queueOf();
    await expect.poll(() => reconciled, PATIENT).toHaveLength(2);
    const stopped = queue.stop(2000);
    release("a");
    await stopped;
    expect(queue.running).toBe(0);
    // The others take over what did not end once this process is gone.
    for (const registration of registrations.splice(0)) await registration.close();
    await storeOf(database, "other").sweep();
    expect(await left()).toEqual(["b", "c"]);
    expect(logged).toEqual([]);
  });

  test("ends with a fault of its store", async () => {
    const fault = new TypeError("x is not a function");
    const queue = openQueue({
      workers: 1,
      begin: () => Promise.reject(fault),
      run: async () => undefined,
      clock: CLOCK,
      log: () => undefined,
    });
    await expect(queue.failed).rejects.toBe(fault);
    await queue.stop(0);
  });
});

describe("a queue whose database goes away", () => {
  const outage = async (during: () => Promise<void>): Promise<void> => {
    await postgres.query(`ALTER DATABASE ${own.name} ALLOW_CONNECTIONS false`);
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${own.name}'`);
    await during();
    await postgres.query(`ALTER DATABASE ${own.name} ALLOW_CONNECTIONS true`);
  };

  test("continues by itself, and loses no run", async () => {
    await declare("a", "b", "c");
    const { reconciled, logged, release } = await queueOf();
    await expect.poll(() => reconciled, PATIENT).toHaveLength(2);
    await outage(async () => {
      release("a");
      await expect.poll(() => logged.join(), PATIENT).toContain("The database is not available");
    });
    await expect.poll(() => reconciled, PATIENT).toEqual(["a", "b", "c"]);
    for (const team of ["b", "c"]) release(team);
    await expect.poll(left, PATIENT).toEqual([]);
    expect(logged.at(-1)).toBe("The database is available again.");
    expect(reconciled).toHaveLength(3);
  });

  test("stops without it", async () => {
    await declare("a");
    const { queue, reconciled, release } = await queueOf();
    await expect.poll(() => reconciled, PATIENT).toHaveLength(1);
    await outage(async () => {
      release("a");
      await queue.stop(1000);
    });
    expect(reconciled).toEqual(["a"]);
  });

  test("records the end of a run also where the answer to it is lost", async () => {
    await declare("a");
    const lost = proxy.failAt("fleet_end_run", "cut-answer");
    const { reconciled, store } = await queueOf({ from: far, work: async () => undefined });
    await lost;
    await expect.poll(left, PATIENT).toEqual([]);
    expect(reconciled).toEqual(["a"]);
    expect(await store.runs("a", 10)).toMatchObject([{ outcome: "unchanged" }]);
  });
});
