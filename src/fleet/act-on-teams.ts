import type { FleetStore } from "./database/pg-fleet-store.ts";
import type { TeamStatus } from "./fleet-store.ts";
import type { Action } from "./selection.ts";

/** What became of the teams that were asked for. */
export interface Acted {
  readonly done: readonly string[];
  /** Those where it was too late: another plan waits by now, somebody else was faster, or the team is no longer there. */
  readonly late: readonly string[];
}

type ActingStore = Pick<FleetStore, "approve" | "pause" | "requestRun" | "resume">;

/** Who asks, and whether plans are applied also where the fleet applies none now. */
export interface Asker {
  readonly by: string;
  readonly isAnyway?: boolean;
}

/**
 * Does the same with each team, in a transaction of its own: what was done stays done if the database goes away. An approval is of the plan that `teams`
 * has, and of no other.
 */
export async function actOnTeams(
  store: ActingStore,
  teams: readonly TeamStatus[],
  action: Action,
  asker: Asker,
): Promise<Acted> {
  const [done, late]: [string[], string[]] = [[], []];
  for (const team of teams) ((await act(store, team, action, asker)) ? done : late).push(team.name);
  return { done, late };
}

async function act(
  store: ActingStore,
  { name, plan }: TeamStatus,
  action: Action,
  { by, isAnyway = false }: Asker,
): Promise<boolean> {
  switch (action) {
    case "approve":
      return plan !== null && (await store.approve(name, plan, by, isAnyway)).ok;
    case "run":
    case "adopt":
      return store.requestRun(name, by, action === "adopt");
    case "pause":
      return store.pause(name, by);
    case "resume":
      return (await store.resume(name, by)) === "resumed";
  }
}
