import type { PlanCounts } from "../../core/plan/plan.ts";
import { durationText } from "../../output/text/progress-text.ts";
import type { ConfigurationStatus, FleetSettings, FleetStore, GivenSettings, ProcessStatus, RunStatus, TeamState, TeamStatus } from "../fleet-store.ts";
import type { RemovedTeam } from "../team-work.ts";

/** The whole fleet at one time. */
export interface FleetSnapshot {
  readonly teams: readonly TeamStatus[];
  readonly processes: readonly ProcessStatus[];
  /** The one in force; null before the first one. */
  readonly configuration: ConfigurationStatus | null;
  readonly settings: FleetSettings;
  /** What runs have changed, the newest first. */
  readonly changes: readonly RunStatus[];
  /** Teams that left the configuration, and whose webhooks nobody reconciles. */
  readonly removed: readonly RemovedTeam[];
  /** How long the team that is due for the longest time has been waiting. */
  readonly lagMs: number;
  /** By the database's clock. */
  readonly atMs: number;
}

const LAST_CHANGES = 20;

export async function readFleet(
  store: Pick<FleetStore, "teams" | "processes" | "configuration" | "settings" | "changes" | "removedTeams" | "times">,
): Promise<FleetSnapshot> {
  const [teams, processes, configuration, settings, changes, removed, times] = await Promise.all([
    store.teams(),
    store.processes(),
    store.configuration(),
    store.settings(),
    store.changes(null, LAST_CHANGES),
    store.removedTeams(),
    store.times(),
  ]);
  return { teams, processes, configuration, settings, changes, removed, ...times };
}

/** Settings as options of a command, as in `--auto safe --interval 10m`; empty for none. */
export function settingFlags({ auto, intervalMs, historyMs }: GivenSettings): string {
  return [
    ...(auto === undefined ? [] : [`--auto ${auto}`]),
    ...(intervalMs === undefined ? [] : [`--interval ${flagDuration(intervalMs)}`]),
    ...(historyMs === undefined ? [] : [`--history ${flagDuration(historyMs)}`]),
  ].join(" ");
}

/** In the largest unit that has no rest. */
function flagDuration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${String(ms / 86_400_000)}d`;
  if (ms % 3_600_000 === 0) return `${String(ms / 3_600_000)}h`;
  return ms % 60_000 === 0 ? `${String(ms / 60_000)}m` : `${String(ms / 1000)}s`;
}

/** What needs a person comes first. */
export const STATES: readonly TeamState[] = ["parked", "failed", "locked", "waiting", "paused", "running", "new", "applied", "unchanged"];

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
  return team.state === state || (state === "waiting" && team.plan !== null) || (state === "failed" && team.state === "running" && isFailing(team));
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
  const states: { [state in TeamState]: number } = { parked: 0, failed: 0, locked: 0, waiting: 0, paused: 0, running: 0, new: 0, applied: 0, unchanged: 0 };
  let [failing, drifted, plansWaiting] = [0, 0, 0];
  for (const team of teams) {
    states[team.state]++;
    if (isFailing(team)) failing++;
    drifted += team.drifted;
    if (team.plan !== null) plansWaiting++;
  }
  return { teams: teams.length, states, failing, drifted, plansWaiting };
}

/** `2 to add, 1 to destroy` of a plan that waits, `2 added, 1 destroyed` of what was done; empty for none. */
export function countsText({ import: imported, add, change, destroy, forget }: PlanCounts, isPlan: boolean): string {
  const counts: readonly (readonly [count: number, toDo: string, done: string])[] = [
    [imported, "to import", "imported"],
    [add, "to add", "added"],
    [change, "to change", "changed"],
    [destroy, "to destroy", "destroyed"],
    [forget, "to forget", "forgotten"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, toDo, done]) => `${String(count)} ${isPlan ? toDo : done}`)
    .join(", ");
}

/** `running, failing for 2h05m`: a run does not hide that those before it have failed. */
export function stateText({ state, failingSinceMs }: TeamStatus, nowMs: number): string {
  return failingSinceMs === null ? state : `${state}, failing for ${durationText(Math.max(0, nowMs - failingSinceMs))}`;
}

/** `2m05s ago`; null: never. */
export function agoText(timeMs: number | null, nowMs: number): string {
  return timeMs === null ? "never" : `${durationText(Math.max(0, nowMs - timeMs))} ago`;
}

/** `in 2m05s`, `now` for what is due; null: not before somebody asks for it. */
export function dueText(timeMs: number | null, nowMs: number): string {
  if (timeMs === null) return "-";
  return timeMs <= nowMs ? "now" : `in ${durationText(timeMs - nowMs)}`;
}

/** `emea, removed 5m00s ago: 12 webhooks in STATE`. */
export function removedText({ name, webhooks, removedMs, place }: RemovedTeam, nowMs: number): string {
  return `${name}, removed ${agoText(removedMs, nowMs)}: ${countText(webhooks, "webhook")}${place === null ? "" : ` in ${place}`}`;
}

/** `1 team`, `2,000 teams`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `1,944`. */
export function numberText(count: number): string {
  return NUMBER.format(count);
}

const NUMBER = new Intl.NumberFormat("en-US");
