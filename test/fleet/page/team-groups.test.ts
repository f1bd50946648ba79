import { expect, test } from "vitest";
import {
  failingGroups,
  groupKey,
  membersOf,
  messageParts,
  waitingGroups,
} from "../../../src/fleet/page/team-groups.ts";
import { teamOf } from "./fleet-double.ts";

const waiting = (name: string, shape: string, more: Parameters<typeof teamOf>[1] = {}) =>
  teamOf(name, { state: "waiting", plan: name, shape, ...more });

test("plans of one shape are one group, the largest first, also where a message differs or a run has failed since", () => {
  const teams = [
    waiting("alone", "a"),
    waiting("one", "b", { message: "Many: 2 of 3." }),
    waiting("two", "b", { message: "Many: 2 of 4." }),
    waiting("three", "b", { state: "failed", failures: 1, message: "No answer" }),
  ];
  expect(waitingGroups(teams).map((group) => group.teams.map(({ name }) => name))).toEqual([
    ["three", "one", "two"],
    ["alone"],
  ]);
  expect(failingGroups(teams).map((group) => group.teams.map(({ name }) => name))).toEqual([["three"]]);
  expect(new Set(teams.map(groupKey)).size).toBe(2);
});

test("teams fail for the same reason if the summaries of their messages are the same, also while they run again; those that are parked are others", () => {
  const failed = { state: "failed", failures: 1 } as const;
  const teams = [
    teamOf("a", { ...failed, message: "No answer: host a." }),
    teamOf("b", { ...failed, state: "running", message: "No answer: host b." }),
    teamOf("c", { ...failed, message: "Refused: 401." }),
    teamOf("d", { ...failed, state: "parked", message: "No answer: host d." }),
    teamOf("paused", { ...failed, state: "paused", message: "No answer: host e." }),
    teamOf("fine"),
  ];
  expect(failingGroups(teams).map((group) => group.teams.map(({ name }) => name))).toEqual([["d"], ["a", "b"], ["c"]]);
  expect(teams.map((team) => groupKey(team) === null)).toEqual([false, false, false, false, true, true]);
});

test("an unknown group names those that there are", () => {
  const teams = [waiting("one", "a")];
  expect(membersOf(teams, groupKey(teams[0] ?? teamOf("")) ?? "")).toEqual(teams);
  const error = (fleet: typeof teams): unknown => {
    try {
      return membersOf(fleet, "0000000000");
    } catch (thrown) {
      return thrown;
    }
  };
  expect(error(teams)).toMatchObject({
    diagnostics: [
      {
        code: "fleet_group_unknown",
        detail: expect.stringContaining(`The fleet has ${String(groupKey(teams[0] ?? teamOf("")))}.`),
      },
    ],
  });
  expect(error([])).toMatchObject({ diagnostics: [{ detail: expect.stringContaining("The fleet has no groups.") }] });
});

test("a message is its summary and its detail", () => {
  expect([messageParts("Refused: 401: no"), messageParts("Refused"), messageParts("")]).toEqual([
    ["Refused", "401: no"],
    ["Refused", ""],
    ["", ""],
  ]);
});
