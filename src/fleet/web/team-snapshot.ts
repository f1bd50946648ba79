import type { FleetStore, PlanStatus, RunStatus, TeamStatus } from "../fleet-store.ts";

/** One team at one time. */
export interface TeamSnapshot {
  readonly team: TeamStatus;
  /** The newest first. */
  readonly runs: readonly RunStatus[];
  /** The runs that changed something or applied an approved plan, the newest first. */
  readonly changes: readonly RunStatus[];
  /** The one that waits for approval. */
  readonly plan: PlanStatus | null;
  /** By the database's clock. */
  readonly atMs: number;
}

const SHOWN_RUNS = 20;
const SHOWN_CHANGES = 100;

/** Null if the configuration in force has no such team. */
export async function readTeam(store: Pick<FleetStore, "team" | "runs" | "changes" | "plan" | "times">, name: string): Promise<TeamSnapshot | null> {
  const team = await store.team(name);
  if (!team) return null;
  const [runs, changes, plan, { atMs }] = await Promise.all([
    store.runs(name, SHOWN_RUNS),
    store.changes(name, SHOWN_CHANGES),
    team.plan === null ? null : store.plan(team.plan),
    store.times(),
  ]);
  return { team, runs, changes, plan, atMs };
}
