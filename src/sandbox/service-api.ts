import type { IncomingMessage, ServerResponse } from "node:http";
import { errorAnswer, formedAnswer, messageAnswer, textAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { authenticate, readKey } from "./authenticate.ts";
import type { PresentedKey } from "./authenticate.ts";
import { rateHeaders } from "./rate-limit.ts";
import { hasBody, readBody } from "./request-body.ts";
import type { OpenRequest } from "./request-log.ts";
import { findRoute } from "./routes.ts";
import type { Match } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { sendAnswer, sendWithFault, UNPROCESSED } from "./send.ts";
import type { Headers } from "./send.ts";

const MAX_BODY_BYTES = 1_000_000;

/** One request on its way through the API. */
type Exchange = {
  readonly runtime: Runtime;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly entry: OpenRequest;
  readonly presented: PresentedKey;
  readonly match: Match;
  /** The rate-limit headers. */
  readonly headers: Headers;
  readonly bodyText: string;
};

/**
 * Answers one request of the API: rate limit, faults before processing, authentication, the operation,
 * faults after processing, latency. Every request is logged when it arrives.
 */
export async function answerApi(runtime: Runtime, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { clock, onRequest } = runtime.options;
  const at = clock.now();
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const path = relativePath(mark < 0 ? target : target.slice(0, mark), runtime.basePath);
  const query = mark < 0 ? {} : Object.fromEntries(new URLSearchParams(target.slice(mark)));
  const presented = readKey(request.headers.authorization);
  const method = request.method ?? "GET";
  const match: Match = path === null ? { kind: "none" } : findRoute(method, path, strictSlash(runtime));
  const key = presented.kind === "key" ? presented.key : null;
  const entry = runtime.log.open({
    at,
    method,
    target,
    path: path ?? target,
    query,
    headers: request.headers,
    body: null,
    key,
    team: null,
    operation: match.kind === "route" ? match.route.operation : null,
    processed: false,
    status: null,
    response: null,
    durationMs: null,
    fault: null,
  });
  const verdict = runtime.limiter?.take(key ?? "", at);
  const headers = verdict ? rateHeaders(verdict, at, runtime.settings.choices) : {};
  const body = hasBody(request) ? await readBody(request, MAX_BODY_BYTES) : ({ kind: "text", text: "" } as const);
  if (body.kind === "text" && body.text !== "") entry.body = parseJson(body.text);
  const bodyText = body.kind === "text" ? body.text : "";
  const exchange: Exchange = { runtime, request, response, entry, presented, match, headers, bodyText };
  if (body.kind === "gone") entry.fault = "the client left";
  else if (verdict && !verdict.allowed)
    finish(exchange, operationError(exchange, runtime.settings.choices.rateLimitStatus, "Too many requests"));
  else if (body.kind === "too-large") finish(exchange, operationError(exchange, 413, "The request body is too large"));
  else await run(exchange);
  entry.durationMs = clock.now() - at;
  runtime.log.grow(bodyText.length + (entry.response?.length ?? 0));
  onRequest?.(entry);
}

async function run(exchange: Exchange): Promise<void> {
  const { runtime, response, entry } = exchange;
  const { clock } = runtime.options;
  const { signal } = runtime.closing;
  const before = runtime.faults.take("before", entry);
  if (before) {
    entry.fault = `${before.kind} before processing`;
    if (before.kind !== "late") {
      return logSent(entry, await sendWithFault(response, UNPROCESSED, exchange.headers, before, clock, signal));
    }
    await clock.sleep(before.delayMs ?? 1000, signal);
  }
  const answer = formedAnswer(perform(exchange), runtime.settings.profile);
  entry.processed = true;
  const after = runtime.faults.take("after", entry);
  const { minMs, maxMs } = runtime.settings.latency;
  if (maxMs > 0) await clock.sleep(minMs + (maxMs - minMs) * runtime.options.random(), signal);
  if (!after) return finish(exchange, answer);
  entry.fault = [entry.fault, `${after.kind} after processing`].filter((text) => text !== null).join(", ");
  if (after.kind === "late") await clock.sleep(after.delayMs ?? 1000, signal);
  logSent(entry, await sendWithFault(response, answer, exchange.headers, after, clock, signal));
}

function logSent(
  entry: OpenRequest,
  { status, body }: { readonly status: number | null; readonly body: string },
): void {
  entry.status = status;
  entry.response = body;
}

/** The service's answer, with all its effects. */
function perform(exchange: Exchange): Answer {
  const { runtime, request, entry, match } = exchange;
  const { world, settings, source, deliveries, url } = runtime;
  const operation = match.kind === "route" ? match.route.operation : "listCampaigns";
  const caller = authenticate(world, exchange.presented);
  if (caller.kind === "refused") return errorAnswer(caller.error, operation, settings.choices);
  entry.team = caller.teamId;
  if (match.kind === "none") return textAnswer(404, "Not found");
  if (match.kind === "method")
    return { ...textAnswer(405, "Method not allowed"), headers: { Allow: match.allow.join(", ") } };
  return match.route.handle({
    operation,
    params: match.params,
    query: entry.query,
    bodyText: exchange.bodyText,
    contentType: request.headers["content-type"],
    teamId: caller.teamId,
    world,
    settings,
    source,
    deliveries,
    url,
  });
}

function finish({ runtime, response, entry, headers }: Exchange, answer: Answer): void {
  logSent(entry, answer);
  sendAnswer(response, answer, headers, runtime.options.clock.now());
}

/** An error that belongs to no operation, in the form of the matched operation's errors. */
function operationError({ runtime, match }: Exchange, status: number, message: string): Answer {
  return match.kind === "route"
    ? messageAnswer(status, message, match.route.operation, runtime.settings.choices)
    : textAnswer(status, message);
}

function strictSlash(runtime: Runtime): boolean {
  return runtime.settings.choices.strictSlash;
}

/** The path after the base address; null if it is outside. */
function relativePath(path: string, basePath: string): string | null {
  if (basePath === "/") return path;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
