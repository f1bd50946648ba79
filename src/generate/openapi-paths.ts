import { RECEIVED } from "./openapi-events.ts";

type Json = { readonly [name: string]: unknown };

/** The documented messages of errors (Errors), by the name of their example in the document. */
export const DOCUMENTED_ERRORS = {
  badTeam: { message: "Bad team", summary: "The object belongs to another team, or the team is invalid." },
  webhookNotFound: { message: "Webhook not found", summary: "There is no webhook with this id." },
  campaignNotFound: { message: "Campaign not found", summary: "There is no campaign with this id." },
  leadNotFound: { message: "Lead not found", summary: "The campaign has no lead with this address." },
  noKey: { message: "No API key provided", summary: "The request has no API key." },
  wrongKey: { message: "The authentication you supplied is incorrect", summary: "The credentials are wrong." },
  blockedUser: { message: "User linked to this API key is blocked", summary: "The key's user is blocked." },
  noUser: { message: "No user found for this API key", summary: "The key has no user." },
} as const;

type ErrorName = keyof typeof DOCUMENTED_ERRORS;
type MediaType = "text/plain" | "application/json";

const AUTHENTICATION_ERRORS: readonly ErrorName[] = ["noKey", "wrongKey", "blockedUser", "noUser"];

/** The headers of the rate limit (Limits). */
export const RATE_LIMIT_HEADERS = {
  "Retry-After": {
    description: "Seconds until the next request is accepted.",
    schema: { type: "integer", minimum: 0 },
    "x-not-shown": "Whether every answer has it.",
  },
  "X-RateLimit-Limit": { description: "How many requests the window allows.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Remaining": { description: "How many requests are left in the window.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": { description: "The date at which the window ends.", schema: { type: "string" }, "x-not-shown": "How the date is written." },
};

/** Every documented operation (Endpoints), by its path relative to the base address. */
export function openApiPaths(): Json {
  return {
    "/hooks": { post: addWebhook(), get: listWebhooks() },
    "/hooks/{hookId}": { delete: deleteWebhook() },
    "/campaigns": { get: listCampaigns() },
    "/campaigns/{campaignId}/export/start": { get: startExport() },
    "/campaigns/{campaignId}/schedules/": { get: listSchedules() },
    "/warmup/{userMailboxId}/settings": { get: readWarmup() },
    "/campaigns/{campaignId}/leads/{email}": { delete: unsubscribeLead() },
  };
}

function addWebhook(): Json {
  return {
    operationId: "addWebhook",
    tags: ["Webhooks"],
    summary: "Add a webhook",
    description: "The service starts to send matching events to the webhook's URL.",
    parameters: [
      query("campaignId", ref("CampaignId"), "Only events of this campaign are sent."),
      query("isFirst", { type: "boolean" }, "Only the first activity is sent."),
      query("automationId", { type: "string" }, "The caller's id of a workflow automation, for tracking."),
    ],
    requestBody: { required: true, content: { "application/json": { schema: ref("NewWebhook") } } },
    responses: {
      ...answers("AddedWebhook", "The webhook was added."),
      "400": failure({ description: "Rejected.", errors: ["badTeam"], forms: ["text/plain"] }),
      "401": failure({
        description: "The request is not authorized.",
        errors: AUTHENTICATION_ERRORS,
        notShown: "Which message has this status, and whether it is plain text or a JSON string.",
      }),
      "404": failure({ description: "Rejected.", errors: ["webhookNotFound"], forms: ["text/plain"] }),
      "409": failure({
        description: "A webhook of the team has this target URL, whatever its type and campaign. Observed, not documented.",
        errors: [],
        notShown: "Everything about this answer.",
      }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
    callbacks: { event: { "{$request.body#/targetUrl}": { post: receiveEvent() } } },
  };
}

function receiveEvent(): Json {
  return {
    operationId: "receiveEvent",
    tags: ["Webhooks"],
    summary: "An event, as sent to a webhook",
    security: [],
    requestBody: { required: true, content: { "application/json": { schema: ref("Activity") } } },
    "x-not-shown": [RECEIVED["x-not-shown"], "Which operation of the service causes which event."],
  };
}

function listWebhooks(): Json {
  return {
    operationId: "listWebhooks",
    tags: ["Webhooks"],
    summary: "List webhooks",
    description:
      "The path exists. The answer never contains the `secret` of a webhook. Observed, not documented: it is an array of webhooks, the request has no parameters, and nothing is paged.",
    "x-not-shown": "The parameters and the shape of the answer.",
    parameters: [
      {
        name: "parameters",
        in: "query",
        description: "Any parameters, each under its own name.",
        style: "form",
        explode: true,
        schema: { type: "object", additionalProperties: { type: "string" } },
        "x-not-shown": "The parameters.",
      },
    ],
    responses: {
      "2XX": {
        description: "The webhooks of the team.",
        headers: LIMIT_HEADERS,
        content: { "application/json": { schema: {} } },
        "x-not-shown": "The shape of the answer.",
      },
      "4XX": failure({ errors: ["badTeam", ...AUTHENTICATION_ERRORS] }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

function deleteWebhook(): Json {
  return {
    operationId: "deleteWebhook",
    tags: ["Webhooks"],
    summary: "Delete a webhook",
    description: "The answer is the removed webhook. To change a secret, delete the webhook and add it again.",
    parameters: [path("hookId", ref("WebhookId"), "The webhook's id.")],
    responses: {
      ...answers("Webhook", "The webhook was removed."),
      "4XX": failure({ errors: ["badTeam", "webhookNotFound", ...AUTHENTICATION_ERRORS] }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

function listCampaigns(): Json {
  return {
    operationId: "listCampaigns",
    tags: ["Campaigns"],
    summary: "List campaigns",
    parameters: [
      query("version", { type: "string", enum: ["v2"], default: "v2" }, "The shape of the answer. This document shows that of `v2`."),
      query("offset", { type: "integer" }, "How many campaigns to skip."),
      {
        ...query("page", { type: "integer" }, "The page to return."),
        "x-not-shown": "The number of the first page, and how `page` and `offset` combine.",
      },
      {
        ...query("limit", { type: "integer", default: 100, maximum: 100 }, "How many campaigns to answer with."),
        "x-not-shown": "The effect of a higher number.",
      },
      query("sortBy", { type: "string", enum: ["createdAt"] }, "Field to sort by: only the creation time."),
      query("sortOrder", { type: "string", enum: ["asc", "desc"] }, "`desc` lists the newest first. Any other value, or none, lists it last."),
      query("status", ref("CampaignStatus"), "Only campaigns with this status."),
      query("createdBy", ref("UserId"), "Only campaigns that this user created."),
    ],
    responses: {
      "200": json({ type: "array", items: ref("Campaign"), maxItems: 100 }, "Campaigns of the team."),
      "4XX": failure({ errors: [...AUTHENTICATION_ERRORS, "badTeam"], forms: ["application/json"], notShown: "Which status has which message." }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

function startExport(): Json {
  return {
    operationId: "startExport",
    tags: ["Campaigns"],
    summary: "Start an export of a campaign's statistics",
    description:
      "Each request starts another export, although it is a GET. Several exports of one campaign can run at once. A new export is `pending`, and its `progressType` is `starting`.",
    parameters: [CAMPAIGN_IN_PATH],
    responses: {
      ...answers("CampaignExport", "The export was started."),
      "4XX": failure({ errors: ["badTeam", "campaignNotFound", ...AUTHENTICATION_ERRORS] }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

function listSchedules(): Json {
  return {
    operationId: "listSchedules",
    tags: ["Campaigns"],
    summary: "List a campaign's schedules",
    description: "The path ends in a slash.",
    parameters: [CAMPAIGN_IN_PATH],
    responses: {
      "200": json({ type: "array", items: ref("Schedule") }, "The schedules of the campaign."),
      "4XX": failure({ errors: ["badTeam", "campaignNotFound", ...AUTHENTICATION_ERRORS] }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

function readWarmup(): Json {
  return {
    operationId: "readWarmup",
    tags: ["Warm-up"],
    summary: "Read the warm-up settings of a mailbox",
    parameters: [{ ...path("userMailboxId", { type: "string" }, "The mailbox's id."), "x-not-shown": "How the id begins." }],
    responses: {
      ...answers("WarmupSettings", "The settings, in one of two field sets."),
      "4XX": failure({ errors: ["badTeam", ...AUTHENTICATION_ERRORS] }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

function unsubscribeLead(): Json {
  return {
    operationId: "unsubscribeLead",
    tags: ["Campaigns"],
    summary: "Unsubscribe a lead from a campaign",
    description: "Removes the lead from the campaign. No operation of this document undoes that.",
    parameters: [CAMPAIGN_IN_PATH, path("email", { type: "string", format: "email" }, "The lead's email address.")],
    responses: {
      ...answers("Lead", "The lead was unsubscribed."),
      "4XX": failure({ errors: ["badTeam", "leadNotFound", ...AUTHENTICATION_ERRORS] }),
      default: { $ref: "#/components/responses/OtherFailure" },
    },
  };
}

const LIMIT_HEADERS = Object.fromEntries(Object.keys(RATE_LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const CAMPAIGN_IN_PATH = path("campaignId", ref("CampaignId"), "The campaign's id. The campaign belongs to the team of the key.");

/** Shared responses, by name. */
export const SHARED_RESPONSES = {
  OtherFailure: failure({
    description: "Any other failure.",
    errors: [],
    notShown: "Its status, its message, and whether that is plain text or a JSON string.",
  }),
  Received: RECEIVED,
};

function answers(schema: string, description: string): Json {
  return { "200": json(ref(schema), description) };
}

function json(schema: Json, description: string): Json {
  return { description, headers: LIMIT_HEADERS, content: { "application/json": { schema } } };
}

/** An error response. Allows both forms of a message if the specification does not say which one applies. */
function failure({
  description = "Rejected, or over the rate limit if that uses such a status.",
  errors,
  forms = ["text/plain", "application/json"],
  notShown = forms.length > 1 ? "Which status has which message, and whether it is plain text or a JSON string." : null,
}: {
  readonly description?: string;
  readonly errors: readonly ErrorName[];
  readonly forms?: readonly MediaType[];
  readonly notShown?: string | null;
}): Json {
  const examples = Object.fromEntries(errors.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
  const media = { schema: ref("ErrorMessage"), ...(errors.length > 0 ? { examples } : {}) };
  return {
    description,
    headers: LIMIT_HEADERS,
    content: Object.fromEntries(forms.map((form) => [form, media])),
    ...(notShown === null ? {} : { "x-not-shown": notShown }),
  };
}

function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

function query(name: string, schema: Json, description: string): Json {
  return { name, in: "query", description, schema };
}

function path(name: string, schema: Json, description: string): Json {
  return { name, in: "path", required: true, description, schema };
}
