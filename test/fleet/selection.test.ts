import { expect, test } from "vitest";
import type { TeamStatus } from "../../src/fleet/fleet-store.ts";
import { groupKey } from "../../src/fleet/page/team-groups.ts";
import { type Action, type Filters, selectTeams } from "../../src/fleet/selection.ts";
import { teamOf, waitingTeam } from "./page/fleet-double.ts";

const TEAMS = [
  teamOf("acme"),
  { ...waitingTeam("client-a", "plan-a"), createsOnly: true },
  { ...waitingTeam("client-b", "plan-b"), shape: "b" },
  teamOf("client.c", { state: "failed", failures: 1, message: "Refused: no" }),
  teamOf("emea", { state: "parked", failures: 3, message: "Undecided" }),
  teamOf("paused", { state: "paused", nextRunMs: null }),
];

const find = (action: Action, filters: Partial<Filters>, teams: readonly TeamStatus[] = TEAMS): readonly string[] =>
  selectTeams(teams, action, { team: [], ...filters }).map(({ name }) => name);

test("a pattern finds names as a whole, and nothing in it but * is special", () => {
  expect(find("run", { team: ["client*"] })).toEqual(["client-a", "client-b", "client.c"]);
  expect(find("run", { team: ["client-*", "acme"] })).toEqual(["acme", "client-a", "client-b"]);
  expect(find("run", { team: ["client.c"] })).toEqual(["client.c"]);
  expect(find("run", { team: ["*e*"] })).toEqual(["acme", "client-a", "client-b", "client.c", "paused"]);
  for (const team of ["client", "clien.-a", "client-[ab]", "(acme)", "ACME"])
    expect(() => find("run", { team: [team, "acme"] })).toThrowError(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "team_unknown" })] }),
    );
});

test("each action finds those that it can do something for", () => {
  const all = { team: ["*"] };
  expect(find("approve", all)).toEqual(["client-a", "client-b"]);
  expect(find("run", all)).not.toContain("emea");
  expect(find("pause", all)).not.toContain("paused");
  expect(find("resume", all)).toEqual(["emea", "paused"]);
});

test("filters find the failed, those that only create, and the members of a group; several filters find what all of them find", () => {
  expect(find("run", { failed: true })).toEqual(["client.c"]);
  expect(find("resume", { failed: true })).toEqual(["emea"]);
  expect(find("approve", { onlyCreates: true })).toEqual(["client-a"]);
  const group = groupKey(TEAMS[2] ?? teamOf("")) ?? "";
  expect(find("approve", { group })).toEqual(["client-b"]);
  expect(find("approve", { group, onlyCreates: true })).toEqual([]);
  expect(find("approve", { group, team: ["*-a"] })).toEqual([]);
  expect(() => find("approve", { group: "none" })).toThrowError(
    expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "fleet_group_unknown" })] }),
  );
});
