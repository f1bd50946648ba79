import { afterAll, beforeAll, beforeEach } from "vitest";
import { pgServer } from "../../src/core/state/pg/pg-server.ts";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { openFleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { migrateFleet } from "../../src/fleet/database/fleet-schema.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import { pgFleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import type { BegunRun } from "../../src/fleet/fleet-store.ts";
import type { FleetConfiguration, TeamResult } from "../../src/fleet/team-work.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";

export const PORTS = { clock: nodeClock, files: nodeFiles() };
export const NEVER = new AbortController().signal;

/** Opens the fleet's database with pools of their own, as processes do, and closes them after the last test. */
export function useFleetDatabases(): (url: string) => Promise<FleetDatabase> {
  const open: FleetDatabase[] = [];
  afterAll(async () => {
    await Promise.all(open.map((database) => database.close()));
  });
  return async (url) => {
    const { value: server, diagnostics } = pgServer(url, {});
    if (!server) throw new Error(JSON.stringify(diagnostics));
    const database = await openFleetDatabase(server, PORTS);
    open.push(database);
    return database;
  };
}

export async function migrated(database: FleetDatabase): Promise<FleetDatabase> {
  await migrateFleet(database);
  return database;
}

export function storeOf(database: FleetDatabase, id = "process-1"): FleetStore {
  return pgFleetStore(database, { id, host: "host", pid: 1, version: "1.0.0" }, PORTS);
}

/** A configuration in which all teams have the same digest, unless a team is written as `name=digest`. */
export function configurationOf(digest: string, ...teams: readonly string[]): FleetConfiguration {
  return {
    digest,
    commit: `commit of ${digest}`,
    teams: teams.map((team) => {
      const [name = "", own = "1"] = team.split("=");
      return { name, digest: own };
    }),
  };
}

export const COUNTS = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

type SavedPlan = NonNullable<TeamResult["plan"]>;

export function planOf(more: Partial<SavedPlan> = {}): SavedPlan {
  return {
    bytes: new Uint8Array([1, 2, 3]),
    text: "a plan",
    digest: "1",
    shape: "1",
    createsOnly: false,
    removals: [],
    cost: null,
    ...more,
  };
}

export function resultOf(outcome: TeamResult["outcome"], more: Partial<TeamResult> = {}): TeamResult {
  const plan = outcome === "waiting" ? planOf() : null;
  return { outcome, counts: COUNTS, drifted: 0, messages: [], plan, requests: 1, ...more };
}

export const HOURLY = { afterMs: 3_600_000, trigger: "interval" } as const;

/** One migrated database for the tests of a file: each finds it as after the migration, but for `emptied`. */
export function useFleet() {
  const postgres = usePostgres();
  const open = useFleetDatabases();
  let database: FleetDatabase;
  let store: FleetStore;
  beforeAll(async () => {
    database = await migrated(await open((await postgres.database()).url));
  });
  beforeEach(async () => {
    await emptied(database);
    store = storeOf(database);
  });
  /** Begins a run of a team, as if its time had come. */
  const begin = async (team = "team", from = store): Promise<BegunRun> => {
    const run = await beginRun(from, database, team);
    if (!run) throw new Error(`${team} is not due`);
    return run;
  };
  /** A whole run of a team. */
  const look = async (
    result: TeamResult,
    next: Parameters<FleetStore["endRun"]>[2] = HOURLY,
    team = "team",
  ): Promise<BegunRun> => {
    const run = await begin(team);
    await store.endRun(run, result, next);
    return run;
  };
  return { opened: () => ({ database, store }), begin, look };
}

/** The teams that are due at some time, and in how many milliseconds. */
export function scheduled(
  database: FleetDatabase,
): Promise<readonly { readonly name: string; readonly dueMs: number }[]> {
  return database.query({
    text: `SELECT name, (extract(epoch FROM next_run - now()) * 1000)::float8 AS "dueMs" FROM outreach_fleet.team WHERE next_run IS NOT NULL AND NOT running ORDER BY name`,
  });
}

/** The teams that are due now. */
export async function due(database: FleetDatabase): Promise<readonly string[]> {
  return (await scheduled(database)).filter(({ dueMs }) => dueMs <= 0).map(({ name }) => name);
}

/** Begins a run of a team as if its time had come, and that of no other team; null if it may not run. */
export async function beginRun(
  store: FleetStore,
  database: FleetDatabase,
  team: string,
  failing = 1,
): Promise<BegunRun | null> {
  const away = "interval '36500 days'";
  await database.query({
    text: `UPDATE outreach_fleet.team SET next_run = CASE WHEN name = $1 THEN least(next_run, now()) ELSE next_run + ${away} END WHERE next_run IS NOT NULL`,
    values: [team],
  });
  const [run = null] = await store.beginRuns({ runs: 1, failing });
  await database.query({
    text: `UPDATE outreach_fleet.team SET next_run = next_run - ${away} WHERE next_run > now() + interval '36000 days'`,
  });
  return run;
}

/** As after the migration, but for an interval in which every new team is due. */
export async function emptied(database: FleetDatabase): Promise<void> {
  const deletes = ["team", "run", "plan", "event", "process", "configuration"]
    .map((table) => `DELETE FROM outreach_fleet.${table};`)
    .join(" ");
  await database.query({
    text: `${deletes} UPDATE outreach_fleet.fleet SET digest = NULL, interval_ms = 0, settled = false, frozen = NULL, cleaned = '-infinity';
      UPDATE outreach_fleet.schema_version SET oldest = 1`,
  });
}
