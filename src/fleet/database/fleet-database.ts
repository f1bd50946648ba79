import pg from "pg";
import type { Clock, FileSystem } from "../../core/model/ports.ts";
import { printable } from "../../core/model/words.ts";
import { PgConnectionLost, clientOptions, isRefusal, quoted } from "../../core/state/pg/pg-connection.ts";
import { connectionProblem, noAnswer } from "../../core/state/pg/pg-problems.ts";
import type { PgServer } from "../../core/state/pg/pg-server.ts";
import { FleetMissing, FleetUnavailable } from "../fleet-store.ts";

/** The database of a fleet: a few connections, which come back by themselves after the database was gone. */
export interface FleetDatabase {
  readonly server: PgServer;
  readonly schema: string;
  /** One statement as a transaction of its own. Throws `FleetUnavailable` if no answer arrives, and pg's error if the statement is refused. */
  query<Row extends object>(statement: FleetStatement): Promise<readonly Row[]>;
  /** Repeats the work if PostgreSQL ends it for the sake of another transaction. */
  transaction<T>(work: (query: FleetDatabase["query"]) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface FleetStatement {
  /** Statements with a name are parsed and planned once for each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface FleetPorts {
  readonly clock: Clock;
  readonly files: FileSystem;
}

const SCHEMA = "outreach_fleet";
const CONNECTIONS = 4;
const CONNECT_MS = 10_000;
/** Syncing 50,000 teams takes seconds. */
const ANSWER_MS = 60_000;
const CLASHES: ReadonlySet<unknown> = new Set(["40001", "40P01"]);
const ATTEMPTS = 5;
/** The server only reads, as after a failover, has no room, shuts down, or gave the statement up for its time, a lock or another transaction. */
const UNUSABLE = /^(?:08|40|53|55P03|57|58|25006)/;
/** No such table, schema or function. */
const MISSING: ReadonlySet<string> = new Set(["42P01", "3F000", "42883"]);

/** Connects only when it is first used. Throws `DiagnosticsError` if a file that the URL names cannot be read. */
export async function openFleetDatabase(
  server: PgServer,
  { files }: Pick<FleetPorts, "files">,
): Promise<FleetDatabase> {
  const options = {
    ...(await clientOptions(server, files)),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  };
  const pool = openPool(options);
  const transaction = async <T>(work: (query: FleetDatabase["query"]) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asFleetError(server, error);
      });
      try {
        await client.query("BEGIN");
        const done = await work(
          async <Row extends object>(statement: FleetStatement) => (await client.query<Row>(asConfig(statement))).rows,
        );
        await client.query("COMMIT");
        client.release();
        return done;
      } catch (error) {
        const isWhole = await client.query("ROLLBACK").then(
          () => true,
          () => false,
        );
        const reason = asFleetError(server, error);
        client.release(!isWhole || (reason instanceof FleetUnavailable && !isClash(error)));
        if (attempt === ATTEMPTS || !isClash(error)) throw reason;
      }
    }
  };
  return {
    server,
    schema: SCHEMA,
    query: async <Row extends object>(statement: FleetStatement) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return (await pool.query<Row>(asConfig(statement))).rows;
        } catch (error) {
          if (attempt === ATTEMPTS || !isClash(error)) throw asFleetError(server, error);
        }
      }
    },
    transaction,
    close: () => pool.end(),
  };
}

/** Sets the time-out of statements at the begin of each session. PgBouncer refuses it where a connection starts. */
function openPool(options: pg.PoolConfig): pg.Pool {
  // The pool waits for what it returns, which its type does not say.
  const onConnect = (client: pg.ClientBase): unknown =>
    client.query("SELECT set_config('statement_timeout', $1, false)", [String(ANSWER_MS)]);
  const pool = new pg.Pool({ ...options, onConnect });
  // A connection that ends is replaced; without these, its end would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function asConfig({ name, text, values = [] }: FleetStatement): pg.QueryConfig {
  return { text, values: [...values], ...(name === undefined ? {} : { name }) };
}

/** Whether the statement may succeed if it is only sent again. */
function isClash(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CLASHES.has(error.code);
}

/** The error as the rest of the fleet knows it, whichever connection it comes from. */
export function asFleetError(server: PgServer, error: unknown): Error {
  if (error instanceof PgConnectionLost) {
    const [{ detail, hint } = { detail: error.message }] = error.diagnostics;
    return new FleetUnavailable(detail, { cause: error, hint });
  }
  if (error instanceof FleetUnavailable || !(error instanceof Error) || isProgramError(error)) return error as Error;
  if (isRefusal(error)) {
    if (MISSING.has(error.code))
      return new FleetMissing(`${server.shown} has no tables of a fleet, or not all of them.`, { cause: error });
    return new FleetUnavailable(`${server.shown} refused a statement: ${printable(error.message)}.`, { cause: error });
  }
  const late = LATE.get(error.message);
  const { detail, hint } = late === undefined ? connectionProblem(server, error) : noAnswer(server, late);
  return new FleetUnavailable(detail, { cause: error, hint });
}

/** What the pool and the client say. */
const LATE: ReadonlyMap<string, number> = new Map([
  ["timeout exceeded when trying to connect", CONNECT_MS],
  ["Connection terminated due to connection timeout", CONNECT_MS],
  ["Query read timeout", ANSWER_MS],
]);

/** Everything that does not come from the connection: a refused statement, a problem of the configuration, or a mistake in the program. */
function isProgramError(error: Error): boolean {
  if (isRefusal(error)) return !UNUSABLE.test(error.code) && !MISSING.has(error.code);
  return error.name === "DiagnosticsError" || error instanceof TypeError || error instanceof RangeError;
}

/** The names of tables and functions, quoted. */
export function namesIn({ schema }: Pick<FleetDatabase, "schema">) {
  const own = quoted(schema);
  const table = (name: string): string => `${own}.${name}`;
  return {
    schema: own,
    version: table("schema_version"),
    fleet: table("fleet"),
    configuration: table("configuration"),
    process: table("process"),
    team: table("team"),
    run: table("run"),
    plan: table("plan"),
    event: table("event"),
  };
}

export type FleetNames = ReturnType<typeof namesIn>;
