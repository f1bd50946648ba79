import { checkGithub } from "./github-api.ts";
import { type RestAnswer, type RestRequest, type RestServer, pageOf, startRestServer } from "./rest-server.ts";

export interface GithubComment {
  readonly id: number;
  body: string;
  readonly login: string;
}

export interface GithubIssue {
  readonly number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  readonly labels: readonly string[];
  readonly login: string;
}

/** What a token may do: see https://docs.github.com/en/actions/reference/workflow-syntax-for-github-actions#permissions */
interface GithubToken {
  readonly login: string;
  readonly pulls: "none" | "read" | "write";
  readonly issues: "none" | "read" | "write";
}

export interface GithubServer extends RestServer {
  readonly repository: string;
  /** Of pull request 7, in their order. */
  readonly comments: GithubComment[];
  readonly issues: GithubIssue[];
  /** By the token itself. */
  readonly tokens: { [token: string]: GithubToken };
  /** What a client did that the API does not document, or this server answered so. */
  readonly violations: readonly string[];
  comment(login: string, body: string): GithubComment;
  /** The variables of a job. */
  readonly environment: { readonly [name: string]: string };
}

export const BOT = "github-actions[bot]";
export const BOT_TOKEN = "ghs_bot-token-1";
export const PULL = 7;
const REPOSITORY = "acme/crm";
const MAX_BODY = 65_536;
const NOT_ACCESSIBLE = {
  status: 403,
  json: { message: "Resource not accessible by integration", documentation_url: "https://docs.github.com/rest" },
};

/** A strict copy of the parts of GitHub's API that jobs use. Each request and each answer is checked against the published description. */
export async function startGithubServer(): Promise<GithubServer> {
  const comments: GithubComment[] = [];
  const issues: GithubIssue[] = [];
  const violations: string[] = [];
  const tokens: { [token: string]: GithubToken } = { [BOT_TOKEN]: { login: BOT, pulls: "write", issues: "write" } };
  let lastId = 1000;
  const comment = (login: string, body: string): GithubComment => {
    const made = { id: ++lastId, body, login };
    comments.push(made);
    return made;
  };
  const parts: Parts = { comments, issues, comment };

  const server = await startRestServer((request) => {
    const isGraphql = request.url.pathname === "/graphql";
    const answer = processed(request, tokens, parts);
    if (!isGraphql) violations.push(...checkGithub(request, answer));
    return answer;
  });
  return Object.assign(server, {
    repository: REPOSITORY,
    comments,
    issues,
    tokens,
    violations,
    comment,
    environment: {
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: server.origin,
      GITHUB_GRAPHQL_URL: `${server.origin}/graphql`,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: REPOSITORY,
    },
  });
}

interface Parts {
  readonly comments: GithubComment[];
  readonly issues: GithubIssue[];
  comment(login: string, body: string): GithubComment;
}

function processed(request: RestRequest, tokens: { readonly [token: string]: GithubToken }, parts: Parts): RestAnswer {
  const { method, url, headers, body } = request;
  if (headers["user-agent"] === undefined)
    return { status: 403, json: { message: "Request forbidden by administrative rules." } };
  const [, given = ""] = /^(?:Bearer|token) (.+)$/i.exec(headers.authorization ?? "") ?? [];
  const token = tokens[given];
  if (!token)
    return { status: 401, json: { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" } };
  if (url.pathname === "/graphql") return { status: 200, json: { data: { viewer: { login: token.login } } } };
  const mayWriteTo = (on: "pulls" | "issues"): boolean => token[on] === "write";
  const text = String((body as { readonly body?: unknown } | undefined)?.body ?? "");
  if (method !== "GET" && method !== "DELETE" && [...text].length > MAX_BODY)
    return invalid("body is too long (maximum is 65536 characters)");
  const route = `${method} ${url.pathname.replace(`/repos/${REPOSITORY}`, "")}`;
  if (route === `GET /issues/${String(PULL)}/comments`) {
    if (token.pulls === "none") return NOT_ACCESSIBLE;
    const { page, link } = pageOf(parts.comments, request, 30);
    return { status: 200, json: page.map(commentJson), ...(link === null ? {} : { headers: { link } }) };
  }
  if (route === `POST /issues/${String(PULL)}/comments`)
    return mayWriteTo("pulls") ? { status: 201, json: commentJson(parts.comment(token.login, text)) } : NOT_ACCESSIBLE;
  const [, id] = /^\w+ \/issues\/comments\/(\d+)$/.exec(route) ?? [];
  if (id !== undefined)
    return oneComment(method, Number(id), { text, mayWrite: mayWriteTo("pulls"), comments: parts.comments });
  return issueAnswer(request, route, { token, issues: parts.issues });
}

function oneComment(
  method: string,
  id: number,
  {
    text,
    mayWrite,
    comments,
  }: { readonly text: string; readonly mayWrite: boolean; readonly comments: GithubComment[] },
): RestAnswer {
  const found = comments.find((one) => one.id === id);
  if (!found) return NOT_FOUND;
  if (!mayWrite) return NOT_ACCESSIBLE;
  if (method === "PATCH") {
    found.body = text;
    return { status: 200, json: commentJson(found) };
  }
  comments.splice(comments.indexOf(found), 1);
  return { status: 204 };
}

/** Issues, as far as a nightly job needs them. */
function issueAnswer(
  request: RestRequest,
  route: string,
  { token, issues }: { readonly token: GithubToken; readonly issues: GithubIssue[] },
): RestAnswer {
  const { url, body } = request;
  const fields = (body ?? {}) as {
    readonly title?: string;
    readonly body?: string;
    readonly labels?: readonly string[];
    readonly state?: "open" | "closed";
  };
  if (route === "GET /issues") {
    if (token.issues === "none") return NOT_ACCESSIBLE;
    const [state, creator, labels] = ["state", "creator", "labels"].map((name) => url.searchParams.get(name));
    const listed = issues.filter(
      (one) => (state === "all" || one.state === (state ?? "open")) && (creator === null || one.login === creator),
    );
    const { page, link } = pageOf(
      listed.filter((one) => (labels ?? "").split(",").every((label) => label === "" || one.labels.includes(label))),
      request,
      30,
    );
    return { status: 200, json: page.map(issueJson), ...(link === null ? {} : { headers: { link } }) };
  }
  if (token.issues !== "write") return NOT_ACCESSIBLE;
  if (route === "POST /issues") {
    const made: GithubIssue = {
      number: 100 + issues.length,
      title: fields.title ?? "",
      body: fields.body ?? "",
      state: "open",
      labels: fields.labels ?? [],
      login: token.login,
    };
    issues.push(made);
    return { status: 201, json: issueJson(made) };
  }
  const [, number] = /^PATCH \/issues\/(\d+)$/.exec(route) ?? [];
  const found = issues.find((one) => one.number === Number(number));
  if (!found) return NOT_FOUND;
  Object.assign(found, fields);
  return { status: 200, json: issueJson(found) };
}

const NOT_FOUND: RestAnswer = {
  status: 404,
  json: { message: "Not Found", documentation_url: "https://docs.github.com/rest" },
};

function invalid(message: string): RestAnswer {
  return {
    status: 422,
    json: {
      message: "Validation Failed",
      documentation_url: "https://docs.github.com/rest",
      errors: [{ resource: "IssueComment", code: "custom", field: "body", message }],
    },
  };
}

const WHEN = "2026-01-01T00:00:00Z";

function commentJson({ id, body, login }: GithubComment) {
  const url = `https://api.github.com/repos/${REPOSITORY}/issues/comments/${String(id)}`;
  return {
    id,
    node_id: `IC_${String(id)}`,
    url,
    html_url: `https://github.com/${REPOSITORY}/pull/${String(PULL)}#issuecomment-${String(id)}`,
    issue_url: `https://api.github.com/repos/${REPOSITORY}/issues/${String(PULL)}`,
    body,
    user: userJson(login),
    created_at: WHEN,
    updated_at: WHEN,
    author_association: "NONE",
  };
}

function issueJson({ number, title, body, state, labels, login }: GithubIssue) {
  const url = `https://api.github.com/repos/${REPOSITORY}/issues/${String(number)}`;
  return {
    id: number,
    node_id: `I_${String(number)}`,
    url,
    repository_url: `https://api.github.com/repos/${REPOSITORY}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `https://github.com/${REPOSITORY}/issues/${String(number)}`,
    number,
    title,
    body,
    state,
    labels: labels.map((name) => ({ name })),
    user: userJson(login),
    assignee: null,
    milestone: null,
    locked: false,
    comments: 0,
    closed_at: state === "closed" ? WHEN : null,
    created_at: WHEN,
    updated_at: WHEN,
    author_association: "NONE",
  };
}

function userJson(login: string) {
  const url = `https://api.github.com/users/${encodeURIComponent(login)}`;
  const links = [
    "followers",
    "following",
    "gists",
    "starred",
    "subscriptions",
    "organizations",
    "repos",
    "events",
    "received_events",
  ];
  return {
    login,
    id: 41898282,
    node_id: "U_1",
    avatar_url: "https://avatars.githubusercontent.com/u/1",
    gravatar_id: null,
    url,
    html_url: `https://github.com/${encodeURIComponent(login)}`,
    ...Object.fromEntries(links.map((name) => [`${name}_url`, `${url}/${name}`])),
    type: login.endsWith("[bot]") ? "Bot" : "User",
    site_admin: false,
  };
}
