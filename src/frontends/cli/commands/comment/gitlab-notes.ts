import type { ChangeRequest, GitlabJob } from "./ci-job.ts";
import { type CiAnswer, type CiRequest, fieldsOf, requestName, serverWords, textOf } from "./ci-requests.ts";
import { type PostedComment, PAGE_SIZE, type ThreadHost, MissingPermission, invalidToken } from "./host-thread.ts";

export function gitlabHeaders(token: string): { readonly [name: string]: string } {
  return { accept: "application/json", "private-token": token };
}

/** The notes of a merge request: https://docs.gitlab.com/api/notes/#merge-requests. The job's own token cannot write them. */
export function gitlabNotes({ apiUrl, project }: GitlabJob, change: ChangeRequest): ThreadHost {
  const api = apiUrl.href.replace(/\/$/, "");
  const notes = `${api}/projects/${project}/merge_requests/${String(change.number)}/notes`;
  return {
    name: `merge request !${String(change.number)} of project ${project}`,
    list: notes,
    comment: (id) => `${notes}/${id}`,
    updateMethod: "PUT",
    query: (page) => `order_by=created_at&sort=asc&per_page=${String(PAGE_SIZE)}&page=${String(page)}`,
    self: {
      request: { method: "GET", url: new URL(`${api}/user`), isRepeatable: true },
      nameIn: (json) => userId(json),
    },
    posted: postedNote,
    refusal,
  };
}

/** A note of the system, such as a changed label, is nobody's comment. */
function postedNote(json: unknown): PostedComment {
  const { id, body, author, system } = fieldsOf(json);
  return { id: Number(id), body: textOf(body), author: system === true ? "" : userId(author), url: null };
}

function userId(json: unknown): string {
  const { id } = fieldsOf(json);
  return typeof id === "number" ? String(id) : "";
}

function refusal(request: CiRequest, answer: CiAnswer): Error | null {
  const { status } = answer;
  const given = { request: requestName(request), status, words: serverWords(answer) };
  if (status === 401)
    return invalidToken({
      ...given,
      hint: "Set GITLAB_TOKEN to a valid access token of the project, with the scope api.",
    });
  if (status !== 403 && status !== 404) return null;
  return new MissingPermission({
    ...given,
    hint: "GITLAB_TOKEN needs the scope api, and at least the role Reporter in the project of the merge request.",
  });
}
