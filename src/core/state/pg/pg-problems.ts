import { printable } from "../../model/words.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { PgServer } from "./pg-server.ts";
import { storeUnreachable } from "../store-errors.ts";

/** What the server, or Node, says. */
interface Cause {
  readonly message: string;
  readonly code?: string | undefined;
}

/** The message of an error of ours: the server asks for a password, and there is none. */
export const NO_PASSWORD = "no password";

/** Why there is no connection, or no more. */
export function connectionProblem(server: Pick<PgServer, "shown" | "user" | "database">, cause: Cause): Diagnostic {
  const { code = "", message } = cause;
  const denied = (why: string, hint: string): Diagnostic =>
    errorOf("state_denied", "Access to the state was denied", {
      detail: `${server.shown} refused the user ${server.user}: ${why}.`,
      hint,
    });
  if (message === NO_PASSWORD)
    return denied("it asks for a password, and the URL has none", "Write it into the URL, or set PGPASSWORD.");
  switch (code) {
    case "28P01":
      return denied("wrong user or password", "Correct the user and the password in the URL.");
    case "28000":
      return denied(printable(message), "Correct the user, or allow this connection in the server's pg_hba.conf.");
    case "42501":
      return denied(
        printable(message),
        `Grant it: GRANT CONNECT ON DATABASE ${identifier(server.database)} TO ${identifier(server.user)};`,
      );
    case "3D000":
      return unreachable(
        server,
        `the database ${server.database} does not exist`,
        `Create it: CREATE DATABASE ${identifier(server.database)}; or correct the URL.`,
      );
    default: {
      const [why, hint] = reasonOf(cause);
      return unreachable(server, why, hint);
    }
  }
}

export function noAnswer(server: Pick<PgServer, "shown">, timeoutMs: number): Diagnostic {
  return unreachable(server, `no answer within ${String(timeoutMs / 1000)} s`);
}

function unreachable({ shown }: Pick<PgServer, "shown">, why: string, hint: string | null = null): Diagnostic {
  return storeUnreachable({ request: `The connection to ${shown}`, why, hint });
}

const TRUST =
  "If you trust it, name the certificate of its authority with sslrootcert=PATH in the URL, or with NODE_EXTRA_CA_CERTS.";
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function reasonOf({ message, code = "" }: Cause): Reason {
  if (UNKNOWN_AUTHORITY.has(code)) return ["no known authority signed the server's certificate", TRUST];
  if (/does not support SSL/.test(message))
    return [
      "the server does not support TLS",
      "Enable TLS on the server. Only if the network is private and trusted: add sslmode=disable to the URL.",
    ];
  return REASONS.get(code) ?? [SERVER_STATE.test(code) ? printable(message) : "the connection was closed"];
}

type Reason = readonly [why: string, hint?: string];

const NOT_REACHED: Reason = ["the server cannot be reached"];

/** By the code of Node.js, or the SQLSTATE. */
const REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ["ECONNREFUSED", ["the connection was refused", "Check that the server runs, and the host and port of the URL."]],
  ["ENOTFOUND", ["the host name is unknown", "Correct the host name, or check the network."]],
  ["EAI_AGAIN", ["the host name could not be looked up"]],
  ["EHOSTUNREACH", NOT_REACHED],
  ["ENETUNREACH", NOT_REACHED],
  ["ETIMEDOUT", NOT_REACHED],
  ["ENOENT", ["there is no socket in that folder", "Check that the server runs, and the host of the URL."]],
  ["CERT_HAS_EXPIRED", ["the server's certificate has expired", "Renew it, or correct the clock of this machine."]],
  ["ERR_TLS_CERT_ALTNAME_INVALID", ["the server's certificate is for another host name", "Correct the host name."]],
  [
    "53300",
    [
      "the server has no connection left for another client",
      "Run the command again later, or raise max_connections on the server.",
    ],
  ],
  ["57P01", ["an administrator ended the connection"]],
  [
    "57P03",
    ["the server does not accept connections now: it starts, stops or recovers", "Run the command again later."],
  ],
]);

const SERVER_STATE = /^[0-9A-Z]{5}$/;

export function noTlsFile(path: string): Diagnostic {
  return errorOf("state_setting_invalid", "Invalid state setting", {
    detail: `The URL of the PostgreSQL server names the file ${path}, which cannot be read.`,
    hint: "Correct sslrootcert, sslcert or sslkey in the URL.",
    path: ["url"],
  });
}

interface Refused extends Cause {
  readonly code: string;
}

/** What a refused statement means to users. `schema` is where the state is. */
export function refusedStatement(
  name: string,
  { user, database }: Pick<PgServer, "user" | "database">,
  { schema, code, message }: Refused & { readonly schema: string },
): Diagnostic {
  if (code === "42501") {
    const [to, place] = [identifier(user), identifier(schema)];
    return errorOf("state_denied", "Access to the state was denied", {
      detail: `${name}: ${printable(message)}.`,
      hint: /database/.test(message)
        ? `Create the schema as an administrator: CREATE SCHEMA ${place} AUTHORIZATION ${to}; or: GRANT CREATE ON DATABASE ${identifier(database)} TO ${to};`
        : [
            "To lock and write, use the URL of a role that writes.",
            `If ${user} is the right role, grant its rights as the schema's owner.`,
            `To read, which suffices without a lock: GRANT USAGE ON SCHEMA ${place} TO ${to}; GRANT SELECT ON ALL TABLES IN SCHEMA ${place} TO ${to};`,
            `To write and lock: GRANT USAGE, CREATE ON SCHEMA ${place} TO ${to}; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${place} TO ${to};`,
          ].join("\n"),
    });
  }
  const detail = `${name}: ${printable(message)} (SQLSTATE ${code}).`;
  const hint = HINTS[code] ?? "Correct this on the server, then run the command again.";
  return errorOf("state_answer", "The server refused a statement", { detail, hint });
}

const HINTS: { readonly [code: string]: string } = {
  "25006": "This server only reads, as a replica does. Name the primary server in the URL.",
  "53100": "The server's disk is full. Free space on it, then run the command again.",
  "57014":
    "Another session may be blocking the state's tables. Run the command again, with a longer time-out if it stays so.",
};

/** A pooler that gives each transaction another session loses locks: they stay behind in a session that nobody owns. */
export function pooledConnection(name: string): Diagnostic {
  return errorOf("state_pooled", "The connection pool cannot hold a lock", {
    detail: `${name} is behind a connection pool that gives each transaction another session of the server. A lock belongs to one session, so it would be lost.`,
    hint: "Name the server itself in the URL, or a pool in session mode.",
  });
}

/** The lock ended with the session. */
export function lockLostWithSession(
  name: string,
  { id, why }: { readonly id: string; readonly why: string },
): Diagnostic {
  return errorOf("lock_lost", "The state lock was lost", {
    detail: `The lock ${id} of ${name} ended with its session. ${why} This run stopped sending and did not write the state again.`,
    hint: "Check the network and the server, then run the command again.",
  });
}

/** A name as a statement writes it. */
export function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
