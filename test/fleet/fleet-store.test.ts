import { beforeEach, describe, expect, test } from "vitest";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import {
  COUNTS,
  HOURLY,
  NEVER,
  beginRun,
  configurationOf,
  due,
  emptied,
  planOf,
  resultOf,
  scheduled,
  storeOf,
  useFleet,
} from "./fleet-fixtures.ts";

const { opened, begin, look } = useFleet();
let database: FleetDatabase;
let store: FleetStore;

beforeEach(() => {
  ({ database, store } = opened());
});

const HOUR = 3_600_000;
const ADA = { by: "Ada", settings: "" };

describe("adopting a configuration", () => {
  test("new teams are due within the spread, always at the same place of it", async () => {
    const teams = Array.from({ length: 40 }, (_, index) => `team-${String(index)}`);
    await store.change({ intervalMs: 100_000 }, ADA);
    await store.adopt(configurationOf("a", ...teams), "start");
    const first = (await scheduled(database)).map(({ dueMs }) => dueMs);
    expect(first).toHaveLength(40);
    expect(Math.min(...first)).toBeLessThan(15_000);
    expect(Math.max(...first)).toBeGreaterThan(80_000);
    expect(Math.max(...first)).toBeLessThan(100_000);
    await emptied(database);
    await store.change({ intervalMs: 100_000 }, ADA);
    await store.adopt(configurationOf("a", ...teams), "start");
    const again = (await scheduled(database)).map(({ dueMs }) => dueMs);
    const shifts = again.map((ms, index) => ms - (first[index] ?? 0));
    expect(Math.max(...shifts) - Math.min(...shifts)).toBeLessThan(0.01);
  });

  test("a changed team is due at once, a removed one no more, and the others when they were", async () => {
    await store.change({ intervalMs: HOUR }, ADA);
    await store.adopt(configurationOf("a", "changed=1", "removed", "same"), "start");
    await store.adopt(configurationOf("b", "changed=2", "same"), "change");
    expect((await scheduled(database)).map(({ name }) => name)).toEqual(["changed", "same"]);
    expect(await due(database)).toEqual(["changed"]);
    expect((await store.teams()).map(({ name }) => name)).toEqual(["changed", "same"]);
    expect(await beginRun(store, database, "removed")).toBeNull();
    expect(await store.requestRun("removed", "Ada")).toBe(false);
  });

  test("a removed team that comes back is looked at again, and keeps its history", async () => {
    await store.adopt(configurationOf("a", "team"), "start");
    await look(resultOf("applied"));
    await store.adopt(configurationOf("b"), "change");
    await store.adopt(configurationOf("a", "team"), "change");
    expect(await due(database)).toEqual(["team"]);
    expect(await store.runs("team", 10)).toMatchObject([{ outcome: "applied" }]);
  });

  test("at its start, a process does not bring back an old configuration while another lives that has the new one", async () => {
    const [older, newer] = [storeOf(database, "older"), storeOf(database, "newer")];
    const registration = await newer.register(NEVER);
    await newer.adopt(configurationOf("old", "team=1"), "start");
    expect(await newer.adopt(configurationOf("new", "team=2"), "change")).toBe(true);
    expect(await older.adopt(configurationOf("old", "team=1"), "start")).toBe(false);
    // Its checkout has changed to what it has: somebody went back on purpose.
    expect(await older.adopt(configurationOf("old", "team=1"), "change")).toBe(true);
    await newer.adopt(configurationOf("new", "team=2"), "change");
    await registration.close();
    expect(await older.adopt(configurationOf("old", "team=1"), "start")).toBe(true);
  });

  test("a configuration that nobody has seen before is in force at the start of its process", async () => {
    const [older, newer] = [storeOf(database, "older"), storeOf(database, "newer")];
    const registration = await older.register(NEVER);
    await older.adopt(configurationOf("old", "team"), "start");
    expect(await newer.adopt(configurationOf("new", "team"), "start")).toBe(true);
    expect(await older.sweep()).toMatchObject({ isCurrent: false });
    expect(await newer.sweep()).toMatchObject({ isCurrent: true });
    await registration.close();
  });

  test("a path without Git keeps the commit that another path told", async () => {
    const shown = async (commit: string | null): Promise<string | null | undefined> => {
      await store.adopt({ ...configurationOf("a", "team"), commit }, "start");
      return (await store.configuration())?.commit;
    };
    expect([await shown("path"), await shown(null), await shown("other")]).toEqual(["path", "path", "other"]);
  });

  test("a process that does not have the configuration in force leaves the team to one that has it", async () => {
    const older = storeOf(database, "older");
    await older.adopt(configurationOf("old", "team"), "start");
    await store.adopt(configurationOf("new", "team"), "change");
    expect(await beginRun(older, database, "team")).toBeNull();
    expect(await scheduled(database)).toMatchObject([{ name: "team" }]);
    expect(await begin()).toMatchObject({ trigger: "configuration" });
  });
});

describe("runs", () => {
  beforeEach(async () => {
    await store.adopt(configurationOf("a", "team"), "start");
  });

  test("a run is shown while it runs and after it, and the next one is due when asked for", async () => {
    const run = await begin();
    expect(await store.teams()).toMatchObject([{ state: "running", nextRunMs: null }]);
    const messages = [{ severity: "warning", code: "c", summary: "Mind", detail: "This\nand that." }] as const;
    await store.endRun(
      run,
      resultOf("applied", { counts: { ...COUNTS, add: 2 }, drifted: 3, requests: 7, messages }),
      HOURLY,
    );
    const [runs, [team]] = [await store.runs("team", 10), await store.teams()];
    expect(runs).toMatchObject([
      {
        trigger: "configuration",
        outcome: "applied",
        drifted: 3,
        requests: 7,
        messages,
        commit: "commit of a",
        process: "process-1",
      },
    ]);
    expect([await store.team("team"), await store.team("other")]).toEqual([team, null]);
    expect(team).toMatchObject({
      state: "applied",
      failures: 0,
      drifted: 3,
      counts: { add: 2 },
      message: "Mind: This and that.",
      commit: "commit of a",
    });
    expect(team?.lastRunMs).toBe(runs[0]?.beganMs);
    const [job] = await scheduled(database);
    expect(job?.dueMs).toBeGreaterThan(HOUR - 60_000);
    expect((await store.times()).lagMs).toBe(0);
    expect(await begin()).toMatchObject({ trigger: "interval" });
  });

  test("a long message is cut with an ellipsis", async () => {
    await look(
      resultOf("failed", { messages: [{ severity: "error", code: "c", summary: "Long", detail: "😀".repeat(300) }] }),
    );
    const [team] = await store.teams();
    expect(team?.message).toMatch(/^Long: (?:😀)+…$/u);
    expect(team?.message?.length).toBeGreaterThan(290);
    expect(team?.message?.length).toBeLessThanOrEqual(300);
  });

  test("what the database cannot hold of others' words is replaced, and the run ends", async () => {
    const words = (odd: string) => ({ severity: "error", code: "c", summary: "Odd", detail: `one${odd}two` }) as const;
    const plan = planOf({ text: "a\0plan" });
    await look(resultOf("waiting", { plan, messages: [words("\0"), words("\uD800"), words("\uDC00 😀")] }));
    const [team] = await store.teams();
    expect(team).toMatchObject({ state: "waiting", message: "Odd: one�two" });
    expect((await store.runs("team", 1))[0]?.messages.map(({ detail }) => detail)).toEqual([
      "one�two",
      "one�two",
      "one� 😀two",
    ]);
    expect((await store.plan(team?.plan ?? ""))?.text).toBe("a�plan");
  });

  test("failures are counted until a run succeeds", async () => {
    await look(resultOf("failed"));
    const [first] = await store.runs("team", 1);
    await look(resultOf("failed"), { afterMs: 0, trigger: "retry" });
    await look(resultOf("busy"));
    const run = await begin();
    expect(run).toMatchObject({ failures: 2 });
    expect(await store.teams()).toMatchObject([{ failures: 2, failingSinceMs: first?.beganMs, state: "running" }]);
    await store.endRun(run, resultOf("unchanged"), HOURLY);
    expect(await store.teams()).toMatchObject([{ failures: 0, failingSinceMs: null, state: "unchanged" }]);
  });

  test("runs that could not decide an outcome are counted until one succeeds, whatever else fails between them", async () => {
    await look(resultOf("failed"));
    await look(resultOf("undecided"), { afterMs: 0, trigger: "retry" });
    await look(resultOf("failed"));
    await look(resultOf("busy"));
    await look(resultOf("undecided"), { afterMs: 0, trigger: "retry" });
    expect(await look(resultOf("unchanged"))).toMatchObject({ failures: 4, undecided: 2 });
    await look(resultOf("failed"));
    expect(await begin()).toMatchObject({ failures: 1, undecided: 0 });
  });

  test("what is asked for during a run is done after it", async () => {
    const run = await begin();
    await store.requestRun("team", "Ada");
    await store.endRun(run, resultOf("unchanged"), HOURLY);
    expect(await due(database)).toEqual(["team"]);
    expect(await begin()).toMatchObject({ trigger: "request" });
  });

  test("a run that is recorded twice counts once", async () => {
    const run = await begin();
    for (let time = 0; time < 2; time++) await store.endRun(run, resultOf("failed"), HOURLY);
    expect(await store.teams()).toMatchObject([{ failures: 1 }]);
  });

  test("a run that was given up changes nothing of the team when a later one has begun", async () => {
    const lost = await begin();
    // The same process, after it has forgotten its runs.
    await storeOf(database).sweep();
    const later = await begin();
    expect((await store.runs("team", 10)).map(({ outcome }) => outcome)).toEqual(["running", "interrupted"]);
    await store.endRun(lost, resultOf("failed"), HOURLY);
    expect(await store.teams()).toMatchObject([{ state: "running", failures: 0 }]);
    await store.endRun(later, resultOf("unchanged"), HOURLY);
    expect((await store.runs("team", 10)).map(({ outcome }) => outcome)).toEqual(["unchanged", "failed"]);
  });

  test("the last 50 runs of a team are kept", async () => {
    for (let time = 0; time < 53; time++) await look(resultOf("unchanged"));
    const runs = await store.runs("team", 100);
    expect(runs).toHaveLength(50);
    expect(await store.runs("team", 3)).toEqual(runs.slice(0, 3));
  });
});

describe("plans that wait", () => {
  beforeEach(async () => {
    await store.adopt(configurationOf("a", "team"), "start");
  });

  const waiting = async (text = "a plan", digest = "1"): Promise<string> => {
    await look(resultOf("waiting", { plan: planOf({ text, digest }) }));
    return (await store.teams())[0]?.plan ?? "";
  };

  test("an approved plan is given to the next run, which is due at once, until it is applied", async () => {
    const plan = await waiting();
    expect(await store.plan(plan)).toMatchObject({
      id: plan,
      team: "team",
      text: "a plan",
      state: "waiting",
      approvedBy: null,
    });
    expect(await store.approve("team", plan, "Ada")).toEqual({ ok: true, by: "Ada" });
    // The answer may have been lost.
    expect(await store.approve("team", plan, "Ada")).toEqual({ ok: true, by: "Ada" });
    expect(await due(database)).toEqual(["team"]);
    expect(await store.plan(plan)).toMatchObject({ state: "approved", approvedBy: "Ada" });
    expect((await look(resultOf("failed"))).trigger).toBe("approval");
    const run = await look(resultOf("applied"));
    expect({ ...run.approved, bytes: [...(run.approved?.bytes ?? [])] }).toEqual({
      id: plan,
      bytes: [1, 2, 3],
      by: "Ada",
    });
    expect(await store.plan(plan)).toMatchObject({ state: "applied" });
    expect((await begin()).approved).toBeNull();
  });

  test("approvals at once are one, of whoever came first", async () => {
    const plan = await waiting();
    const people = ["Ada", "Grace", "Barbara", "Frances"];
    const approvals = await Promise.all(people.map((one) => storeOf(database, one).approve("team", plan, one)));
    const by = (await store.plan(plan))?.approvedBy ?? "";
    expect(people).toContain(by);
    expect(approvals).toEqual(people.map(() => ({ ok: true, by })));
    expect((await scheduled(database)).map(({ name }) => name)).toEqual(["team"]);
    // Also after it was applied.
    await look(resultOf("applied"));
    expect(await store.approve("team", plan, "Hedy")).toEqual({ ok: true, by });
  });

  test("what was approved and what was changed stays, whatever runs come after it", async () => {
    const plan = await waiting();
    await store.approve("team", plan, "Ada");
    await look(resultOf("applied", { counts: { ...COUNTS, add: 2 } }));
    await look(resultOf("applied", { counts: { ...COUNTS, destroy: 1 } }));
    await look(resultOf("undecided"));
    for (let time = 0; time < 52; time++) await look(resultOf("unchanged"));
    const changes = await store.changes("team", 10);
    expect(
      changes.map(({ outcome, counts: { add, destroy }, plan: applied, approvedBy }) => ({
        outcome,
        add,
        destroy,
        applied,
        approvedBy,
      })),
    ).toEqual([
      { outcome: "undecided", add: 0, destroy: 0, applied: null, approvedBy: null },
      { outcome: "applied", add: 0, destroy: 1, applied: null, approvedBy: null },
      { outcome: "applied", add: 2, destroy: 0, applied: plan, approvedBy: "Ada" },
    ]);
    expect(await store.changes(null, 1)).toEqual(changes.slice(0, 1));
    expect(await store.changes("other", 10)).toEqual([]);
    expect(await store.runs("team", 100)).toHaveLength(53);
    // Until they are older than the settings say.
    await database.query({
      text: "UPDATE outreach_fleet.run SET began = now() - interval '91 days' WHERE plan IS NOT NULL",
    });
    await store.sweep();
    expect(await store.changes("team", 10)).toEqual(changes.slice(0, 2));
    expect(await store.plan(plan)).toBeNull();
  });

  test("no plan of a parked team waits, and none can be approved", async () => {
    const plan = await waiting();
    await database.query({ text: "UPDATE outreach_fleet.team SET parked = true" });
    expect(await store.teams()).toMatchObject([{ state: "parked", plan: null }]);
    expect(await store.approve("team", plan, "Ada")).toEqual({ ok: false, other: null });
  });

  test("a newer plan outdates the one before, which cannot be approved any more", async () => {
    const [older, newer] = [await waiting(), await waiting("another plan")];
    expect(await store.plan(older)).toMatchObject({ state: "outdated" });
    expect(await store.approve("team", older, "Ada")).toEqual({ ok: false, other: newer });
    expect(await store.approve("other", newer, "Ada")).toEqual({ ok: false, other: null });
    expect(await store.approve("team", "no id", "Ada")).toEqual({ ok: false, other: newer });
    expect(await store.plan("no id")).toBeNull();
  });

  test("the same plan made again keeps its id, so that it can be approved", async () => {
    const plan = await waiting();
    await look(resultOf("waiting", { plan: planOf({ bytes: new Uint8Array([4, 5]), shape: "2", createsOnly: true }) }));
    expect(await store.teams()).toMatchObject([{ plan, shape: "2", state: "waiting" }]);
    expect(await store.approve("team", plan, "Ada")).toEqual({ ok: true, by: "Ada" });
    expect([...((await begin()).approved?.bytes ?? [])]).toEqual([4, 5]);
  });

  test("a plan that does something else has another id, also if its text leaves the difference out", async () => {
    const [older, newer] = [await waiting("… and 7 more", "1"), await waiting("… and 7 more", "2")];
    expect(await store.approve("team", older, "Ada")).toEqual({ ok: false, other: newer });
  });

  test("a run that fails hides neither the plan that waits nor what it would do", async () => {
    const plan = planOf();
    await look(resultOf("waiting", { plan, counts: { ...COUNTS, add: 2 } }));
    await look(resultOf("failed"));
    expect(await store.teams()).toMatchObject([
      { plan: expect.any(String), shape: "1", state: "failed", counts: { add: 2 } },
    ]);
  });

  test("an interrupted run changes nothing but when the team is looked at next", async () => {
    const plan = await waiting();
    await look(resultOf("interrupted"), { afterMs: 0, trigger: "retry" });
    expect(await store.teams()).toMatchObject([{ plan, state: "waiting", failures: 0 }]);
    await store.approve("team", plan, "Ada");
    await look(resultOf("interrupted"), { afterMs: 0, trigger: "retry" });
    expect((await begin()).approved?.id).toBe(plan);
  });

  test("a plan outlives a failed look, and ends with one that finds nothing to do", async () => {
    const plan = await waiting();
    await look(resultOf("failed"));
    expect(await store.teams()).toMatchObject([{ plan, state: "failed" }]);
    await look(resultOf("unchanged"));
    expect(await store.teams()).toMatchObject([{ plan: null }]);
    expect(await store.approve("team", plan, "Ada")).toEqual({ ok: false, other: null });
  });

  test("an approved plan that does not fit any more is outdated", async () => {
    const plan = await waiting();
    await store.approve("team", plan, "Ada");
    await look(resultOf("outdated"), { afterMs: 0, trigger: "retry" });
    expect(await store.plan(plan)).toMatchObject({ state: "outdated" });
    expect(await begin()).toMatchObject({ trigger: "retry", approved: null });
  });

  test("of two approved plans, only the newer is applied", async () => {
    const older = await waiting();
    const run = await begin();
    await store.approve("team", older, "Ada");
    await store.endRun(
      run,
      resultOf("waiting", { plan: planOf({ bytes: new Uint8Array([4]), text: "another plan" }) }),
      HOURLY,
    );
    const newer = (await store.teams())[0]?.plan ?? "";
    expect(await store.approve("team", newer, "Ada")).toEqual({ ok: true, by: "Ada" });
    expect((await begin()).approved?.id).toBe(newer);
    expect(await store.plan(older)).toMatchObject({ state: "outdated" });
  });
});

test("teams that left the configuration are known with their history, and with their webhooks until another team has their key", async () => {
  await store.adopt(configurationOf("a", "team", "other"), "start");
  await look(
    resultOf("applied", {
      holds: { keyName: "k1", webhooks: 3 },
      seen: { place: "state of team", lineage: "l", serial: 1 },
    }),
  );
  await look(resultOf("applied", { holds: { keyName: null, webhooks: 4 } }));
  expect(await store.allRemoved()).toEqual([]);
  expect(await store.teamOrRemoved("team")).toMatchObject({ removedMs: null });
  await store.adopt(configurationOf("b", "other", "new"), "change");
  expect(await store.removedTeams("k1")).toMatchObject([
    { name: "team", keyName: "k1", webhooks: 4, place: "state of team" },
  ]);
  expect(await store.allRemoved()).toMatchObject([{ name: "team", webhooks: 4 }]);
  expect(await store.removedTeams("k2")).toEqual([]);
  expect([await store.team("team"), await store.teamOrRemoved("nobody")]).toEqual([null, null]);
  expect(await store.teamOrRemoved("team")).toMatchObject({
    state: "applied",
    nextRunMs: null,
    removedMs: expect.any(Number) as number,
  });
  expect(await store.runs("team", 10)).toHaveLength(2);
  // Its state has moved to its new name.
  const run = await begin("new");
  await store.endRun(run, resultOf("unchanged", { holds: { keyName: "k1", webhooks: 4 } }), HOURLY);
  expect(await store.allRemoved()).toMatchObject([{ name: "team", webhooks: 0 }]);
});

describe("settings", () => {
  test("the first controller decides them, and later ones get them", async () => {
    expect(await store.settle({ auto: "all" })).toMatchObject({ auto: "all", historyMs: 90 * 24 * HOUR });
    expect(await store.settle({ auto: "none", intervalMs: HOUR })).toEqual(await store.settings());
    expect(await store.settings()).toMatchObject({ auto: "all" });
  });

  test("a run works with those of now, and a shorter interval brings teams forward", async () => {
    await store.change({ intervalMs: HOUR }, ADA);
    await store.adopt(configurationOf("a", "one", "two"), "start");
    await database.query({
      text: "UPDATE outreach_fleet.team SET next_trigger = 'interval', next_run = now() + interval '1 hour'",
    });
    expect(await store.change({ auto: "none", intervalMs: 20_000 }, ADA)).toMatchObject({
      auto: "none",
      intervalMs: 20_000,
    });
    expect((await scheduled(database)).every(({ dueMs }) => dueMs <= 20_000)).toBe(true);
    expect((await store.teams()).every(({ nextRunMs }) => nextRunMs !== null && nextRunMs < Date.now() + 21_000)).toBe(
      true,
    );
    expect(await begin("one")).toMatchObject({ auto: "none", intervalMs: 20_000 });
  });
});

describe("paused and parked teams", () => {
  beforeEach(async () => {
    await store.adopt(configurationOf("a", "team=1"), "start");
  });

  test("a paused team is not looked at until it is resumed, whatever changes", async () => {
    expect(await store.pause("team", "Ada")).toBe(true);
    await store.adopt(configurationOf("b", "team=2"), "change");
    expect(await scheduled(database)).toEqual([]);
    expect(await beginRun(store, database, "team")).toBeNull();
    expect(await store.teams()).toMatchObject([{ state: "paused", nextRunMs: null }]);
    expect(await store.resume("team", "Ada")).toBe("resumed");
    expect(await due(database)).toEqual(["team"]);
    expect([await store.pause("other", "Ada"), await store.resume("other", "Ada")]).toEqual([false, "unknown"]);
  });

  test("a team that does not rest is not resumed, and is due when it was", async () => {
    await look(resultOf("unchanged"));
    expect(await store.resume("team", "Ada")).toBe("active");
    expect(await due(database)).toEqual([]);
  });

  test("a paused team that is asked for is looked at once, and stays paused", async () => {
    await store.pause("team", "Ada");
    expect(await store.requestRun("team", "Ada")).toBe(true);
    expect(await due(database)).toEqual(["team"]);
    expect((await look(resultOf("unchanged"))).trigger).toBe("request");
    expect(await beginRun(store, database, "team")).toBeNull();
    expect(await store.teams()).toMatchObject([{ state: "paused", nextRunMs: null }]);
  });

  test("a team that is paused during its run is paused after it", async () => {
    const run = await begin();
    await store.pause("team", "Ada");
    await store.endRun(run, resultOf("unchanged"), HOURLY);
    expect(await store.teams()).toMatchObject([{ state: "paused", nextRunMs: null }]);
    expect(await beginRun(store, database, "team")).toBeNull();
  });

  test("an undecided outcome that the next look may decide does not park the team", async () => {
    await look(resultOf("undecided"), { afterMs: 0, trigger: "retry" });
    expect(await store.teams()).toMatchObject([{ state: "failed", failures: 1 }]);
    expect(await begin()).toMatchObject({ trigger: "retry", failures: 1 });
  });

  test("an undecided outcome parks the team until somebody resumes it", async () => {
    await look(resultOf("undecided"), null);
    expect(await store.teams()).toMatchObject([{ state: "parked", nextRunMs: null, failures: 1 }]);
    expect(await store.requestRun("team", "Ada")).toBe(true);
    await store.adopt(configurationOf("b", "team=2"), "change");
    expect(await beginRun(store, database, "team")).toBeNull();
    await store.resume("team", "Ada");
    expect(await begin()).toMatchObject({ trigger: "request" });
  });

  const LOCKED = {
    severity: "error",
    code: "state_locked",
    summary: "Error acquiring the state lock",
    detail: `The state ${"x".repeat(300)} is locked by ada on ctl-1 (process 7, apply, since 2026-11-25T12:00:00Z) (lock id 42).`,
    hint: "outreach force-unlock 42 --team team",
  } as const;
  const busy = resultOf("busy", { messages: [LOCKED] });

  test("a team whose state stays locked is in a state of its own after three runs, with the holder and the command, until a run gets the lock", async () => {
    const states = [];
    for (let run = 0; run < 3; run++) {
      await look(busy, { afterMs: 0, trigger: "retry" });
      states.push((await store.teams())[0]?.state);
    }
    expect(states).toEqual(["new", "new", "locked"]);
    expect((await store.team("team"))?.message).toBe(`${LOCKED.summary}: ${LOCKED.detail} ${LOCKED.hint}`);
    expect((await look(resultOf("unchanged"))).busy).toBe(3);
    expect(await store.teams()).toMatchObject([{ state: "unchanged" }]);
    expect((await begin()).busy).toBe(0);
  });

  test("a team that needs a person is parked, and counts no busy runs once it is resumed", async () => {
    await look(busy, { afterMs: 0, trigger: "retry" });
    await look({ ...busy, needsPerson: true }, null);
    expect(await store.teams()).toMatchObject([{ state: "parked" }]);
    await store.resume("team", "Ada");
    expect(await begin()).toMatchObject({ trigger: "request", busy: 0 });
  });
});

test("of the teams that failed last time, as many begin as may; those that somebody asks for come anyway", async () => {
  await store.adopt(configurationOf("a", "one", "two", "well"), "start");
  for (const team of ["one", "two"])
    await store.endRun(await begin(team), resultOf("failed"), { afterMs: 0, trigger: "retry" });
  expect(await beginRun(store, database, "one", 1)).not.toBeNull();
  expect(await beginRun(store, database, "two", 0)).toBeNull();
  expect(await due(database)).toEqual(["two", "well"]);
  // It does not count as late while it waits for its turn.
  await database.query({
    text: "UPDATE outreach_fleet.team SET next_run = next_run - interval '1 hour' WHERE name = 'two'",
  });
  expect((await store.times()).lagMs).toBeLessThan(60_000);
  expect(await beginRun(store, database, "well", 0)).not.toBeNull();
  await store.requestRun("two", "Ada");
  expect(await beginRun(store, database, "two", 0)).not.toBeNull();
});

describe("what controllers have seen of a team's state", () => {
  const mark = (serial: number) => ({ place: "postgres://db/states", lineage: "a", serial });
  const sees = async (from: FleetStore, serial: number): Promise<void> => {
    await from.endRun(await begin("team", from), resultOf("unchanged", { seen: mark(serial) }), HOURLY);
  };
  const seenBy = async (from: FleetStore): Promise<unknown> => {
    const run = await begin("team", from);
    await from.endRun(run, resultOf("unchanged"), HOURLY);
    return run.seen;
  };
  /** As after the restore of an older database. */
  const restored = (serial: number | null) =>
    database.query({
      text: "UPDATE outreach_fleet.team SET seen = $1",
      values: [serial === null ? null : JSON.stringify(mark(serial))],
    });
  beforeEach(async () => {
    await store.adopt(configurationOf("a", "team"), "start");
  });

  test("is in the database for all of them, and in the memory of each after a restore", async () => {
    const other = storeOf(database, "other");
    await other.adopt(configurationOf("a", "team"), "start");
    await sees(store, 7);
    expect(await seenBy(other)).toEqual(mark(7));
    for (const older of [5, null]) {
      await restored(older);
      expect(await seenBy(store)).toEqual(mark(7));
    }
  });

  test("is told to the others when the database is back", async () => {
    const other = storeOf(database, "other");
    await other.adopt(configurationOf("a", "team"), "start");
    await sees(store, 7);
    await sees(other, 8);
    await restored(5);
    for (const one of [other, store]) await (await one.register(NEVER)).close();
    expect(await seenBy(store)).toEqual(mark(8));
  });

  test("counts no more once somebody has resumed the parked team", async () => {
    await sees(store, 7);
    await restored(5);
    await store.endRun(await begin(), resultOf("failed", { seen: mark(7), needsPerson: true }), null);
    await store.resume("team", "Ada");
    await (await store.register(NEVER)).close();
    expect(await seenBy(store)).toBeNull();
  });
});
