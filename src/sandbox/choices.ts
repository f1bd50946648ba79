/**
 * What the sandbox does where the specification says "not shown". Every member is a choice of the
 * sandbox's own, never a promise about the service; each can be set when the sandbox starts, in the
 * seed file (`settings.choices`) and through the control API.
 */
export type SandboxChoices = {
  /**
   * The answer about a thing of another team. The section "Authentication", 5, allows both: `Bad team`
   * or the not-found message of the operation. Warm-up settings have no not-found message and always
   * answer `Bad team`.
   */
  readonly foreign: "bad-team" | "not-found";
  /**
   * How the message of an error is written, by operation. Documented are plain text for adding a
   * webhook and a JSON string for the campaign list; the rest follows the nearest of the two.
   */
  readonly errorForms: Readonly<Record<Operation, ErrorForm>>;
  /**
   * The status of each error message. Documented are only 400, 401 and 404 for adding a webhook, which
   * always answers with these; the other operations use the statuses given here.
   */
  readonly statuses: Readonly<Record<ErrorName, number>>;
  /**
   * What adding a webhook answers for a campaign that does not exist. The only documented 404 of that
   * operation is `Webhook not found`; `accept` adds the webhook all the same.
   */
  readonly unknownCampaign: "webhook-not-found" | "campaign-not-found" | "accept";
  /** The status when the rate limit is exceeded (section "Limits"). */
  readonly rateLimitStatus: number;
  /** Whether `Retry-After` is sent with every answer or only with a refusal for the rate limit. */
  readonly retryAfter: "when-limited" | "always";
  /** The form of `X-RateLimit-Reset`, documented as "Date when the limit resets". */
  readonly resetFormat: "iso" | "http-date" | "epoch-seconds";
  /** The number of the first page of campaigns; with `offset` too, the offset is added. */
  readonly firstPage: 0 | 1;
  /** What a campaign list `limit` above 100 does: count as 100, or be refused with 400. */
  readonly overLimit: "clamp" | "refuse";
  /** What unsubscribing a lead for the second time answers: the lead again, or `Lead not found`. */
  readonly repeatedUnsubscribe: "same-answer" | "not-found";
  /** The field set of warm-up settings: the declared one, or the sample's. A mailbox may have its own. */
  readonly warmupShape: "declared" | "sample";
  /** Milliseconds that an export stays `pending`. */
  readonly exportMs: number;
  /** How an export ends, unless its campaign says otherwise. */
  readonly exportOutcome: "done" | "error";
  /** Whether `/campaigns/{campaignId}/schedules` without its trailing slash is answered with 404 too. */
  readonly strictSlash: boolean;
  /** Ids of new things: a counter (`hoo_000001`), or letters that do not repeat after a restart. */
  readonly ids: "counter" | "random";
};

/** One operation of the API. `exportStatus` is at a path of the sandbox's own. */
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

/** The choices of a sandbox that was told nothing else. */
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
  rateLimitStatus: 429,
  retryAfter: "when-limited",
  resetFormat: "iso",
  firstPage: 1,
  overLimit: "clamp",
  repeatedUnsubscribe: "same-answer",
  warmupShape: "declared",
  exportMs: 2000,
  exportOutcome: "done",
  strictSlash: true,
  ids: "counter",
};

/** A change of some choices; the members of `errorForms` and `statuses` can be changed one by one. */
export type SandboxChoicesChange = {
  readonly [Name in keyof SandboxChoices]?: SandboxChoices[Name] extends object ? Partial<SandboxChoices[Name]> : SandboxChoices[Name];
};

/** `choices` with `change` on top. */
export function changeChoices(choices: SandboxChoices, change: SandboxChoicesChange): SandboxChoices {
  const { errorForms, statuses, ...rest } = change;
  return {
    ...choices,
    ...rest,
    errorForms: { ...choices.errorForms, ...errorForms },
    statuses: { ...choices.statuses, ...statuses },
  };
}
