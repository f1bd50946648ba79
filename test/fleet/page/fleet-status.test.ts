import { expect, test } from "vitest";
import { fleetPage, viewOf } from "../../../src/fleet/page/fleet-page.ts";
import type { FleetSnapshot } from "../../../src/fleet/page/fleet-snapshot.ts";
import { statusJson, statusText } from "../../../src/fleet/page/fleet-status.ts";
import { NOW_MS, NO_COUNTS, PROCESS, fleetOf, manyTeams, teamOf, waitingTeam } from "./fleet-double.ts";

const FLEET = fleetOf(
  [
    teamOf("acme"),
    waitingTeam("emea", "plan-7"),
    teamOf("beta", { state: "failed", failures: 2, message: "The service answered 401.", nextRunMs: NOW_MS - 1 }),
    teamOf("apac", { state: "parked", message: "The outcome of a create is not known.", nextRunMs: null }),
    teamOf("new", { state: "new", lastRunMs: null, lastDurationMs: null }),
    teamOf("done", { state: "applied", counts: { ...NO_COUNTS, add: 1, import: 2 } }),
  ],
  { lagMs: 61_000, processes: [PROCESS, { ...PROCESS, id: "process-2", isCurrent: false }] },
);

test("the status for people: what needs a person first, and what to run", () => {
  expect(statusText(FLEET)).toBe(`6 teams: 1 parked, 1 failed, 1 waiting, 1 new, 1 applied, 1 unchanged.
Settings: --auto safe --interval 10m --history 90d.
1 drifted object.
The team that is due the longest has waited for 1m01s.

TEAM  STATE      LAST RUN   TOOK  NEXT RUN  DRIFT  CHANGES                 PLAN    MESSAGE
apac  parked     2m05s ago  4s    -         0      -                       -       The outcome of a create is not known.
beta  failed     2m05s ago  4s    now       0      -                       -       The service answered 401.
emea  waiting    2m05s ago  4s    in 2m55s  1      2 to add, 1 to destroy  plan-7  -
new   new        never      -     in 2m55s  0      -                       -       -
done  applied    2m05s ago  4s    in 2m55s  0      2 imported, 1 added     -       -
acme  unchanged  2m05s ago  4s    in 2m55s  0      -                       -       -

PROCESS    HOST    PID   VERSION  STARTED    CONFIGURATION
process-1  node-7  4711  0.1.0    1h00m ago  in force
process-2  node-7  4711  0.1.0    1h00m ago  another one is in force

Read a plan on the page of its team, and approve it: outreach controller approve TEAM PLAN
Resume a parked team, after you have done what its message says: outreach controller resume TEAM
`);
});

test("the status says which commit is in force", () => {
  const statusOf = (configuration: FleetSnapshot["configuration"]): string =>
    statusText(fleetOf([], { configuration }));
  expect(statusOf({ commit: "4f1c8a5" })).toContain(
    "0 teams.\nSettings: --auto safe --interval 10m --history 90d.\nConfiguration: commit 4f1c8a5.\n",
  );
  expect(statusOf({ commit: null })).not.toContain("Configuration");
  expect(JSON.parse(statusJson(fleetOf([], { configuration: { commit: "4f1c8a5" } }), "0.1.0"))).toMatchObject({
    configuration: { commit: "4f1c8a5" },
  });
});

test("so does the page", () => {
  const pageOf = (configuration: FleetSnapshot["configuration"]): string =>
    fleetPage(fleetOf([], { configuration }), viewOf({}), "0.1.0")
      .replaceAll(/<[^>]*>|\s+/g, " ")
      .replaceAll(/ +/g, " ");
  expect(pageOf({ commit: "4f1c8a5" })).toContain("Configuration: commit 4f1c8a5 .");
  expect(pageOf({ commit: null })).not.toContain("Configuration:");
  expect(pageOf(null)).not.toContain("Configuration:");
});

test("a run hides neither the failures before it nor a plan that waits", () => {
  const failing = { failures: 4, failingSinceMs: NOW_MS - 7_200_000, message: "The service answered 401." };
  const fleet = fleetOf([
    teamOf("acme", { ...failing, state: "running" }),
    waitingTeam("beta", "plan-7"),
    { ...waitingTeam("emea", "plan-8"), state: "running" },
    teamOf("quiet", { ...failing, state: "paused" }),
  ]);
  const text = statusText(fleet);
  expect(text).toMatch(/^acme +running, failing for 2h00m .*\nbeta .*\nemea +running /m);
  expect(text).toMatch(/^quiet +paused, failing for 2h00m /m);
  expect(JSON.parse(statusJson(fleet, "0.1.0"))).toMatchObject({
    summary: { failing: 1, plans_waiting: 2 },
    teams: [
      { name: "acme", state: "running", failing_since: "2026-11-23T10:00:00.000Z" },
      { name: "beta" },
      { name: "emea" },
      { name: "quiet" },
    ],
  });
  const page = (state: string): string =>
    fleetPage(fleet, viewOf({ state }), "0.1.0")
      .replaceAll(/<[^>]*>|\s+/g, " ")
      .replaceAll(/ +/g, " ");
  expect(page("")).toContain("acme running, failing for 2h00m The service answered 401. outreach controller run acme");
  // Each count leads to as many teams.
  for (const [state, count] of [
    ["failed", 1],
    ["waiting", 2],
    ["running", 2],
  ] as const) {
    expect(page("")).toContain(` ${String(count)} ${state} `);
    expect(page(state)).toContain(`Filter Show all ${String(count)} team`);
  }
});

test("the webhooks of teams that were removed are listed", () => {
  const removed = [
    { name: "emea", keyName: "k", webhooks: 12, removedMs: NOW_MS - 300_000, place: "postgres://db.example.com/fleet" },
  ];
  const fleet = fleetOf([], { removed });
  const line = "emea, removed 5m00s ago: 12 webhooks in postgres://db.example.com/fleet";
  expect(statusText(fleet)).toContain(
    `\nWebhooks of teams that are no longer in the configuration, which nobody reconciles:\n  ${line}\n`,
  );
  expect(JSON.parse(statusJson(fleet, "0.1.0"))).toMatchObject({
    removed_teams: [
      { name: "emea", webhooks: 12, removed: "2026-11-23T11:55:00.000Z", state: "postgres://db.example.com/fleet" },
    ],
  });
  expect(fleetPage(fleet, viewOf({}), "0.1.0")).toContain(
    `<li><a href="/teams/emea">emea</a>${line.slice("emea".length)}</li>`,
  );
});

test("the status of a fleet without teams and processes", () => {
  expect(statusText(fleetOf([], { processes: [] }))).toBe(
    "0 teams.\nSettings: --auto safe --interval 10m --history 90d.\n\nNo controller is running.\n",
  );
});

test("the status for programs: the same order, times in ISO 8601, and durations in seconds", () => {
  const status = JSON.parse(statusJson(FLEET, "0.1.0")) as {
    readonly teams: readonly { readonly name: string }[];
    readonly groups: readonly { readonly key: string }[];
  };
  expect(status.teams.map(({ name }) => name)).toEqual(["apac", "beta", "emea", "new", "done", "acme"]);
  expect(status).toMatchObject({
    format_version: "1.0",
    outreach_version: "0.1.0",
    time: "2026-11-23T12:00:00.000Z",
    summary: {
      teams: 6,
      states: { parked: 1, failed: 1, locked: 0, waiting: 1, paused: 0, running: 0, new: 1, applied: 1, unchanged: 1 },
      failing: 2,
      drifted_objects: 1,
      plans_waiting: 1,
      lag_seconds: 61,
    },
    processes: [
      {
        id: "process-1",
        host: "node-7",
        pid: 4711,
        version: "0.1.0",
        started: "2026-11-23T11:00:00.000Z",
        configuration_in_force: true,
      },
      { id: "process-2", configuration_in_force: false },
    ],
  });
  expect(status.teams[2]).toEqual({
    name: "emea",
    state: "waiting",
    last_run: "2026-11-23T11:57:55.000Z",
    last_duration_seconds: 4,
    next_run: "2026-11-23T12:02:55.000Z",
    failures: 0,
    failing_since: null,
    drifted_objects: 1,
    counts: { import: 0, add: 2, change: 0, destroy: 1, forget: 0 },
    auto: null,
    plan: "plan-7",
    plan_requests: null,
    creates_only: false,
    removals: [],
    message: null,
    commit: null,
    group: expect.stringMatching(/^[\da-f]{10}$/),
    removed: null,
  });
  expect(status.groups.map(({ key: _, ...group }) => group)).toEqual([
    {
      kind: "waiting",
      teams: 1,
      example: "emea",
      counts: { import: 0, add: 2, change: 0, destroy: 1, forget: 0 },
      reason: null,
    },
    { kind: "failing", teams: 1, example: "apac", counts: NO_COUNTS, reason: "The outcome of a create is not known." },
    { kind: "failing", teams: 1, example: "beta", counts: NO_COUNTS, reason: "The service answered 401." },
  ]);
});

test("names and messages from anybody cannot act on a terminal", () => {
  const fleet = fleetOf([teamOf("a\u001B[31m", { message: "one\ntwo \u202Eowt", state: "failed" })]);
  expect(statusText(fleet)).toContain("one two \u{fffd}owt");
  expect(statusText(fleet) + statusJson(fleet, "0.1.0")).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test("a team is listed once, however many there are, and those that need a person for the same reason are a group", () => {
  const text = statusText(fleetOf(manyTeams()));
  expect(text.match(/^team-\d{4} /gm)).toHaveLength(2000 - 23);
  const rows = text.slice(text.indexOf("\nGROUP "), text.indexOf("\nTEAM ")).trim().split("\n");
  expect(rows.map((row) => row.replace(/^[\da-f]{10}/, "KEY").replaceAll(/  +/g, " | "))).toEqual([
    "GROUP | TEAMS | STATE | CHANGES | EXAMPLE | MESSAGE",
    "KEY | 10 | waiting | 2 to add, 1 to destroy | team-0011 | -",
    "KEY | 5 | parked, failing for 10m00s | - | team-0007 | The outcome of a create is not known.",
    "KEY | 8 | failed, failing for 2h00m | - | team-0009 | The API key was rejected",
  ]);
  expect(text).toContain(
    "\nSee the teams of a group: outreach controller status --group GROUP\nApprove all plans of a group, after you have read its example: outreach controller approve --group GROUP\n",
  );
});
