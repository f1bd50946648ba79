import {
  type Change,
  type Schema,
  type ValueOf,
  defaultsOf,
  flag,
  object,
  oneOf,
  setting,
  settingOfEach,
  time,
} from "./schema.ts";

/** The documented error messages, word for word (section "Errors"). */
export const ERROR_MESSAGES = {
  badTeam: "Bad team",
  webhookNotFound: "Webhook not found",
  campaignNotFound: "Campaign not found",
  leadNotFound: "Lead not found",
  noKey: "No API key provided",
  wrongKey: "The authentication you supplied is incorrect",
  blockedUser: "User linked to this API key is blocked",
  noUser: "No user found for this API key",
} as const;

/** One documented error message (section "Errors"). */
export type ErrorName = keyof typeof ERROR_MESSAGES;

const FORM: Schema<"text" | "json"> = { enum: ["text", "json"] };
const status: Schema<number> = { type: "integer", minimum: 400, maximum: 599 };

/**
 * The sandbox's behaviour where the specification says "not shown". Every member is the sandbox's own
 * choice, never a promise about the service. Set them when the sandbox starts, in the seed file
 * (`settings.choices`), or through the control API.
 */
export const CHOICES_SCHEMA = object("the choices where the specification shows nothing", {
  /**
   * The section "Authentication", 5, allows both: `Bad team` or the operation's not-found message. Warm-up settings have no
   * not-found message and always answer `Bad team`.
   */
  foreign: setting("bad-team", oneOf("the answer for another team's resource", "bad-team", "not-found")),
  /** Documented: plain text for adding a webhook, a JSON string for the campaign list. The rest follows the nearest of the two. */
  errorForms: settingOfEach(
    "the form of error messages, by operation",
    {
      addWebhook: "text",
      listWebhooks: "text",
      deleteWebhook: "text",
      listCampaigns: "json",
      startExport: "json",
      exportStatus: "json",
      listSchedules: "json",
      readWarmup: "json",
      unsubscribeLead: "json",
    },
    FORM,
  ),
  /** Documented: only 400, 401 and 404 for adding a webhook, which always uses them. The other operations use these statuses. */
  statuses: settingOfEach(
    "the status of each error without a documented status",
    {
      badTeam: 400,
      webhookNotFound: 404,
      campaignNotFound: 404,
      leadNotFound: 404,
      noKey: 401,
      wrongKey: 401,
      blockedUser: 403,
      noUser: 401,
    } satisfies Record<ErrorName, number>,
    status,
  ),
  /** The operation's only documented 404 is `Webhook not found`; `accept` adds the webhook anyway. */
  unknownCampaign: setting(
    "webhook-not-found",
    oneOf(
      "the answer to adding a webhook for an unknown campaign",
      "webhook-not-found",
      "campaign-not-found",
      "accept",
    ),
  ),
  /** Compares URLs in their WHATWG form, whatever type and campaign the webhooks have. */
  uniqueTargetUrl: setting(
    false,
    flag("whether adding a webhook is answered 409 if the team has one with the same target URL"),
  ),
  rateLimitStatus: setting(429, { ...status, description: "the status of a refusal by the rate limit" }),
  retryAfter: setting("when-limited", oneOf("when Retry-After is sent", "when-limited", "always", "never")),
  /** Documented as "Date when the limit resets"; `js-date` is the long form of JavaScript, in a fixed time zone. */
  resetFormat: setting("iso", oneOf("the form of X-RateLimit-Reset", "iso", "http-date", "js-date", "epoch-seconds")),
  /** A request with `page` and `offset` adds the offset. */
  firstPage: setting(1, oneOf("the number of the first page of campaigns", 0, 1)),
  /** It counts as 100, or gets a 400. */
  overLimit: setting("clamp", oneOf("the effect of a campaign list limit above 100", "clamp", "refuse")),
  /** The lead again, or `Lead not found`. */
  repeatedUnsubscribe: setting("same-answer", oneOf("the answer to a second unsubscribe", "same-answer", "not-found")),
  /** A mailbox can override it. */
  warmupShape: setting("declared", oneOf("the field set of warm-up settings", "declared", "sample")),
  exportMs: setting(2000, time("how long an export is pending")),
  /** Users of the service observed the path `/campaigns/{campaignId}/export/{exportId}/status`; the specification does not show it. */
  exportStatus: setting("unknown", oneOf("whether the path of an export's status exists", "shown", "unknown")),
  /** A campaign can override it. */
  exportOutcome: setting("done", oneOf("the result of an export", "done", "error")),
  /** Whether `/campaigns/{campaignId}/schedules` without its trailing slash answers 404. */
  strictSlash: setting(true, flag("whether the schedules path needs its trailing slash")),
  /** A published description has it; the specification does not show it. */
  stepIds: setting("hidden", oneOf("whether events about a lead in a campaign have a stepId", "shown", "hidden")),
  /** A counter (`hoo_000001`), or random letters that do not repeat after a restart. */
  ids: setting("counter", oneOf("ids of new records", "counter", "random")),
});

export type SandboxChoices = ValueOf<typeof CHOICES_SCHEMA>;
export type SandboxChoicesChange = Change<SandboxChoices>;

export const DEFAULT_CHOICES = defaultsOf(CHOICES_SCHEMA);

/** One operation of the API. The path of `exportStatus` is not in the specification. */
export type Operation = keyof SandboxChoices["errorForms"];
