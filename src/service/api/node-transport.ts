import * as http from "node:http";
import * as https from "node:https";
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from "./transport.ts";

const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;
/** Shorter than the keep-alive time of common servers, so that requests rarely meet a connection that is closing. */
const IDLE_SOCKET_MS = 4000;

/** HTTP over `node:http` and `node:https` with keep-alive connections. */
export function nodeTransport(clock: { monotonicMs(): number }): Transport {
  const deadline = deadlines(clock);
  const options = { keepAlive: true, maxSockets: 8, timeout: IDLE_SOCKET_MS };
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  return {
    send: (request, signal) => exchange(request, { agent: request.url.protocol === "https:" ? agents["https:"] : agents["http:"], deadline, signal }),
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Sending {
  readonly agent: http.Agent;
  readonly deadline: Deadlines;
  readonly signal: AbortSignal;
}

function exchange(request: HttpRequest, { agent, deadline, signal }: Sending): Promise<HttpResponse> {
  const { method, url, headers, body, timeoutMs } = request;
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new TransportError("interrupted", { sent: false }));
    let sent = false;
    const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = (secure ? https : http).request(url, { method, agent, headers: { ...headers, ...length } });
    const cancelDeadline = deadline(timeoutMs, () => fail(`no complete answer within ${String(timeoutMs / 1000)} s`, true));
    const finish = (): void => {
      cancelDeadline();
      signal.removeEventListener("abort", onAbort);
    };
    const fail = (message: string, timedOut = false): void => {
      finish();
      reject(new TransportError(message, { sent, timedOut }));
      outgoing.destroy();
    };
    const onAbort = (): void => fail("interrupted");
    signal.addEventListener("abort", onAbort, { once: true });
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) sent = true;
      else socket.once(secure ? "secureConnect" : "connect", () => (sent = true));
    });
    outgoing.on("error", (error) => fail(describe(error)));
    outgoing.on("response", (incoming) => {
      collect(incoming).then(
        (response) => {
          finish();
          resolve(response);
        },
        (error: unknown) => fail(describe(error)),
      );
    });
    outgoing.end(body ?? undefined);
  });
}

/** Calls `onTimeout` once after `timeoutMs`, unless the returned function cancels it first. */
type Deadlines = (timeoutMs: number, onTimeout: () => void) => () => void;

/** One timer for all open requests: a timer and a signal for each would cost a fifth of the request. */
function deadlines(clock: { monotonicMs(): number }): Deadlines {
  const running = new Set<{ readonly endsMs: number; readonly onTimeout: () => void }>();
  let watchedMs = Number.POSITIVE_INFINITY;
  const watch = (endsMs: number): void => {
    if (endsMs >= watchedMs) return;
    watchedMs = endsMs;
    AbortSignal.timeout(Math.max(1, Math.ceil(endsMs - clock.monotonicMs()))).addEventListener("abort", () => check(endsMs), { once: true });
  };
  const check = (endsMs: number): void => {
    if (endsMs === watchedMs) watchedMs = Number.POSITIVE_INFINITY;
    const now = clock.monotonicMs();
    for (const one of running) {
      if (one.endsMs > now) continue;
      running.delete(one);
      one.onTimeout();
    }
    watch(Math.min(...[...running].map((one) => one.endsMs)));
  };
  return (timeoutMs, onTimeout) => {
    const one = { endsMs: clock.monotonicMs() + timeoutMs, onTimeout };
    running.add(one);
    watch(one.endsMs);
    return () => void running.delete(one);
  };
}

/** Uses events: iterating over the stream costs as much as the rest of the request. */
function collect(incoming: http.IncomingMessage): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) reject(new Error(`the answer is larger than ${String(MAX_RESPONSE_BYTES / 1024 / 1024)} MB`));
      else chunks.push(chunk);
    });
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (!incoming.readableEnded) reject(new Error("the answer was cut off"));
    });
    incoming.on("end", () => {
      const headers = firstHeaders(incoming.rawHeaders);
      const encoding = headers["content-encoding"];
      if (!incoming.complete) reject(new Error("the answer was cut off"));
      else if (encoding !== undefined && encoding !== "identity") reject(new Error("the answer is compressed, but the request did not allow that"));
      else resolve({ status: incoming.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

/** Names in lower case; the first value of a repeated header. */
function firstHeaders(raw: readonly string[]): HttpResponse["headers"] {
  const headers: { [name: string]: string } = Object.create(null) as Record<string, string>;
  for (let index = 0; index + 1 < raw.length; index += 2) headers[(raw[index] ?? "").toLowerCase()] ??= raw[index + 1] ?? "";
  return headers;
}

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: { readonly [code: string]: string } = {
    ECONNREFUSED: "the connection was refused",
    ENOTFOUND: "the host name is unknown",
    EAI_AGAIN: "the host name could not be looked up",
    ECONNRESET: "the connection was reset without an answer",
    ETIMEDOUT: "the connection timed out",
  };
  return (code !== undefined && known[code]) || message;
}
