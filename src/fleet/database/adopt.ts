import type { FleetConfiguration } from "../team-work.ts";
import type { FleetDatabase, FleetNames } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";
import { isLiving } from "./processes.ts";

export interface Adoption {
  readonly process: string;
  readonly why: "start" | "change";
}

/**
 * Makes this configuration the one in force, and syncs the teams with it: new ones are reconciled first within one interval, spread by their names;
 * those whose digest has changed at once; those that are gone no more. `change`: this process has seen its configuration change; at its `start`, one that was
 * in force before is not again while another process lives that has the one in force. Returns whether it is in force.
 */
export function adopt(
  database: FleetDatabase,
  configuration: FleetConfiguration,
  { process, why }: Adoption,
): Promise<boolean> {
  const names = namesIn(database);
  const { digest, commit, teams } = configuration;
  return database.transaction(async (query) => {
    // One process after the other.
    const [fleet] = await query<{ readonly digest: string | null; readonly intervalMs: number }>({
      text: `SELECT digest, interval_ms::float8 AS "intervalMs" FROM ${names.fleet} FOR UPDATE`,
    });
    const [seen] = await query<{ readonly isNew: boolean }>({
      text: `INSERT INTO ${names.configuration} AS c (digest, commit) VALUES ($1, $2)
        ON CONFLICT (digest) DO UPDATE SET commit = coalesce($2, c.commit) RETURNING xmax = 0 AS "isNew"`,
      values: [digest, commit],
    });
    await query({ text: `UPDATE ${names.process} SET digest = $2 WHERE id = $1`, values: [process, digest] });
    if (fleet?.digest === digest) return true;
    if (why === "start" && seen?.isNew !== true) {
      const [held] = await query<{ readonly held: boolean }>({
        text: `SELECT EXISTS (SELECT FROM ${names.process} p WHERE p.id <> $1 AND p.digest = $2 AND ${isLiving("p")}) AS held`,
        values: [process, fleet?.digest ?? null],
      });
      if (held?.held === true) return false;
    }
    await query({ text: `UPDATE ${names.fleet} SET digest = $1, since = now()`, values: [digest] });
    const values = [teams.map(({ name }) => name), teams.map((team) => team.digest)];
    await query({ text: removal(names), values: [values[0]] });
    await query({ text: declaration(names), values: [...values, fleet?.intervalMs] });
    return true;
  });
}

/** A run of a removed team may end; nothing follows it. */
function removal({ team }: FleetNames): string {
  return `UPDATE ${team} t SET removed = now(), next_run = NULL, next_trigger = NULL
    WHERE removed IS NULL AND NOT EXISTS (SELECT FROM unnest($1::text[]) AS declared (name) WHERE declared.name = t.name)`;
}

function declaration({ team }: FleetNames): string {
  // The same name always has the same place in the spread.
  const spread = `now() + (('x' || left(md5(excluded.name), 8))::bit(32)::bigint / 4294967296.0) * $3::float8 * interval '1 ms'`;
  const waits = "t.paused OR t.parked";
  return `INSERT INTO ${team} AS t (name, digest, next_run, next_trigger)
    SELECT excluded.name, excluded.digest, ${spread}, 'configuration' FROM unnest($1::text[], $2::text[]) AS excluded (name, digest)
    ON CONFLICT (name) DO UPDATE SET
      digest = excluded.digest,
      removed = NULL,
      next_run = CASE WHEN ${waits} THEN t.next_run WHEN t.removed IS NULL THEN now() ELSE excluded.next_run END,
      next_trigger = CASE WHEN (${waits}) OR t.next_trigger IN ('request', 'adopt', 'approval') THEN t.next_trigger ELSE 'configuration' END
    WHERE t.digest <> excluded.digest OR t.removed IS NOT NULL`;
}
