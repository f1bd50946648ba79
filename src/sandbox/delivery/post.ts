import { Buffer } from "node:buffer";
import { Agent as HttpAgent, request as requestHttp } from "node:http";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { lookupLocal } from "./target.ts";
import type { Target } from "./target.ts";

/** The result of one POST. `error` null: the answer arrived whole, or was longer than is read of it. */
export type PostResult = {
  readonly status: number | null;
  readonly error: string | null;
  /** The header of the answer, unchanged. */
  readonly retryAfter: string | null;
};

/** Connections for both schemes, kept open between requests. */
export type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent };

/** The connections of one sandbox. */
export function createAgents(): Agents {
  // Receivers close idle connections, often after 2 s or more. A connection that closes while a request is sent would be a failed attempt.
  const options = { keepAlive: true, timeout: 1000 };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

const USER_AGENT = "outreach-as-code-sandbox";

/** Reads at most this many bytes of an answer; the rest is cut off with the connection. */
const MAX_ANSWER_BYTES = 64_000;

/**
 * Posts `body` (JSON) once. Follows no redirect, and discards the answer's body. Calls `done` once, never before it returns. The
 * returned function ends the request at once, with `error` as its result.
 */
export function post(target: Target, body: string, agents: Agents, done: (result: PostResult) => void): (error: string) => void {
  let request: ClientRequest | null = null;
  let isDone = false;
  const finish = (result: PostResult): void => {
    if (isDone) return;
    isDone = true;
    done(result);
  };
  const fail = (status: number | null, error: string): void => finish({ status, error, retryAfter: null });
  try {
    const options = requestOptions(target, body);
    request = target.isSecure ? requestHttps({ ...options, agent: agents.https }) : requestHttp({ ...options, agent: agents.http });
    request.on("response", (response) => discard(response, finish));
    request.on("error", (error: NodeJS.ErrnoException) => fail(null, errorText(error)));
    request.end(body);
  } catch (error) {
    // A header or path that Node refuses.
    void Promise.resolve().then(() => fail(null, error instanceof Error ? error.message : String(error)));
  }
  return (error) => {
    request?.destroy();
    fail(null, error);
  };
}

function requestOptions({ hostname, port, path, auth, isLocalName }: Target, body: string): RequestOptions {
  return {
    method: "POST",
    hostname,
    port,
    path,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "User-Agent": USER_AGENT,
      Accept: "*/*",
    },
    ...(auth === null ? {} : { auth }),
    ...(isLocalName ? { lookup: lookupLocal } : {}),
  };
}

function discard(response: IncomingMessage, finish: (result: PostResult) => void): void {
  const status = response.statusCode ?? null;
  const answered = (error: string | null): void => finish({ status, error, retryAfter: response.headers["retry-after"] ?? null });
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_ANSWER_BYTES) return;
    answered(null);
    response.destroy();
  });
  response.on("error", (error: NodeJS.ErrnoException) => answered(errorText(error)));
  // After the end: the agent has the connection back, and the next request can use it.
  response.on("close", () => answered(response.complete ? null : "connection closed during the answer"));
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection closed",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "host not found",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "connection timed out",
};

function errorText({ code, message }: NodeJS.ErrnoException): string {
  const text = code === undefined ? undefined : ERROR_TEXTS[code];
  return text ?? [message, code === undefined ? "" : `(${code})`].filter((part) => part !== "").join(" ");
}
