import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { printable } from "../../core/model/words.ts";
import { isRefusal, quoted } from "../../core/state/pg/pg-connection.ts";
import { identifier } from "../../core/state/pg/pg-problems.ts";
import type { FleetDatabase, FleetNames } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

interface Migration {
  /** The oldest version of a program that works with the schema after it: the number of the last migration that the program knows. */
  readonly oldest: number;
  readonly statements: (names: FleetNames) => readonly string[];
}

/** Numbered from 1. Published migrations never change. */
const MIGRATIONS: readonly Migration[] = [
  { oldest: 1, statements: firstTables },
  { oldest: 1, statements: groupsAndAudit },
  // When each finding that persists was sent to each target of notify.
  { oldest: 1, statements: ({ team }) => [`ALTER TABLE ${team} ADD COLUMN notified jsonb NOT NULL DEFAULT '{}'`] },
  // The ids of what the plan deletes although nothing manages it.
  { oldest: 1, statements: ({ plan }) => [`ALTER TABLE ${plan} ADD COLUMN removals jsonb NOT NULL DEFAULT '[]'`] },
  // What an apply of the plan costs; and which settings a person has changed: of all teams where `team` is empty.
  {
    oldest: 1,
    statements: ({ plan, event }) => [
      `ALTER TABLE ${plan} ADD COLUMN cost jsonb`,
      `ALTER TABLE ${event} ADD COLUMN settings text`,
    ],
  },
  // What the receivers of a team answered, when, and when they are due to be verified again.
  {
    oldest: 1,
    statements: ({ team }) => [
      `ALTER TABLE ${team} ADD COLUMN receivers jsonb, ADD COLUMN verified timestamptz, ADD COLUMN verify_next timestamptz`,
    ],
  },
];
const OURS = MIGRATIONS.length;

/**
 * Creates or upgrades the schema. Throws `DiagnosticsError` if a newer program has upgraded it beyond what this one understands, or the user may not
 * create it.
 */
export async function migrateFleet(database: FleetDatabase): Promise<void> {
  const names = namesIn(database);
  if ((await versionOf(database.query, names, database)) >= OURS) return;
  try {
    await database.transaction(async (query) => {
      await query({
        text: "SELECT pg_advisory_xact_lock(hashtextextended('outreach fleet schema ' || $1, 0))",
        values: [database.schema],
      });
      // Another process may have done it while this one waited.
      const version = await versionOf(query, names, database);
      if (version >= OURS) return;
      await query({ text: `CREATE SCHEMA IF NOT EXISTS ${names.schema}` });
      for (const { statements } of MIGRATIONS.slice(version))
        for (const text of statements(names)) await query({ text });
      const text = `INSERT INTO ${names.version} AS v (version, oldest) VALUES ($1, $2) ON CONFLICT (one) DO UPDATE SET version = $1, oldest = greatest(v.oldest, $2)`;
      await query({ text, values: [OURS, MIGRATIONS[OURS - 1]?.oldest] });
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

/** The version from which on programs heed a freeze, windows and the policies of teams. */
const FIRST_WITH_HOLDS = 2;

/** Stops older programs, which would not heed what is stored from now on: see `versionOf`. */
export async function stopOlder(query: FleetDatabase["query"], { version }: FleetNames): Promise<void> {
  await query({ text: `UPDATE ${version} SET oldest = greatest(oldest, $1)`, values: [FIRST_WITH_HOLDS] });
}

/** 0 before the first migration. */
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
  if (current && current.oldest > OURS) throw new DiagnosticsError([newerSchema(schema)]);
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

function firstTables(names: FleetNames): readonly string[] {
  return [
    `CREATE TABLE ${names.version} (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL, oldest integer NOT NULL)`,
    `CREATE TABLE ${names.configuration} (
      digest text PRIMARY KEY, commit text, first_seen timestamptz NOT NULL DEFAULT now(), pushed_by text, pushed timestamptz)`,
    // The configuration in force.
    `CREATE TABLE ${names.fleet} (
      one boolean PRIMARY KEY DEFAULT true CHECK (one), digest text, since timestamptz, cleaned timestamptz NOT NULL DEFAULT now(),
      auto text NOT NULL DEFAULT 'safe', interval_ms bigint NOT NULL DEFAULT 600000, history_ms bigint NOT NULL DEFAULT 7776000000, settled boolean NOT NULL DEFAULT false)`,
    `INSERT INTO ${names.fleet} DEFAULT VALUES`,
    // While a process lives, its session has the advisory lock.
    `CREATE TABLE ${names.process} (
      id text PRIMARY KEY, lock bigint NOT NULL, host text NOT NULL, pid integer NOT NULL, version text NOT NULL,
      started timestamptz NOT NULL DEFAULT now(), digest text)`,
    // `next_run` is when the team is due, or asked for while it runs; null: nothing is due. `run` is the run that began last. `state` is how the last one
    // ended, unless it is running, parked or paused. `interrupted`: that run ended before it was done.
    `CREATE TABLE ${names.team} (
      name text PRIMARY KEY, digest text NOT NULL, removed timestamptz,
      state text NOT NULL DEFAULT 'new', paused boolean NOT NULL DEFAULT false, parked boolean NOT NULL DEFAULT false, running boolean NOT NULL DEFAULT false,
      run bigint, interrupted boolean NOT NULL DEFAULT false, next_run timestamptz, next_trigger text,
      last_run timestamptz, last_duration_ms bigint, failures integer NOT NULL DEFAULT 0, failing_since timestamptz, drifted integer NOT NULL DEFAULT 0,
      counts jsonb, plan uuid, message text, commit text, key_name text, webhooks integer NOT NULL DEFAULT 0, busy integer NOT NULL DEFAULT 0, seen jsonb, resumed timestamptz)`,
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
    `CREATE TABLE ${names.plan} (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(), team text NOT NULL, made timestamptz NOT NULL DEFAULT now(), counts jsonb NOT NULL,
      text text NOT NULL, digest text NOT NULL, bytes bytea, state text NOT NULL DEFAULT 'waiting', approved_by text, approved timestamptz)`,
    `CREATE INDEX plan_team ON ${names.plan} (team, made)`,
    // Requests that were sent in the last minutes: worth nothing after a crash of the server.
    `CREATE UNLOGGED TABLE ${names.budget} (key text PRIMARY KEY, requests jsonb NOT NULL, changed timestamptz)`,
    // A new table has forgotten nothing: only a crash removes this row.
    `INSERT INTO ${names.budget} (key, requests, changed) VALUES ('', '[]', to_timestamp(0))`,
    // `teams`: the digest of each team, as the push has read it.
    `CREATE TABLE ${names.push} (
      id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, pushed timestamptz NOT NULL DEFAULT now(), pushed_by text NOT NULL, commit text,
      config text NOT NULL, variables jsonb NOT NULL, sensitive jsonb NOT NULL, teams jsonb NOT NULL)`,
    `CREATE TABLE ${names.pushedFile} (push bigint NOT NULL REFERENCES ${names.push} ON DELETE CASCADE, path text, bytes bytea NOT NULL, PRIMARY KEY (push, path))`,
  ];
}

function groupsAndAudit({ plan, event, fleet, team }: FleetNames): readonly string[] {
  return [
    `ALTER TABLE ${plan} ADD COLUMN shape text, ADD COLUMN creates_only boolean NOT NULL DEFAULT false`,
    `ALTER TABLE ${fleet} ADD COLUMN frozen jsonb, ADD COLUMN windows jsonb NOT NULL DEFAULT '[]'`,
    `ALTER TABLE ${team} ADD COLUMN auto text`,
    // What people asked for. `plan`: the one that was approved.
    `CREATE TABLE ${event} (
      id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT now(), team text NOT NULL, action text NOT NULL, by text NOT NULL,
      plan uuid)`,
    `CREATE INDEX event_team ON ${event} (team, id)`,
    `CREATE INDEX event_at ON ${event} (at)`,
  ];
}
