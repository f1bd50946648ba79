import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/catalog.ts";
import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { readCount, refuse, refuseForeign, refuseInput } from "./call.ts";
import type { Call } from "./call.ts";
import type { ListProfile } from "./list-profile.ts";
import type { WebhookRecord } from "./records.ts";
import { parseIsoTime } from "./time.ts";
import { addRecord, removeRecord } from "./world.ts";
import { parseUrl } from "./url.ts";

const TYPE_NAMES: ReadonlySet<string> = new Set(EVENT_TYPES.map((type) => type.name));

/** `POST /hooks` (section "Endpoints"): 200 with `_id`, `targetUrl`, `createdAt` and `type` only. */
export function addWebhook(call: Call): Answer {
  const parsed = parseBody(call);
  if ("status" in parsed) return parsed;
  const input = readInput(parsed.body, call.query);
  if (typeof input === "string") return refuseInput(call, input);
  if (input.campaignId !== null) {
    const refusal = refuseCampaign(call, input.campaignId);
    if (refusal) return refusal;
  }
  const { record } = addRecord(call.world, "webhooks", { ...input, teamId: call.teamId }, call.source);
  const { campaignId: _, ...answer } = webhookObject(record, call.settings.profile);
  return jsonAnswer(answer);
}

/** `DELETE /hooks/{hookId}` (section "Endpoints"): 200 with the removed webhook, including `campaignId`. */
export function deleteWebhook(call: Call): Answer {
  const id = call.params["hookId"] ?? "";
  const webhook = call.world.webhooks.get(id);
  if (!webhook) return refuse(call, "webhookNotFound");
  if (webhook.teamId !== call.teamId) return refuseForeign(call, "webhookNotFound");
  removeRecord(call.world, "webhooks", id, call.source.now());
  call.deliveries.cancel(id);
  return jsonAnswer(webhookObject(webhook, call.settings.profile));
}

/** `GET /hooks` (section "Endpoints"). Its parameters and shape are not shown: `ListProfile` defines them. */
export function listWebhooks(call: Call): Answer {
  const { profile } = call.settings;
  const offset = profile.offset ? readCount(call.query["offset"], 0) : 0;
  const limit = profile.offset ? readCount(call.query["limit"], Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER;
  const page = profile.page ? readCount(call.query["page"], 1) : 1;
  if (offset === null || limit === null || page === null || page === 0) return refuseInput(call, "offset, limit and page must be whole numbers");
  const cap = Math.min(limit, profile.cap ?? Number.MAX_SAFE_INTEGER);
  const all = visibleWebhooks(call);
  const start = offset + (page - 1) * cap;
  const records = all.slice(start, start + cap).map((webhook) => listedWebhook(webhook, profile));
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
  return profile.duplicates ? webhooks.flatMap((webhook) => [webhook, webhook]) : webhooks;
}

type WebhookObject = {
  readonly _id: string;
  readonly targetUrl: string;
  readonly createdAt: string;
  readonly type?: string;
  readonly campaignId?: string;
};

/** The Webhook object (section "Webhook"). Absent fields are omitted; it never contains `secret`. */
function webhookObject(webhook: WebhookRecord, profile: ListProfile): WebhookObject {
  return {
    _id: webhook._id,
    targetUrl: profile.normalizeUrls ? new URL(webhook.targetUrl).href : webhook.targetUrl,
    createdAt: webhook.createdAt,
    ...(webhook.type === null ? {} : { type: webhook.type }),
    ...(webhook.campaignId === null ? {} : { campaignId: webhook.campaignId }),
  };
}

function listedWebhook(webhook: WebhookRecord, profile: ListProfile): Partial<WebhookObject> {
  const object = webhookObject(webhook, profile);
  if (profile.omit.length === 0) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !(profile.omit as readonly string[]).includes(name)));
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
  if (typeof body !== "object" || body === null || Array.isArray(body)) return refuseInput(call, "The request body must be a JSON object");
  return { body: body as Readonly<Record<string, unknown>> };
}

type WebhookInput = Pick<WebhookRecord, "targetUrl" | "type" | "campaignId" | "isFirst" | "automationId" | "secret">;

/**
 * The input of adding a webhook, or the error in it. `campaignId` and `isFirst` may be in the query, in
 * the body, or in both if they agree. A null member of the body counts as absent.
 */
function readInput(body: Readonly<Record<string, unknown>>, query: Readonly<Record<string, string>>): WebhookInput | string {
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
  return { targetUrl, type, campaignId, isFirst: isFirst ?? false, automationId: query["automationId"] ?? null, secret };
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
