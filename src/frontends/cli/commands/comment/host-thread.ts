import { type CiAnswer, type CiRequest, type CiRequests, hasNextPage, unexpectedAnswer } from "./ci-requests.ts";
import { DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";

/** Where one host differs from another. */
export interface ThreadHost {
  /** Name in messages, such as `pull request #7 of acme/crm`. */
  readonly name: string;
  /** The address of the list, without its query. */
  readonly list: string;
  /** The address of one comment. */
  readonly comment: (id: string) => string;
  readonly updateMethod: "PATCH" | "PUT";
  /** The query of one page of the list, the oldest comment first. */
  readonly query: (page: number) => string;
  /** The request that tells who the token belongs to, and that name in its answer; empty if it is not there. */
  readonly self: { readonly request: CiRequest; readonly nameIn: (json: unknown) => string };
  readonly posted: (json: unknown) => PostedComment;
  /** The error for an answer that refuses a request: what the token lacks. Null if it is something else. */
  readonly refusal: (request: CiRequest, answer: CiAnswer) => Error | null;
}

export const PAGE_SIZE = 100;

/** The comments of a change on a host with a REST API. */
export function hostThread(host: ThreadHost, { send }: CiRequests): CommentThread {
  async function request(wanted: CiRequest, expected: readonly number[]): Promise<CiAnswer | null> {
    const answer = await send(wanted);
    if (answer && !expected.includes(answer.status))
      throw host.refusal(wanted, answer) ?? unexpectedAnswer(wanted, answer);
    return answer;
  }

  /** A repeatable request always has an answer. */
  const certain = async (wanted: Omit<CiRequest, "isRepeatable">, expected: readonly number[]): Promise<CiAnswer> =>
    (await request({ ...wanted, isRepeatable: true }, expected)) as CiAnswer;

  return {
    ...threadRequests(host),
    author: async () => {
      const { request: wanted, nameIn } = host.self;
      const answer = await certain(wanted, [200]);
      const name = nameIn(answer.json);
      if (name === "") throw unexpectedAnswer(wanted, answer);
      return name;
    },
    page: async (number) => {
      const wanted = { method: "GET", url: new URL(`${host.list}?${host.query(number)}`) } as const;
      const answer = await certain(wanted, [200]);
      if (!Array.isArray(answer.json)) throw unexpectedAnswer(wanted, answer);
      return { comments: answer.json.map(host.posted), isLast: !hasNextPage(answer, answer.json.length, PAGE_SIZE) };
    },
    create: async (body) => {
      const answer = await request(
        { method: "POST", url: new URL(host.list), body: { body }, isRepeatable: false },
        [201],
      );
      return answer && host.posted(answer.json);
    },
    update: async (id, body) =>
      void (await certain(
        { method: host.updateMethod, url: new URL(host.comment(String(id))), body: { body } },
        [200],
      )),
    remove: async (id) =>
      void (await certain({ method: "DELETE", url: new URL(host.comment(String(id))) }, [204, 404])),
  };
}

/** The name of the thread, and its requests, without sending anything. */
export function threadRequests({
  name,
  list,
  comment,
  updateMethod,
}: ThreadHost): Pick<CommentThread, "name" | "requests"> {
  return { name, requests: { create: `POST ${list}`, update: `${updateMethod} ${comment("ID")}` } };
}

/** The comments on one pull or merge request, as one CI host keeps them. */
export interface CommentThread {
  /** Name in messages, such as `pull request #7 of acme/crm`. */
  readonly name: string;
  /** The request that creates a comment, and the one that updates it, without their bodies. */
  readonly requests: { readonly create: string; readonly update: string };
  /** Who the token writes as, in the form of `PostedComment.author`. */
  author(): Promise<string>;
  /** Page 1 has the oldest comments. */
  page(number: number): Promise<{ readonly comments: readonly PostedComment[]; readonly isLast: boolean }>;
  /** Null if the answer got lost, or the server failed: the comment may exist. */
  create(body: string): Promise<PostedComment | null>;
  update(id: number, body: string): Promise<void>;
  /** Does nothing if the comment is gone. */
  remove(id: number): Promise<void>;
}

export interface PostedComment {
  /** Grows with each new comment. */
  readonly id: number;
  readonly author: string;
  readonly body: string;
  /** Where a person reads it; null where the host does not tell. */
  readonly url: string | null;
}

interface Refusal {
  /** Method and URL. */
  readonly request: string;
  readonly status: number;
  /** What the server said. */
  readonly words: string;
  readonly hint: string;
}

/** The error `ci_permission_missing`: the token may not do what is needed. */
export class MissingPermission extends DiagnosticsError {
  constructor(refusal: Refusal) {
    super([
      errorOf("ci_permission_missing", "The token lacks a permission", {
        detail: detailOf(refusal),
        hint: refusal.hint,
      }),
    ]);
  }
}

/** The error `ci_token_invalid`: nobody has this token. */
export function invalidToken(refusal: Refusal): DiagnosticsError {
  return DiagnosticsError.of("ci_token_invalid", "The token is not valid", {
    detail: detailOf(refusal),
    hint: refusal.hint,
  });
}

function detailOf({ request, status, words }: Refusal): string {
  return `${request} answered ${String(status)}${words === "" ? "" : `: ${words}`}.`;
}
