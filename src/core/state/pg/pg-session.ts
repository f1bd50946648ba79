import { retrying } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { Clock } from "../../model/ports.ts";
import { type PgConnection, PgConnectionLost, PgRefused, type PgRow, type PgStatement } from "./pg-connection.ts";
import { refusedStatement } from "./pg-problems.ts";
import type { PgServer } from "./pg-server.ts";
import type { PgPlace } from "./pg-tables.ts";

const ATTEMPTS = 3;
const PAUSE_MS = 500;
/** Undefined schema, undefined table. */
const NOTHING_THERE: ReadonlySet<string> = new Set(["3F000", "42P01"]);

/** The connection of one store: made when it is needed, and again after it was lost. */
export interface PgSession {
  /** Messages name the state by it. */
  readonly name: string;
  readonly place: PgPlace;
  readonly clock: Clock;
  connection(signal: AbortSignal): Promise<PgConnection>;
  /** A second connection, which the caller closes. */
  another(signal: AbortSignal): Promise<PgConnection>;
  /** Ends a connection at once: the next statement gets a new one. */
  drop(connection: PgConnection): void;
  close(): Promise<void>;
}

interface SessionOptions extends Pick<PgSession, "name" | "place" | "clock"> {
  readonly server: PgServer;
  readonly connect: (signal: AbortSignal) => Promise<PgConnection>;
}

export function openSession({ name, place, server, clock, connect }: SessionOptions): PgSession {
  let current: Promise<PgConnection> | null = null;
  const inWords = (connection: PgConnection): PgConnection => ({
    ...connection,
    query: (statement, signal) =>
      connection.query(statement, signal).catch((error: unknown) => {
        if (!(error instanceof PgRefused)) throw error;
        throw new DiagnosticsError(
          [refusedStatement(name, server, { schema: place.schema, code: error.code, message: error.message })],
          { cause: error },
        );
      }),
  });
  const another = async (signal: AbortSignal): Promise<PgConnection> => inWords(await connect(signal));
  const connection = async (signal: AbortSignal): Promise<PgConnection> => {
    signal.throwIfAborted();
    const before = await current?.catch(() => null);
    if (before && !before.lost.aborted) return before;
    current = another(signal);
    return current;
  };
  return {
    name,
    place,
    clock,
    connection,
    another,
    drop: (lost) => {
      current = null;
      lost.destroy();
    },
    close: async () => {
      const last = await current?.catch(() => null);
      current = null;
      await last?.close();
    },
  };
}

/** Does something that may be done again, on a new connection each time the one before was lost. `attempt` counts from 1. */
export async function persistently<T>(
  session: PgSession,
  signal: AbortSignal,
  work: (connection: PgConnection, attempt: number) => Promise<T>,
): Promise<T> {
  const { clock } = session;
  const mayRetry = (error: unknown): boolean => error instanceof PgConnectionLost;
  return retrying({ attempts: ATTEMPTS, pauseMs: () => PAUSE_MS, mayRetry, clock, signal }, async (attempt) =>
    work(await session.connection(signal), attempt),
  );
}

/** The rows; none where schema or table do not exist. */
export async function rowsOf(
  connection: PgConnection,
  statement: PgStatement,
  signal: AbortSignal,
): Promise<readonly PgRow[]> {
  return connection.query(statement, signal).catch((error: unknown) => {
    const refused = error instanceof DiagnosticsError ? error.cause : error;
    if (refused instanceof PgRefused && NOTHING_THERE.has(refused.code)) return [];
    throw error;
  });
}
