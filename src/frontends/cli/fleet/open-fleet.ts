import type { Command } from "commander";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { pgServer } from "../../../core/state/pg/pg-server.ts";
import { type FleetDatabase, openFleetDatabase } from "../../../fleet/database/fleet-database.ts";
import { checkFleetSchema } from "../../../fleet/database/fleet-schema.ts";
import { type PgFleetStore, pgFleetStore } from "../../../fleet/database/pg-fleet-store.ts";
import { DATABASE_VARIABLE } from "../../../operations/configuration/environment-names.ts";
import type { Environment, Ports, Product, WorkingFolder } from "../../../operations/context.ts";
import type { Masks } from "../command-context.ts";
import { databaseMissing, databaseProblem } from "./database-problems.ts";

/** The option of every command of the fleet. */
export interface FleetOptions {
  readonly database?: string;
}

export type FleetContext = Environment & Masks & Ports & Product & WorkingFolder;

export function withDatabase(command: Command): Command {
  return command.option("--database <url>", `the PostgreSQL database of the fleet, as in postgres://USER@HOST/DATABASE; by default ${DATABASE_VARIABLE}`);
}

/** Opens the database of the fleet, passes it to `work`, and closes it. */
export async function withFleetDatabase<T>(
  context: FleetContext,
  { database: url = "" }: FleetOptions,
  work: (database: FleetDatabase) => Promise<T>,
): Promise<T> {
  const { environment, redactor, files } = context;
  const named = url === "" ? (environment[DATABASE_VARIABLE] ?? "") : url;
  if (named === "") throw new DiagnosticsError([databaseMissing()]);
  const { value: server, diagnostics } = pgServer(named, environment);
  if (!server) throw new DiagnosticsError(diagnostics.map(ofDatabase));
  if (server.password !== null) redactor.add(server.password);
  const database = await openFleetDatabase(server, { files });
  try {
    return await work(database);
  } catch (error) {
    throw databaseProblem(server, error);
  } finally {
    await database.close();
  }
}

/** For the commands that look at a fleet, and ask it for something. */
export function withFleet<T>(context: FleetContext, options: FleetOptions, work: (store: PgFleetStore) => Promise<T>): Promise<T> {
  return withFleetDatabase(context, options, async (database) => {
    await checkFleetSchema(database);
    return work(storeOf(context, database, context.random.uuid()));
  });
}

/** `id`: of this process in the fleet. */
export function storeOf({ process, version, clock, files }: FleetContext, database: FleetDatabase, id: string): PgFleetStore {
  const { host, pid } = process;
  return pgFleetStore(database, { id, host, pid, version }, { clock, files });
}

/** Of a URL that also a state could have. */
function ofDatabase({ path: _, ...diagnostic }: Diagnostic): Diagnostic {
  return { ...diagnostic, code: "fleet_database_invalid", summary: "Invalid URL of the database" };
}
