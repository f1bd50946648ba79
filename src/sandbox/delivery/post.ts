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

/** The most connections at the same time of each scheme. More requests wait for one. */
const MAX_CONNECTIONS = 1000;

/** The connections of one sandbox. */
export function createAgents(): Agents {
  // Receivers close idle connections, often after 2 s or more. A connection that closes while a request is sent would be a failed attempt.
  const options = { keepAlive: true, timeout: 1000, maxTotalSockets: MAX_CONNECTIONS };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** The header by which a request is known as a delivery. */
export const USER_AGENT = "outreach-as-code-sandbox";

/**
 * Node gives an address 250 ms before it tries the next, and then fails although the connection is there, if the sandbox was busy for that
 * long. An address of this machine without a receiver refuses at once.
 */
const LOCAL_CONNECT_MS = 10_000;

/** Reads at most this many bytes of an answer; the rest is cut off with the connection. */
const MAX_ANSWER_BYTES = 64_000;

/**
 * Posts `body` (JSON). Follows no redirect, and discards the answer's body. A receiver that closes a connection which stayed open, without an
 * answer, gets the request again on a new one: it may have closed it before it saw the request. Calls `done` once, never before it returns.
 * The returned function ends the request at once, with `error` as its result.
 */
export function post(
  target: Target,
  body: string,
  agents: Agents,
  done: (result: PostResult) => void,
): (error: string) => void {
  let request: ClientRequest | null = null;
  let isDone = false;
  const finish = (result: PostResult): void => {
    if (isDone) return;
    isDone = true;
    done(result);
  };
  const fail = (status: number | null, error: string): void => finish({ status, error, retryAfter: null });
  const send = (connections: Agents | null): void => {
    const options = requestOptions(target, body);
    const current = target.isSecure
      ? requestHttps({ ...options, agent: connections?.https ?? false })
      : requestHttp({ ...options, agent: connections?.http ?? false });
    request = current;
    let isAnswered = false;
    current.on("response", (response) => {
      isAnswered = true;
      discard(response, finish);
    });
    // To switch protocols is no answer to an event. Without this, the request would not end.
    current.on("upgrade", (response, socket) => {
      socket.destroy();
      finish({ status: response.statusCode ?? null, error: null, retryAfter: null });
    });
    current.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = current.reusedSocket && !isAnswered && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (isStale && !isDone) send(null);
      else fail(null, errorText(error));
    });
    current.end(body);
  };
  try {
    send(agents);
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
    ...(isLocalName ? { lookup: lookupLocal, autoSelectFamilyAttemptTimeout: LOCAL_CONNECT_MS } : {}),
  };
}

function discard(response: IncomingMessage, finish: (result: PostResult) => void): void {
  const status = response.statusCode ?? null;
  const answered = (error: string | null): void =>
    finish({ status, error, retryAfter: response.headers["retry-after"] ?? null });
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
