import { beforeAll, beforeEach, expect, test } from "vitest";
import { actOnTeams } from "../../src/fleet/act-on-teams.ts";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import type { TeamResult } from "../../src/fleet/team-work.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { beginRun, configurationOf, emptied, migrated, resultOf, storeOf, useFleetDatabases } from "./fleet-fixtures.ts";

const postgres = usePostgres();
const open = useFleetDatabases();
let database: FleetDatabase;
let store: FleetStore;

beforeAll(async () => {
  database = await migrated(await open((await postgres.database()).url));
});

beforeEach(async () => {
  await emptied(database);
  await database.query({ text: "UPDATE outreach_fleet.schema_version SET oldest = 1" });
  store = storeOf(database);
  await store.adopt(configurationOf("a", "team"), "start");
});

/** A whole run of the team. */
async function end(team: string, result: TeamResult, next: Parameters<FleetStore["endRun"]>[2] = { afterMs: 3_600_000, trigger: "interval" }): Promise<void> {
  const run = await beginRun(store, database, team);
  if (!run) throw new Error(`${team} is not due`);
  await store.endRun(run, result, next);
}

test("what was asked for is recorded with who asked, and only where something came of it", async () => {
  await end("team", resultOf("waiting"));
  const plan = (await store.team("team"))?.plan ?? "";
  await store.approve("team", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "Eve");
  await store.approve("team", plan, "Ada");
  await store.approve("team", plan, "Bob");
  await store.pause("team", "Cid");
  await store.requestRun("team", "Dan");
  await store.resume("team", "Fay");
  await store.resume("team", "Gus");
  await store.requestRun("nobody", "Hal");
  const events = await store.events(null, 10);
  expect(events.map(({ action, by, plan: of }) => [action, by, of])).toEqual([
    ["resume", "Fay", null],
    ["run", "Dan", null],
    ["pause", "Cid", null],
    ["approve", "Ada", plan],
  ]);
  expect(await store.events("team", 1)).toEqual(events.slice(0, 1));
  expect(await store.events("nobody", 10)).toEqual([]);
  await end("team", resultOf("undecided"), null);
  await store.requestRun("team", "Ida");
  expect(await store.events(null, 10)).toHaveLength(4);
});

test("several teams are approved one by one, and each only with the plan that was read", async () => {
  await store.adopt(configurationOf("b", "team", "other", "gone"), "change");
  for (const name of ["team", "other", "gone"]) await end(name, resultOf("waiting"));
  const read = await store.teams();
  await end(
    "other",
    resultOf("waiting", { plan: { bytes: new Uint8Array([2]), text: "another", digest: "2", shape: "1", createsOnly: true, removals: ["hoo_old"] } }),
  );
  await store.adopt(configurationOf("c", "team", "other"), "change");
  expect(await actOnTeams(store, read, "approve", { by: "Ada" })).toEqual({ done: ["team"], late: ["gone", "other"] });
  expect(await actOnTeams(store, read, "run", { by: "Ada" })).toEqual({ done: ["other", "team"], late: ["gone"] });
  expect(await actOnTeams(store, read, "pause", { by: "Ada" })).toEqual({ done: ["other", "team"], late: ["gone"] });
  await store.resume("team", "Bob");
  expect(await actOnTeams(store, read, "resume", { by: "Ada" })).toEqual({ done: ["other"], late: ["gone", "team"] });
  expect(await store.teams()).toMatchObject([
    { name: "other", plan: expect.any(String), createsOnly: true, removals: ["hoo_old"] },
    { name: "team", plan: null, createsOnly: false, removals: [] },
  ]);
});

test("a team's own policy stands in for the fleet's, and runs learn when plans may be applied", async () => {
  await store.adopt(configurationOf("b", "team", "other"), "change");
  const freeze = { untilMs: Date.UTC(2100, 0, 1), reason: "Holidays" };
  expect(await store.change({ freeze, windows: ["mon 09:00-10:00"] })).toMatchObject({ auto: "safe", freeze, windows: ["mon 09:00-10:00"] });
  expect(await store.changeTeams(["team", "nobody"], "none")).toEqual(["team"]);
  expect(await beginRun(store, database, "team")).toMatchObject({ auto: "none", freeze, windows: ["mon 09:00-10:00"] });
  expect(await beginRun(store, database, "other")).toMatchObject({ auto: "safe" });
  expect((await store.teams()).map(({ name, auto }) => [name, auto])).toEqual([
    ["other", null],
    ["team", "none"],
  ]);
  expect(await store.change({ auto: "all" })).toMatchObject({ auto: "all", freeze, windows: ["mon 09:00-10:00"] });
  expect(await store.change({ freeze: null, windows: [] })).toMatchObject({ freeze: null, windows: [] });
  await store.adopt(configurationOf("c", "team=2", "other"), "change");
  expect((await store.team("team"))?.auto).toBe("none");
  await store.changeTeams(["team"], null);
  expect((await store.team("team"))?.auto).toBeNull();
});

test("an older program, which would apply plans during a freeze, is stopped once there is one, and not before", async () => {
  const oldest = async (): Promise<unknown> => (await database.query({ text: "SELECT oldest FROM outreach_fleet.schema_version" }))[0];
  await store.change({ auto: "all", freeze: null, windows: [] });
  expect(await oldest()).toEqual({ oldest: 1 });
  await store.change({ freeze: { untilMs: 0, reason: "" } });
  expect(await oldest()).toEqual({ oldest: 2 });
});
