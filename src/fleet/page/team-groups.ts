import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { firstFew } from "../../core/model/words.ts";
import { digest } from "../../core/state/checksum.ts";
import type { TeamStatus } from "../fleet-store.ts";
import { inOrder, isFailing } from "./fleet-snapshot.ts";

/** Teams that need a person for one reason: their plans wait and have the same shape, or they are in the same state with the same kind of message. */
export interface TeamGroup {
  /** Names the group in commands and addresses, as long as its teams wait or fail for this reason. */
  readonly key: string;
  readonly kind: "waiting" | "failing";
  /** At least one, in the order of their names. */
  readonly teams: readonly [TeamStatus, ...TeamStatus[]];
}

const LEAST_GROUPED = 3;
const KEY_DIGITS = 10;
const MOST_NAMED = 10;

/** The groups of the plans that wait for approval, the largest first. */
export function waitingGroups(teams: readonly TeamStatus[]): readonly TeamGroup[] {
  return groupsBy(teams, "waiting", waitingKey);
}

/** The groups of the teams whose last run has failed, as they need a person: see `inOrder`, then the largest first. */
export function failingGroups(teams: readonly TeamStatus[]): readonly TeamGroup[] {
  return groupsBy(teams, "failing", failingKey);
}

/** All groups. A team whose plan waits, and whose last run has failed, is in two. */
export function teamGroups(teams: readonly TeamStatus[]): readonly TeamGroup[] {
  return [...waitingGroups(teams), ...failingGroups(teams)];
}

/** Whether the group is shown as one. Fewer teams are shown one by one. */
export function isLarge({ teams }: TeamGroup): boolean {
  return teams.length >= LEAST_GROUPED;
}

/** The teams of a group. Throws `fleet_group_unknown` where there is no such group. */
export function membersOf(teams: readonly TeamStatus[], key: string): readonly TeamStatus[] {
  const groups = teamGroups(teams);
  const found = groups.find((group) => group.key === key);
  if (found) return found.teams;
  throw DiagnosticsError.of("fleet_group_unknown", "Unknown group", {
    detail: `No teams wait or fail as the group ${JSON.stringify(key)} now. ${
      groups.length === 0
        ? "The fleet has no groups."
        : `The fleet has ${firstFew(
            groups.map((group) => group.key),
            MOST_NAMED,
          )}.`
    }`,
    hint: "See the groups of now: outreach controller status",
  });
}

/** The group that a team is shown in; null where nobody has to do anything. */
export function groupKey(team: TeamStatus): string | null {
  return waitingKey(team) ?? failingKey(team);
}

/** The summary of a team's message, and its detail, which may differ between the teams of a group. */
export function messageParts(message: string): readonly [summary: string, detail: string] {
  const at = message.indexOf(": ");
  return at < 0 ? [message, ""] : [message.slice(0, at), message.slice(at + 2)];
}

function waitingKey({ plan, shape }: TeamStatus): string | null {
  return plan === null ? null : keyOf(["waiting", shape]);
}

function failingKey(team: TeamStatus): string | null {
  if (!isFailing(team)) return null;
  const state = team.state === "running" ? "failed" : team.state;
  return keyOf([state, messageParts(team.message ?? "")[0]]);
}

function keyOf(facts: readonly unknown[]): string {
  return digest(JSON.stringify(facts)).slice(0, KEY_DIGITS);
}

function groupsBy(
  teams: readonly TeamStatus[],
  kind: TeamGroup["kind"],
  key: (team: TeamStatus) => string | null,
): readonly TeamGroup[] {
  const groups = new Map<string, [TeamStatus, ...TeamStatus[]]>();
  for (const team of inOrder(teams)) {
    const own = key(team);
    if (own === null) continue;
    const group = groups.get(own);
    if (group) group.push(team);
    else groups.set(own, [team]);
  }
  const found = [...groups].map(([own, members]): TeamGroup => ({ key: own, kind, teams: members }));
  return kind === "waiting" ? found.toSorted((one, other) => other.teams.length - one.teams.length) : found;
}
