import { type RestAnswer, type RestRequest, type RestServer, pageOf, startRestServer } from "./rest-server.ts";

export interface GitlabNote {
  readonly id: number;
  body: string;
  readonly author: number;
  readonly system: boolean;
}

interface GitlabToken {
  readonly user: number;
  readonly scopes: readonly string[];
  /** The roles that matter here; null for a token of another project. */
  readonly role: "guest" | "reporter" | null;
}

export interface GitlabServer extends RestServer {
  /** Of merge request 3, in their order. */
  readonly notes: GitlabNote[];
  readonly tokens: { [token: string]: GitlabToken };
  readonly violations: readonly string[];
  note(author: number, body: string, system?: boolean): GitlabNote;
  readonly environment: { readonly [name: string]: string };
}

export const PROJECT_BOT = 91;
export const PROJECT_TOKEN = "glpat-project-token-1";
const PROJECT = "7";
const MERGE_REQUEST = 3;
const MAX_NOTE = 1_000_000;

/**
 * A strict copy of the parts of GitLab's API that jobs use. No package has its OpenAPI description, so the shapes are those of
 * https://docs.gitlab.com/api/notes/#merge-requests, https://docs.gitlab.com/api/users/#get-the-current-user and
 * https://docs.gitlab.com/api/rest/#pagination.
 */
export async function startGitlabServer(): Promise<GitlabServer> {
  const notes: GitlabNote[] = [];
  const violations: string[] = [];
  const tokens: { [token: string]: GitlabToken } = {
    [PROJECT_TOKEN]: { user: PROJECT_BOT, scopes: ["api"], role: "reporter" },
  };
  let lastId = 300;
  const note = (author: number, body: string, system = false): GitlabNote => {
    const made = { id: ++lastId, body, author, system };
    notes.push(made);
    return made;
  };
  const server = await startRestServer((request) => {
    const answer = processed(request, { tokens, notes, note });
    if (answer.status === 400 || answer === NO_ROUTE)
      violations.push(`${request.method} ${request.url.pathname}${request.url.search}`);
    return answer;
  });
  return Object.assign(server, {
    notes,
    tokens,
    violations,
    note,
    environment: { CI: "true", GITLAB_CI: "true", CI_API_V4_URL: `${server.origin}/api/v4`, CI_PROJECT_ID: PROJECT },
  });
}

interface Parts {
  readonly tokens: { readonly [token: string]: GitlabToken };
  readonly notes: GitlabNote[];
  note(author: number, body: string): GitlabNote;
}

const NO_ROUTE: RestAnswer = { status: 404, json: { error: "404 Not Found" } };
const NOT_FOUND: RestAnswer = { status: 404, json: { message: "404 Not found" } };

function processed(request: RestRequest, { tokens, notes, note }: Parts): RestAnswer {
  const { method, url, headers } = request;
  const token = tokens[headers["private-token"] as string];
  if (!token) return { status: 401, json: { message: "401 Unauthorized" } };
  if (!token.scopes.includes("api") && !(method === "GET" && token.scopes.includes("read_api")))
    return {
      status: 403,
      json: {
        error: "insufficient_scope",
        error_description: "The request requires higher privileges than provided by the access token.",
        scope: "api",
      },
    };
  if (method === "GET" && url.pathname === "/api/v4/user")
    return {
      status: 200,
      json: { id: token.user, username: `project_7_bot_${String(token.user)}`, name: "plans", bot: true },
    };
  const thread = `/api/v4/projects/${PROJECT}/merge_requests/${String(MERGE_REQUEST)}/notes`;
  if (!url.pathname.startsWith(thread)) return NO_ROUTE;
  if (token.role === null) return { status: 404, json: { message: "404 Project Not Found" } };
  if (token.role === "guest") return { status: 403, json: { message: "403 Forbidden" } };
  const id = url.pathname.slice(thread.length + 1);
  return id === "" ? thisThread(request, { token, notes, note }) : oneNote(request, Number(id), { token, notes });
}

function thisThread(
  request: RestRequest,
  { token, notes, note }: Pick<Parts, "notes" | "note"> & { readonly token: GitlabToken },
): RestAnswer {
  const { method, url } = request;
  if (method === "GET") {
    const { page, link } = pageOf(url.searchParams.get("sort") === "asc" ? notes : notes.toReversed(), request, 20);
    return {
      status: 200,
      json: page.map(noteJson),
      headers: { "x-per-page": "100", ...(link === null ? {} : { link }) },
    };
  }
  const body = bodyOf(request);
  if (method !== "POST") return NO_ROUTE;
  return body === null ? BAD_BODY : { status: 201, json: noteJson(note(token.user, body)) };
}

function oneNote(
  request: RestRequest,
  id: number,
  { token, notes }: Pick<Parts, "notes"> & { readonly token: GitlabToken },
): RestAnswer {
  const found = notes.find((one) => one.id === id);
  if (!found) return NOT_FOUND;
  // Below the role Maintainer, a note belongs to its author.
  if (found.author !== token.user) return { status: 403, json: { message: "403 Forbidden" } };
  if (request.method === "DELETE") {
    notes.splice(notes.indexOf(found), 1);
    return { status: 204 };
  }
  const body = bodyOf(request);
  if (request.method !== "PUT") return NO_ROUTE;
  if (body === null) return BAD_BODY;
  found.body = body;
  return { status: 200, json: noteJson(found) };
}

const BAD_BODY: RestAnswer = { status: 400, json: { error: "body is missing, or longer than 1000000 characters" } };

function bodyOf({ body, headers }: RestRequest): string | null {
  const text = (body as { readonly body?: unknown } | undefined)?.body;
  return headers["content-type"] === "application/json" &&
    typeof text === "string" &&
    text !== "" &&
    text.length <= MAX_NOTE
    ? text
    : null;
}

function noteJson({ id, body, author, system }: GitlabNote) {
  return {
    id,
    body,
    author: { id: author, username: `user_${String(author)}` },
    system,
    noteable_type: "MergeRequest",
    noteable_iid: MERGE_REQUEST,
    created_at: "2026-01-01T00:00:00.000Z",
  };
}
