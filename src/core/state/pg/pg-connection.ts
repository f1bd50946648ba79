import { NEVER_ABORTED, withinTime } from "../../model/async.ts";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { Clock, FileSystem } from "../../model/ports.ts";
import type { PgServer, PgTls } from "./pg-server.ts";
import { NO_PASSWORD, connectionProblem, noAnswer, noTlsFile } from "./pg-problems.ts";

/** One session of a PostgreSQL server. */
export interface PgConnection {
  /** The process that the server named at the start. A pooler names one of its own. */
  readonly startPid: number;
  /**
   * Runs one statement, as a transaction of its own unless one was begun. Statements are sent at once, in the order of
   * the calls, and do not wait for each other's answers. Rejects with `PgConnectionLost` if no answer arrives within the
   * time-out, which ends the connection, with `PgRefused` if the server refuses it, and with the signal's reason: the
   * statement may then still be carried out.
   */
  query(statement: PgStatement, signal: AbortSignal): Promise<readonly PgRow[]>;
  /** Calls `heard` for each notification on this channel, until the connection ends or the returned function is called. */
  listen(channel: string, heard: (payload: string) => void): () => void;
  /** Aborted, with `PgConnectionLost` as its reason, once the connection has ended. */
  readonly lost: AbortSignal;
  /** Ends the connection at once. The server ends the session as soon as it notices. */
  destroy(): void;
  /** Ends the session in good order. */
  close(): Promise<void>;
}

export interface PgStatement {
  readonly text: string;
  readonly values?: readonly (string | number | boolean | Uint8Array | null)[];
}

export interface PgRow {
  readonly [column: string]: unknown;
}

/** What a connection needs of the world outside. */
export interface PgPorts {
  readonly clock: Clock;
  readonly files: FileSystem;
  /** How long connecting, and how long one statement, may take. */
  readonly timeoutMs: number;
}

/** There is no connection any more. Whether the statement was carried out is not known. */
export class PgConnectionLost extends DiagnosticsError {}

/** The server has refused a statement, which changed nothing. `code` is the SQLSTATE. */
export class PgRefused extends Error {
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }, options: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The client notices a dead network after 20 s of silence, the server after 2 minutes: a run stops before its lock is free. */
const CLIENT_IDLE_MS = 10_000;
const SERVER_IDLE = { tcp_keepalives_idle: "60", tcp_keepalives_interval: "10", tcp_keepalives_count: "6" };
/** The server's own time-out comes first: it leaves the connection whole. */
const ANSWER_MS = 2000;

/** Connects and identifies. Throws `PgConnectionLost`, with the reason in words, or the signal's reason. */
export async function connectPg(server: PgServer, ports: PgPorts, signal: AbortSignal): Promise<PgConnection> {
  signal.throwIfAborted();
  const client = new pg.Client({ ...(await clientOptions(server, ports.files)), pipeline: true });
  const { lost, lose, destroy, within } = watched(client, server, ports);
  try {
    await within(client.connect(), ports.timeoutMs, signal);
  } catch (error) {
    destroy();
    throw signal.aborted ? signal.reason : lose(error);
  }
  for (const [name, value] of Object.entries({ ...SERVER_IDLE, statement_timeout: String(ports.timeoutMs) }))
    client.query("SELECT set_config($1, $2, false)", [name, value]).catch(() => undefined);
  return {
    startPid: (client as pg.Client & { readonly processID: number }).processID,
    lost,
    query: async ({ text, values = [] }, waits) => {
      waits.throwIfAborted();
      lost.throwIfAborted();
      try {
        return (await within(client.query<PgRow>(text, [...values]), ports.timeoutMs + ANSWER_MS, waits)).rows;
      } catch (error) {
        waits.throwIfAborted();
        throw isRefusal(error) ? new PgRefused(error, { cause: error }) : lose(error);
      }
    },
    listen: (channel, heard) => {
      const hear = (message: pg.Notification): void => {
        if (message.channel === channel) heard(message.payload ?? "");
      };
      client.on("notification", hear);
      client.query(`LISTEN ${quoted(channel)}`).catch(() => undefined);
      return () => void client.off("notification", hear);
    },
    destroy,
    close: async () => {
      if (!lost.aborted) await within(client.end(), ports.timeoutMs, NEVER_ABORTED).catch(destroy);
    },
  };
}

/** Throws `DiagnosticsError` if a file with a certificate or key cannot be read. */
export async function clientOptions(server: PgServer, files: FileSystem): Promise<pg.ClientConfig> {
  const { host, port, database, user, applicationName, options } = server;
  return {
    host,
    port,
    database,
    user,
    // Called only where the server asks for one.
    password: () => server.password ?? Promise.reject(new Error(NO_PASSWORD)),
    ssl: server.tls === null ? false : await tlsOptions(server.tls, files),
    keepAlive: true,
    keepAliveInitialDelayMillis: CLIENT_IDLE_MS,
    enableChannelBinding: server.channelBinding,
    ...(applicationName === null ? {} : { application_name: applicationName }),
    ...(options === null ? {} : { options }),
  };
}

/** Notices the end of the connection, on either side. */
function watched(client: pg.Client, server: PgServer, { clock, timeoutMs }: PgPorts) {
  const lost = new AbortController();
  const lose = (cause: unknown): PgConnectionLost => {
    lost.abort(
      cause instanceof PgConnectionLost
        ? cause
        : new PgConnectionLost([connectionProblem(server, cause as Error)], { cause }),
    );
    return lost.signal.reason as PgConnectionLost;
  };
  const destroy = (): void => void client.connection.stream.destroy();
  client.on("error", lose).on("end", () => lose(new Error("the connection was closed")));
  return {
    lost: lost.signal,
    /** The reason of the first call. */
    lose,
    destroy,
    /** Settles as `answer` does, unless the signal is aborted or the time is over before. */
    within: <T>(answer: Promise<T>, withinMs: number, waits: AbortSignal): Promise<T> => {
      const sleep = (ms: number, ended: AbortSignal): Promise<void> => clock.sleep(ms, AbortSignal.any([waits, ended]));
      return withinTime(answer, withinMs, { sleep }, () => {
        lose(new PgConnectionLost([noAnswer(server, timeoutMs)]));
        destroy();
        throw lost.signal.reason;
      });
    },
  };
}

/** An identifier of a statement. */
export function quoted(identifier: string): string {
  return pg.escapeIdentifier(identifier);
}

/** After these, the server ends the session. */
const FATAL: ReadonlySet<unknown> = new Set(["FATAL", "PANIC"]);

/** Whether the server refused a statement, and the session goes on. */
export function isRefusal(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof PgRefused ||
    (error instanceof pg.DatabaseError && error.code !== undefined && !FATAL.has(error.severity))
  );
}

/** Explicit, so that no environment variable can switch the check off. */
async function tlsOptions(
  { isVerified, authority, certificate, key }: PgTls,
  files: FileSystem,
): Promise<ConnectionOptions> {
  const read = async (path: string): Promise<Buffer> => {
    const bytes = await files.read(path, { followLinks: true, maxBytes: MAX_PEM_BYTES }).catch(() => null);
    if (bytes === null) throw new DiagnosticsError([noTlsFile(path)]);
    return Buffer.from(bytes);
  };
  return {
    rejectUnauthorized: isVerified,
    ...(authority === null ? {} : { ca: await read(authority) }),
    ...(certificate === null ? {} : { cert: await read(certificate) }),
    ...(key === null ? {} : { key: await read(key) }),
  };
}

const MAX_PEM_BYTES = 1024 * 1024;
