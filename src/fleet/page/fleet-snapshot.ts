import type { FleetStore } from "../database/pg-fleet-store.ts";
import type { TeamState, TeamStatus } from "../fleet-store.ts";

/** The whole fleet at one time. */
export type FleetSnapshot = Awaited<ReturnType<typeof takeFleetSnapshot>>;

const LAST_CHANGES = 20;
/** One command may ask for the same of many teams. */
const LAST_EVENTS = 1000;

export async function takeFleetSnapshot(
  store: Pick<
    FleetStore,
    "teams" | "processes" | "configuration" | "settings" | "changes" | "events" | "allRemoved" | "times"
  >,
) {
  const [teams, processes, configuration, settings, changes, events, removed, times] = await Promise.all([
    store.teams(),
    store.processes(),
    store.configuration(),
    store.settings(),
    store.changes(null, LAST_CHANGES),
    store.events(null, LAST_EVENTS),
    store.allRemoved(),
    store.times(),
  ]);
  return { teams, processes, configuration, settings, changes, events, removed, ...times };
}

/** One team at one time, with the plan that waits for approval. */
export type TeamSnapshot = NonNullable<Awaited<ReturnType<typeof takeTeamSnapshot>>>;

const SHOWN_RUNS = 20;
const SHOWN_CHANGES = 100;

/** Null if the fleet knows no such team. One that left the configuration is known as long as its history is kept. */
export async function takeTeamSnapshot(store: FleetStore, name: string) {
  const team = await store.teamOrRemoved(name);
  if (!team) return null;
  const [runs, changes, events, plan, { atMs }] = await Promise.all([
    store.runs(name, SHOWN_RUNS),
    store.changes(name, SHOWN_CHANGES),
    store.events(name, SHOWN_CHANGES),
    team.plan === null ? null : store.plan(team.plan),
    store.times(),
  ]);
  return { team, runs, changes, events, plan, atMs };
}

/** What needs a person comes first. */
export const STATES: readonly TeamState[] = [
  "parked",
  "failed",
  "locked",
  "waiting",
  "paused",
  "running",
  "new",
  "applied",
  "unchanged",
];

/** By state, as a filter for it finds the teams: one that runs, but has failed or whose plan waits, needs a person too. */
export function inOrder(teams: readonly TeamStatus[]): readonly TeamStatus[] {
  const rank = (team: TeamStatus): number => STATES.findIndex((state) => isFound(team, state));
  return teams.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** Whether the last run of the team has failed, also while the next one runs. Nothing happens to a paused team. */
export function isFailing({ state, failures }: TeamStatus): boolean {
  return (failures > 0 && state !== "paused") || state === "locked" || state === "parked";
}

/** Whether a filter for the state finds the team: a run hides neither failures nor a plan that waits. */
export function isFound(team: TeamStatus, state: TeamState): boolean {
  return (
    team.state === state ||
    (state === "waiting" && team.plan !== null) ||
    (state === "failed" && team.state === "running" && isFailing(team))
  );
}

export interface FleetSummary {
  readonly teams: number;
  readonly states: { readonly [state in TeamState]: number };
  /** Teams whose last run has failed, also those that run now; not those that are paused. */
  readonly failing: number;
  readonly drifted: number;
  readonly plansWaiting: number;
}

export function summarize(teams: readonly TeamStatus[]): FleetSummary {
  const states: { [state in TeamState]: number } = {
    parked: 0,
    failed: 0,
    locked: 0,
    waiting: 0,
    paused: 0,
    running: 0,
    new: 0,
    applied: 0,
    unchanged: 0,
  };
  let [failing, drifted, plansWaiting] = [0, 0, 0];
  for (const team of teams) {
    states[team.state]++;
    if (isFailing(team)) failing++;
    drifted += team.drifted;
    if (team.plan !== null) plansWaiting++;
  }
  return { teams: teams.length, states, failing, drifted, plansWaiting };
}
