import { expect, test } from "vitest";
import type { EventStatus } from "../../../src/fleet/fleet-store.ts";
import { requestsIn } from "../../../src/fleet/page/audit.ts";
import { fleetPage, viewOf } from "../../../src/fleet/page/fleet-page.ts";
import { statusJson, statusText, teamStatusJson, teamStatusText } from "../../../src/fleet/page/fleet-status.ts";
import { teamPage } from "../../../src/fleet/page/team-page.ts";
import { NOW_MS, NO_COUNTS, fleetOf, teamOf } from "./fleet-double.ts";

const event = (team: string, more: Partial<EventStatus> = {}): EventStatus => ({
  team,
  action: "approve",
  by: "ada on ctl-1",
  atMs: NOW_MS - 5000,
  plan: `plan-${team}`,
  settings: null,
  ...more,
});

const EVENTS = [
  event("acme"),
  event("beta", { atMs: NOW_MS - 6000 }),
  event("gamma", { atMs: NOW_MS - 7000, by: "bob on ctl-1" }),
  event("acme", { atMs: NOW_MS - 8000, action: "pause", plan: null }),
  event("beta", { atMs: NOW_MS - 90_000, action: "pause", plan: null }),
];
const text = (page: string): string => page.replaceAll(/<[^>]*>|\s+/g, " ").replaceAll(/ +/g, " ");

test("what one person asked for of several teams is one request, until somebody asks for something else, or a minute has passed", () => {
  expect(requestsIn(EVENTS).map(({ action, by, events }) => [action, by, events.map(({ team }) => team)])).toEqual([
    ["approve", "ada on ctl-1", ["acme", "beta"]],
    ["approve", "bob on ctl-1", ["gamma"]],
    ["pause", "ada on ctl-1", ["acme"]],
    ["pause", "ada on ctl-1", ["beta"]],
  ]);
});

test("the page, and the JSON, say who asked for what, of how many teams", () => {
  const fleet = fleetOf([teamOf("acme")], { events: EVENTS });
  expect(text(fleetPage(fleet, viewOf({}), "0.1.0"))).toContain(
    "Requests Team When What Asked by Plan 2 teams for example acme 5s ago approve ada on ctl-1 gamma 7s ago approve bob on ctl-1 plan-gamma acme 8s ago pause ada on ctl-1",
  );
  expect((JSON.parse(statusJson(fleet, "0.1.0")) as { readonly requests: readonly object[] }).requests[0]).toEqual({
    action: "approve",
    settings: null,
    by: "ada on ctl-1",
    time: "2026-11-23T11:59:55.000Z",
    teams: [
      { name: "acme", plan: "plan-acme" },
      { name: "beta", plan: "plan-beta" },
    ],
  });
});

test("so do those of one team", () => {
  const team = {
    team: teamOf("acme"),
    runs: [],
    changes: [],
    events: [event("acme")],
    plan: null,
    atMs: NOW_MS,
  };
  expect(text(teamPage(team, "0.1.0"))).toContain(
    "Requests When What Asked by Plan 5s ago approve ada on ctl-1 plan-acme",
  );
  expect(teamStatusText(team)).toContain(
    "Requests:\n\nWHEN    WHAT     ASKED BY      PLAN\n5s ago  approve  ada on ctl-1  plan-acme\n",
  );
  expect(JSON.parse(teamStatusJson(team, "0.1.0"))).toMatchObject({
    requests: [{ team: "acme", action: "approve", by: "ada on ctl-1", plan: "plan-acme" }],
  });
});

test("changed settings are named, for the fleet or for how many teams", () => {
  const set = { action: "set", plan: null, settings: "--auto none" } as const;
  const events = [
    event("acme", { ...set, team: null, settings: "--no-freeze" }),
    event("acme", set),
    event("beta", set),
  ];
  const fleet = fleetOf([teamOf("acme")], { events });
  expect(text(fleetPage(fleet, viewOf({}), "0.1.0"))).toContain(
    "the fleet 5s ago set --no-freeze ada on ctl-1 2 teams for example acme 5s ago set --auto none ada on ctl-1",
  );
  expect(JSON.parse(statusJson(fleet, "0.1.0"))).toMatchObject({
    requests: [
      { action: "set", settings: "--no-freeze", teams: [] },
      { action: "set", settings: "--auto none", teams: [{ name: "acme" }, { name: "beta" }] },
    ],
  });
});

test("a team that left the configuration has its page and status, which offer no run", () => {
  const removed = {
    team: teamOf("acme", { removedMs: NOW_MS - 5000, nextRunMs: null }),
    runs: [],
    changes: [],
    events: [event("acme")],
    plan: null,
    atMs: NOW_MS,
  };
  expect(text(teamPage(removed, "0.1.0"))).toContain("Left the configuration 5s ago . Nobody reconciles it.");
  for (const shown of [teamPage(removed, "0.1.0"), teamStatusText(removed)])
    expect(shown).not.toContain("controller run");
  expect(teamStatusText(removed)).toContain("acme left the configuration 5s ago. Nobody reconciles it.\n");
  expect(JSON.parse(teamStatusJson(removed, "0.1.0"))).toMatchObject({
    team: { removed: "2026-11-23T11:59:55.000Z" },
    requests: [{ team: "acme" }],
  });
});

test("teams that left the configuration are listed, those with live webhooks first", () => {
  const removed = [
    ...Array.from({ length: 30 }, (_, index) => ({
      name: `old-${String(index)}`,
      keyName: null,
      webhooks: 0,
      removedMs: NOW_MS - 5000,
      place: null,
    })),
    { name: "left", keyName: "k", webhooks: 3, removedMs: NOW_MS - 9000, place: "postgres://db/left" },
  ];
  const fleet = fleetOf([teamOf("acme")], { removed });
  const page = text(fleetPage(fleet, viewOf({}), "0.1.0"));
  expect(page).toMatch(
    /Removed teams .* left , removed 9s ago: 3 webhooks in postgres:\/\/db\/left old-0 , removed 5s ago .* 11 more teams without live webhooks\./,
  );
  const status = statusText(fleet);
  expect(status).toContain("which nobody reconciles:\n  left, removed 9s ago: 3 webhooks in postgres://db/left\n");
  expect(status).toContain("\nOther teams that are no longer in the configuration:\n  old-0, removed 5s ago\n");
  expect(status).toContain("  and 20 more teams\n");
  expect(
    (JSON.parse(statusJson(fleet, "0.1.0")) as { readonly removed_teams: readonly object[] }).removed_teams,
  ).toHaveLength(31);
});

test("the cost of a plan that waits is in the JSON of the fleet and of the team", () => {
  const cost = { requests: 54, leastMs: 4000, limit: { requests: 20, windowMs: 2000 } };
  const shown = { count: 54, at_least_seconds: 4, limit: { requests: 20, seconds: 2 } };
  const team = teamOf("acme", { state: "waiting", plan: "p1", cost });
  expect(JSON.parse(statusJson(fleetOf([team]), "0.1.0"))).toMatchObject({ teams: [{ plan_requests: shown }] });
  const plan = {
    id: "p1",
    team: "acme",
    madeMs: NOW_MS,
    counts: NO_COUNTS,
    cost,
    text: "a plan",
    state: "waiting",
    approvedBy: null,
  } as const;
  expect(
    JSON.parse(teamStatusJson({ team, runs: [], changes: [], events: [], plan, atMs: NOW_MS }, "0.1.0")),
  ).toMatchObject({
    plan: { requests: shown },
  });
});
