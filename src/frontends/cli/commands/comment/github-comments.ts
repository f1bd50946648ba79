import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { ChangeRequest, GithubJob } from "./ci-job.ts";
import { type CiAnswer, type CiRequest, fieldsOf, requestName, serverWords, textOf } from "./ci-requests.ts";
import { type PostedComment, PAGE_SIZE, type ThreadHost, MissingPermission, invalidToken } from "./host-thread.ts";

const API_VERSION = "2022-11-28";

export function githubHeaders(token: string): { readonly [name: string]: string } {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "x-github-api-version": API_VERSION,
  };
}

/** The conversation of a pull request, through GitHub's REST API: https://docs.github.com/en/rest/issues/comments */
export function githubComments({ apiUrl, graphqlUrl, repository }: GithubJob, change: ChangeRequest): ThreadHost {
  const issues = `${apiUrl.href.replace(/\/$/, "")}/repos/${repository}/issues`;
  return {
    name: `pull request #${String(change.number)} of ${repository}`,
    list: `${issues}/${String(change.number)}/comments`,
    comment: (id) => `${issues}/comments/${id}`,
    updateMethod: "PATCH",
    query: (page) => `per_page=${String(PAGE_SIZE)}&page=${String(page)}`,
    self: {
      // Only GraphQL tells who a job's own token writes as.
      request: { method: "POST", url: graphqlUrl, body: { query: "query { viewer { login } }" }, isRepeatable: true },
      nameIn: (json) => textOf(fieldsOf(fieldsOf(fieldsOf(json)["data"])["viewer"])["login"]),
    },
    posted: postedComment,
    refusal,
  };
}

function postedComment(json: unknown): PostedComment {
  const { id, body, user, html_url: url } = fieldsOf(json);
  return { id: Number(id), body: textOf(body), author: textOf(fieldsOf(user)["login"]), url: textOf(url) || null };
}

/** The error `ci_unsupported`. */
function noGraphql(request: string, status: number): DiagnosticsError {
  const detail = `${request} answered ${String(status)}. outreach comment finds its own comment through GitHub's GraphQL API, which Forgejo and Gitea do not have.`;
  const hint =
    "Print the text of the comment, and post it with a tool of your server: outreach show --format markdown PLANFILE";
  return DiagnosticsError.of("ci_unsupported", "The CI has no GraphQL API", { detail, hint });
}

function refusal(request: CiRequest, answer: CiAnswer): Error | null {
  const { status } = answer;
  const given = { request: requestName(request), status, words: serverWords(answer) };
  if (status === 401) return invalidToken({ ...given, hint: "Set GITHUB_TOKEN to a valid token: ${{ github.token }}" });
  if ((status === 404 || status === 405) && request.url.pathname.endsWith("/graphql"))
    return noGraphql(requestName(request), status);
  // The conversation is locked: no permission of the token helps.
  const isLocked = given.words.endsWith("is locked");
  if ((status !== 403 && status !== 404) || isLocked) return null;
  return new MissingPermission({
    ...given,
    hint: "Give the job the permission to comment:\n    permissions:\n      pull-requests: write",
  });
}
