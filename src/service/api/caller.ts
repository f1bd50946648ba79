import { printable } from "../../core/model/words.ts";
import type { Pacer, PacingClock, Reservation } from "./pacer.ts";
import { retryAfterMs } from "./rate-headers.ts";
import {
  type DocumentedStatuses,
  type KnownError,
  ServiceError,
  errorMessage,
  isHtml,
  knownError,
} from "./service-errors.ts";
import { serviceUrl } from "./service-path.ts";
import { type WebResponse, type Web, WebFailure } from "../../core/model/web.ts";

export interface CallerOptions {
  readonly baseUrl: string;
  /** Where the base URL comes from, in messages: the variable or the setting, with its place. */
  readonly baseUrlFrom?: string;
  readonly apiKey: string;
  readonly transport: Web;
  readonly pacer: Pacer;
  readonly clock: PacingClock;
  /** How long one request may take. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Keeps the key and the sent secrets out of messages and records of what the service answers, which may echo them. */
  /** Called for each read, however often it is tried. */
  readonly onRead?: () => void;
  readonly redactor: { add(secret: string): void; redactForeign(text: string): string };
}

export interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  readonly segments: readonly string[];
  readonly query?: { readonly [name: string]: string };
  readonly body?: { readonly [name: string]: unknown };
  readonly statuses: DocumentedStatuses;
  /** Further statuses whose answer a read returns, unless it is a documented error or a refusal by the rate limit. */
  readonly otherStatuses?: readonly number[];
  /** The request in messages, if its path contains personal data. */
  readonly label?: string;
}

/** The outcome of a write on the wire. */
export type WireOutcome =
  | { readonly kind: "answered"; readonly json: unknown }
  /**
   * Not carried out. `status`: of the answer that rejects the request itself; absent if the request never reached the service,
   * or if the rate limit refused every attempt. `known` is null for any answer without a documented message.
   */
  | { readonly kind: "refused"; readonly known: KnownError | null; readonly status?: number; readonly message: string }
  /** `answered`: the service answered, but the answer does not show the outcome. */
  | { readonly kind: "unsure"; readonly cause: string; readonly answered: boolean };

/** What a write is sent with. */
export interface Sending {
  readonly slot: Reservation;
  readonly signal: AbortSignal;
  /** Called before a request that was refused for certain is sent again. Rejects when it must not be. */
  readonly beforeRetry?: (() => Promise<void>) | undefined;
}

const READ_ATTEMPTS = 4;
const WRITE_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 250;
const MAX_WAIT_MS = 120_000;

export interface ReadAnswer {
  readonly status: number;
  /** The body; undefined for a status other than 200 if it is not JSON. */
  readonly json: unknown;
  /** The service's `Date` header, unchanged; empty if absent. */
  readonly serverDate: string;
  readonly headers: WebResponse["headers"];
}

/** Sends a read, and retries temporary failures with exponential backoff. Throws `ServiceError`. */
export async function read(options: CallerOptions, call: Call, signal: AbortSignal): Promise<ReadAnswer> {
  options.onRead?.();
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= READ_ATTEMPTS;
    const answer = await attemptRead(options, call, signal);
    if (answer.kind === "answered") return answer;
    if (last || !answer.retry) throw answer.error;
    if (answer.waitMs === null) await options.clock.sleep(backoffMs(attempt), signal);
    else options.pacer.pause(Math.max(answer.waitMs, backoffMs(attempt)));
  }
}

/** The shortest wait after a failed attempt, whatever the service asks for. */
function backoffMs(attempt: number): number {
  return FIRST_BACKOFF_MS * 2 ** (attempt - 1);
}

type ReadAttempt =
  | ({ readonly kind: "answered" } & ReadAnswer)
  | { readonly kind: "failed"; readonly error: ServiceError; readonly retry: boolean; readonly waitMs: number | null };

async function attemptRead(options: CallerOptions, call: Call, signal: AbortSignal): Promise<ReadAttempt> {
  const where = describe(call);
  const slot = await options.pacer.reserve(1, signal);
  let response: Answer;
  try {
    response = await transmit(options, call, { slot, signal });
  } catch (error) {
    if (!(error instanceof WebFailure)) throw error;
    signal.throwIfAborted();
    const failure = new ServiceError(`${where}: ${failureText(options, error)}`, null, error.problem);
    return { kind: "failed", error: failure, retry: error.problem?.isTemporary ?? true, waitMs: null };
  } finally {
    slot.release();
  }
  const { status } = response;
  if (status === 200) {
    const json = parseJson(response.body);
    if (json !== undefined) return readAnswer(response, json);
    return {
      kind: "failed",
      error: new ServiceError(`${where}: answered 200 without valid JSON`, null, null, status),
      retry: true,
      waitMs: null,
    };
  }
  const message = errorMessage(response.body);
  const known = knownError(status, message, call.statuses);
  const error = new ServiceError(
    `${where}: ${String(status)} ${printableMessage(options, message)}`,
    known,
    null,
    status,
  );
  const waitMs = retryAfterMs(response.headers, options.clock.now());
  const isSpent = status === 403 && known === null && response.headers["x-ratelimit-remaining"]?.trim() === "0";
  const limited = status === 429 || isSpent || (waitMs !== null && status >= 400);
  if (limited)
    return { kind: "failed", error, retry: (waitMs ?? 0) <= MAX_WAIT_MS, waitMs: waitMs ?? FIRST_BACKOFF_MS * 4 };
  if (known === null && call.otherStatuses?.includes(status)) return readAnswer(response, parseJson(response.body));
  return { kind: "failed", error, retry: status >= 500, waitMs: null };
}

function readAnswer({ status, headers }: Answer, json: unknown): ReadAttempt {
  return { kind: "answered", status, json, serverDate: headers["date"] ?? "", headers };
}

/**
 * Sends a write. Retries only after a refusal by the rate limit (429, or another 4xx with `Retry-After`), at most four times.
 * Returns `unsure` immediately if the outcome is open: after 408 or 425, a 3xx or 5xx, or no whole answer. For a create that
 * includes a 4xx with `Retry-After` other than 429: some services answer so after they have carried it out, and a repeated
 * create would be a duplicate. Every other 4xx rejects the request.
 */
export async function write(
  options: CallerOptions,
  call: Call,
  { slot, signal, beforeRetry = () => Promise.resolve() }: Sending,
): Promise<WireOutcome> {
  const where = describe(call);
  for (let attempt = 1, current = slot; ; attempt++) {
    let response: Answer;
    try {
      response = await transmit(options, call, { slot: current, signal });
    } catch (error) {
      if (!(error instanceof WebFailure)) throw error;
      return error.sent
        ? { kind: "unsure", cause: `${where}: ${failureText(options, error)}`, answered: false }
        : {
            kind: "refused",
            known: null,
            message: `${where}: ${failureText(options, error)}; the request was not sent`,
          };
    } finally {
      if (current !== slot) current.release();
    }
    const outcome = classify(response, {
      call,
      where,
      message: () => printableMessage(options, errorMessage(response.body)),
    });
    if (outcome !== "rate-limited") return outcome;
    const { status } = response;
    if (call.method === "POST" && status !== 429)
      return { kind: "unsure", cause: `${where}: answered ${String(status)} with Retry-After`, answered: true };
    const waitMs = retryAfterMs(response.headers, options.clock.now()) ?? FIRST_BACKOFF_MS * 4;
    const refused = {
      kind: "refused",
      known: null,
      message: `${where}: ${String(status)} refused by the rate limit, ${String(attempt)} times`,
    } as const;
    if (attempt === WRITE_ATTEMPTS || waitMs > MAX_WAIT_MS) return refused;
    options.pacer.pause(Math.max(waitMs, backoffMs(attempt)));
    try {
      current = await options.pacer.reserve(1, signal, true);
    } catch {
      signal.throwIfAborted();
      return refused;
    }
    try {
      await beforeRetry();
    } catch {
      current.release();
      return refused;
    }
  }
}

/** `http://127.0.0.1:4999/api refused the connection (OUTREACH_BASE_URL)`, or another reason why there is no answer. */
function failureText(options: CallerOptions, { message, problem }: WebFailure): string {
  if (problem === null) return printableMessage(options, message);
  const { baseUrl, baseUrlFrom } = options;
  return problem.kind === "proxy"
    ? problem.text
    : `${baseUrl} ${problem.text}${baseUrlFrom === undefined ? "" : ` (${baseUrlFrom})`}`;
}

/** The service's message, safe to show and store. A page of a gateway has no words of the service. */
export function printableMessage({ redactor }: CallerOptions, message: string): string {
  return isHtml(message) ? "an HTML page, as a gateway sends it" : printable(redactor.redactForeign(message));
}

interface Sent {
  readonly call: Call;
  readonly where: string;
  /** Looks for secrets, which takes longer than everything else here: only where it is printed. */
  readonly message: () => string;
}

/** Request Timeout and Too Early: the service may be carrying the request out. */
const UNSURE_STATUSES: ReadonlySet<number> = new Set([408, 425]);

function classify(response: Answer, { call, where, message }: Sent): WireOutcome | "rate-limited" {
  const { status, headers, body } = response;
  if (status >= 200 && status < 300) {
    const json = parseJson(body);
    return json === undefined
      ? { kind: "unsure", cause: `${where}: answered ${String(status)} without valid JSON`, answered: true }
      : { kind: "answered", json };
  }
  const words = (): string => `${String(status)} ${message()}`.trimEnd();
  if (status < 400 || status > 499 || UNSURE_STATUSES.has(status))
    return { kind: "unsure", cause: `${where}: answered ${words()}`, answered: true };
  const known = knownError(status, errorMessage(body), call.statuses);
  if (known === null && (status === 429 || headers["retry-after"] !== undefined)) return "rate-limited";
  return { kind: "refused", known, status, message: `${where}: ${words()}` };
}

async function transmit(
  options: CallerOptions,
  call: Call,
  { slot, signal }: { readonly slot: Reservation; readonly signal: AbortSignal },
): Promise<Answer> {
  const url = serviceUrl(options.baseUrl, call.segments, call.query);
  options.redactor.add(options.apiKey);
  const secret = call.body?.["secret"];
  if (typeof secret === "string") options.redactor.add(secret);
  await slot.renew(signal).catch(() => {
    throw new WebFailure("the rate limit that processes share is not available", { sent: false });
  });
  const answered = slot.take();
  const response = await options.transport.send(
    {
      method: call.method,
      url,
      headers: {
        authorization: authorization(options),
        accept: "application/json",
        "user-agent": options.userAgent,
        ...(call.body ? { "content-type": "application/json" } : {}),
      },
      body: call.body ? new TextEncoder().encode(JSON.stringify(call.body)) : null,
      timeoutMs: options.timeoutMs,
    },
    signal,
  );
  answered(response);
  return { ...response, body: TEXT.decode(response.body) };
}

/** An answer as text. */
type Answer = Omit<WebResponse, "body"> & { readonly body: string };

const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

/** The header that carries the API key. */
export function authorization({ apiKey }: Pick<CallerOptions, "apiKey">): string {
  return `Basic ${Buffer.from(`:${apiKey}`).toString("base64")}`;
}

function describe({ method, segments, label }: Call): string {
  return label ?? `${method} /${segments.join("/")}`;
}

/** No documented answer is nested this deeply, and the code that reads or prints values recurses into each level. */
const MAX_DEPTH = 500;

/**
 * Undefined for text that is not JSON or is nested too deeply, or that names an `_id` twice in one object: then no reader can tell which one holds.
 * Secrets are write-only. If an answer has one anyway, it is dropped: a command that did not send it cannot redact it.
 */
function parseJson(body: string): unknown {
  try {
    const json = JSON.parse(body.replace(/^\uFEFF/, "")) as unknown;
    const objects = objectsIn(json);
    if (!objects) return undefined;
    for (const object of objects) delete object.secret;
    const named = body.match(/"_id"\s*:/g)?.length ?? 0;
    return named > 0 && named > objects.filter((object) => Object.hasOwn(object, "_id")).length ? undefined : json;
  } catch {
    return undefined;
  }
}

/** All objects and lists of a JSON value; null if it is nested too deeply. */
function objectsIn(root: unknown): readonly { secret?: unknown }[] | null {
  const found: object[] = [];
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const objects = level.filter((value) => typeof value === "object" && value !== null);
    if (objects.length > 0 && depth >= MAX_DEPTH) return null;
    for (const object of objects) found.push(object);
    level = objects.flatMap((object): unknown[] => Object.values(object));
  }
  return found;
}
