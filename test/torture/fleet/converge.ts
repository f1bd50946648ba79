import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Declared } from "./declared.ts";
import type { FleetWorld } from "./fleet-world.ts";
import { isSettled } from "./judge-fleet.ts";
import { type TeamLook, looksAt } from "./team-ends.ts";

/** Beside two intervals, so long no further team converges before the rest is given up: a loaded machine is slow. */
const PATIENCE_MS = 90_000;
const POLL_MS = 500;

export interface Converging {
  readonly world: FleetWorld;
  readonly declared: Declared;
  readonly intervalMs: number;
}

/** Waits until every team was looked at and rests, or waits for a person. Asks for those that wait for long. The teams that are left. */
export async function converge(pool: pg.Pool, { world, declared, intervalMs }: Converging): Promise<readonly string[]> {
  const sinceMs = Date.now();
  const asked = new Set<string>();
  let [left, fewest, fewerMs] = [world.teams, Infinity, sinceMs];
  while (Date.now() - fewerMs < PATIENCE_MS + 2 * intervalMs) {
    const looks = new Map((await looksAt(pool)).map((look) => [look.team, look]));
    left = world.teams.filter((team) => !isConverged(team, looks.get(team)));
    if (left.length === 0) break;
    if (left.length < fewest) [fewest, fewerMs] = [left.length, Date.now()];
    const waiting = left.find(
      (team) => !asked.has(team) && (looks.get(team)?.nextMs ?? 0) > Date.now() + 1.2 * intervalMs,
    );
    // As a person would, in place of an hour that a team waits after many failures.
    if (waiting === undefined) await delay(POLL_MS);
    else
      await world.command(["controller", "run", waiting]).catch((error: unknown) => {
        // Since then, a run of it could not decide an outcome.
        if (!String(error).includes("is parked")) throw error;
      });
    asked.add(waiting ?? "");
  }
  return left;

  function isConverged(team: string, look: TeamLook | undefined): boolean {
    if (declared.absent.includes(team)) return !look || look.isRemoved;
    if (!look || look.isRemoved) return false;
    if (world.refused.includes(team)) return look.state === "failed";
    return look.state === "parked" || (look.beganMs > sinceMs && isSettled(look));
  }
}
