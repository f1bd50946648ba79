import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";
import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { readCount, refuse, refuseForeign, refuseInput } from "./call.ts";
import type { Call } from "./call.ts";
import { DEFAULT_PROFILE, eachOptional } from "./list-profile.ts";
import type { FieldForm, ListProfile } from "./list-profile.ts";
import type { WebhookRecord } from "./sandbox-records.ts";
import { parseIsoTime } from "./sandbox-time.ts";
import { addRecord, removeRecord } from "./world.ts";
import { parseUrl } from "./delivery/target.ts";

const TYPE_NAMES: ReadonlySet<string> = new Set(EVENT_TYPES.map((type) => type.name));

/** `POST /hooks` (section "Endpoints"): 200 with `_id`, `targetUrl`, `createdAt` and `type` only, unless the profile says `created201`. */
export function addWebhook(call: Call): Answer {
  const parsed = parseBody(call);
  if ("status" in parsed) return parsed;
  const input = readInput(parsed.body, call.query);
  if (typeof input === "string") return refuseInput(call, input);
  if (input.campaignId !== null) {
    const refusal = refuseCampaign(call, input.campaignId);
    if (refusal) return refusal;
  }
  if (call.settings.choices.uniqueTargetUrl && hasTargetUrl(call, input.targetUrl))
    return refuseInput(call, "A webhook with this target URL already exists", 409);
  const { record } = addRecord(call.world, "webhooks", { ...input, teamId: call.teamId }, call.source);
  const { profile } = call.settings;
  return profile.created201
    ? jsonAnswer(webhookObject(record, profile, ALL_FIELDS), 201)
    : jsonAnswer(webhookObject(record, profile, ADDED_FIELDS));
}

/** `DELETE /hooks/{hookId}` (section "Endpoints"): 200 with the removed webhook, including `campaignId`. */
export function deleteWebhook(call: Call): Answer {
  const id = call.params["hookId"] ?? "";
  const webhook = call.world.webhooks.get(id);
  if (!webhook) return refuse(call, "webhookNotFound");
  if (webhook.teamId !== call.teamId) return refuseForeign(call, "webhookNotFound");
  removeRecord(call.world, "webhooks", id, call.source.now());
  call.deliveries.cancel(id);
  return jsonAnswer(webhookObject(webhook, call.settings.profile, DEFAULT_PROFILE.fields));
}

/** `GET /hooks` (section "Endpoints"). Its parameters and shape are not shown: `ListProfile` defines them. */
export function listWebhooks(call: Call): Answer {
  const { profile } = call.settings;
  const offset = profile.offset ? readCount(call.query["offset"], 0) : 0;
  const limit = profile.offset ? readCount(call.query["limit"], Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER;
  const firstPage = profile.firstPage ?? 0;
  const page = profile.firstPage === null ? firstPage : readCount(call.query["page"], firstPage);
  if (offset === null || limit === null || page === null || page < firstPage)
    return refuseInput(call, "offset, limit and page must be whole numbers");
  const cap = Math.min(limit, profile.cap ?? Number.MAX_SAFE_INTEGER);
  const all = visibleWebhooks(call);
  const start = offset + (page - firstPage) * cap;
  const records = all.slice(start, start + cap).map((webhook) => webhookObject(webhook, profile, profile.fields));
  return jsonAnswer(profile.envelope === "array" ? records : { [profile.envelope]: records });
}

/** The team's webhooks as of `staleMs` ago, in the profile's order. */
function visibleWebhooks(call: Call): readonly WebhookRecord[] {
  const { profile } = call.settings;
  if (profile.empty) return [];
  const own = (webhook: WebhookRecord): boolean => webhook.teamId === call.teamId;
  let webhooks = [...call.world.webhooks.values()].filter(own);
  if (profile.staleMs > 0) {
    const until = call.source.now() - profile.staleMs;
    const removed = call.world.removed.filter((one) => one.at > until && own(one.webhook)).map((one) => one.webhook);
    webhooks = [...webhooks, ...removed].filter((webhook) => (parseIsoTime(webhook.createdAt) ?? 0) <= until);
    webhooks.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
  }
  if (profile.sortOrder === "desc") webhooks.reverse();
  if (profile.sortOrder === "shuffled") webhooks.sort((a, b) => scattered(a._id) - scattered(b._id));
  return profile.duplicates ? webhooks.flatMap((webhook) => [webhook, webhook]) : webhooks;
}

/** The place of an id in the shuffled order: its FNV-1a hash. */
function scattered(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Compares URLs in their WHATWG form. */
function hasTargetUrl(call: Call, targetUrl: string): boolean {
  const href = new URL(targetUrl).href;
  return [...call.world.webhooks.values()].some(
    (webhook) => webhook.teamId === call.teamId && parseUrl(webhook.targetUrl)?.href === href,
  );
}

type Fields = ListProfile["fields"];

/** The documented fields of the answer to adding a webhook. */
const ADDED_FIELDS: Fields = { ...DEFAULT_PROFILE.fields, campaignId: "omitted" };
const ALL_FIELDS: Fields = { ...DEFAULT_PROFILE.fields, ...eachOptional("where-set") };

/** The Webhook object (section "Webhook") with these fields; it never contains `secret`. */
function webhookObject(webhook: WebhookRecord, profile: ListProfile, fields: Fields): object {
  const { _id, targetUrl, isFirst, automationId } = webhook;
  const isNumber = automationId !== null && /^[1-9]\d{0,14}$/.test(automationId);
  const values = {
    ...webhook,
    isFirst: isFirst || null,
    automationId: isNumber ? Number(automationId) : automationId,
  };
  const shown = Object.entries(fields).map(([name, form]) => [name, fieldValue(values[name as keyof Fields], form)]);
  return {
    _id,
    targetUrl: profile.normalizeUrls ? new URL(targetUrl).href : targetUrl,
    ...Object.fromEntries(shown),
  };
}

/** The value that a record shows; undefined: the record omits the field. */
function fieldValue(value: unknown, form: FieldForm): unknown {
  switch (form) {
    case "where-set":
      return value ?? undefined;
    case "null-where-unset":
      return value;
    case "omitted":
      return undefined;
    case "null":
      return null;
    case "empty":
      return "";
  }
}

function parseBody(call: Call): { body: Readonly<Record<string, unknown>> } | Answer {
  const type = call.contentType?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refuseInput(call, "Content-Type must be application/json", 415);
  let body: unknown;
  try {
    body = JSON.parse(call.bodyText);
  } catch {
    return refuseInput(call, "The request body is not valid JSON");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return refuseInput(call, "The request body must be a JSON object");
  return { body: body as Readonly<Record<string, unknown>> };
}

/**
 * The input of adding a webhook, or the error in it. `campaignId` and `isFirst` may be in the query, in
 * the body, or in both if they agree. A null member of the body counts as absent.
 */
function readInput(body: Readonly<Record<string, unknown>>, query: Readonly<Record<string, string>>) {
  const { targetUrl, type = null, secret = null } = body;
  if (targetUrl === undefined || targetUrl === null) return "targetUrl is required";
  if (typeof targetUrl !== "string" || !isHttpUri(targetUrl)) return "targetUrl must be an http or https URI";
  if (type !== null && (typeof type !== "string" || !TYPE_NAMES.has(type))) return typeMessage(type);
  if (secret !== null && typeof secret !== "string") return "secret must be a string";
  const campaignId = agree(query["campaignId"], body["campaignId"]);
  if (campaignId === undefined) return "campaignId differs between the query and the body";
  if (campaignId !== null && typeof campaignId !== "string") return "campaignId must be a string";
  const isFirst = agree(readBoolean(query["isFirst"]), body["isFirst"]);
  if (isFirst === undefined) return "isFirst differs between the query and the body";
  if (isFirst !== null && typeof isFirst !== "boolean") return "isFirst must be a boolean";
  return {
    targetUrl,
    type,
    campaignId,
    isFirst: isFirst ?? false,
    automationId: query["automationId"] ?? null,
    secret,
  };
}

/** The value that query and body agree on; null: neither has one; undefined: they differ. */
function agree(inQuery: unknown, inBody: unknown): unknown {
  if (inBody === undefined || inBody === null) return inQuery ?? null;
  return inQuery === undefined || inQuery === inBody ? inBody : undefined;
}

/** Any text except `true` and `false` stays text, so that the caller refuses it. */
function readBoolean(text: string | undefined): boolean | string | undefined {
  return text === "true" ? true : text === "false" ? false : text;
}

function isHttpUri(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && parseUrl(text) !== null;
}

function typeMessage(type: unknown): string {
  const removed = REMOVED_EVENT_TYPES.find((one) => one.name === type);
  return removed ? `type ${removed.name} has been removed: ${removed.note}` : "type must be one of the event types";
}

function refuseCampaign(call: Call, campaignId: string): Answer | null {
  const campaign = call.world.campaigns.get(campaignId);
  const { unknownCampaign } = call.settings.choices;
  if (campaign?.teamId === call.teamId) return null;
  if (campaign) return refuseForeign(call, "webhookNotFound");
  if (unknownCampaign === "accept") return null;
  return refuse(call, unknownCampaign === "campaign-not-found" ? "campaignNotFound" : "webhookNotFound");
}
