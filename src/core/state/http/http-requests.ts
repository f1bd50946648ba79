import { NEVER_ABORTED } from "../../model/async.ts";
import { createHash } from "node:crypto";
import { type Diagnostic, DiagnosticsError } from "../../model/diagnostic.ts";
import { WebFailure, type WebResponse } from "../../model/web.ts";
import { type HttpSettings, isHeaderValue } from "./http-settings.ts";
import { retryAfterMs } from "../retry-after.ts";
import type { StorePorts } from "../state-store.ts";
import { storeUnreachable, invalidSetting } from "../store-errors.ts";

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array | null;
  /**
   * An interruption waits for the answer to a request that is under way, and sends one without an answer a last time: what
   * became of it must be known. By default, an interruption cuts the connection.
   */
  readonly isSettled?: true;
  /** Called with each answer after which the request would be repeated. Its error ends the attempts. */
  readonly onRefused?: (answer: WebResponse) => Promise<void>;
}

export interface HttpAnswer extends WebResponse {
  /** Method and URL, for messages. Without the query, which may be secret. */
  readonly request: string;
  /** Whether the server may have carried out this request before, or now, without saying so. */
  readonly inDoubt: boolean;
}

export interface HttpRequests {
  /** Reads the secrets, and sends nothing. */
  prepare(): Promise<void>;
  /** Repeats the request as the settings say. Throws `Unanswered` if the last attempt got no answer. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}

/** The error `state_unreachable`. */
export class Unanswered extends DiagnosticsError {
  /** Whether the server may have carried out the request. */
  readonly inDoubt: boolean;

  constructor(diagnostic: Diagnostic, inDoubt: boolean) {
    super([diagnostic]);
    this.inDoubt = inDoubt;
  }
}

/** The requests of the http backend: with credentials and checksums, and repeated where they got no answer, 429, or 5xx other than 501. */
export function httpRequests(settings: HttpSettings, ports: StorePorts): HttpRequests {
  let preparing: Promise<Headers> | null = null;
  const prepare = (): Promise<Headers> => (preparing ??= commonHeaders(settings, ports));
  const { max, waitMinMs, waitMaxMs } = settings.retry;

  async function attempt({ method, url, body }: HttpRequest, signal: AbortSignal): Promise<WebResponse | WebFailure> {
    const web = await ports.web();
    const headers = {
      ...(body ? { "content-type": "application/json", "content-md5": md5(body) } : {}),
      ...(await prepare()),
    };
    try {
      const answer = await web.send({ method, url, headers, body, timeoutMs: ports.timeoutMs }, signal);
      return method === "GET" && isDamaged(answer) ? DAMAGED : answer;
    } catch (error) {
      if (signal.aborted || !(error instanceof WebFailure)) throw error;
      return error;
    }
  }

  async function send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const words = `${request.method} ${shownUrl(request.url)}`;
    let inDoubt = false;
    for (let sent = 1; ; sent++) {
      const isLast = sent > max || (signal.aborted && sent > 1);
      const answer = await attempt(request, request.isSettled ? NEVER_ABORTED : signal);
      inDoubt ||= mayBeDone(answer);
      if (isRepeatable(answer) && !(answer instanceof WebFailure)) await request.onRefused?.(answer);
      if (!isRepeatable(answer) || isLast) {
        if (answer instanceof WebFailure)
          throw new Unanswered(unreachable(words, { host: request.url.host, failure: answer, sent }), inDoubt);
        return { ...answer, request: words, inDoubt };
      }
      const waiting = ports.clock.sleep(
        Math.min(
          waitMaxMs,
          (answer instanceof WebFailure ? null : retryAfterMs(answer)) ?? waitMinMs * 2 ** (sent - 1),
        ),
        signal,
      );
      await (request.isSettled && inDoubt ? waiting.catch(() => undefined) : waiting);
    }
  }

  return { prepare: async () => void (await prepare()), send };
}

type Headers = { readonly [name: string]: string };

async function commonHeaders({ username, password, headers }: HttpSettings, { reveal }: StorePorts): Promise<Headers> {
  const secret = password === null ? "" : await reveal(password);
  const basic =
    username === null ? {} : { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString("base64")}` };
  const own = await Promise.all(
    headers.map(async ([name, value]) => [name, typeof value === "string" ? value : await reveal(value)] as const),
  );
  const unsound = own.find(([, value]) => !isHeaderValue(value));
  if (unsound)
    throw new DiagnosticsError([
      invalidSetting(
        { path: ["headers"], from: "headers" },
        `The value of ${unsound[0]} contains characters that a header cannot have.`,
      ),
    ]);
  return { ...basic, ...Object.fromEntries(own) };
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

function isDamaged({ status, headers, body }: WebResponse): boolean {
  const expected = headers["content-md5"];
  return status === 200 && expected !== undefined && expected !== md5(body);
}

const DAMAGED = new WebFailure("the answer does not match its Content-MD5", { sent: true });

function isRepeatable(answer: WebResponse | WebFailure): boolean {
  if (answer instanceof WebFailure) return answer.problem?.isTemporary ?? true;
  return answer.status === 429 || (answer.status >= 500 && answer.status !== 501);
}

function mayBeDone(answer: WebResponse | WebFailure): boolean {
  return answer instanceof WebFailure ? answer.sent : answer.status >= 500;
}

function unreachable(
  request: string,
  { host, failure, sent }: { readonly host: string; readonly failure: WebFailure; readonly sent: number },
): Diagnostic {
  const { problem, message } = failure;
  const why = problem && problem.kind !== "proxy" ? `${host} ${message}` : message;
  return storeUnreachable({
    request,
    why: sent > 1 ? `${why} (${String(sent)} attempts)` : why,
    hint: problem?.hint ?? null,
  });
}

export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
