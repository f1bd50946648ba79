import { parseUrl } from "../../core/model/parse-url.ts";

/** The characters and length of an id, regardless of its prefix. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

export function isWebhookId(id: unknown): id is string {
  return typeof id === "string" && id.startsWith("hoo_") && ID.test(id);
}

export function isCampaignId(id: unknown): id is string {
  return typeof id === "string" && id.startsWith("cam_") && ID.test(id);
}

/** Accepts an id with any prefix: not every prefix is documented. */
export function isId(id: unknown): id is string {
  return typeof id === "string" && ID.test(id);
}

/**
 * The URL of an operation: the base URL with `segments` appended. Verifies that each segment arrives unchanged, because an
 * id such as `..` would turn into another operation's path. An empty last segment is a trailing slash. Throws on an unsafe
 * segment.
 */
export function serviceUrl(
  baseUrl: string,
  segments: readonly string[],
  query: { readonly [name: string]: string } = {},
): URL {
  const url = new URL(baseUrl);
  const { host } = url;
  const prefix = url.pathname.replace(/\/+$/, "");
  const expected = [prefix, ...segments.map(encodeURIComponent)].join("/");
  url.pathname = expected;
  if (
    url.pathname !== expected ||
    url.host !== host ||
    segments.some(
      (segment, index) => segment === "." || segment === ".." || (segment === "" && index < segments.length - 1),
    )
  ) {
    throw new Error(`the path segments ${JSON.stringify(segments)} do not make a safe path`);
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** Whether a URL uses https, or http to this machine. */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

/** The problem with a base URL, as a sentence; undefined if it is valid. Requires https except for this machine. */
export function baseUrlProblem(text: string): string | undefined {
  if (/^[\w.-]+:\d/.test(text))
    return `${JSON.stringify(text)} is not a URL: start it with https://, or with http:// for this machine.`;
  if (/[\\\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text))
    return "The base URL must not contain a backslash or an invisible character.";
  const url = parseUrl(text);
  if (url === null) return `${JSON.stringify(text)} is not a URL.`;
  if (url.username !== "" || url.password !== "") return "The base URL must not contain a user name or a password.";
  if (url.search !== "" || url.hash !== "") return "The base URL must not contain a query or a fragment.";
  if (isSecureUrl(url)) return undefined;
  return `${text} does not use https. The API key would cross the network unencrypted; http is only allowed for this machine.`;
}
