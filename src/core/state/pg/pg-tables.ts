import { createHash } from "node:crypto";
import type { PgConnection, PgStatement } from "./pg-connection.ts";
import { quoted } from "./pg-connection.ts";

/** A state on a server: its schema and its name there. */
export interface PgPlace {
  readonly schema: string;
  readonly name: string;
}

const TABLE = "managed_states";

/** The table of one schema: a row for each state, with its bytes and its lock. */
function tableOf(schema: string): string {
  return `${quoted(schema)}.${TABLE}`;
}

/**
 * The key of a state's advisory lock before it was ever unlocked by force: each time adds one, so that the session which
 * lost the lock blocks nobody. A positive number of 62 bits.
 */
export function lockKey({ schema, name }: PgPlace): bigint {
  return createHash("sha256").update(`state lock\0${schema}\0${name}`).digest().readBigUInt64BE() >> 2n;
}

/** What tells the holder of a lock at once that it was unlocked by force. */
export function unlockChannel(place: PgPlace): string {
  return `state_unlocked_${lockKey(place).toString(16)}`;
}

/**
 * Creates what is missing: schema, table, and the state's row. Asks for no right that it does not need: where they
 * exist, none to create anything.
 */
export async function createMissing(
  connection: PgConnection,
  { schema, name }: PgPlace,
  signal: AbortSignal,
): Promise<void> {
  const states = tableOf(schema);
  const run = (text: string, values: PgStatement["values"] = []) => connection.query({ text, values }, signal);
  const addRow = () => run(`INSERT INTO ${states} (name) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
  const exists = `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS schema, EXISTS (
    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2) AS "table"`;
  const found = () => run(exists, [schema, TABLE]);
  if ((await found())[0]?.["table"] === true) return void (await addRow());
  await run("BEGIN");
  try {
    // Two runs at once would collide.
    await run("SELECT pg_advisory_xact_lock($1)", [lockKey({ schema, name: "" }).toString()]);
    const [before] = await found();
    if (before?.["schema"] !== true) await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
    if (before?.["table"] !== true) for (const text of definitions(states)) await run(text);
    await run("COMMIT");
  } catch (error) {
    await run("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await addRow();
}

function definitions(states: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${states} (
      name text PRIMARY KEY,
      version text,
      bytes bytea,
      unlocks bigint NOT NULL DEFAULT 0,
      lock_id text,
      lock_session integer,
      lock_holder jsonb)`,
    // States are replaced as a whole every few seconds: compressing them costs more than it saves.
    `ALTER TABLE ${states} ALTER bytes SET STORAGE EXTERNAL`,
  ];
}

/** Statements about one state. Each is one transaction. */
export function statements(place: PgPlace) {
  return { ...ofBytes(place), ...ofLock(place) };
}

function ofBytes({ schema, name }: PgPlace) {
  const states = tableOf(schema);
  return {
    read: {
      text: `SELECT version, bytes FROM ${states} WHERE name = $1`,
      values: [name],
    } satisfies PgStatement,
    /**
     * Replaces the version `expected` and says how: by a row, or not at all. With a lock it depends on that, too, and on the
     * session that took it. Waits for an unlock by force, and an unlock by force waits for it.
     */
    write: ({ expected, version, bytes, lockId }: PgWrite): PgStatement => ({
      text: `UPDATE ${states} SET version = $3, bytes = $4
        WHERE name = $1 AND version IS NOT DISTINCT FROM $2 AND ($5::text IS NULL OR (lock_id = $5 AND lock_session = pg_backend_pid()))
        RETURNING version`,
      values: [name, expected, version, bytes, lockId],
    }),
    head: {
      text: `SELECT version, lock_id, lock_session = pg_backend_pid() AS same_session FROM ${states} WHERE name = $1`,
      values: [name],
    } satisfies PgStatement,
  };
}

function ofLock({ schema, name }: PgPlace) {
  const states = tableOf(schema);
  const key = lockKey({ schema, name }).toString();
  const isLive = `EXISTS (
    SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.pid = s.lock_session
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (l.classid::bigint << 32) | l.objid::bigint = ${key} + s.unlocks)`;
  return {
    /**
     * Tries to lock, in the session `startPid` or, if that is null, in any. `taken` is null in another session, false where
     * the lock is held, and true without `claimed` where somebody has unlocked it by force meanwhile. Gives the current state as well.
     */
    lock: ({
      id,
      holder,
      startPid,
    }: {
      readonly id: string;
      readonly holder: string;
      readonly startPid: number | null;
    }): PgStatement => ({
      text: `WITH tried AS MATERIALIZED (
          SELECT name, unlocks, CASE WHEN $4::integer IS NULL OR $4 = pg_backend_pid() THEN pg_try_advisory_lock(${key} + unlocks) END AS taken
          FROM ${states} WHERE name = $1),
        claimed AS (
          UPDATE ${states} s SET lock_id = $2, lock_session = pg_backend_pid(), lock_holder = $3::jsonb
          FROM tried WHERE s.name = tried.name AND s.unlocks = tried.unlocks AND tried.taken
          RETURNING s.name, s.version, s.bytes)
        SELECT tried.taken, ${key} + tried.unlocks AS key, claimed.name IS NOT NULL AS claimed, claimed.version, claimed.bytes
        FROM tried LEFT JOIN claimed ON true`,
      values: [name, id, holder, startPid],
    }),
    /** A row only if the session that took the lock still has it. */
    holder: {
      text: `SELECT lock_id, lock_holder::text AS holder FROM ${states} s WHERE name = $1 AND lock_id IS NOT NULL AND ${isLive}`,
      values: [name],
    } satisfies PgStatement,
    /** A session that does not have its lock any more, behind a pool, must not block others with it. */
    unlock: (id: string, lock: string): PgStatement => ({
      text: `WITH tried AS MATERIALIZED (SELECT pg_advisory_unlock($3) AS unlocked),
        freed AS (
          UPDATE ${states} SET lock_id = NULL, unlocks = unlocks + CASE WHEN unlocked THEN 0 ELSE 1 END
          FROM tried WHERE name = $1 AND lock_id = $2)
        SELECT unlocked FROM tried`,
      values: [name, id, lock],
    }),
    /** Unlocks whichever session has the lock. A write under way with this lock comes before; none comes after. */
    unlockByForce: (id: string): PgStatement => ({
      text: `WITH freed AS (UPDATE ${states} s SET lock_id = NULL, unlocks = unlocks + 1 WHERE name = $1 AND lock_id = $2 AND ${isLive} RETURNING version)
        SELECT version, pg_notify($3, $2) FROM freed`,
      values: [name, id, unlockChannel({ schema, name })],
    }),
    /** Removes the own lock after its session was lost. */
    giveUp: (id: string): PgStatement => ({
      text: `UPDATE ${states} SET lock_id = NULL, unlocks = unlocks + 1 WHERE name = $1 AND lock_id = $2`,
      values: [name, id],
    }),
  };
}

interface PgWrite {
  readonly expected: string | null;
  readonly version: string;
  readonly bytes: Uint8Array;
  readonly lockId: string | null;
}
