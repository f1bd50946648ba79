import { DiagnosticsError } from "../core/model/diagnostic.ts";
import { firstFew } from "../core/model/words.ts";
import type { TeamStatus } from "./fleet-store.ts";
import { isFailing } from "./page/fleet-snapshot.ts";
import { membersOf } from "./page/team-groups.ts";
import { wildcard } from "./wildcard.ts";

/** What a person asks for. */
export type Action = "approve" | "adopt" | "run" | "pause" | "resume";

/** Which teams it is asked of: those that all filters find. */
export interface Filters {
  /** Names, where `*` stands for any text. Empty: every team. */
  readonly team: readonly string[];
  /** The key of a group. */
  readonly group?: string | undefined;
  /** Those whose last run has failed. */
  readonly failed?: boolean | undefined;
  /** Those whose plan creates what a later plan can delete again, and does nothing else. */
  readonly onlyCreates?: boolean | undefined;
}

const MOST_NAMED = 10;

/** The teams that the filters find and that the action is possible for. Throws for a group or a name that the fleet does not know. */
export function selectTeams(
  teams: readonly TeamStatus[],
  action: Action,
  { team: patterns, group, failed = false, onlyCreates = false }: Filters,
): readonly TeamStatus[] {
  const found = group === undefined ? teams : membersOf(teams, group);
  const named = patterns.length === 0 ? found : namedTeams(found, patterns, teams);
  return named.filter(
    (team) => (!failed || isFailing(team)) && (!onlyCreates || team.createsOnly) && isPossible(team, action),
  );
}

/** Whether there is anything to do. A parked team does not run before somebody resumes it. */
function isPossible({ state, plan }: TeamStatus, action: Action): boolean {
  switch (action) {
    case "approve":
      return plan !== null;
    case "run":
    case "adopt":
      return state !== "parked";
    case "pause":
      return state !== "paused";
    case "resume":
      return state === "paused" || state === "parked";
  }
}

/** The teams with these names, where `*` stands for any text. Throws for a pattern that finds none among `all`. */
export function namedTeams(
  teams: readonly TeamStatus[],
  patterns: readonly string[],
  all = teams,
): readonly TeamStatus[] {
  const unknown = patterns.filter((pattern) => !all.some(({ name }) => wildcard(pattern)(name)));
  if (unknown.length > 0) throw unknownTeams(all, unknown);
  const matchers = patterns.map(wildcard);
  return teams.filter(({ name }) => matchers.some((isMatch) => isMatch(name)));
}

function unknownTeams(teams: readonly TeamStatus[], unknown: readonly string[]): DiagnosticsError {
  const names = teams.map(({ name }) => name);
  return DiagnosticsError.of("team_unknown", "Unknown team", {
    detail: `The fleet has no team ${unknown.map((one) => JSON.stringify(one)).join(", ")}. ${names.length === 0 ? "It has no teams yet." : `It has ${firstFew(names, MOST_NAMED)}.`} Nothing was done.`,
    hint: "Correct the name. A new team is known once a controller has read it in the configuration.",
  });
}
