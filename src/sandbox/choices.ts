/**
 * The sandbox's behaviour where the specification says "not shown". Every member is the sandbox's own
 * choice, never a promise about the service. Set them when the sandbox starts, in the seed file
 * (`settings.choices`), or through the control API.
 */
export type SandboxChoices = {
  /**
   * The answer for another team's resource. The section "Authentication", 5, allows both: `Bad team`
   * or the operation's not-found message. Warm-up settings have no not-found message and always
   * answer `Bad team`.
   */
  readonly foreign: "bad-team" | "not-found";
  /**
   * The form of an error message, by operation. Documented: plain text for adding a webhook, a JSON
   * string for the campaign list. The rest follows the nearest of the two.
   */
  readonly errorForms: Readonly<Record<Operation, ErrorForm>>;
  /**
   * The status of each error message. Documented: only 400, 401 and 404 for adding a webhook, which
   * always uses them. The other operations use these statuses.
   */
  readonly statuses: Readonly<Record<ErrorName, number>>;
  /**
   * The answer to adding a webhook for an unknown campaign. The operation's only documented 404 is
   * `Webhook not found`; `accept` adds the webhook anyway.
   */
  readonly unknownCampaign: "webhook-not-found" | "campaign-not-found" | "accept";
  /** Whether adding a webhook is answered 409 if the team has one with the same URL in its WHATWG form, whatever its type and campaign. */
  readonly uniqueTargetUrl: boolean;
  /** The status when the rate limit is exceeded (section "Limits"). */
  readonly rateLimitStatus: number;
  /** Whether every answer carries `Retry-After`, only a refusal by the rate limit, or none. */
  readonly retryAfter: "when-limited" | "always" | "never";
  /** The form of `X-RateLimit-Reset`, documented as "Date when the limit resets"; `js-date` is the long form of JavaScript, in a fixed time zone. */
  readonly resetFormat: "iso" | "http-date" | "js-date" | "epoch-seconds";
  /** The number of the first page of campaigns. A request with `page` and `offset` adds the offset. */
  readonly firstPage: 0 | 1;
  /** A campaign list `limit` above 100 counts as 100, or gets a 400. */
  readonly overLimit: "clamp" | "refuse";
  /** The answer to unsubscribing a lead twice: the lead again, or `Lead not found`. */
  readonly repeatedUnsubscribe: "same-answer" | "not-found";
  /** The field set of warm-up settings: the declared one or the sample's. A mailbox can override it. */
  readonly warmupShape: "declared" | "sample";
  /** Milliseconds that an export stays `pending`. */
  readonly exportMs: number;
  /** Whether `/campaigns/{campaignId}/export/{exportId}/status` exists. Users of the service observed it; the specification does not show it. */
  readonly exportStatus: "shown" | "unknown";
  /** The result of an export. A campaign can override it. */
  readonly exportOutcome: "done" | "error";
  /** Whether `/campaigns/{campaignId}/schedules` without its trailing slash answers 404. */
  readonly strictSlash: boolean;
  /** Whether events about a lead in a campaign have a `stepId`. A published description has it; the specification does not show it. */
  readonly stepIds: "shown" | "hidden";
  /** Ids of new records: a counter (`hoo_000001`), or random letters that do not repeat after a restart. */
  readonly ids: "counter" | "random";
};

/** One operation of the API. The path of `exportStatus` is not in the specification. */
export type Operation =
  | "addWebhook"
  | "listWebhooks"
  | "deleteWebhook"
  | "listCampaigns"
  | "startExport"
  | "exportStatus"
  | "listSchedules"
  | "readWarmup"
  | "unsubscribeLead";

/** An error's message as plain text or as a JSON string (section "Errors"). */
export type ErrorForm = "text" | "json";

/** One documented error message (section "Errors"). */
export type ErrorName = keyof typeof ERROR_MESSAGES;

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

/** The default choices. */
export const DEFAULT_CHOICES: SandboxChoices = {
  foreign: "bad-team",
  errorForms: {
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
  statuses: {
    badTeam: 400,
    webhookNotFound: 404,
    campaignNotFound: 404,
    leadNotFound: 404,
    noKey: 401,
    wrongKey: 401,
    blockedUser: 403,
    noUser: 401,
  },
  unknownCampaign: "webhook-not-found",
  uniqueTargetUrl: false,
  rateLimitStatus: 429,
  retryAfter: "when-limited",
  resetFormat: "iso",
  firstPage: 1,
  overLimit: "clamp",
  repeatedUnsubscribe: "same-answer",
  warmupShape: "declared",
  exportMs: 2000,
  exportStatus: "unknown",
  exportOutcome: "done",
  strictSlash: true,
  stepIds: "hidden",
  ids: "counter",
};

/** A change to some choices. Members of `errorForms` and `statuses` can change one by one. */
export type SandboxChoicesChange = {
  readonly [Name in keyof SandboxChoices]?: SandboxChoices[Name] extends object ? Partial<SandboxChoices[Name]> : SandboxChoices[Name];
};

/** `choices` with `change` applied. */
export function changeChoices(choices: SandboxChoices, change: SandboxChoicesChange): SandboxChoices {
  const { errorForms, statuses, ...rest } = change;
  return {
    ...choices,
    ...rest,
    errorForms: { ...choices.errorForms, ...errorForms },
    statuses: { ...choices.statuses, ...statuses },
  };
}
