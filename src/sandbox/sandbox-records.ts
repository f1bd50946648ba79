/** A team: "entity that holds users and billing" (section "What the service does"). */
export type TeamRecord = { readonly _id: string; readonly name: string };

/** An account of a team. A blocked user's keys are refused (section "Authentication", 4). */
export type UserRecord = {
  readonly _id: string;
  readonly teamId: string;
  readonly name: string;
  readonly email: string;
  readonly blocked: boolean;
  /** The hidden recipient of the emails that this user sends (section "Email recipients"); null: none. Never in an answer of the API. */
  readonly hiddenBcc: string | null;
};

/** An API key. `userId` null: the key has no user (section "Authentication", 4). */
export type KeyRecord = { readonly name: string; readonly key: string; readonly userId: string | null };

/** One of the documented campaign statuses (section "States and transitions"). */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** The documented campaign statuses. */
export const CAMPAIGN_STATUSES = ["running", "paused", "draft", "ended", "archived", "errors"] as const;

/** A campaign (section "Resources and their fields", "Campaign"). */
export type CampaignRecord = {
  readonly _id: string;
  readonly teamId: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
  /** The status that the list shows. */
  readonly status: CampaignStatus;
  /** Additional statuses. The list's filter finds the campaign by each of them. */
  readonly alsoIn: readonly CampaignStatus[];
  readonly sequenceId: string;
  readonly scheduleIds: readonly string[];
  /** If not empty, `hasError` is true and the campaign is also in the status `errors`. */
  readonly errors: readonly string[];
  readonly creator: object;
  readonly senders: readonly object[];
  /** The result of its exports; null: the value of `SandboxChoices.exportOutcome`. */
  readonly exportOutcome: "done" | "error" | null;
};

/** A schedule (section "Resources and their fields", "Schedule"). */
export type ScheduleRecord = {
  readonly _id: string;
  readonly name: string;
  readonly secondsToWait: number;
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  readonly weekdays: readonly number[];
  readonly public: boolean;
  readonly teamId: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly deletedAt?: string;
  readonly deletedBy?: string;
};

/** A lead of one campaign (section "Resources and their fields", "Lead"). */
export type LeadRecord = {
  readonly _id: string;
  readonly campaignId: string;
  readonly email: string;
  /** The first name; like `lastName` in events only (section "Payload common fields"). */
  readonly firstName: string;
  readonly lastName: string;
  readonly contactId: string;
  readonly isPaused: boolean;
  /** The time of the unsubscription; null: none. Never in an answer of the API. */
  readonly unsubscribedAt: string | null;
};

/** A user's mailbox with its warm-up settings in both field sets (section "Warm-up settings"). */
export type MailboxRecord = {
  readonly _id: string;
  readonly userId: string;
  readonly active: boolean;
  readonly dailyLimit: number;
  readonly warmupTemplate: string;
  readonly warmEmailRampup: number;
  readonly warmEmailMax: number;
  readonly activeAt: string;
  readonly deliverability: { readonly score: number; readonly lastAt: string };
  /** The field set of its answers; null: the value of `SandboxChoices.warmupShape`. */
  readonly shape: "declared" | "sample" | null;
};

/** A webhook, including the fields that the service never returns (sections "Webhook", "Secret"). */
export type WebhookRecord = {
  readonly _id: string;
  readonly teamId: string;
  /** Exactly as the caller sent it. */
  readonly targetUrl: string;
  readonly type: string | null;
  readonly campaignId: string | null;
  readonly isFirst: boolean;
  readonly automationId: string | null;
  readonly secret: string | null;
  readonly createdAt: string;
  /** When its receiver answered 410, which ends its deliveries; null: never. Never in an answer of the API. */
  readonly disabledAt: string | null;
};

/** A campaign export (section "Resources and their fields", "Campaign export"). */
export type ExportRecord = {
  readonly _id: string;
  readonly teamId: string;
  readonly campaignId: string;
  readonly campaignName: string;
  readonly startedAt: string;
  /** How long the export is pending, in milliseconds; null: the value of `SandboxChoices.exportMs`. */
  readonly durationMs: number | null;
  readonly outcome: "done" | "error";
};

/** The collections of a sandbox and their records. */
export type Records = {
  readonly teams: TeamRecord;
  readonly users: UserRecord;
  readonly keys: KeyRecord;
  readonly campaigns: CampaignRecord;
  readonly schedules: ScheduleRecord;
  readonly leads: LeadRecord;
  readonly mailboxes: MailboxRecord;
  readonly webhooks: WebhookRecord;
  readonly exports: ExportRecord;
};

/** The name of a collection. */
export type Collection = keyof Records;

/** All collections, ordered so that each refers only to earlier ones. */
export const COLLECTIONS = [
  "teams",
  "users",
  "keys",
  "schedules",
  "campaigns",
  "leads",
  "mailboxes",
  "webhooks",
  "exports",
] as const satisfies readonly Collection[];
