import { changeChoices, DEFAULT_CHOICES } from "./choices.ts";
import type { SandboxChoices, SandboxChoicesChange } from "./choices.ts";
import { DEFAULT_DELIVERY, DELIVERY_SCHEMA } from "./delivery/delivery-settings.ts";
import type { DeliverySettings } from "./delivery/delivery-settings.ts";
import { changeListProfile, DEFAULT_PROFILE, FIELD_FORMS } from "./list-profile.ts";
import type { ListProfile, ListProfileChange } from "./list-profile.ts";
import { DEFAULT_RATE_LIMIT } from "./rate-limit.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Schema } from "./check-schema.ts";

/** The delay of every answer, evenly distributed between the two bounds. */
export type Latency = { readonly minMs: number; readonly maxMs: number };

/** Everything that can change while a sandbox runs, except its records and faults. */
export type SandboxSettings = {
  readonly choices: SandboxChoices;
  /** How `GET /hooks` answers, and the form of other answers. */
  readonly profile: ListProfile;
  /** null: no limit and no rate-limit headers. */
  readonly rateLimit: RateLimit | null;
  readonly latency: Latency;
  /** How events are delivered to the webhooks. */
  readonly delivery: DeliverySettings;
};

/** A change to some settings; the others keep their values. */
export type SandboxSettingsChange = {
  readonly choices?: SandboxChoicesChange;
  readonly profile?: ListProfileChange;
  readonly rateLimit?: Partial<RateLimit> | null;
  readonly latency?: Latency;
  readonly delivery?: Partial<DeliverySettings>;
};

/** The default settings. */
export const DEFAULT_SETTINGS: SandboxSettings = {
  choices: DEFAULT_CHOICES,
  profile: DEFAULT_PROFILE,
  rateLimit: DEFAULT_RATE_LIMIT,
  latency: { minMs: 0, maxMs: 0 },
  delivery: DEFAULT_DELIVERY,
};

/** `settings` with `change` applied. */
export function changeSettings(settings: SandboxSettings, change: SandboxSettingsChange): SandboxSettings {
  const { rateLimit } = change;
  return {
    choices: change.choices ? changeChoices(settings.choices, change.choices) : settings.choices,
    profile: change.profile ? changeListProfile(settings.profile, change.profile) : settings.profile,
    rateLimit: rateLimit ? { ...(settings.rateLimit ?? DEFAULT_RATE_LIMIT), ...rateLimit } : rateLimit === null ? null : settings.rateLimit,
    latency: change.latency ?? settings.latency,
    delivery: { ...settings.delivery, ...change.delivery },
  };
}

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

/** The JSON Schema of `SandboxSettingsChange`, for a seed file's `settings` and for the control API. */
export const SETTINGS_SCHEMA: Schema = {
  type: "object",
  description: "the sandbox's behaviour where the specification says nothing",
  additionalProperties: false,
  properties: {
    choices: {
      type: "object",
      additionalProperties: false,
      properties: {
        foreign: oneOf("the answer for another team's resource", "bad-team", "not-found"),
        errorForms: eachOf(DEFAULT_CHOICES.errorForms, { enum: ["text", "json"] }, "the form of error messages, by operation"),
        statuses: eachOf(DEFAULT_CHOICES.statuses, status, "the status of each error without a documented status"),
        unknownCampaign: oneOf("the answer to adding a webhook for an unknown campaign", "webhook-not-found", "campaign-not-found", "accept"),
        uniqueTargetUrl: { type: "boolean", description: "whether adding a webhook is answered 409 if the team has one with the same target URL" },
        rateLimitStatus: { ...status, description: "the status of a refusal by the rate limit" },
        retryAfter: oneOf("when Retry-After is sent", "when-limited", "always", "never"),
        resetFormat: oneOf("the form of X-RateLimit-Reset", "iso", "http-date", "js-date", "epoch-seconds"),
        firstPage: oneOf("the number of the first page of campaigns", 0, 1),
        overLimit: oneOf("the effect of a campaign list limit above 100", "clamp", "refuse"),
        repeatedUnsubscribe: oneOf("the answer to a second unsubscribe", "same-answer", "not-found"),
        warmupShape: oneOf("the field set of warm-up settings", "declared", "sample"),
        exportMs: ms("how long an export is pending"),
        exportStatus: oneOf("whether the path of an export's status exists", "shown", "unknown"),
        exportOutcome: oneOf("the result of an export", "done", "error"),
        strictSlash: { type: "boolean", description: "whether the schedules path needs its trailing slash" },
        stepIds: oneOf("whether events about a lead in a campaign have a stepId", "shown", "hidden"),
        ids: oneOf("ids of new records", "counter", "random"),
      },
    },
    profile: {
      type: "object",
      description: "the answers of GET /hooks, and the form of other answers",
      additionalProperties: false,
      properties: {
        envelope: oneOf("the position of the list in the answer", "array", "hooks", "data"),
        cap: { type: ["integer", "null"], minimum: 1, description: "the maximum number of records per answer; null: no cap" },
        offset: { type: "boolean", description: "whether offset and limit work" },
        firstPage: { enum: [0, 1, null], description: "the number of the first page that page selects, with cap records per page; null: page is ignored" },
        fields: eachOf(DEFAULT_PROFILE.fields, { enum: FIELD_FORMS }, "how records show each field"),
        normalizeUrls: { type: "boolean", description: "whether URLs are returned in their WHATWG form" },
        staleMs: ms("the age of the list, in milliseconds"),
        duplicates: { type: "boolean", description: "whether the list contains each record twice" },
        empty: { type: "boolean", description: "whether the list is always empty" },
        sortOrder: oneOf("the order by creation time, or a fixed other order", "asc", "desc", "shuffled"),
        values: oneOf(
          "the types of values in every answer; with text, numbers and booleans are text, and the contactId of a lead is a number",
          "typed",
          "text",
        ),
        bom: { type: "boolean", description: "whether every JSON answer begins with a byte order mark" },
        created201: { type: "boolean", description: "whether adding a webhook answers 201 with all its fields, instead of 200 with the documented ones" },
      },
    },
    rateLimit: {
      type: ["object", "null"],
      description: "the rate limit; null: no limit",
      additionalProperties: false,
      properties: {
        limit: { type: "integer", minimum: 1, description: "requests per window and key" },
        windowMs: { type: "integer", minimum: 1, maximum: 86_400_000, description: "the length of a window, in milliseconds" },
        kind: oneOf("the kind of window", "fixed", "sliding"),
      },
    },
    latency: {
      type: "object",
      description: "the delay of every answer",
      required: ["minMs", "maxMs"],
      additionalProperties: false,
      properties: { minMs: ms("the shortest delay, in milliseconds"), maxMs: ms("the longest delay, in milliseconds") },
    },
    delivery: DELIVERY_SCHEMA,
  },
};
