import type { Approval } from "../fleet-store.ts";
import type { FleetDatabase, FleetNames } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The text as an id of a plan; null if no plan can have it. */
export function planId(text: string): string | null {
  return UUID.test(text) ? text : null;
}

interface Found {
  readonly found: boolean;
}

/** What people ask for, recorded for an audit with who asked (`by`). A team that runs now is due again at the end of the run. */
export function requestsTo(database: FleetDatabase) {
  const names = namesIn(database);
  return {
    /** False if there is no such team. A paused team is reconciled once. */
    requestRun: async (team: string, by: string, isAdoption = false) => {
      const [row] = await database.query<Found>({
        text: noting(
          names,
          isAdoption ? "adopt" : "run",
          `UPDATE ${names.team} SET
            next_run = CASE WHEN parked THEN NULL ELSE now() END,
            next_trigger = CASE WHEN parked THEN NULL WHEN next_trigger IN ('adopt', 'approval') THEN next_trigger ELSE $3 END
          WHERE name = $1 AND removed IS NULL RETURNING name, NOT parked AS acted`,
        ),
        values: [team, by, isAdoption ? "adopt" : "request"],
      });
      return row?.found === true;
    },
    /** False if there is no such team. */
    pause: async (team: string, by: string) => {
      const [row] = await database.query<Found>({
        text: noting(
          names,
          "pause",
          `UPDATE ${names.team} SET paused = true, next_run = NULL, next_trigger = NULL WHERE name = $1 AND removed IS NULL RETURNING name, true AS acted`,
        ),
        values: [team, by],
      });
      return row?.found === true;
    },
    /** To resume a parked team says that somebody has found out the outcome. `active`: the team is neither paused nor parked, and nothing has changed. */
    resume: async (team: string, by: string): Promise<"resumed" | "active" | "unknown"> => {
      const [row] = await database.query<Found & { readonly resumed: boolean }>({
        text: resuming(names),
        values: [team, by],
      });
      if (row?.found !== true) return "unknown";
      return row.resumed ? "resumed" : "active";
    },
    /** Approves the plan that waits, and has it applied at once. A second approval changes nothing. */
    approve: async (team: string, plan: string, by: string, isAnyway = false): Promise<Approval> => {
      const [row] = await database.query<{ readonly ok: boolean; readonly other: string | null }>({
        text: `WITH t AS MATERIALIZED (SELECT name, plan FROM ${names.team} WHERE name = $1 AND removed IS NULL AND NOT parked FOR UPDATE),
          approved AS (
            UPDATE ${names.plan} p SET state = 'approved', approved_by = $3, approved = now()
            FROM t WHERE p.id = $2::uuid AND p.id = t.plan AND p.team = t.name AND p.state = 'waiting' RETURNING p.id),
          replaced AS (
            UPDATE ${names.plan} p SET state = 'outdated', bytes = NULL FROM approved WHERE p.team = $1 AND p.state = 'approved' AND p.id <> approved.id),
          noted AS (INSERT INTO ${names.event} (team, action, by, plan) SELECT $1, $4, $3, id FROM approved),
          due AS (
            UPDATE ${names.team} SET plan = NULL, next_run = now(), next_trigger = 'approval' FROM approved WHERE name = $1)
          SELECT EXISTS (SELECT FROM approved) AS ok, (SELECT plan FROM t) AS other`,
        values: [team, planId(plan), by, isAnyway ? "approve anyway" : "approve"],
      });
      if (row?.ok === true) return { ok: true, by };
      // A statement of its own sees what another approval has just done.
      const [before] = await database.query<{ readonly by: string }>({
        text: `SELECT approved_by AS by FROM ${names.plan} WHERE id = $1::uuid AND team = $2 AND state IN ('approved', 'applied') AND approved_by IS NOT NULL`,
        values: [planId(plan), team],
      });
      return before ? { ok: true, by: before.by } : { ok: false, other: row?.other ?? null };
    },
  };
}

/** Carries out an update that returns the names of teams, and whether it acted on them; records the action. `$2`: who asked. */
function noting({ event }: FleetNames, action: string, update: string): string {
  return `WITH done AS (${update}), noted AS (INSERT INTO ${event} (team, action, by) SELECT name, '${action}', $2 FROM done WHERE acted)
    SELECT true AS found FROM done`;
}

/** A team that was paused or parked is reconciled now: nobody knows what happened meanwhile. */
function resuming({ team, event }: FleetNames): string {
  return `WITH t AS MATERIALIZED (SELECT name, parked, paused OR parked AS waits FROM ${team} WHERE name = $1 AND removed IS NULL FOR UPDATE),
    due AS (
      UPDATE ${team} x SET paused = false, parked = false, busy = 0, seen = CASE WHEN t.parked THEN NULL ELSE x.seen END,
        resumed = CASE WHEN t.parked THEN now() ELSE x.resumed END, next_run = now(), next_trigger = coalesce(x.next_trigger, 'request')
      FROM t WHERE x.name = t.name AND t.waits RETURNING x.name),
    noted AS (INSERT INTO ${event} (team, action, by) SELECT name, 'resume', $2 FROM due)
    SELECT EXISTS (SELECT FROM t) AS found, EXISTS (SELECT FROM due) AS resumed`;
}
