import { type Diagnostic, DiagnosticsError } from "../core/model/diagnostic.ts";
import { firstFew } from "../core/model/words.ts";
import { pgServer } from "../core/state/pg/pg-server.ts";
import { DATABASE_VARIABLE } from "../operations/configuration/environment-names.ts";
import type { OperationContext } from "../operations/context.ts";
import { databaseMissing, databaseProblem } from "./database/database-problems.ts";
import { type FleetDatabase, openFleetDatabase } from "./database/fleet-database.ts";
import { checkFleetSchema } from "./database/fleet-schema.ts";
import { holdAt } from "./freeze.ts";
import { type FleetStore, pgFleetStore } from "./database/pg-fleet-store.ts";

/** Which database the fleet is in; absent: the one of the environment. */
interface DatabaseChoice {
  readonly database?: string;
}

/** Opens the database of the fleet, passes it to `work`, and closes it. */
export async function withFleetDatabase<T>(
  context: OperationContext,
  { database: url = "" }: DatabaseChoice,
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

/** Opens a fleet that exists, to read it or to ask it for something. */
export function withFleet<T>(
  context: OperationContext,
  options: DatabaseChoice,
  work: (store: FleetStore) => Promise<T>,
): Promise<T> {
  return withFleetDatabase(context, options, async (database) => {
    await checkFleetSchema(database);
    return work(storeOf(context, database, context.random.uuid()));
  });
}

/** The fleet, as the process with this id uses it. */
export function storeOf(
  { process, version, clock, files }: OperationContext,
  database: FleetDatabase,
  id: string,
): FleetStore {
  const { host, pid } = process;
  return pgFleetStore(database, { id, host, pid, version }, { clock, files });
}

/** A mistake of a URL that also a state could have. */
function ofDatabase({ path: _, ...diagnostic }: Diagnostic): Diagnostic {
  return { ...diagnostic, code: "fleet_database_invalid", summary: "Invalid URL of the database" };
}

const MOST_NAMED = 10;

/** Throws `team_unknown` where the fleet does not know the team. */
export async function assertKnown(store: FleetStore, team: string, isKnown: boolean): Promise<void> {
  if (isKnown) return;
  const names = (await store.teams()).map(({ name }) => name);
  throw new DiagnosticsError([
    {
      code: "team_unknown",
      severity: "error",
      summary: "Unknown team",
      detail: `The fleet has no team ${JSON.stringify(team)}. ${names.length === 0 ? "It has no teams yet." : `It has ${firstFew(names, MOST_NAMED)}.`}`,
      hint: "Correct the name. A new team is known once a controller has read it in the configuration.",
    },
  ]);
}

/** Throws `fleet_held` where the fleet applies no plan now, unless `isAnyway`. */
export async function assertNotHeld(store: FleetStore, isAnyway: boolean): Promise<void> {
  const [settings, { atMs }] = await Promise.all([store.settings(), store.times()]);
  const hold = holdAt(settings, atMs);
  if (hold === null || isAnyway) return;
  throw DiagnosticsError.of("fleet_held", "No plan is applied now", {
    detail: `${hold} Nothing was approved.`,
    hint: "Approve it later. To have it applied now, pass --ignore-freeze.",
  });
}

/** Who does what was asked for, and whether it is now: the two parts of a sentence around it. */
export async function nextController(store: FleetStore): Promise<{ readonly who: string; readonly when: string }> {
  const isRunning = (await store.processes()).length > 0;
  return isRunning
    ? { who: "A controller", when: " now" }
    : { who: "No controller is running: the next one to start", when: "" };
}
