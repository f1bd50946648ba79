import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { connectionProblem, noConnectionWithin, proxyProblem } from "./connection-problem.ts";
import type { Proxy } from "./proxy.ts";
import { TunnelAgent } from "./tunnel-agent.ts";
import {
  type BodySink,
  type ConnectionProblem,
  type Web,
  WebFailure,
  type WebRequest,
  type WebResponse,
} from "../../core/model/web.ts";

/** Shorter than the keep-alive time of common servers, so that requests rarely meet a connection that is closing. */
const IDLE_SOCKET_MS = 4000;
const MAX_SOCKETS = 8;
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

interface ExchangeOptions {
  readonly proxy?: Proxy | null;
  readonly maxResponseBytes?: number;
  /** The most connections with one server at once. */
  readonly maxSockets?: number;
}

/** HTTP over `node:http` and `node:https` with keep-alive connections, https through the proxy if there is one. */
export function nodeExchange(
  clock: { monotonicMs(): number },
  { proxy = null, maxResponseBytes = MAX_RESPONSE_BYTES, maxSockets = MAX_SOCKETS }: ExchangeOptions = {},
): Web {
  const deadline = deadlines(clock);
  const options = { keepAlive: true, maxSockets, timeout: IDLE_SOCKET_MS };
  const agents = {
    "http:": new http.Agent(options),
    "https:": proxy ? new TunnelAgent(proxy.url, options) : new https.Agent(options),
  };
  return {
    send: (request, signal, into) => {
      const secure = request.url.protocol === "https:";
      const agent = secure ? agents["https:"] : agents["http:"];
      return exchange(request, {
        secure,
        agent,
        proxy: secure ? proxy : null,
        deadline,
        maxResponseBytes,
        signal,
        into,
      });
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Sending {
  readonly secure: boolean;
  readonly agent: http.Agent;
  readonly proxy: Proxy | null;
  readonly deadline: Deadlines;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  readonly into: BodySink | undefined;
}

function exchange(
  request: WebRequest,
  { secure, agent, proxy, deadline, maxResponseBytes, signal, into }: Sending,
): Promise<WebResponse> {
  const { method, url, headers, body, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new WebFailure("interrupted", { sent: false }));
    let sent = false;
    let tunnelled = proxy === null;
    const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
    // The agent decides whether the connection is encrypted.
    const outgoing = http.request(url, { method, agent, headers: { ...headers, ...length } });
    const startDeadline = (): (() => void) =>
      deadline(timeoutMs, () => {
        const late = sent ? null : noConnectionWithin(timeoutMs);
        const problem = late && proxy && !tunnelled ? proxyProblem(proxy, late) : late;
        fail(problem?.text ?? `no complete answer within ${String(timeoutMs / 1000)} s`, problem);
      });
    let cancelDeadline = startDeadline();
    const finish = (): void => {
      cancelDeadline();
      signal.removeEventListener("abort", onAbort);
    };
    const fail = (message: string, problem: ConnectionProblem | null = null): void => {
      finish();
      reject(new WebFailure(message, { sent, problem }));
      outgoing.destroy();
    };
    const onAbort = (): void => fail("interrupted");
    signal.addEventListener("abort", onAbort, { once: true });
    outgoing.on("socket", (socket) => {
      tunnelled = true;
      // Through a tunnel, the socket is connected before the handshake. In doubt, something was sent.
      const { connecting, secureConnecting = false }: Socket & { readonly secureConnecting?: boolean } = socket;
      if (!connecting && !secureConnecting) sent = true;
      else socket.once(secure ? "secureConnect" : "connect", () => (sent = true));
    });
    outgoing.on("error", (error) => {
      const problem = proxy && !tunnelled ? proxyProblem(proxy, error) : sent ? null : connectionProblem(error);
      fail(problem?.text ?? describe(error), problem);
    });
    outgoing.on("response", (incoming) => {
      const restart = (): void => {
        cancelDeadline();
        if (!outgoing.destroyed) cancelDeadline = startDeadline();
      };
      const answer =
        into && incoming.statusCode === 200 ? pour(incoming, into, restart) : collect(incoming, maxResponseBytes);
      answer.then(
        (response) => {
          finish();
          resolve(response);
        },
        (error: unknown) => fail(describe(error)),
      );
    });
    outgoing.end(body);
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
    AbortSignal.timeout(Math.max(1, Math.ceil(endsMs - clock.monotonicMs()))).addEventListener(
      "abort",
      () => check(endsMs),
      { once: true },
    );
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

const CUT_OFF = "the answer was cut off";
const COMPRESSED = "the answer is compressed, but the request did not allow that";

/** Calls `onPart` after each part. */
async function pour(incoming: http.IncomingMessage, into: BodySink, onPart: () => void): Promise<WebResponse> {
  const headers = firstHeaders(incoming.rawHeaders);
  if (isCompressed(headers)) throw new Error(COMPRESSED);
  for await (const part of incoming as AsyncIterable<Buffer>) {
    await into(part);
    onPart();
  }
  if (!incoming.complete) throw new Error(CUT_OFF);
  return { status: incoming.statusCode ?? 0, headers, body: Buffer.alloc(0) };
}

function isCompressed({ "content-encoding": encoding }: WebResponse["headers"]): boolean {
  return encoding !== undefined && encoding !== "identity";
}

/** Uses events: iterating over the stream costs as much as the rest of the request. */
function collect(incoming: http.IncomingMessage, maxBytes: number): Promise<WebResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) reject(new Error(`the answer is larger than ${String(maxBytes / 1024 / 1024)} MB`));
      else chunks.push(chunk);
    });
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (!incoming.readableEnded) reject(new Error(CUT_OFF));
    });
    incoming.on("end", () => {
      const headers = firstHeaders(incoming.rawHeaders);
      if (!incoming.complete) reject(new Error(CUT_OFF));
      else if (isCompressed(headers)) reject(new Error(COMPRESSED));
      else resolve({ status: incoming.statusCode ?? 0, headers, body: Buffer.concat(chunks) });
    });
  });
}

/** Names in lower case; the first value of a repeated header. */
function firstHeaders(raw: readonly string[]): WebResponse["headers"] {
  const headers: { [name: string]: string } = Object.create(null) as Record<string, string>;
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers[(raw[index] ?? "").toLowerCase()] ??= raw[index + 1] ?? "";
  return headers;
}

function describe(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ECONNRESET") return "the connection was reset without an answer";
  if (code === "ETIMEDOUT") return "the connection timed out";
  if (code.startsWith("HPE_")) return "the answer is not HTTP";
  return message;
}
