import type { PlanCounts } from "../../core/plan/plan.ts";
import { durationText } from "../../output/text/progress-text.ts";
import type { ConfigurationStatus, FleetStore, ProcessStatus, TeamState, TeamStatus } from "../fleet-store.ts";

/** The whole fleet at one time. */
export interface FleetSnapshot {
  readonly teams: readonly TeamStatus[];
  readonly processes: readonly ProcessStatus[];
  /** The one in force; null before the first one. */
  readonly configuration: ConfigurationStatus | null;
  /** How long the team that is due for the longest time has been waiting. */
  readonly lagMs: number;
  readonly atMs: number;
}

export async function readFleet(store: Pick<FleetStore, "teams" | "processes" | "configuration" | "lagMs">, nowMs: number): Promise<FleetSnapshot> {
  const [teams, processes, configuration, lagMs] = await Promise.all([store.teams(), store.processes(), store.configuration(), store.lagMs()]);
  return { teams, processes, configuration, lagMs, atMs: nowMs };
}

/** What needs a person comes first. */
export const STATES: readonly TeamState[] = ["parked", "failed", "waiting", "paused", "running", "new", "applied", "unchanged"];

/** A team whose plan waits needs a person, whatever else it does. */
export function inOrder(teams: readonly TeamStatus[]): readonly TeamStatus[] {
  const rank = new Map(STATES.map((state, index) => [state, index]));
  return teams.toSorted((a, b) => (rank.get(a.state) ?? 0) - (rank.get(b.state) ?? 0) || (a.name < b.name ? -1 : 1));
}

export interface FleetSummary {
  readonly teams: number;
  readonly states: { readonly [state in TeamState]: number };
  readonly drifted: number;
  readonly plansWaiting: number;
}

export function summarize(teams: readonly TeamStatus[]): FleetSummary {
  const states: { [state in TeamState]: number } = { parked: 0, failed: 0, waiting: 0, paused: 0, running: 0, new: 0, applied: 0, unchanged: 0 };
  let [drifted, plansWaiting] = [0, 0];
  for (const team of teams) {
    states[team.state]++;
    drifted += team.drifted;
    if (team.plan !== null) plansWaiting++;
  }
  return { teams: teams.length, states, drifted, plansWaiting };
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

/** `2m05s ago`; null: never. */
export function agoText(timeMs: number | null, nowMs: number): string {
  return timeMs === null ? "never" : `${durationText(Math.max(0, nowMs - timeMs))} ago`;
}

/** `in 2m05s`, `now` for what is due; null: not before somebody asks for it. */
export function dueText(timeMs: number | null, nowMs: number): string {
  if (timeMs === null) return "-";
  return timeMs <= nowMs ? "now" : `in ${durationText(timeMs - nowMs)}`;
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
