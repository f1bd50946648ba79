import { OPERATIONS } from "../service/openapi/conformance.ts";

export interface Values {
  /** The path of the base URL. */
  readonly base: string;
  readonly hookId: string;
  readonly campaignId: string;
  readonly userMailboxId: string;
  /** Other targets request no export. */
  readonly exportId?: string;
  readonly email: string;
}

/** The routes of the service's documentation. A name in braces is one segment, with exactly this value. */
const ROUTES: readonly (readonly [method: string, path: string, query: readonly string[]])[] = [
  // No parameter of the list of webhooks is documented.
  ["GET", "/hooks", ["offset", "page", "limit", "sortBy", "sortOrder"]],
  ...OPERATIONS.map(({ method, path, query }) => [method, path, query] as const),
  // Observed by users; the documentation does not show it.
  ["GET", "/campaigns/{campaignId}/export/{exportId}/status", []],
];

/** Fails unless a request goes to a documented route, with each value as exactly one segment of the path. Reads the URL with nothing of the product. */
export function expectDocumentedRoute(method: string, url: URL, values: Values): void {
  const wrong = (why: string): Error => new Error(`${method} ${url.href}: ${why}`);
  if (url.origin !== "https://service.example" || url.username !== "" || url.password !== "")
    throw wrong("another server");
  if (url.hash !== "") throw wrong("a fragment");
  const base = values.base.replace(/\/+$/, "");
  if (!url.pathname.startsWith(`${base}/`)) throw wrong("outside the base path");
  const path = url.pathname.slice(base.length);
  const route = ROUTES.find(([verb, pattern]) => verb === method && matches(pattern, path, values));
  if (!route) throw wrong("no documented route, or a value that is not one segment of it");
  for (const name of url.searchParams.keys()) if (!route[2].includes(name)) throw wrong(`the query parameter ${name}`);
}

function matches(pattern: string, path: string, values: Values): boolean {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  return wanted.length === found.length && wanted.every((part, index) => isSegment(part, found[index] ?? "", values));
}

function isSegment(part: string, segment: string, values: Values): boolean {
  if (!part.startsWith("{")) return segment === part;
  const decoded = decodeURIComponent(segment);
  if (["", ".", ".."].includes(decoded) || /[/\\?#]/.test(segment)) return false;
  return decoded === values[part.slice(1, -1) as keyof Values];
}
