import type { PgConnection } from "../../core/state/pg/pg-connection.ts";
import { connectPg } from "../../core/state/pg/pg-connection.ts";
import { assertDedicated } from "../../core/state/pg/pg-pool-check.ts";
import type { FleetDatabase, FleetNames, FleetPorts } from "./fleet-database.ts";
import { judged, namesIn } from "./fleet-database.ts";
import { checkFleetSchema } from "./fleet-schema.ts";
import { IS_DUE, addJobs } from "./jobs.ts";

export interface FleetProcess {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** A process that the others see as long as its connection lasts. */
export interface Registration {
  /** Aborted once the connection has ended: others take over the jobs of this process until it registers again. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

const ANSWER_MS = 10_000;
const BEAT_MS = 5_000;
/** The server notices within seconds that the machine of a process is gone. */
const KEEPALIVES = { tcp_keepalives_idle: "4", tcp_keepalives_interval: "2", tcp_keepalives_count: "3", statement_timeout: String(ANSWER_MS) };

/** Whether the session of a process still has its lock. Takes no lock itself. */
export function isLiving(row: string): string {
  return `EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32) | l.objid::bigint = ${row}.lock)`;
}

/**
 * Takes the lock of a process and lists it. `time`: how often this process has registered; an older session of it may live on at the server. `digest`: the
 * configuration that it has.
 * Throws `FleetUnavailable` without a database.
 */
export async function register(
  database: FleetDatabase,
  process: FleetProcess,
  { clock, files, time, digest }: FleetPorts & { readonly time: number; readonly digest: string | null },
  signal: AbortSignal,
): Promise<Registration> {
  const names = namesIn(database);
  const { id, host, pid, version } = process;
  let connection: PgConnection | null = null;
  try {
    const connect = (limit: AbortSignal): Promise<PgConnection> => connectPg(database.server, { clock, files, timeoutMs: ANSWER_MS }, limit);
    connection = await connect(signal);
    await assertDedicated({ name: `The fleet's database ${database.server.shown}`, clock, another: connect }, connection, signal);
    for (const [name, value] of Object.entries(KEEPALIVES)) await connection.query({ text: "SELECT set_config($1, $2, false)", values: [name, value] }, signal);
    const key = "hashtextextended('outreach fleet process ' || $1 || ' ' || $2, 0)";
    const [taken] = await connection.query({ text: `SELECT ${key}::text AS key, pg_advisory_lock(${key})`, values: [id, String(time)] }, signal);
    const listed = `INSERT INTO ${names.process} (id, lock, host, pid, version, digest) VALUES ($1, $2::bigint, $3, $4, $5, $6)
      ON CONFLICT (id) DO UPDATE SET lock = excluded.lock, digest = excluded.digest`;
    await connection.query({ text: listed, values: [id, String(taken?.["key"]), host, pid, version, digest] }, signal);
  } catch (error) {
    connection?.destroy();
    signal.throwIfAborted();
    throw judged(database.server, error);
  }
  const open = connection;
  const closed = new AbortController();
  void beat(open, clock, AbortSignal.any([open.lost, closed.signal]));
  return {
    lost: open.lost,
    close: async () => {
      closed.abort();
      // One that is in the list without its lock would be reported as gone.
      await open.query({ text: `DELETE FROM ${names.process} WHERE id = $1`, values: [id] }, open.lost).catch(() => undefined);
      await open.close();
    },
  };
}

/** A connection that nobody uses would not show that it is dead. */
async function beat(connection: PgConnection, clock: FleetPorts["clock"], over: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(BEAT_MS, over);
      await connection.query({ text: "SELECT 1" }, over);
    }
  } catch {
    // The connection says itself that it is lost.
  }
}

export interface Sweep {
  /** The processes that are gone since the last sweep. */
  readonly gone: readonly string[];
  /** Whether the configuration `digest` is the one in force. */
  readonly isCurrent: boolean;
  /** Whether the others see this process. A restored database may not know it. */
  readonly isListed: boolean;
}

/** No process needs longer to put a job into the queue. */
const REPAIR_EVERY = "interval '15 seconds'";
const OVERDUE = "interval '10 seconds'";
/** Jobs that failed wait longer and longer. */
const LONGEST_WAIT = "interval '1 minute'";
/** A job that is locked for longer comes from a backup: no process is at work on it. */
const LONGEST_LOCK = "interval '1 hour'";
/** At once: nothing waits for them. */
const MOST_FORGOTTEN = 100;

interface Sweeping {
  readonly process: string;
  readonly digest: string | null;
  /** The teams that this process is at work on. */
  readonly teams: readonly string[];
}

/**
 * Takes over from processes that are gone: their runs are interrupted, their jobs free, and their teams due. Does the same with runs of this process that a
 * failover or a restore has brought back. From time to time, gives a job to each team that is due and has none, and deletes teams that were removed long ago.
 * Throws `DiagnosticsError` if a newer program has upgraded the schema beyond what this one understands.
 */
export function sweep(database: FleetDatabase, { process, digest, teams }: Sweeping): Promise<Sweep> {
  const names = namesIn(database);
  return database.transaction(async (query) => {
    await checkFleetSchema({ ...database, query });
    const text = `DELETE FROM ${names.process} WHERE id <> $1 AND pg_try_advisory_xact_lock(lock) RETURNING id`;
    const gone = (await query<{ readonly id: string }>({ text, values: [process] })).map(({ id }) => id);
    const [fleet] = await query<{ readonly digest: string | null; readonly isListed: boolean }>({
      text: `SELECT digest, EXISTS (SELECT FROM ${names.process} WHERE id = $1) AS "isListed" FROM ${names.fleet}`,
      values: [process],
    });
    const [repairs] = await query({
      text: `UPDATE ${names.fleet} SET repaired = now() WHERE one = (
        SELECT one FROM ${names.fleet} WHERE repaired < now() - ${REPAIR_EVERY} FOR UPDATE SKIP LOCKED) RETURNING one`,
    });
    if (gone.length > 0 || repairs !== undefined) await takeOver(query, database);
    await query({ text: interruption(names, "r.process = $1 AND r.team <> ALL ($2::text[])"), values: [process, teams] });
    if (repairs !== undefined) await repair(query, database);
    return { gone, isCurrent: fleet?.digest != null && fleet.digest === digest, isListed: fleet?.isListed === true };
  });
}

async function takeOver(query: FleetDatabase["query"], database: FleetDatabase): Promise<void> {
  const names = namesIn(database);
  await query({
    text: `SELECT ${names.jobs}.force_unlock_workers(ARRAY(
      SELECT DISTINCT j.locked_by FROM ${names.jobs}.jobs j
      WHERE j.locked_by IS NOT NULL AND NOT EXISTS (SELECT FROM ${names.process} p WHERE p.id = split_part(j.locked_by, '/', 1))))`,
  });
  await query({ text: interruption(names, `NOT EXISTS (SELECT FROM ${names.process} p WHERE p.id = r.process)`) });
  await query({ text: `UPDATE ${names.team} SET next_run = NULL, next_trigger = NULL WHERE next_run IS NOT NULL AND NOT running AND NOT ${IS_DUE}` });
}

/** Ends runs that nobody is at work on, and makes their teams due. */
function interruption(names: FleetNames, isLost: string): string {
  return `WITH interrupted AS (
      UPDATE ${names.run} r SET outcome = 'interrupted', ended = now() WHERE outcome = 'running' AND ${isLost} RETURNING id, team, trigger),
    free AS (
      UPDATE ${names.team} t SET running = false, next_run = now(),
        next_trigger = CASE WHEN t.next_trigger IN ('request', 'approval') THEN t.next_trigger
          WHEN i.trigger IN ('request', 'approval') THEN i.trigger ELSE 'retry' END
      FROM interrupted i WHERE t.name = i.team AND t.run = i.id
      RETURNING t.*),
    due AS (SELECT * FROM free WHERE ${IS_DUE})
    SELECT ${addJobs(names, "due", { isInterrupted: true })}`;
}

async function repair(query: FleetDatabase["query"], database: FleetDatabase): Promise<void> {
  const names = namesIn(database);
  const { jobs } = names;
  // A job whose process ended after it had asked for the next one is no longer the team's.
  await query({ text: `SELECT count(*) FROM ${jobs}.complete_jobs(ARRAY(SELECT id FROM ${jobs}.jobs WHERE attempts >= max_attempts AND locked_at IS NULL))` });
  await query({
    text: `WITH lacking AS (
        SELECT name, next_trigger FROM ${names.team} t
        WHERE next_run < now() - ${OVERDUE} AND NOT running AND ${IS_DUE} AND NOT EXISTS (
          SELECT FROM ${jobs}.jobs j WHERE j.key = t.name AND (j.locked_at > now() - ${LONGEST_LOCK} OR (j.locked_at IS NULL AND j.run_at < now() + ${LONGEST_WAIT})))
        FOR UPDATE SKIP LOCKED)
      SELECT ${addJobs(names, "lacking", { runAt: "now()" })}`,
  });
  // A team that comes back until then keeps its history.
  const limit = `(SELECT now() - history_ms * interval '1 ms' FROM ${names.fleet})`;
  await query({
    text: `WITH forgotten AS (
        DELETE FROM ${names.team} WHERE name IN (
          SELECT name FROM ${names.team} WHERE removed < ${limit} AND NOT running LIMIT ${String(MOST_FORGOTTEN)} FOR UPDATE SKIP LOCKED)
        RETURNING name),
      runs AS (DELETE FROM ${names.run} r USING forgotten f WHERE r.team = f.name)
      DELETE FROM ${names.plan} p USING forgotten f WHERE p.team = f.name`,
  });
  await query({
    text: `WITH old AS (
        DELETE FROM ${names.run} WHERE began < ${limit} AND id IN (SELECT id FROM ${names.run} WHERE changed ORDER BY id LIMIT ${String(MOST_FORGOTTEN)})
        RETURNING plan)
      DELETE FROM ${names.plan} p USING old WHERE p.id = old.plan AND p.state IN ('applied', 'outdated')`,
  });
}
