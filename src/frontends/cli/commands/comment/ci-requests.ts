import { printable } from "../../../../core/model/words.ts";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { Clock } from "../../../../core/model/ports.ts";
import { type Web, type WebResponse, WebFailure } from "../../../../core/model/web.ts";

interface CiPorts {
  readonly web: Web;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long one request may take. */
  readonly timeoutMs: number;
}

export interface CiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly body?: object;
  /** Whether the request has the same effect if the server carries it out twice. */
  readonly isRepeatable: boolean;
}

export interface CiAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** The JSON of the answer; null if it has none. */
  readonly json: unknown;
}

/** Sends requests to the API of a CI host. */
export interface CiRequests {
  /**
   * Repeats a request that was refused because of a rate limit, and a repeatable one that got no answer or a 5xx. Null if
   * the outcome of a request that is not repeatable is unknown. Throws `ci_unreachable` and `ci_rate_limited`.
   */
  send(request: CiRequest): Promise<CiAnswer | null>;
}

const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 1000;
/** A job that waits costs money. */
const MAX_WAIT_MS = 90_000;

export function ciRequests(
  { web, clock, signal, timeoutMs }: CiPorts,
  headers: { readonly [name: string]: string },
): CiRequests {
  async function attempt({ method, url, body }: CiRequest): Promise<WebResponse | WebFailure> {
    const content = body === undefined ? {} : { "content-type": "application/json" };
    const bytes = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
    try {
      return await web.send({ method, url, headers: { ...headers, ...content }, body: bytes, timeoutMs }, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof WebFailure)) throw error;
      return error;
    }
  }

  async function send(request: CiRequest): Promise<CiAnswer | null> {
    for (let sent = 1; ; sent++) {
      const answer = await attempt(request);
      const isFailed = answer instanceof WebFailure;
      if (!isFailed && !isLimited(answer) && answer.status < 500)
        return { status: answer.status, headers: answer.headers, json: jsonOf(answer.body) };
      const isSafe = isFailed ? !answer.sent : isLimited(answer);
      if (!isSafe && !request.isRepeatable) return null;
      const waitMs = (isFailed ? null : askedMs(answer, clock.now())) ?? FIRST_WAIT_MS * 2 ** (sent - 1);
      const isPermanent = isFailed && answer.problem?.isTemporary === false;
      if (isPermanent || sent === MAX_ATTEMPTS || waitMs > MAX_WAIT_MS)
        throw givenUp(request, answer, { sent, waitMs });
      await clock.sleep(waitMs, signal);
    }
  }

  return { send };
}

/** Method and URL, for messages. */
export function requestName({ method, url }: Pick<CiRequest, "method" | "url">): string {
  return `${method} ${url.origin}${url.pathname}`;
}

/** GitHub also refuses with 403 because of a rate limit. Its headers tell that from a missing permission. */
function isLimited({ status, headers }: WebResponse): boolean {
  return (
    status === 429 ||
    (status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0"))
  );
}

/** How long the server asks to wait; null if it does not say. */
function askedMs({ headers }: WebResponse, nowMs: number): number | null {
  const number = (name: string): number | null =>
    /^\d{1,12}$/.test(headers[name] ?? "") ? Number(headers[name]) : null;
  const after = number("retry-after");
  if (after !== null) return after * 1000;
  const reset = headers["x-ratelimit-remaining"] === "0" ? number("x-ratelimit-reset") : null;
  return reset === null ? null : Math.max(FIRST_WAIT_MS, reset * 1000 - nowMs);
}

function givenUp(
  request: CiRequest,
  answer: WebResponse | WebFailure,
  { sent, waitMs }: { readonly sent: number; readonly waitMs: number },
): DiagnosticsError {
  const attempts = sent === 1 ? "" : ` (${String(sent)} attempts)`;
  if (answer instanceof WebFailure) {
    const why =
      answer.problem && answer.problem.kind !== "proxy" ? `${request.url.host} ${answer.message}` : answer.message;
    const hint = answer.problem?.hint ?? "Run the job again.";
    return DiagnosticsError.of("ci_unreachable", "Cannot reach the CI", {
      detail: `${requestName(request)}: ${why}${attempts}.`,
      hint,
    });
  }
  if (isLimited(answer)) {
    const detail = `${requestName(request)} was refused because of a rate limit${attempts}. The server asks to wait ${String(Math.ceil(waitMs / 1000))} s.`;
    return DiagnosticsError.of("ci_rate_limited", "Rate limit of the CI", { detail, hint: "Run the job again later." });
  }
  const detail = `${requestName(request)} failed with status ${String(answer.status)}${attempts}.`;
  return DiagnosticsError.of("ci_unreachable", "Cannot reach the CI", { detail, hint: "Run the job again." });
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return null;
  }
}

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What an error answer says, safe to show, without the period at its end. */
export function serverWords({ json }: CiAnswer): string {
  const { message, error, error_description: described, errors } = fieldsOf(json);
  const first = Array.isArray(errors) ? fieldsOf(errors[0])["message"] : null;
  const words =
    [described, message, error, first]
      .map((one) => (typeof one === "object" && one !== null ? JSON.stringify(one) : textOf(one)))
      .find((one) => one !== "") ?? "";
  return printable(words).replace(/\.$/, "");
}

/** Whether more pages follow. A `Link` header tells; without one, a full page does. */
export function hasNextPage({ headers }: CiAnswer, count: number, pageSize: number): boolean {
  const { link } = headers;
  return link === undefined ? count >= pageSize : /;\s*rel="?next"?/i.test(link);
}

/** An answer that the API does not document. */
export function unexpectedAnswer(request: Pick<CiRequest, "method" | "url">, answer: CiAnswer): DiagnosticsError {
  const words = serverWords(answer);
  const isRedirect = answer.status >= 300 && answer.status < 400;
  return DiagnosticsError.of("ci_request_failed", "The CI refused the request", {
    detail: `${requestName(request)} answered ${String(answer.status)}${words === "" ? "" : `: ${words}`}.`,
    hint: isRedirect
      ? "Redirects are not followed, because they could send the token elsewhere."
      : "Check the token and the settings of the repository.",
  });
}
