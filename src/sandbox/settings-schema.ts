import type { Schema } from "./check-schema.ts";
import { DEFAULT_CHOICES } from "./choices.ts";

const ms = (description: string): Schema => ({ type: "integer", minimum: 0, maximum: 86_400_000, description });
const status: Schema = { type: "integer", minimum: 400, maximum: 599 };
const oneOf = (description: string, ...values: readonly (string | number)[]): Schema => ({
  enum: values,
  description,
});
const eachOf = (names: object, schema: Schema, description: string): Schema => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(Object.keys(names).map((name) => [name, schema])),
  description,
});

/** The JSON Schema of `SandboxSettingsChange`: what a seed file's `settings` and the control API accept. */
export const SETTINGS_SCHEMA: Schema = {
  type: "object",
  description: "how the sandbox behaves where the specification says nothing",
  additionalProperties: false,
  properties: {
    choices: {
      type: "object",
      additionalProperties: false,
      properties: {
        foreign: oneOf("the answer about a thing of another team", "bad-team", "not-found"),
        errorForms: eachOf(DEFAULT_CHOICES.errorForms, { enum: ["text", "json"] }, "how errors are written"),
        statuses: eachOf(DEFAULT_CHOICES.statuses, status, "the status of each error where none is documented"),
        unknownCampaign: oneOf("what adding a webhook for a campaign that does not exist answers", "webhook-not-found", "campaign-not-found", "accept"),
        rateLimitStatus: { ...status, description: "the status of a refusal for the rate limit" },
        retryAfter: oneOf("when Retry-After is sent", "when-limited", "always"),
        resetFormat: oneOf("the form of X-RateLimit-Reset", "iso", "http-date", "epoch-seconds"),
        firstPage: oneOf("the number of the first page of campaigns", 0, 1),
        overLimit: oneOf("what a campaign list limit above 100 does", "clamp", "refuse"),
        repeatedUnsubscribe: oneOf("what a second unsubscribe answers", "same-answer", "not-found"),
        warmupShape: oneOf("the field set of warm-up settings", "declared", "sample"),
        exportMs: ms("how long an export is pending"),
        exportOutcome: oneOf("how an export ends", "done", "error"),
        strictSlash: { type: "boolean", description: "whether the schedules path needs its trailing slash" },
        ids: oneOf("ids of new things", "counter", "random"),
      },
    },
    profile: {
      type: "object",
      description: "how GET /hooks answers",
      additionalProperties: false,
      properties: {
        envelope: oneOf("where the list is", "array", "hooks", "data"),
        cap: { type: ["integer", "null"], minimum: 1, description: "at most so many records an answer" },
        offset: { type: "boolean", description: "whether offset and limit are followed" },
        omit: { type: "array", items: { enum: ["type", "campaignId", "createdAt"] }, description: "fields left out" },
        normalizeUrls: { type: "boolean", description: "whether addresses are returned in their WHATWG form" },
        staleMs: ms("how old the list is"),
        duplicates: { type: "boolean", description: "whether each record is listed twice" },
        empty: { type: "boolean", description: "whether the list is empty, whatever there is" },
        sortOrder: oneOf("by time of creation", "asc", "desc"),
      },
    },
    rateLimit: {
      type: ["object", "null"],
      description: "requests per window and key; null: no limit",
      additionalProperties: false,
      properties: {
        limit: { type: "integer", minimum: 1 },
        windowMs: { type: "integer", minimum: 1, maximum: 86_400_000 },
        kind: oneOf("the kind of window", "fixed", "sliding"),
      },
    },
    latency: {
      type: "object",
      description: "how long every answer waits",
      required: ["minMs", "maxMs"],
      additionalProperties: false,
      properties: { minMs: ms("at least"), maxMs: ms("at most") },
    },
  },
};
