import type { PgConnection } from "../../core/state/pg/pg-connection.ts";
import { connectPg } from "../../core/state/pg/pg-connection.ts";
import { assertDedicated } from "../../core/state/pg/pg-pool-check.ts";
import { isAskedFor, mayRun } from "./due.ts";
import type { FleetDatabase, FleetNames, FleetPorts } from "./fleet-database.ts";
import { asFleetError, namesIn } from "./fleet-database.ts";
import { checkFleetSchema } from "./fleet-schema.ts";

export interface FleetProcess {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** A process that the others see as long as its connection lasts. */
export interface Registration {
  /** Aborted once the connection has ended: others take over the runs of this process until it registers again. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

const ANSWER_MS = 10_000;
const BEAT_MS = 5_000;
/** The server notices within seconds that the machine of a process is gone. */
const KEEPALIVES = {
  tcp_keepalives_idle: "4",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "3",
  statement_timeout: String(ANSWER_MS),
};

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
    const connect = (limit: AbortSignal): Promise<PgConnection> =>
      connectPg(database.server, { clock, files, timeoutMs: ANSWER_MS }, limit);
    connection = await connect(signal);
    await assertDedicated(
      { name: `The fleet's database ${database.server.shown}`, clock, another: connect },
      connection,
      signal,
    );
    for (const [name, value] of Object.entries(KEEPALIVES))
      await connection.query({ text: "SELECT set_config($1, $2, false)", values: [name, value] }, signal);
    const key = "hashtextextended('outreach fleet process ' || $1 || ' ' || $2, 0)";
    const [taken] = await connection.query(
      { text: `SELECT ${key}::text AS key, pg_advisory_lock(${key})`, values: [id, String(time)] },
      signal,
    );
    const listed = `INSERT INTO ${names.process} (id, lock, host, pid, version, digest) VALUES ($1, $2::bigint, $3, $4, $5, $6)
      ON CONFLICT (id) DO UPDATE SET lock = excluded.lock, digest = excluded.digest`;
    await connection.query({ text: listed, values: [id, String(taken?.["key"]), host, pid, version, digest] }, signal);
  } catch (error) {
    connection?.destroy();
    signal.throwIfAborted();
    throw asFleetError(database.server, error);
  }
  const open = connection;
  const closed = new AbortController();
  void beat(open, clock, AbortSignal.any([open.lost, closed.signal]));
  return {
    lost: open.lost,
    close: async () => {
      closed.abort();
      // One that is in the list without its lock would be reported as gone.
      await open
        .query({ text: `DELETE FROM ${names.process} WHERE id = $1`, values: [id] }, open.lost)
        .catch(() => undefined);
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

const CLEAN_EVERY = "interval '15 seconds'";
/** At once: nothing waits for them. */
const MOST_FORGOTTEN = 100;

interface Sweeping {
  readonly process: string;
  readonly digest: string | null;
  /** The ids of the runs that this process is at work on. */
  readonly runs: readonly string[];
}

/**
 * Takes over from processes that are gone: their runs are interrupted, and their teams due. Does the same with runs of this process that it is not at work on:
 * a failover or a restore has brought them back, or the answer to their begin was lost. From time to time, deletes teams that were removed long ago. Throws
 * `DiagnosticsError` if a newer program has upgraded the schema beyond what this one understands.
 */
export function sweep(database: FleetDatabase, { process, digest, runs }: Sweeping): Promise<Sweep> {
  const names = namesIn(database);
  return database.transaction(async (query) => {
    await checkFleetSchema({ ...database, query });
    const text = `DELETE FROM ${names.process} WHERE id <> $1 AND pg_try_advisory_xact_lock(lock) RETURNING id`;
    const gone = (await query<{ readonly id: string }>({ text, values: [process] })).map(({ id }) => id);
    const [fleet] = await query<{ readonly digest: string | null; readonly isListed: boolean }>({
      text: `SELECT digest, EXISTS (SELECT FROM ${names.process} WHERE id = $1) AS "isListed" FROM ${names.fleet}`,
      values: [process],
    });
    await query({ text: interruption(names), values: [process, runs] });
    const [isTime] = await query({
      text: `UPDATE ${names.fleet} SET cleaned = now() WHERE one = (
        SELECT one FROM ${names.fleet} WHERE cleaned < now() - ${CLEAN_EVERY} FOR UPDATE SKIP LOCKED) RETURNING one`,
    });
    if (isTime !== undefined) for (const statement of cleaning(names)) await query({ text: statement });
    return { gone, isCurrent: fleet?.digest != null && fleet.digest === digest, isListed: fleet?.isListed === true };
  });
}

/** Ends runs that nobody is at work on, and makes their teams due. */
function interruption({ run, team, process }: FleetNames): string {
  const isAwaited = `(${isAskedFor()} OR ${isAskedFor("lost.trigger")})`;
  return `WITH lost AS (
      UPDATE ${run} r SET outcome = 'interrupted', ended = now()
      WHERE outcome = 'running' AND ((r.process = $1 AND r.id <> ALL ($2::bigint[])) OR NOT EXISTS (SELECT FROM ${process} p WHERE p.id = r.process))
      RETURNING id, team, trigger)
    UPDATE ${team} t SET running = false, interrupted = true,
      next_run = CASE WHEN ${mayRun(isAwaited)} THEN now() END,
      next_trigger = CASE WHEN NOT ${mayRun(isAwaited)} THEN NULL WHEN ${isAskedFor()} THEN next_trigger WHEN ${isAwaited} THEN lost.trigger ELSE 'retry' END
    FROM lost WHERE t.name = lost.team AND t.run = lost.id`;
}

function cleaning({ fleet, team, run, plan, event }: FleetNames): readonly string[] {
  // A team that comes back until then keeps its history.
  const limit = `(SELECT now() - history_ms * interval '1 ms' FROM ${fleet})`;
  return [
    `DELETE FROM ${event} WHERE id IN (SELECT id FROM ${event} WHERE at < ${limit} ORDER BY at LIMIT ${String(MOST_FORGOTTEN)})`,
    `WITH forgotten AS (
        DELETE FROM ${team} WHERE name IN (
          SELECT name FROM ${team} WHERE removed < ${limit} AND NOT running LIMIT ${String(MOST_FORGOTTEN)} FOR UPDATE SKIP LOCKED)
        RETURNING name),
      runs AS (DELETE FROM ${run} r USING forgotten f WHERE r.team = f.name)
      DELETE FROM ${plan} p USING forgotten f WHERE p.team = f.name`,
    `WITH old AS (
        DELETE FROM ${run} WHERE began < ${limit} AND id IN (SELECT id FROM ${run} WHERE changed ORDER BY id LIMIT ${String(MOST_FORGOTTEN)})
        RETURNING plan)
      DELETE FROM ${plan} p USING old WHERE p.id = old.plan AND p.state IN ('applied', 'outdated')`,
  ];
}
