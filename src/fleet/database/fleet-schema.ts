import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { printable } from "../../core/model/words.ts";
import { isRefusal, quoted } from "../../core/state/pg/pg-connection.ts";
import { identifier } from "../../core/state/pg/pg-problems.ts";
import type { FleetDatabase, FleetNames } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

/** The version of the schema. Programs also work with newer ones whose `oldest` is not newer than theirs. */
const VERSION = 1;

/**
 * Creates the schema where it is missing. Throws `DiagnosticsError` if a newer program has upgraded it beyond what this one understands, or the user
 * may not create it.
 */
export async function migrateFleet(database: FleetDatabase): Promise<void> {
  const names = namesIn(database);
  if ((await versionOf(database.query, names, database)) >= VERSION) return;
  try {
    await database.transaction(async (query) => {
      await query({
        text: "SELECT pg_advisory_xact_lock(hashtextextended('outreach fleet schema ' || $1, 0))",
        values: [database.schema],
      });
      // Another process may have done it while this one waited.
      if ((await versionOf(query, names, database)) >= VERSION) return;
      await query({ text: `CREATE SCHEMA IF NOT EXISTS ${names.schema}` });
      for (const text of tables(names)) await query({ text });
      await query({ text: `INSERT INTO ${names.version} (version, oldest) VALUES ($1, $1)`, values: [VERSION] });
    });
  } catch (error) {
    throw isRefusal(error) && error.code === "42501"
      ? new DiagnosticsError([mayNotCreate(database, error.message)], { cause: error })
      : error;
  }
}

/** Throws `DiagnosticsError` if a newer program has upgraded the schema beyond what this one understands. */
export async function checkFleetSchema(database: Inspected & Pick<FleetDatabase, "query">): Promise<void> {
  await versionOf(database.query, namesIn(database), database);
}

type Inspected = Pick<FleetDatabase, "server" | "schema">;

/** 0 without a schema. */
async function versionOf(query: FleetDatabase["query"], names: FleetNames, { server, schema }: Inspected) {
  // Read as rows: a session that has waited for a lock may still remember, for `to_regclass`, that a table did not exist.
  const [found] = await query<{ readonly encoding: string; readonly own: boolean }>({
    text: `SELECT current_setting('server_encoding') AS encoding, EXISTS (
        SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'schema_version') AS own`,
    values: [schema],
  });
  if (found && found.encoding !== ENCODING) throw new DiagnosticsError([wrongEncoding(server, found.encoding)]);
  if (found?.own !== true) return 0;
  const [current] = await query<{ readonly version: number; readonly oldest: number }>({
    text: `SELECT version, oldest FROM ${names.version}`,
  });
  if (current && current.oldest > VERSION) throw new DiagnosticsError([newerSchema(schema)]);
  return current?.version ?? 0;
}

/** Others cannot store the names and words of every language. */
const ENCODING = "UTF8";

function wrongEncoding({ shown, user }: FleetDatabase["server"], encoding: string): Diagnostic {
  return {
    code: "fleet_encoding",
    severity: "error",
    summary: "The encoding of the database is not UTF8",
    detail: `${shown} has the encoding ${encoding}, which cannot store every character. Nothing was stored.`,
    hint: `Create a database for the fleet as an administrator: CREATE DATABASE fleet OWNER ${identifier(user)} ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;`,
  };
}

function newerSchema(schema: string): Diagnostic {
  return {
    code: "fleet_schema_newer",
    severity: "error",
    summary: "The fleet's database is too new for this version",
    detail: `A newer version of outreach has upgraded the schema ${schema}, and this version cannot work with it. It changed nothing.`,
    hint: "Upgrade outreach here to the version of the other controllers.",
  };
}

function mayNotCreate({ server: { user, database, shown }, schema }: FleetDatabase, words: string): Diagnostic {
  return {
    code: "fleet_denied",
    severity: "error",
    summary: "The fleet's tables cannot be created",
    detail: `${shown}: ${printable(words)}. The controller keeps the fleet in the schema ${schema}, and creates it at its first start.`,
    hint: `Grant the right as an administrator: GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)};`,
  };
}

function tables(names: FleetNames): readonly string[] {
  return [
    `CREATE TABLE ${names.version} (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL, oldest integer NOT NULL)`,
    `CREATE TABLE ${names.configuration} (
      digest text PRIMARY KEY, commit text, first_seen timestamptz NOT NULL DEFAULT now())`,
    // The configuration in force.
    `CREATE TABLE ${names.fleet} (
      one boolean PRIMARY KEY DEFAULT true CHECK (one), digest text, since timestamptz, cleaned timestamptz NOT NULL DEFAULT now(),
      auto text NOT NULL DEFAULT 'safe', interval_ms bigint NOT NULL DEFAULT 600000, history_ms bigint NOT NULL DEFAULT 7776000000, settled boolean NOT NULL DEFAULT false, frozen jsonb)`,
    `INSERT INTO ${names.fleet} DEFAULT VALUES`,
    // While a process lives, its session has the advisory lock.
    `CREATE TABLE ${names.process} (
      id text PRIMARY KEY, lock bigint NOT NULL, host text NOT NULL, pid integer NOT NULL, version text NOT NULL,
      started timestamptz NOT NULL DEFAULT now(), digest text)`,
    // `notified`: when each finding that persists was sent to each target of notify.
    // `next_run` is when the team is due, or asked for while it runs; null: nothing is due. `run` is the run that began last. `state` is how the last one
    // ended, unless it is running, parked or paused. `interrupted`: that run ended before it was done.
    `CREATE TABLE ${names.team} (
      name text PRIMARY KEY, digest text NOT NULL, removed timestamptz,
      state text NOT NULL DEFAULT 'new', paused boolean NOT NULL DEFAULT false, parked boolean NOT NULL DEFAULT false, running boolean NOT NULL DEFAULT false,
      run bigint, interrupted boolean NOT NULL DEFAULT false, next_run timestamptz, next_trigger text,
      last_run timestamptz, last_duration_ms bigint, failures integer NOT NULL DEFAULT 0, failing_since timestamptz, drifted integer NOT NULL DEFAULT 0,
      counts jsonb, plan uuid, message text, commit text, key_name text, webhooks integer NOT NULL DEFAULT 0, busy integer NOT NULL DEFAULT 0, seen jsonb, resumed timestamptz,
      auto text, notified jsonb NOT NULL DEFAULT '{}')`,
    `CREATE INDEX team_next_run ON ${names.team} (next_run) WHERE next_run IS NOT NULL`,
    `CREATE INDEX team_removed ON ${names.team} (removed) WHERE removed IS NOT NULL`,
    `CREATE TABLE ${names.run} (
      id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, team text NOT NULL, trigger text NOT NULL, outcome text NOT NULL DEFAULT 'running',
      began timestamptz NOT NULL DEFAULT now(), ended timestamptz, counts jsonb, drifted integer NOT NULL DEFAULT 0,
      requests integer NOT NULL DEFAULT 0, messages jsonb NOT NULL DEFAULT '[]', commit text, process text NOT NULL,
      plan uuid, changed boolean NOT NULL DEFAULT false)`,
    // What was approved and applied, for an audit.
    `CREATE INDEX run_changed ON ${names.run} (id) WHERE changed`,
    `CREATE INDEX run_team ON ${names.run} (team, id)`,
    `CREATE INDEX run_unchanged ON ${names.run} (team, id) WHERE NOT changed`,
    `CREATE INDEX run_running ON ${names.run} (process) WHERE outcome = 'running'`,
    // `removals`: the ids of what the plan deletes although nothing manages it. `cost`: what an apply of it costs.
    `CREATE TABLE ${names.plan} (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(), team text NOT NULL, made timestamptz NOT NULL DEFAULT now(), counts jsonb NOT NULL,
      text text NOT NULL, digest text NOT NULL, bytes bytea, state text NOT NULL DEFAULT 'waiting', approved_by text, approved timestamptz,
      shape text NOT NULL, creates_only boolean NOT NULL DEFAULT false, removals jsonb NOT NULL DEFAULT '[]', cost jsonb)`,
    `CREATE INDEX plan_team ON ${names.plan} (team, made)`,
    // What people asked for. `plan`: the one that was approved. `settings`: those that were changed, of all teams where `team` is empty.
    `CREATE TABLE ${names.event} (
      id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT now(), team text NOT NULL, action text NOT NULL, by text NOT NULL,
      plan uuid, settings text)`,
    `CREATE INDEX event_team ON ${names.event} (team, id)`,
    `CREATE INDEX event_at ON ${names.event} (at)`,
  ];
}
