import { expect, test } from "vitest";
import type { EventStatus } from "../../../src/fleet/fleet-store.ts";
import { requestsIn } from "../../../src/fleet/page/audit.ts";
import { fleetPage, viewOf } from "../../../src/fleet/page/fleet-page.ts";
import { statusJson, teamStatusJson, teamStatusText } from "../../../src/fleet/page/fleet-status.ts";
import { teamPage } from "../../../src/fleet/page/team-page.ts";
import { NOW_MS, fleetOf, teamOf } from "./fleet-double.ts";

const event = (team: string, more: Partial<EventStatus> = {}): EventStatus => ({
  team,
  action: "approve",
  by: "ada on ctl-1",
  atMs: NOW_MS - 5000,
  plan: `plan-${team}`,
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
    by: "ada on ctl-1",
    time: "2026-11-23T11:59:55.000Z",
    teams: [
      { name: "acme", plan: "plan-acme" },
      { name: "beta", plan: "plan-beta" },
    ],
  });
});

test("so do those of one team", () => {
  const team = { team: teamOf("acme"), runs: [], changes: [], events: [event("acme")], plan: null, atMs: NOW_MS };
  expect(text(teamPage(team, "0.1.0"))).toContain("Requests When What Asked by Plan 5s ago approve ada on ctl-1 plan-acme");
  expect(teamStatusText(team)).toContain("Requests:\n\nWHEN    WHAT     ASKED BY      PLAN\n5s ago  approve  ada on ctl-1  plan-acme\n");
  expect(JSON.parse(teamStatusJson(team, "0.1.0"))).toMatchObject({ requests: [{ team: "acme", action: "approve", by: "ada on ctl-1", plan: "plan-acme" }] });
});
