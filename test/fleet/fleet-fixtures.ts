import { afterAll } from "vitest";
import { pgServer } from "../../src/core/state/pg/pg-server.ts";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { openFleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { migrateFleet } from "../../src/fleet/database/fleet-schema.ts";
import type { PgFleetStore } from "../../src/fleet/database/fleet-store.ts";
import { pgFleetStore } from "../../src/fleet/database/fleet-store.ts";
import type { FleetConfiguration, TeamResult } from "../../src/fleet/team-work.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";

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

export function storeOf(database: FleetDatabase, id = "process-1"): PgFleetStore {
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

export function resultOf(outcome: TeamResult["outcome"], more: Partial<TeamResult> = {}): TeamResult {
  const plan = outcome === "waiting" ? { bytes: new Uint8Array([1, 2, 3]), text: "a plan", digest: "1" } : null;
  return { outcome, counts: COUNTS, drifted: 0, messages: [], plan, requests: 1, ...more };
}

export interface Job {
  readonly key: string;
  /** In how many milliseconds it is due. */
  readonly dueMs: number;
  readonly isLocked: boolean;
}

/** The jobs that belong to teams. */
export function jobsIn(database: FleetDatabase): Promise<readonly Job[]> {
  return database.query<Job>({
    text: `SELECT key, (extract(epoch FROM run_at - now()) * 1000)::float8 AS "dueMs", locked_by IS NOT NULL AS "isLocked"
      FROM outreach_fleet_jobs.jobs WHERE key IS NOT NULL ORDER BY key`,
  });
}

/** Makes every job of the queue due now, in place of waiting. */
export async function hurry(database: FleetDatabase): Promise<void> {
  await database.query({ text: "UPDATE outreach_fleet_jobs._private_jobs SET run_at = now()" });
}

/** As after the migration, but for an interval in which every new team is due. */
export async function emptied(database: FleetDatabase): Promise<void> {
  const tables = ["outreach_fleet_jobs._private_jobs", ...["team", "run", "plan", "process", "configuration"].map((table) => `outreach_fleet.${table}`)];
  const deletes = tables.map((table) => `DELETE FROM ${table};`).join(" ");
  await database.query({ text: `${deletes} UPDATE outreach_fleet.fleet SET digest = NULL, interval_ms = 0, settled = false, repaired = '-infinity'` });
}
