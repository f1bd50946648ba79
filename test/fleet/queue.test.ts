import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { type QueueOptions, type TeamQueue, openQueue } from "../../src/fleet/queue.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type FaultProxy, startFaultProxy } from "../core/state/pg/fault-proxy.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { configurationOf, emptied, hurry, jobsIn, migrated, storeOf, useFleetDatabases } from "./fleet-fixtures.ts";

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
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop(0)));
});

/** A queue that looks at each team until it is released. */
function queueOf(options: Partial<QueueOptions> = {}) {
  const looked: string[] = [];
  const logged: string[] = [];
  const held = new Map<string, () => void>();
  const queue = openQueue({
    database,
    process: "one",
    concurrency: 2,
    pollMs: 20,
    // Waits for the database in short steps.
    clock: { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms / 20, signal) },
    log: (message) => logged.push(message),
    handle: async (team, signal) => {
      looked.push(team);
      await new Promise<void>((resolve, reject) => {
        held.set(team, resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    },
    ...options,
  });
  queues.push(queue);
  return { queue, looked, logged, release: (team: string) => held.get(team)?.() };
}

/** The teams are due in this order. */
async function declare(...teams: readonly string[]): Promise<void> {
  await storeOf(database).adopt(configurationOf(teams.join(), ...teams), "change");
  await database.query({ text: "UPDATE outreach_fleet_jobs._private_jobs SET run_at = run_at - interval '1 minute' + (ascii(key) - 97) * interval '1 ms'" });
}
const left = async () => (await jobsIn(database)).map(({ key, isLocked }) => (isLocked ? `${key} (locked)` : key));

const PATIENT = { timeout: 10_000 };

describe("the queue of a process", () => {
  test("looks at teams that are due, as many at once as it may, each once", async () => {
    await declare("a", "b", "c");
    const { queue, looked, release } = queueOf();
    await expect.poll(() => looked.toSorted(), PATIENT).toEqual(["a", "b"]);
    expect(queue.running).toBe(2);
    expect(await left()).toEqual(["a (locked)", "b (locked)", "c"]);
    release("a");
    await expect.poll(() => looked.at(-1), PATIENT).toBe("c");
    for (const team of ["b", "c"]) release(team);
    await expect.poll(left, PATIENT).toEqual([]);
    expect(looked).toHaveLength(3);
  });

  test("looks at first what somebody asked for, then at runs that ended with their process", async () => {
    await declare("a", "b", "c", "d");
    const gone = storeOf(database, "gone");
    await gone.adopt(configurationOf("a,b,c,d"), "start");
    await gone.beginRun("c");
    await storeOf(database).sweep();
    await storeOf(database).requestRun("d");
    const looked: string[] = [];
    queueOf({ concurrency: 1, handle: async (team) => void looked.push(team) });
    await expect.poll(() => looked, PATIENT).toEqual(["d", "c", "a", "b"]);
  });

  test("does a job again that failed, and says why", async () => {
    await declare("a");
    let tries = 0;
    const { logged } = queueOf({
      handle: async () => {
        if (++tries === 1) throw new Error("no such luck");
      },
    });
    await expect.poll(() => logged.join(), PATIENT).toContain("no such luck");
    await expect.poll(left, PATIENT).toEqual(["a"]);
    await hurry(database);
    await expect.poll(left, PATIENT).toEqual([]);
    expect(tries).toBe(2);
  });

  test("takes nothing while it is paused, and never more at once than it may", async () => {
    await declare("a", "b", "c", "d");
    const { queue, looked, release } = queueOf();
    await expect.poll(() => looked, PATIENT).toHaveLength(2);
    queue.pause();
    release("a");
    await expect.poll(left, PATIENT).toEqual(["b (locked)", "c", "d"]);
    queue.resume();
    await expect.poll(() => looked.toSorted(), PATIENT).toEqual(["a", "b", "c"]);
    expect(queue.running).toBe(2);
  });

  test("waits for running jobs when it stops, and gives back those that do not end", async () => {
    await declare("a", "b", "c");
    const { queue, looked, logged, release } = queueOf();
    await expect.poll(() => looked, PATIENT).toHaveLength(2);
    const stopped = queue.stop(2000);
    release("a");
    await stopped;
    expect(await left()).toEqual(["b", "c"]);
    expect(logged).toEqual([]);
  });
});

describe("a queue whose database goes away", () => {
  const outage = async (during: () => Promise<void>): Promise<void> => {
    await postgres.query(`ALTER DATABASE ${own.name} ALLOW_CONNECTIONS false`);
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${own.name}'`);
    await during();
    await postgres.query(`ALTER DATABASE ${own.name} ALLOW_CONNECTIONS true`);
  };

  test("goes on by itself, and loses no job", async () => {
    await declare("a", "b", "c");
    const { looked, logged, release } = queueOf();
    await expect.poll(() => looked, PATIENT).toHaveLength(2);
    await outage(async () => {
      release("a");
      await expect.poll(() => logged.join(), PATIENT).toContain("The queue waits for its database");
    });
    await expect.poll(() => looked, PATIENT).toContain("c");
    release("b");
    release("c");
    // The end of the job of `a` could not be stored: it is done again.
    await expect.poll(() => looked.filter((team) => team === "a"), PATIENT).toHaveLength(2);
    release("a");
    await expect.poll(left, PATIENT).toEqual([]);
    expect(logged.at(-1)).toBe("The queue goes on.");
  });

  test("stops without it", async () => {
    await declare("a");
    const { queue, looked, release } = queueOf();
    await expect.poll(() => looked, PATIENT).toHaveLength(1);
    await outage(async () => {
      release("a");
      await queue.stop(1000);
    });
    expect(looked).toEqual(["a"]);
  });

  test.each(["get_job/", "complete_job/"])("no job stays locked when the answer to %s is lost", async (statement) => {
    await declare("a");
    const lost = proxy.failAt(statement, "cut-answer");
    const { looked } = queueOf({ database: far, handle: async (team) => void looked.push(team) });
    await lost;
    await expect.poll(left, PATIENT).toEqual([]);
    expect(looked).toEqual(["a"]);
  });
});
