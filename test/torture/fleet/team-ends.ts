import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { type TeamEnd, recordsIn } from "./judge-fleet.ts";
import type { Interrupted } from "./take-overs.ts";

/** How the last look at a team ended. */
export interface TeamLook extends Pick<TeamEnd, "team" | "state" | "message" | "isRemoved"> {
  readonly beganMs: number;
  /** When it is looked at again; 0 if it is looked at now, or never. */
  readonly nextMs: number;
}

export interface Killed {
  readonly process: string;
  readonly atMs: number;
}

/** From now on, each version of a state is kept, and no run is removed. Rejects before there are such tables. */
export async function keepAll(pool: pg.Pool): Promise<true> {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS states.kept (written timestamptz DEFAULT clock_timestamp(), name text, version text, bytes bytea);
    CREATE OR REPLACE FUNCTION states.keep() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO states.kept (name, version, bytes) VALUES (NEW.name, NEW.version, NEW.bytes); RETURN NULL; END';
    CREATE OR REPLACE FUNCTION states.stay() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE OR REPLACE TRIGGER keep AFTER UPDATE OF version ON states.managed_states FOR EACH ROW EXECUTE FUNCTION states.keep();
    CREATE OR REPLACE TRIGGER stay BEFORE DELETE ON outreach_fleet.run FOR EACH ROW EXECUTE FUNCTION states.stay()`);
  return true;
}

const [AIM_MS, AIM_POLL_MS] = [1000, 20];

/** Waits a little until a controller has a run in flight. The id under which it is registered. */
export async function aimAt(pool: pg.Pool, pid: number): Promise<string | null> {
  const text = `SELECT id, EXISTS (SELECT FROM outreach_fleet.run WHERE process = p.id AND outcome = 'running') AS runs FROM outreach_fleet.process p WHERE pid = $1`;
  for (const endMs = Date.now() + AIM_MS; ; await delay(AIM_POLL_MS)) {
    const found = await pool.query<{ id: string; runs: boolean }>(text, [pid]).catch(() => ({ rows: [] }));
    if (found.rows[0]?.runs === true || Date.now() > endMs) return found.rows[0]?.id ?? null;
  }
}

/** A run that looked at nothing says nothing about its team. */
export async function looksAt(pool: pg.Pool): Promise<readonly TeamLook[]> {
  const { rows } = await pool.query<TeamLook>(
    `SELECT name AS team, CASE WHEN parked THEN 'parked' ELSE coalesce(r.outcome, 'new') END AS state, message, removed IS NOT NULL AS "isRemoved",
      coalesce(extract(epoch FROM r.began) * 1000, 0)::float8 AS "beganMs", coalesce(extract(epoch FROM next_run) * 1000, 0)::float8 AS "nextMs"
    FROM outreach_fleet.team LEFT JOIN LATERAL (
      SELECT outcome, began FROM outreach_fleet.run WHERE team = name AND outcome NOT IN ('running', 'interrupted', 'busy', 'outdated') ORDER BY id DESC LIMIT 1
    ) r ON true ORDER BY name`,
  );
  return rows;
}

export async function endsOf(pool: pg.Pool): Promise<readonly TeamEnd[]> {
  const states = await pool.query<{ name: string; text: string }>(
    `SELECT name, convert_from(bytes, 'UTF8') AS text FROM states.managed_states WHERE bytes IS NOT NULL`,
  );
  const records = new Map(states.rows.map(({ name, text }) => [name, recordsIn(text)]));
  // Where a controller had the configuration still to read, or was stopped, a run may begin a little later.
  const runs = await pool.query<{ team: string; said: string; late: boolean }>(
    `SELECT r.team, string_agg(r.messages::text, ' ' ORDER BY r.id) AS said, bool_or(r.began > t.removed + interval '30 seconds') IS TRUE AS late
    FROM outreach_fleet.run r JOIN outreach_fleet.team t ON t.name = r.team GROUP BY r.team`,
  );
  const told = new Map(runs.rows.map((one) => [one.team, one]));
  return (await looksAt(pool)).map((look) => ({
    ...look,
    ...(records.get(look.team) ?? { recorded: new Set(), open: new Set(), rivalled: new Set() }),
    said: told.get(look.team)?.said ?? "",
    isRunLate: told.get(look.team)?.late ?? false,
  }));
}

/** The last things that the runs of a team said. */
export async function lastSaid(pool: pg.Pool, team: string): Promise<string> {
  const text =
    "SELECT outcome || ' ' || messages AS said FROM outreach_fleet.run WHERE team = $1 ORDER BY id DESC LIMIT 3";
  return (await pool.query<{ said: string }>(text, [team])).rows.map(({ said }) => said).join("; ") || "no run";
}

/** How many configurations were in force. */
export async function configurationsIn(pool: pg.Pool): Promise<number> {
  return (
    (await pool.query<{ count: number }>("SELECT count(*)::integer AS count FROM outreach_fleet.configuration")).rows[0]
      ?.count ?? 0
  );
}

/** The runs in flight of killed processes, whose teams were run again by another one. */
export async function interruptedOf(
  pool: pg.Pool,
  killed: readonly Killed[],
  teams: readonly string[],
): Promise<readonly Interrupted[]> {
  const { rows } = await pool.query<{ team: string; process: string; endedMs: number; againMs: number }>(
    `SELECT r.team, r.process, coalesce(extract(epoch FROM r.ended) * 1000, 'infinity')::float8 AS "endedMs", extract(epoch FROM n.began)::float8 * 1000 AS "againMs"
    FROM outreach_fleet.run r CROSS JOIN LATERAL (
      SELECT began FROM outreach_fleet.run n WHERE n.team = r.team AND n.id > r.id AND n.process <> r.process ORDER BY id LIMIT 1) n
    WHERE r.process = ANY($1) AND r.team = ANY($2) AND r.outcome IN ('running', 'interrupted')`,
    [killed.map(({ process }) => process), teams],
  );
  return rows.flatMap(({ team, process, endedMs, againMs }) => {
    const killedMs = killed.find((one) => one.process === process)?.atMs ?? 0;
    return endedMs >= killedMs && againMs >= killedMs ? [{ team, process, killedMs, againMs }] : [];
  });
}
