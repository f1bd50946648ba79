import type { ChangeRequest, GithubJob } from "./ci-job.ts";
import {
  type CiAnswer,
  type CiPorts,
  type CiRequest,
  ciRequests,
  fieldsOf,
  hasNextPage,
  requestName,
  serverWords,
  textOf,
  unexpectedAnswer,
} from "./ci-requests.ts";
import type { CommentThread, PostedComment } from "./comment-thread.ts";
import { MissingPermission } from "./missing-permission.ts";

const PAGE_SIZE = 100;
const API_VERSION = "2022-11-28";

interface GithubPlace {
  readonly job: Pick<GithubJob, "apiUrl" | "graphqlUrl" | "repository">;
  readonly change: Pick<ChangeRequest, "number">;
}

/**
 * The conversation of a pull request, through GitHub's REST API: https://docs.github.com/en/rest/issues/comments. Only GraphQL tells
 * who a job's own token writes as.
 */
export function githubComments(
  { job, change }: GithubPlace,
  { token, userAgent }: { readonly token: string; readonly userAgent: string },
  ports: CiPorts,
): CommentThread {
  const { send } = ciRequests(ports, {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "user-agent": userAgent,
    "x-github-api-version": API_VERSION,
  });
  const thread = `${apiOf(job)}/issues/${String(change.number)}/comments`;
  const urlOf = (id: number): URL => new URL(`${apiOf(job)}/issues/comments/${String(id)}`);

  async function request(wanted: CiRequest, expected: readonly number[]): Promise<CiAnswer | null> {
    const answer = await send(wanted);
    if (answer && !expected.includes(answer.status)) throw refused(wanted, answer);
    return answer;
  }

  return {
    ...githubRequests({ job, change }),
    author: async () => {
      const viewer: CiRequest = { method: "POST", url: job.graphqlUrl, body: { query: "query { viewer { login } }" }, isRepeatable: true };
      const answer = (await request(viewer, [200])) as CiAnswer;
      const login = textOf(fieldsOf(fieldsOf(fieldsOf(answer.json)["data"])["viewer"])["login"]);
      if (login === "") throw unexpectedAnswer(viewer, answer);
      return login;
    },
    page: async (number) => {
      const list: CiRequest = { method: "GET", url: new URL(`${thread}?per_page=${String(PAGE_SIZE)}&page=${String(number)}`), isRepeatable: true };
      const answer = (await request(list, [200])) as CiAnswer;
      if (!Array.isArray(answer.json)) throw unexpectedAnswer(list, answer);
      return { comments: answer.json.map(postedComment), isLast: !hasNextPage(answer, answer.json.length, PAGE_SIZE) };
    },
    create: async (body) => {
      const answer = await request({ method: "POST", url: new URL(thread), body: { body }, isRepeatable: false }, [201]);
      return answer && postedComment(answer.json);
    },
    update: async (id, body) => void (await request({ method: "PATCH", url: urlOf(id), body: { body }, isRepeatable: true }, [200])),
    remove: async (id) => void (await request({ method: "DELETE", url: urlOf(id), isRepeatable: true }, [204, 404])),
  };
}

/** The name of the thread, and its requests, without sending anything. */
export function githubRequests({ job, change }: GithubPlace): Pick<CommentThread, "name" | "requests"> {
  return {
    name: `pull request #${String(change.number)} of ${job.repository}`,
    requests: { create: `POST ${apiOf(job)}/issues/${String(change.number)}/comments`, update: `PATCH ${apiOf(job)}/issues/comments/COMMENT_ID` },
  };
}

function apiOf({ apiUrl, repository }: GithubPlace["job"]): string {
  return `${apiUrl.href.replace(/\/$/, "")}/repos/${repository}`;
}

function postedComment(json: unknown): PostedComment {
  const { id, body, user, html_url: url } = fieldsOf(json);
  return { id: Number(id), body: textOf(body), author: textOf(fieldsOf(user)["login"]), url: textOf(url) || null };
}

function refused(wanted: CiRequest, answer: CiAnswer): Error {
  const { status } = answer;
  const given = { request: requestName(wanted), status, words: serverWords(answer) };
  if (status === 401) return new MissingPermission({ ...given, hint: "Set GITHUB_TOKEN to a valid token: ${{ github.token }}" });
  if (status === 403 || status === 404)
    return new MissingPermission({ ...given, hint: "Give the job the permission to comment:\n    permissions:\n      pull-requests: write" });
  return unexpectedAnswer(wanted, answer);
}
