import type { Result } from "../../model/diagnostic.ts";
import { invalidSetting } from "../store-errors.ts";

/** A PostgreSQL server and one of its databases, as a URL names them. */
export interface PgServer {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | null;
  readonly applicationName: string | null;
  readonly options: string | null;
  readonly channelBinding: boolean;
  /** Null for a connection without encryption. */
  readonly tls: PgTls | null;
  /** The URL without credentials and parameters, for messages. */
  readonly shown: string;
}

export interface PgTls {
  /** Whether the server has to prove who it is. */
  readonly isVerified: boolean;
  /** Paths of PEM files. */
  readonly authority: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

const DEFAULT_PORT = 5432;
const VERIFIED_MODES: ReadonlySet<string> = new Set(["prefer", "require", "verify-ca", "verify-full"]);
const MODES = "verify-full, no-verify, disable";
const PARAMETERS = [
  "application_name",
  "channel_binding",
  "host",
  "options",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslrootcert",
];
/** This machine: nobody else sees what is sent. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/**
 * Reads a connection URL. Beyond this machine, a connection is encrypted and the server's certificate verified, unless
 * `sslmode` says otherwise. Messages contain nothing of the URL: it may hold a password in any place.
 */
export function pgServer(
  url: string,
  environment: { readonly [name: string]: string | undefined },
): Result<PgServer | null> {
  const given = parse(url);
  const parsed = given?.parts.user === "" ? likeConfigured(given, environment["PG_CONN_STR"] ?? "") : given;
  if (parsed === null)
    return invalid("It is not a URL of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE.", ENCODING);
  const { parts, parameters } = parsed;
  const unknown = [...parameters.keys()].filter((name) => !PARAMETERS.includes(name));
  if (unknown.length > 0)
    return invalid(`It has parameters that are not supported. Supported are ${PARAMETERS.join(", ")}.`);
  const host = parameters.get("host") ?? parts.host;
  const user = parts.user === "" ? (environment["PGUSER"] ?? "") : parts.user;
  if (host === "" || user === "")
    return invalid(
      `It names no ${host === "" ? "host" : "user"}.`,
      "Write postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
    );
  const isHere = LOOPBACK.test(host) || host.startsWith("/");
  const mode = parameters.get("sslmode") ?? (isHere ? "disable" : "verify-full");
  if (mode !== "disable" && mode !== "no-verify" && !VERIFIED_MODES.has(mode))
    return invalid(`It has an unknown sslmode. The modes are ${MODES}.`);
  const database = parts.database === "" ? user : parts.database;
  const password = parts.password === "" ? (environment["PGPASSWORD"] ?? "") : parts.password;
  const tls = {
    isVerified: mode !== "no-verify",
    authority: file(parameters, "sslrootcert"),
    certificate: file(parameters, "sslcert"),
    key: file(parameters, "sslkey"),
  };
  return {
    value: {
      host,
      port: parts.port,
      database,
      user,
      password: password === "" ? null : password,
      applicationName: parameters.get("application_name") ?? null,
      options: parameters.get("options") ?? null,
      channelBinding: parameters.has("channel_binding") && parameters.get("channel_binding") !== "disable",
      tls: mode === "disable" ? null : tls,
      shown: shownUrl({ host, port: parts.port, database }),
    },
    diagnostics: [],
  };
}

/** A word for all certificates that the system trusts, as in other programs. */
const SYSTEM = "system";

function file(parameters: ReadonlyMap<string, string>, name: string): string | null {
  const path = parameters.get(name) ?? "";
  return path === "" || path === SYSTEM ? null : path;
}

interface UrlParts {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

interface ParsedUrl {
  readonly parts: UrlParts;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A URL without credentials, as messages have it, is completed by the configured one of the same database. */
function likeConfigured({ parts, parameters }: ParsedUrl, configured: string): ParsedUrl {
  const known = parse(configured);
  const isSame =
    known !== null && (["host", "port", "database"] as const).every((name) => known.parts[name] === parts[name]);
  return isSame
    ? { parts: known.parts, parameters: new Map([...known.parameters, ...parameters]) }
    : { parts, parameters };
}

function parse(url: string): ParsedUrl | null {
  try {
    const { protocol, hostname, port, username, password, pathname, search, searchParams, hash } = new URL(url);
    // An unescaped character of a password moves the rest of it into another part, up to the @.
    const isWhole = hash === "" && !`${pathname}${search}`.includes("@") && !pathname.slice(1).includes("/");
    if (!["postgres:", "postgresql:"].includes(protocol) || !isWhole) return null;
    const parts = {
      host: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, "$1"),
      port: port === "" ? DEFAULT_PORT : Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
    };
    return { parts, parameters: new Map(searchParams) };
  } catch {
    return null;
  }
}

function shownUrl({ host, port, database }: Pick<UrlParts, "host" | "port" | "database">): string {
  const where = host.includes(":") ? `[${host}]` : host;
  return `postgres://${where.startsWith("/") ? encodeURIComponent(where) : where}${port === DEFAULT_PORT ? "" : `:${String(port)}`}/${encodeURIComponent(database)}`;
}

const ENCODING =
  "Percent-encode special characters of the password: %40 for @, %23 for #, %2F for /, %3F for ?, %25 for %.";

function invalid(why: string, hint?: string): Result<null> {
  return {
    value: null,
    diagnostics: [invalidSetting({ path: ["url"], from: "The URL of the PostgreSQL server" }, why, hint)],
  };
}
