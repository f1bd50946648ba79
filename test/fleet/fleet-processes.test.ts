import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { FleetUnavailable } from "../../src/fleet/fleet-store.ts";
import { type FaultProxy, startFaultProxy } from "../core/state/pg/fault-proxy.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import {
  NEVER,
  beginRun,
  configurationOf,
  due,
  emptied,
  migrated,
  resultOf,
  scheduled,
  storeOf,
  useFleetDatabases,
} from "./fleet-fixtures.ts";

const postgres = usePostgres();
const open = useFleetDatabases();
let url: string;
let database: FleetDatabase;
let proxy: FaultProxy;

beforeAll(async () => {
  ({ url } = await postgres.database());
  database = await migrated(await open(url));
  proxy = await startFaultProxy(Number(new URL(url).port));
});
afterAll(() => proxy.close());
beforeEach(() => emptied(database));

const PATIENT = { timeout: 10_000 };
const HOURLY = { afterMs: 3_600_000, trigger: "interval" } as const;

describe("the processes of a fleet", () => {
  test("the others see a process as long as it is registered, and which configuration it has", async () => {
    const [one, other] = [storeOf(database, "one"), storeOf(database, "other")];
    const [registration, second] = [await one.register(NEVER), await other.register(NEVER)];
    await one.adopt(configurationOf("a", "team"), "start");
    expect(await other.processes()).toMatchObject([
      { id: "one", host: "host", pid: 1, version: "1.0.0", isCurrent: true },
      { id: "other", isCurrent: false },
    ]);
    expect(await other.sweep()).toMatchObject({ gone: [] });
    await registration.close();
    expect((await other.processes()).map(({ id }) => id)).toEqual(["other"]);
    // It has ended in order, so there is nothing to report.
    expect(await other.sweep()).toMatchObject({ gone: [] });
    await second.close();
  });

  test("the runs and teams of a killed process are free for the others", async () => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", path.join(import.meta.dirname, "registered-process.ts"), url, "killed", "team"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(child.stdout, "data");
    const store = storeOf(database, "other");
    await store.adopt(configurationOf("a", "team"), "start");
    expect(await store.sweep()).toMatchObject({ gone: [] });
    expect(await store.teams()).toMatchObject([{ state: "running" }]);
    expect(await scheduled(database)).toEqual([]);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect.poll(async () => (await store.sweep()).gone, PATIENT).toEqual(["killed"]);
    expect(await store.runs("team", 10)).toMatchObject([{ outcome: "interrupted", process: "killed" }]);
    expect(await due(database)).toEqual(["team"]);
    expect(await beginRun(store, database, "team")).toMatchObject({ trigger: "retry" });
  });

  test("a process that loses its connection learns it, and registers again", async () => {
    const far = await open(proxy.through(url));
    const [store, other] = [storeOf(far, "far"), storeOf(database, "other")];
    const first = await store.register(NEVER);
    await store.adopt(configurationOf("a", "team"), "start");
    proxy.cutAll();
    await expect.poll(() => first.lost.aborted, PATIENT).toBe(true);
    const second = await store.register(NEVER);
    expect(await other.sweep()).toMatchObject({ gone: [] });
    expect(await other.processes()).toMatchObject([{ id: "far", isCurrent: true }]);
    await second.close();
  });

  test("a process whose old session lives on at the server registers again", async () => {
    const store = storeOf(database, "one");
    const first = await store.register(NEVER);
    const second = await store.register(NEVER);
    await first.close();
    expect(await storeOf(database, "other").sweep()).toMatchObject({ gone: [] });
    await second.close();
  });

  test("without a database, a process cannot register", async () => {
    const nowhere = await open("postgres://user:password@127.0.0.1:1/none");
    await expect(storeOf(nowhere).register(NEVER)).rejects.toThrow(FleetUnavailable);
  });

  test("a run that a failover or a restore has brought back is interrupted, though its process lives; one that it is at work on is not", async () => {
    const store = storeOf(database, "store");
    const registration = await store.register(NEVER);
    await store.adopt(configurationOf("a", "back", "works"), "start");
    const back = await beginRun(store, database, "back");
    await beginRun(store, database, "works");
    if (back) await store.endRun(back, resultOf("unchanged"), HOURLY);
    await database.query({ text: "UPDATE outreach_fleet.run SET outcome = 'running', ended = NULL" });
    await database.query({ text: "UPDATE outreach_fleet.team SET running = true, next_run = NULL" });
    await store.sweep();
    expect(await store.teams()).toMatchObject([
      { name: "back", state: "unchanged" },
      { name: "works", state: "running" },
    ]);
    expect(await beginRun(store, database, "back")).toMatchObject({ trigger: "retry" });
    await registration.close();
  });

  test("a process that a restored database does not know learns it", async () => {
    const store = storeOf(database, "store");
    const registration = await store.register(NEVER);
    expect(await store.sweep()).toMatchObject({ isListed: true });
    await database.query({ text: "DELETE FROM outreach_fleet.process" });
    expect(await store.sweep()).toMatchObject({ isListed: false });
    await registration.close();
  });

  test("an interrupted run of a paused team is done again only if somebody asked for it", async () => {
    const [store, gone] = [storeOf(database, "store"), storeOf(database, "gone")];
    for (const one of [store, gone]) await one.adopt(configurationOf("a", "asked", "due"), "start");
    await beginRun(gone, database, "due");
    await store.pause("asked", "Ada");
    await store.requestRun("asked", "Ada");
    await beginRun(gone, database, "asked");
    await store.pause("due", "Ada");
    await store.sweep();
    expect((await scheduled(database)).map(({ name }) => name)).toEqual(["asked"]);
    expect(await beginRun(store, database, "asked")).toMatchObject({ trigger: "request" });
    expect(await beginRun(store, database, "due")).toBeNull();
    expect(await store.teams()).toMatchObject([{ state: "running" }, { state: "paused", nextRunMs: null }]);
  });

  test("the runs and plans of a team that was removed longer ago than the history goes are deleted, those of others are not", async () => {
    const store = storeOf(database, "store");
    const teams = ["gone", "removed", "stays"];
    await store.adopt(configurationOf("a", ...teams), "start");
    for (const team of teams) {
      const run = await beginRun(store, database, team);
      if (run) await store.endRun(run, resultOf("waiting"), HOURLY);
    }
    await store.adopt(configurationOf("b", "stays"), "change");
    await database.query({
      text: "UPDATE outreach_fleet.team SET removed = now() - interval '91 days' WHERE name = 'gone'",
    });
    await store.sweep();
    for (const table of ["run", "plan"])
      expect(await database.query({ text: `SELECT team FROM outreach_fleet.${table} ORDER BY team` })).toEqual([
        { team: "removed" },
        { team: "stays" },
      ]);
    await store.adopt(configurationOf("c", "gone"), "change");
    expect(await store.teams()).toMatchObject([{ name: "gone", state: "new", plan: null }]);
  });

  test("a run whose begin was never answered is interrupted, and another one begins", async () => {
    const far = storeOf(await open(proxy.through(url)), "far");
    const registration = await far.register(NEVER);
    await far.adopt(configurationOf("a", "team"), "start");
    const lost = proxy.failAt("fleet_begin_runs", "cut-answer");
    await expect(far.beginRuns({ runs: 1, failing: 1 })).rejects.toThrow(FleetUnavailable);
    await lost;
    expect(await far.teams()).toMatchObject([{ state: "running" }]);
    await far.sweep();
    expect(await far.runs("team", 10)).toMatchObject([{ outcome: "interrupted" }]);
    expect(await far.beginRuns({ runs: 1, failing: 1 })).toMatchObject([{ team: "team", trigger: "retry" }]);
    await registration.close();
  });

  test("a sweep never takes a run that is just beginning for a lost one", async () => {
    const store = storeOf(database, "one");
    const registration = await store.register(NEVER);
    const teams = Array.from({ length: 30 }, (_, index) => `team-${String(index)}`);
    await store.adopt(configurationOf("a", ...teams), "start");
    await Promise.all(teams.flatMap(() => [store.beginRuns({ runs: 1, failing: 1 }), store.sweep()]));
    expect((await store.teams()).map(({ state }) => state)).toEqual(teams.map(() => "running"));
    await registration.close();
  });

  test("processes that begin at once have different teams", async () => {
    const stores = ["one", "two", "three"].map((id) => storeOf(database, id));
    const teams = Array.from({ length: 60 }, (_, index) => `team-${String(index)}`).toSorted();
    for (const store of stores) await store.adopt(configurationOf("a", ...teams), "start");
    const begun: string[] = [];
    const work = async (store: (typeof stores)[number]): Promise<void> => {
      for (let turns = 0; begun.length < teams.length && turns < 1000; turns++)
        begun.push(...(await store.beginRuns({ runs: 4, failing: 1 })).map(({ team }) => team));
    };
    await Promise.all(stores.map(work));
    expect(begun.toSorted()).toEqual(teams);
  });
});
