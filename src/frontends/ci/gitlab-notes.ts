import type { ChangeRequest, GitlabJob } from "./ci-job.ts";
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

interface GitlabPlace {
  readonly job: Pick<GitlabJob, "apiUrl" | "project">;
  readonly change: Pick<ChangeRequest, "number">;
}

/** The notes of a merge request: https://docs.gitlab.com/api/notes/#merge-requests. The job's own token cannot write them. */
export function gitlabNotes(
  { job, change }: GitlabPlace,
  { token, userAgent }: { readonly token: string; readonly userAgent: string },
  ports: CiPorts,
): CommentThread {
  const { send } = ciRequests(ports, { accept: "application/json", "private-token": token, "user-agent": userAgent });
  const thread = notesUrl({ job, change });
  const urlOf = (id: number): URL => new URL(`${thread}/${String(id)}`);

  async function request(wanted: CiRequest, expected: readonly number[]): Promise<CiAnswer | null> {
    const answer = await send(wanted);
    if (answer && !expected.includes(answer.status)) throw refused(wanted, answer);
    return answer;
  }

  return {
    ...gitlabRequests({ job, change }),
    author: async () => {
      const self: CiRequest = { method: "GET", url: new URL(`${apiOf(job)}/user`), isRepeatable: true };
      const answer = (await request(self, [200])) as CiAnswer;
      const { id } = fieldsOf(answer.json);
      if (typeof id !== "number") throw unexpectedAnswer(self, answer);
      return String(id);
    },
    page: async (number) => {
      const query = `order_by=created_at&sort=asc&per_page=${String(PAGE_SIZE)}&page=${String(number)}`;
      const list: CiRequest = { method: "GET", url: new URL(`${thread}?${query}`), isRepeatable: true };
      const answer = (await request(list, [200])) as CiAnswer;
      if (!Array.isArray(answer.json)) throw unexpectedAnswer(list, answer);
      return { comments: answer.json.map(postedNote), isLast: !hasNextPage(answer, answer.json.length, PAGE_SIZE) };
    },
    create: async (body) => {
      const answer = await request({ method: "POST", url: new URL(thread), body: { body }, isRepeatable: false }, [201]);
      return answer && postedNote(answer.json);
    },
    update: async (id, body) => void (await request({ method: "PUT", url: urlOf(id), body: { body }, isRepeatable: true }, [200])),
    remove: async (id) => void (await request({ method: "DELETE", url: urlOf(id), isRepeatable: true }, [204, 404])),
  };
}

/** The name of the thread, and its requests, without sending anything. */
export function gitlabRequests({ job, change }: GitlabPlace): Pick<CommentThread, "name" | "requests"> {
  const thread = notesUrl({ job, change });
  return { name: `merge request !${String(change.number)} of project ${job.project}`, requests: { create: `POST ${thread}`, update: `PUT ${thread}/NOTE_ID` } };
}

function notesUrl({ job, change }: GitlabPlace): string {
  return `${apiOf(job)}/projects/${job.project}/merge_requests/${String(change.number)}/notes`;
}

function apiOf({ apiUrl }: GitlabPlace["job"]): string {
  return apiUrl.href.replace(/\/$/, "");
}

/** A note of the system, such as a changed label, is nobody's comment. */
function postedNote(json: unknown): PostedComment {
  const { id, body, author, system } = fieldsOf(json);
  return { id: Number(id), body: textOf(body), author: system === true ? "" : String(fieldsOf(author)["id"]), url: null };
}

function refused(wanted: CiRequest, answer: CiAnswer): Error {
  const { status } = answer;
  const given = { request: requestName(wanted), status, words: serverWords(answer) };
  if (status === 401) return new MissingPermission({ ...given, hint: "Set GITLAB_TOKEN to a valid access token of the project, with the scope api." });
  if (status === 403 || status === 404)
    return new MissingPermission({ ...given, hint: "GITLAB_TOKEN needs the scope api, and at least the role Reporter in the project of the merge request." });
  return unexpectedAnswer(wanted, answer);
}
