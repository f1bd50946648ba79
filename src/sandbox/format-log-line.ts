import { Buffer } from "node:buffer";
import type { LoggedRequest } from "./request-log.ts";
import { isoTime } from "./sandbox-time.ts";

const MASK = "****";
/** Shorter texts are not masked in the rest of a line: they would match by chance. */
const MIN_MASKED_LENGTH = 4;
/** The names of members and parameters whose values are masked. */
const SECRET_NAME = /secret|key|token|password|authorization/i;

/**
 * One request as a single line of text: time, method, path, status, duration, team, body, and the
 * message of an error. Masks the API key, every member with the name of a secret, and the
 * addresses of leads. Control and direction characters are replaced.
 */
export function formatLogLine(request: LoggedRequest): string {
  const shown = (text: string): string =>
    maskAddresses(secretsOf(request).reduce((line, secret) => line.replaceAll(secret, MASK), text));
  const path = request.path.replace(
    /(\/leads\/)([^/]*)/,
    (_, before: string, email: string) => before + maskAddress(email),
  );
  const parts = [
    isoTime(request.at).slice(11, 23),
    request.method.padEnd(6),
    shown(path + queryText(Object.entries(request.query))),
    request.status === null ? "---" : String(request.status),
    request.durationMs === null ? "" : `${String(Math.round(request.durationMs))} ms`,
    request.team ?? "",
    shown(bodyText(request.body)),
    (request.status ?? 0) >= 400 ? shown(request.response ?? "").slice(0, 200) : "",
    request.fault === null ? "" : `[fault: ${request.fault}]`,
  ];
  return lineOf(parts);
}

/** One line of the parts that are not empty, with control and direction characters replaced. */
export function lineOf(parts: readonly string[]): string {
  const line = parts.filter((part) => part !== "").join("  ");
  return line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{FFFD}");
}

/** A text without the characters that delimit an address in JSON, in a URL or in prose. */
const WORD = /[^\s"'`<>,;:=&?()[\]{}|\\/]+/gu;
const HAS_AT = /@|%40/i;

/** Masks every address in a text, wherever it is. */
function maskAddresses(text: string): string {
  return text.replace(WORD, (word) => (HAS_AT.test(word) ? maskAddress(word) : word));
}

function maskAddress(address: string): string {
  let text = address;
  try {
    text = decodeURIComponent(address);
  } catch {
    // A malformed escape is shown as sent.
  }
  const at = text.lastIndexOf("@");
  return `${text.slice(0, at > 0 ? 1 : 0)}***${at > 0 ? text.slice(at) : ""}`;
}

/** The query with its `?`, without the values of secrets; empty without parameters. */
export function queryText(query: Iterable<readonly [string, string]>): string {
  const entries = [...query].map(([name, value]) => `${name}=${SECRET_NAME.test(name) ? MASK : value}`);
  return entries.length === 0 ? "" : `?${entries.join("&")}`;
}

function bodyText(body: unknown): string {
  if (body === null || body === undefined) return "";
  return typeof body === "string" ? "(body is not JSON)" : JSON.stringify(masked(body));
}

function masked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SECRET_NAME.test(name) ? MASK : masked(member)]),
  );
}

/** Texts that must not appear anywhere in the line, such as a secret inside an address, also as JSON and URLs spell them. */
function secretsOf(request: LoggedRequest): readonly string[] {
  const { body, key } = request;
  const secret = typeof body === "object" && body !== null && "secret" in body ? body.secret : null;
  const secrets = [key, secret].filter(
    (text): text is string => typeof text === "string" && text.length >= MIN_MASKED_LENGTH,
  );
  return secrets.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(Buffer.from(text).toString()),
  ]);
}
