import { beforeEach, expect, test } from "vitest";
import { actOnTeams } from "../../src/fleet/act-on-teams.ts";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import { HOURLY, beginRun, configurationOf, planOf, resultOf, useFleet } from "./fleet-fixtures.ts";

const { opened, look } = useFleet();
let database: FleetDatabase;
let store: FleetStore;

beforeEach(async () => {
  ({ database, store } = opened());
  await store.adopt(configurationOf("a", "team"), "start");
});

const ADA = { by: "Ada", settings: "" };

test("what was asked for is recorded with who asked, and only where something came of it", async () => {
  await look(resultOf("waiting"));
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
  await look(resultOf("undecided"), null);
  await store.requestRun("team", "Ida");
  expect(await store.events(null, 10)).toHaveLength(4);
});

test("several teams are approved one by one, and each only with the plan that was read", async () => {
  await store.adopt(configurationOf("b", "team", "other", "gone"), "change");
  for (const name of ["team", "other", "gone"]) await look(resultOf("waiting"), HOURLY, name);
  const read = await store.teams();
  const removing = planOf({
    bytes: new Uint8Array([2]),
    text: "another",
    digest: "2",
    createsOnly: true,
    removals: ["hoo_old"],
  });
  await look(resultOf("waiting", { plan: removing }), HOURLY, "other");
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

test("a team's own policy stands in for the fleet's, and runs learn of a freeze", async () => {
  await store.adopt(configurationOf("b", "team", "other"), "change");
  const freeze = { untilMs: Date.UTC(2100, 0, 1), reason: "Holidays" };
  expect(await store.change({ freeze }, ADA)).toMatchObject({ auto: "safe", freeze });
  expect(await store.changeTeams(["team", "nobody"], "none", ADA)).toEqual(["team"]);
  expect(await beginRun(store, database, "team")).toMatchObject({ auto: "none", freeze });
  expect(await beginRun(store, database, "other")).toMatchObject({ auto: "safe" });
  expect((await store.teams()).map(({ name, auto }) => [name, auto])).toEqual([
    ["other", null],
    ["team", "none"],
  ]);
  expect(await store.change({ auto: "all" }, ADA)).toMatchObject({ auto: "all", freeze });
  expect(await store.change({ freeze: null }, ADA)).toMatchObject({ freeze: null });
  await store.adopt(configurationOf("c", "team=2", "other"), "change");
  expect((await store.team("team"))?.auto).toBe("none");
  await store.changeTeams(["team"], null, ADA);
  expect((await store.team("team"))?.auto).toBeNull();
});

test("changed settings are recorded with who changed them, for the fleet and for each team", async () => {
  await store.change({ auto: "all" }, { by: "Ada", settings: "--auto all" });
  await store.changeTeams(["team", "nobody"], "none", { by: "Bob", settings: "--auto none" });
  expect((await store.events(null, 10)).map(({ team, action, by, settings }) => [team, action, by, settings])).toEqual([
    ["team", "set", "Bob", "--auto none"],
    [null, "set", "Ada", "--auto all"],
  ]);
  expect(await store.events("team", 10)).toHaveLength(1);
});

test("what a plan costs is known as long as it waits", async () => {
  const cost = { requests: 54, leastMs: 4000, limit: { requests: 20, windowMs: 2000 } };
  await look(resultOf("waiting", { plan: planOf({ cost }) }));
  const team = await store.team("team");
  expect(team?.cost).toEqual(cost);
  expect(await store.plan(team?.plan ?? "")).toMatchObject({ cost });
  await look(resultOf("waiting", { plan: planOf({ text: "another" }) }));
  expect((await store.team("team"))?.cost).toBeNull();
});
