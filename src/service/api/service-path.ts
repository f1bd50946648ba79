/** What an id may be made of, whatever its prefix. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

export function isWebhookId(id: unknown): id is string {
  return typeof id === "string" && id.startsWith("hoo_") && ID.test(id);
}

export function isCampaignId(id: unknown): id is string {
  return typeof id === "string" && id.startsWith("cam_") && ID.test(id);
}

/** A mailbox id is any plain id: its prefix is not documented. */
export function isMailboxId(id: unknown): id is string {
  return typeof id === "string" && ID.test(id);
}

/** An address that is safe in a path: exactly one `@`, something on both sides, no white space and no control characters, at most 254 characters. */
export function isEmail(email: unknown): email is string {
  return typeof email === "string" && email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email);
}

/**
 * The address of an operation: `segments` are appended to the base URL, each checked to arrive as exactly itself. An id
 * such as `..` would otherwise fold into another operation's path. An empty last segment is a trailing slash. Throws on a
 * segment that is not plain.
 */
export function serviceUrl(baseUrl: string, segments: readonly string[], query: { readonly [name: string]: string } = {}): URL {
  const url = new URL(baseUrl);
  const { host } = url;
  const prefix = url.pathname.replace(/\/+$/, "");
  const expected = [prefix, ...segments.map(encodeURIComponent)].join("/");
  url.pathname = expected;
  if (
    url.pathname !== expected ||
    url.host !== host ||
    segments.some((segment, index) => segment === "." || segment === ".." || (segment === "" && index < segments.length - 1))
  ) {
    throw new Error(`the path segments ${JSON.stringify(segments)} do not make a safe path`);
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** Whether a URL uses https, or names this machine with http. */
export function isProtected(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

/** What is wrong with a base URL, in a sentence; undefined when nothing is. https only beyond this machine. */
export function baseUrlProblem(text: string): string | undefined {
  if (/^[\w.-]+:\d/.test(text)) return `${JSON.stringify(text)} is not a URL: https:// is missing, or http:// for this machine.`;
  if (!URL.canParse(text)) return `${JSON.stringify(text)} is not a URL.`;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "The base URL must not carry a user name or a password.";
  if (url.search !== "" || url.hash !== "") return "The base URL must not carry a query or a fragment.";
  if (isProtected(url)) return undefined;
  return `${text} does not use https. Without it the API key would cross the network readably; http is for this machine only.`;
}
