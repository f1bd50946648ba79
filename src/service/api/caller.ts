import { NEVER_ABORTED } from "../../core/model/async.ts";
import type { RetryRule } from "../../core/model/definition.ts";
import type { Clock } from "../../core/model/ports.ts";
import { printable } from "../../core/model/words.ts";
import type { Pacer, Reservation } from "./pacer.ts";
import { retryAfterMs } from "./rate-headers.ts";
import { BACKOFF_MS, type Waits, rateLimitWaits } from "./rate-limit-waits.ts";
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
  readonly clock: Clock;
  /** A random number from 0 to 1, so that the processes that wait for one rate limit do not all return at once. */
  readonly jitter: () => number;
  /** How long one request may take. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Called for each read, however often it is tried. */
  readonly onRead?: () => void;
  /** Keeps the key and the sent secrets out of messages and records of what the service answers, which may echo them. */
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
  /** Ends the request in flight, whose outcome is open then. */
  readonly signal: AbortSignal;
  /** Absent: it is sent again for as long as any write. */
  readonly retry?: RetryRule | undefined;
}

/** How often a read is sent that fails otherwise than by the rate limit. */
const READ_ATTEMPTS = 4;

export interface ReadAnswer {
  readonly status: number;
  /** The body; undefined for a status other than 200 if it is not JSON. */
  readonly json: unknown;
  /** The service's `Date` header, unchanged; empty if absent. */
  readonly serverDate: string;
  readonly headers: WebResponse["headers"];
}

/** Sends a read, and repeats it after temporary failures and while the rate limit refuses it. Throws `ServiceError`. */
export async function read(options: CallerOptions, call: Call, signal: AbortSignal): Promise<ReadAnswer> {
  options.onRead?.();
  const waits = rateLimitWaits(options);
  for (let failures = 0; ;) {
    const answer = await attemptRead(options, call, signal);
    if (answer.kind === "answered") return answer;
    if (answer.kind === "rate-limited") {
      if (!(await waits.pass(answer.retryAfterMs, signal))) throw answer.error;
    } else {
      failures++;
      if (failures === READ_ATTEMPTS || !answer.isTemporary) throw answer.error;
      await options.clock.sleep(BACKOFF_MS * 2 ** (failures - 1), signal);
    }
  }
}

type ReadAttempt =
  | ({ readonly kind: "answered" } & ReadAnswer)
  | { readonly kind: "failed"; readonly error: ServiceError; readonly isTemporary: boolean }
  | { readonly kind: "rate-limited"; readonly error: ServiceError; readonly retryAfterMs: number | null };

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
    return { kind: "failed", error: failure, isTemporary: error.problem?.isTemporary ?? true };
  } finally {
    slot.release();
  }
  const { status } = response;
  if (status === 200) {
    const json = parseJson(response.body);
    if (json !== undefined) return readAnswer(response, json);
    const error = new ServiceError(`${where}: answered 200 without valid JSON`, null, null, status);
    return { kind: "failed", error, isTemporary: true };
  }
  const message = errorMessage(response.body);
  const known = knownError(status, message, call.statuses);
  const error = new ServiceError(
    `${where}: ${String(status)} ${printableMessage(options, message)}`,
    known,
    null,
    status,
  );
  if (isReadRateLimited(response, known))
    return { kind: "rate-limited", error, retryAfterMs: retryAfterMs(response.headers, options.clock.now()) };
  if (known === null && call.otherStatuses?.includes(status)) return readAnswer(response, parseJson(response.body));
  return { kind: "failed", error, isTemporary: status >= 500 || UNSURE_STATUSES.has(status) };
}

/** Some services also refuse a read by 5xx with `Retry-After`, or by 403 when nothing remains. */
function isReadRateLimited(response: Answer, known: KnownError | null): boolean {
  const { status, headers } = response;
  const isSpent = status === 403 && known === null && headers["x-ratelimit-remaining"]?.trim() === "0";
  return isSpent || (status >= 500 && headers["retry-after"] !== undefined) || isRateLimited(response, known);
}

function readAnswer({ status, headers }: Answer, json: unknown): ReadAttempt {
  return { kind: "answered", status, json, serverDate: headers["date"] ?? "", headers };
}

/**
 * Sends a write, and repeats it only while the rate limit refuses it (429, or another 4xx with `Retry-After`). Returns `unsure`
 * immediately if the outcome is open: after 408 or 425, a 3xx or 5xx, or no whole answer. For a create that includes a 4xx with
 * `Retry-After` other than 429: some services answer so after they have carried it out, and a repeated create would be a
 * duplicate. Every other 4xx rejects the request.
 */
export async function write(
  options: CallerOptions,
  call: Call,
  { slot, signal, retry }: Sending,
): Promise<WireOutcome> {
  const waits = rateLimitWaits(options, retry);
  for (let attempt = 1, current = slot; ; attempt++) {
    let outcome: WireAttempt;
    try {
      outcome = await attemptWrite(options, call, { slot: current, signal });
    } finally {
      if (current !== slot) current.release();
    }
    if (outcome.kind !== "rate-limited") return outcome;
    const next = await nextSlot(options, { waits, retry, retryAfterMs: outcome.retryAfterMs });
    if (typeof next === "string") {
      const times = attempt === 1 ? "once" : `${String(attempt)} times`;
      return { kind: "refused", known: null, message: `${outcome.message}, ${times}; ${next}` };
    }
    current = next;
  }
}

/** Waits for the next attempt. Resolves to its slot, or to the reason why there is none. */
async function nextSlot(
  { pacer }: CallerOptions,
  {
    waits,
    retry,
    retryAfterMs: askedMs,
  }: { readonly waits: Waits; readonly retry: RetryRule | undefined; readonly retryAfterMs: number | null },
): Promise<Reservation | string> {
  const stop = retry?.stop ?? NEVER_ABORTED;
  let slot: Reservation;
  try {
    if (!(await waits.pass(askedMs, stop))) return waits.words();
    slot = await pacer.reserve(1, stop, true);
  } catch {
    return "the run was interrupted";
  }
  try {
    await retry?.before?.();
    return slot;
  } catch {
    slot.release();
    return "it may not be sent again";
  }
}

type WireAttempt =
  | WireOutcome
  | { readonly kind: "rate-limited"; readonly message: string; readonly retryAfterMs: number | null };

async function attemptWrite(options: CallerOptions, call: Call, sending: Sending): Promise<WireAttempt> {
  const where = describe(call);
  let response: Answer;
  try {
    response = await transmit(options, call, sending);
  } catch (error) {
    if (!(error instanceof WebFailure)) throw error;
    const text = `${where}: ${failureText(options, error)}`;
    return error.sent
      ? { kind: "unsure", cause: text, answered: false }
      : { kind: "refused", known: null, message: `${text}; the request was not sent` };
  }
  const message = (): string => printableMessage(options, errorMessage(response.body));
  const outcome = classify(response, { call, where, message });
  if (outcome !== "rate-limited") return outcome;
  const status = String(response.status);
  if (call.method === "POST" && response.status !== 429)
    return { kind: "unsure", cause: `${where}: answered ${status} with Retry-After`, answered: true };
  return {
    kind: "rate-limited",
    message: `${where}: ${status} refused by the rate limit`,
    retryAfterMs: retryAfterMs(response.headers, options.clock.now()),
  };
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
  const { status, body } = response;
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
  if (isRateLimited(response, known)) return "rate-limited";
  return { kind: "refused", known, status, message: `${where}: ${words()}` };
}

/** A conflict is one whatever its headers, and so is a documented message. */
function isRateLimited({ status, headers }: Answer, known: KnownError | null): boolean {
  if (status === 429) return true;
  if (status < 400 || status > 499 || status === 409 || UNSURE_STATUSES.has(status)) return false;
  return known === null && headers["retry-after"] !== undefined;
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
export function authorization({ apiKey }: CallerOptions): string {
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
