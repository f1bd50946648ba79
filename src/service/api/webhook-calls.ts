import type { ListSize } from "../../core/model/definition.ts";
import { isRecord } from "../../core/model/shape.ts";
import { type Call, type CallerOptions, type Sending, type WireOutcome, read, write } from "./caller.ts";
import { type Paging, type PageQuery, furtherPages } from "./list-pages.ts";
import { ServiceError } from "./service-errors.ts";
import { isWebhookId } from "./service-path.ts";
import { type WireReader, readFlag, readId, readWord } from "./answer-values.ts";

/** A webhook in the answer of `GET /hooks`. An absent field is unobserved, which differs from null. */
export interface WireWebhook extends OptionalFields {
  readonly _id: string;
  readonly targetUrl: string;
  readonly createdAt?: string;
  /** The fields with a value that cannot be read. */
  readonly unreadable?: readonly string[];
}

/**
 * The fields that a webhook may lack: how each is read, and where `POST /hooks` has it. The documented examples have `campaignId` and `isFirst`
 * in both places.
 */
const FIELDS = {
  type: optional(readWord, "body"),
  campaignId: optional(readId, "query", "body"),
  isFirst: optional(readFlag, "query", "body"),
  automationId: optional(readId, "query"),
};

function optional<T>(reader: WireReader<T>, ...sentIn: readonly ("query" | "body")[]) {
  return { reader, sentIn };
}

/** The fields that a webhook may lack, as they are read and sent. */
export type OptionalFields = {
  readonly [F in keyof typeof FIELDS]?: Exclude<ReturnType<(typeof FIELDS)[F]["reader"]>, undefined>;
};
export const OPTIONAL_FIELDS = Object.keys(FIELDS) as readonly (keyof OptionalFields)[];

export interface WebhookListing {
  readonly webhooks: readonly WireWebhook[];
  /** Whether an empty page showed that nothing follows. */
  readonly complete: boolean;
  /** Whether the service was asked for further pages. */
  readonly isAsked: boolean;
  /** How the list is paged, where the plain answer was only a part of it. */
  readonly paging: Paging | null;
  /** The ids of the first answer, in its order; an id is in it twice where the service lists it twice. */
  readonly firstAnswer: readonly string[];
  readonly serverDate: string;
  /** When the first answer came, in milliseconds since 1970 by the local clock. */
  readonly readAtMs: number;
}

/** What a read of the list needs. */
export interface ListRequest {
  /** The ids that should be there: further pages are requested where one is missing. */
  readonly expectedIds: ReadonlySet<string>;
  /** Requests further pages whatever the first answer shows. */
  readonly confirm?: boolean | undefined;
  /** How the list is known to be paged: then it is always read to its end. */
  readonly paging?: string | null | undefined;
  /** The list has omitted existing webhooks, so its length proves nothing. */
  readonly isDoubtful?: boolean | undefined;
}

/** The body and query of `POST /hooks`; absent fields are not sent. */
export interface NewWebhook extends OptionalFields {
  readonly targetUrl: string;
  readonly secret: string | null;
}

/** The documented maximum of the campaign list, and so a probable one of this list. */
const PAGE_SIZE = 100;
/** Caps are round numbers. */
const CAP_STEP = 5;
const SHORTEST_CAP = 10;

/** Whether a list with so many records may be truncated. */
export function mayBeCap(records: number): boolean {
  return records >= SHORTEST_CAP && records % CAP_STEP === 0;
}

/**
 * Reads all webhooks of the team. The shape of `GET /hooks` is not documented: accepts an array, or an object with exactly
 * one array of webhooks; anything else is an error. Further requests follow only if the count is a non-zero multiple of 100,
 * the list is known to be paged, one of `expectedIds` is missing, or `confirm` is set: at `offset=<count>`, and where that is
 * ignored and the length may be a cap, at `page=1` and `page=2`. Where pages follow and an expected id is missing, all are read
 * once more: records may have moved between two pages meanwhile.
 */
export async function listWebhooks(
  options: CallerOptions,
  request: ListRequest,
  signal: AbortSignal,
): Promise<WebhookListing> {
  const { expectedIds, confirm = false, paging: known = null, isDoubtful = false } = request;
  const first = await readPage(options, {}, signal);
  const readAtMs = options.clock.now();
  const found = new Map(first.webhooks.map((webhook) => [webhook._id, webhook]));
  const isMissing = (): boolean => [...expectedIds].some((id) => !found.has(id));
  const count = first.webhooks.length;
  const isAsked = confirm || known !== null || isMissing() || (count > 0 && count % PAGE_SIZE === 0);
  let [complete, paging]: readonly [boolean, Paging | null] = [false, null];
  const followUp = async (page: readonly WireWebhook[]): Promise<boolean> => {
    const query = async (parameters: PageQuery) => (await readPage(options, parameters, signal)).webhooks;
    const further = await furtherPages(page, query, {
      known: paging ?? known,
      isThorough: mayBeCap(count) || isDoubtful,
    });
    if (further.records.length > 0) paging = further.paging;
    for (const webhook of further.records) found.set(webhook._id, webhook);
    return further.isWhole;
  };
  if (isAsked) complete = await followUp(first.webhooks);
  if (paging !== null && isMissing()) {
    const again = await readPage(options, {}, signal);
    for (const webhook of again.webhooks) found.set(webhook._id, webhook);
    complete = (await followUp(again.webhooks)) && complete;
  }
  return {
    webhooks: observedOnly([...found.values()]).map(withoutSecrets(options)),
    complete,
    isAsked,
    paging,
    firstAnswer: first.webhooks.map(({ _id }) => _id),
    serverDate: first.serverDate,
    readAtMs,
  };
}

/**
 * How many requests `listWebhooks` takes for a list of so many webhooks, where nothing is missing. `page` is how many of them one answer shows
 * where the list is paged and that is known. A service that ignores paging takes more for a count that may be a cap.
 */
export function listRequests({ records, page, paging }: ListSize): number {
  if (paging === null) return records > 0 && records % PAGE_SIZE === 0 ? 2 : 1;
  const further = page ? Math.ceil(Math.max(0, records - page) / page) : 0;
  // The plain answer, and the empty page at the end; a service that counts pages from 1 shows its first one twice.
  return further + (paging === "page" ? 3 : 2);
}

async function readPage(
  options: CallerOptions,
  query: PageQuery,
  signal: AbortSignal,
): Promise<{ readonly webhooks: readonly WireWebhook[]; readonly serverDate: string }> {
  const { json, serverDate } = await read(options, { method: "GET", segments: ["hooks"], query, statuses: {} }, signal);
  return { webhooks: webhooksIn(json), serverDate };
}

/** Accepts an array of webhooks, or an object with exactly one such array. */
export function webhooksIn(json: unknown): readonly WireWebhook[] {
  const found = isRecord(json) ? Object.values(json) : [json];
  const [only, ...others] = found.flatMap((one) => [webhookArray(one)].filter((webhooks) => webhooks !== null));
  if (only && others.length === 0) return only;
  throw new ServiceError(
    "GET /hooks: the answer is not a list of webhooks, so it does not count as an empty list",
    null,
    null,
    200,
  );
}

function webhookArray(value: unknown): readonly WireWebhook[] | null {
  if (!Array.isArray(value)) return null;
  const webhooks = value.flatMap((one) => readWebhook(one) ?? []);
  return webhooks.length === value.length ? webhooks : null;
}

/** Null if it is not a webhook: each has an id and a target URL. */
function readWebhook(value: unknown): WireWebhook | null {
  if (typeof value !== "object" || value === null || !("_id" in value && "targetUrl" in value)) return null;
  const { _id, targetUrl } = value;
  return isWebhookId(_id) && typeof targetUrl === "string" ? { ...readFields(value), _id, targetUrl } : null;
}

/** The optional fields of a webhook: null without a value, and absent with one that cannot be read. */
function readFields(wire: object): OptionalFields & Pick<WireWebhook, "createdAt" | "unreadable"> {
  const { createdAt, ...fields } = wire as { readonly [field: string]: unknown };
  const shown = Object.entries(FIELDS).flatMap(([name, { reader }]) => {
    const value = reader(fields[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const unreadable = OPTIONAL_FIELDS.filter((name) => !shown.some(([one]) => one === name));
  return {
    ...Object.fromEntries(shown),
    ...(typeof createdAt === "string" ? { createdAt } : {}),
    ...(unreadable.length > 0 ? { unreadable } : {}),
  };
}

/** Leaves out the fields that no record of the list has a value of: they are unobserved. In the others, null means that a webhook has none. */
export function observedOnly<W extends OptionalFields>(webhooks: readonly W[]): readonly W[] {
  const unobserved: readonly string[] = OPTIONAL_FIELDS.filter((name) =>
    webhooks.every((webhook) => (webhook[name] ?? null) === null),
  );
  if (unobserved.length === 0) return webhooks;
  return webhooks.map(
    (webhook) => Object.fromEntries(Object.entries(webhook).filter(([name]) => !unobserved.includes(name))) as W,
  );
}

/** ISO 8601, as documented. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * What may be recorded of a webhook. A service may echo a secret in any field, and states contain none: a `createdAt`
 * that is no time, and another optional field that contains a secret, count as unobserved. A target URL is recorded as
 * it is: it identifies the webhook.
 */
function withoutSecrets<W extends OptionalFields>({ redactor }: CallerOptions): (webhook: W) => W {
  const known = new Map<string, boolean>();
  const isClean = (text: string): boolean => {
    const before = known.get(text) ?? redactor.redactForeign(text) === text;
    known.set(text, before);
    return before;
  };
  const isKept = ([field, value]: readonly [string, unknown]): boolean => {
    if (field === "createdAt") return TIMESTAMP.test(String(value));
    return field === "_id" || field === "targetUrl" || typeof value !== "string" || isClean(value);
  };
  return (webhook) => Object.fromEntries(Object.entries(webhook).filter(isKept)) as W;
}

const ADD_STATUSES = { bad_team: 400, webhook_not_found: 404, unauthorized: 401 };

/** `POST /hooks`. */
export async function addWebhook(options: CallerOptions, webhook: NewWebhook, sending: Sending): Promise<WireOutcome> {
  const { targetUrl, secret } = webhook;
  const given = (place: "query" | "body") =>
    OPTIONAL_FIELDS.flatMap((name) => {
      const value = webhook[name] ?? null;
      return value !== null && FIELDS[name].sentIn.includes(place) ? [[name, value] as const] : [];
    });
  const query = Object.fromEntries(given("query").map(([name, value]) => [name, String(value)]));
  const body = { targetUrl, ...Object.fromEntries(given("body")), ...(secret === null ? {} : { secret }) };
  const outcome = await write(
    options,
    { method: "POST", segments: ["hooks"], query, body, statuses: ADD_STATUSES },
    sending,
  );
  return withId(options, outcome, { where: "POST /hooks", isExpected: isWebhookId });
}

/** `DELETE /hooks/{hookId}`. */
export async function deleteWebhook(options: CallerOptions, id: string, sending: Sending): Promise<WireOutcome> {
  if (!isWebhookId(id)) throw new Error(`${JSON.stringify(id)} is not a webhook id`);
  const call: Call = { method: "DELETE", segments: ["hooks", id], statuses: {} };
  return withId(options, await write(options, call, sending), {
    where: `DELETE /hooks/${id}`,
    isExpected: (returned) => returned === id,
  });
}

/** A success counts only if it contains the id. */
function withId(
  options: CallerOptions,
  outcome: WireOutcome,
  { where, isExpected }: { readonly where: string; readonly isExpected: (id: unknown) => boolean },
): WireOutcome {
  if (outcome.kind !== "answered") return outcome;
  const { json } = outcome;
  const id = typeof json === "object" && json !== null && "_id" in json ? json._id : undefined;
  if (!isExpected(id)) return { kind: "unsure", cause: `${where}: answered without a valid id`, answered: true };
  const [webhook] = observedOnly([readFields(json as object)]).map(withoutSecrets(options));
  const url = (json as { readonly targetUrl?: unknown }).targetUrl;
  return { kind: "answered", json: { ...webhook, _id: id, ...(typeof url === "string" ? { targetUrl: url } : {}) } };
}
