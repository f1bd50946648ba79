import type { CampaignRecord, Collection, LeadRecord, Records, ScheduleRecord, WebhookRecord } from "./sandbox-records.ts";
import type { SeedRecords } from "./seed.ts";
import { isoTime, parseIsoTime } from "./sandbox-time.ts";

/** The parts of the world that default values depend on. */
export type SeedContext = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The first team's id; empty if the world has no teams. */
  readonly firstTeam: string;
  /** The first user of a team, or of any team; empty if the world has no users. */
  readonly firstUser: (teamId: string | null) => string;
  readonly findCampaign: (id: string) => CampaignRecord | undefined;
  /** An unused id with this prefix. */
  readonly newId: (prefix: string) => string;
};

/** Completes `seed` to a whole record of `collection`, with the defaults that `SEED_SCHEMA` documents. */
export function completeRecord<Name extends Collection>(collection: Name, seed: SeedRecords[Name], context: SeedContext): Records[Name] {
  const complete = COMPLETERS[collection] as (seed: SeedRecords[Name], context: SeedContext) => Records[Name];
  return complete(seed, context);
}

const COMPLETERS: { [Name in Collection]: (seed: SeedRecords[Name], context: SeedContext) => Records[Name] } = {
  teams: (seed) => ({ _id: seed._id, name: seed.name ?? seed._id }),
  users: (seed, context) => ({
    _id: seed._id,
    teamId: seed.teamId ?? context.firstTeam,
    name: seed.name ?? seed._id,
    email: seed.email ?? `${seed._id.replace("_", "-")}@example.com`,
    blocked: seed.blocked ?? false,
    hiddenBcc: seed.hiddenBcc ?? null,
  }),
  keys: (seed) => ({ name: seed.name ?? "key", key: seed.key, userId: seed.userId ?? null }),
  schedules: completeSchedule,
  campaigns: completeCampaign,
  leads: completeLead,
  mailboxes: (seed, context) => ({
    _id: seed._id,
    userId: seed.userId ?? context.firstUser(null),
    active: seed.active ?? true,
    dailyLimit: seed.dailyLimit ?? 40,
    warmupTemplate: seed.warmupTemplate ?? "default",
    warmEmailRampup: seed.warmEmailRampup ?? 5,
    warmEmailMax: seed.warmEmailMax ?? seed.dailyLimit ?? 40,
    activeAt: timestamp(seed.activeAt, context),
    deliverability: {
      score: seed.deliverability?.score ?? 90,
      lastAt: timestamp(seed.deliverability?.lastAt, context),
    },
    shape: seed.shape ?? null,
  }),
  webhooks: completeWebhook,
  exports: (seed, context) => {
    const campaign = context.findCampaign(seed.campaignId);
    return {
      _id: seed._id ?? context.newId("axp_"),
      teamId: seed.teamId ?? campaign?.teamId ?? context.firstTeam,
      campaignId: seed.campaignId,
      campaignName: seed.campaignName ?? campaign?.name ?? "",
      startedAt: timestamp(seed.startedAt, context),
      durationMs: seed.durationMs ?? null,
      outcome: seed.outcome ?? "done",
    };
  },
};

function completeSchedule(seed: SeedRecords["schedules"], context: SeedContext): ScheduleRecord {
  const teamId = seed.teamId ?? context.firstTeam;
  return {
    _id: seed._id,
    name: seed.name ?? seed._id,
    secondsToWait: seed.secondsToWait ?? 120,
    timezone: seed.timezone ?? "Etc/UTC",
    start: seed.start ?? "09:00",
    end: seed.end ?? "17:00",
    weekdays: seed.weekdays ?? [1, 2, 3, 4, 5],
    public: seed.public ?? false,
    teamId,
    createdBy: seed.createdBy ?? context.firstUser(teamId),
    createdAt: timestamp(seed.createdAt, context),
    ...(seed.deletedAt === undefined ? {} : { deletedAt: timestamp(seed.deletedAt, context) }),
    ...(seed.deletedBy === undefined ? {} : { deletedBy: seed.deletedBy }),
  };
}

function completeCampaign(seed: SeedRecords["campaigns"], context: SeedContext): CampaignRecord {
  const teamId = seed.teamId ?? context.firstTeam;
  const createdBy = seed.createdBy ?? context.firstUser(teamId);
  return {
    _id: seed._id,
    teamId,
    name: seed.name,
    labels: seed.labels ?? [],
    createdAt: timestamp(seed.createdAt, context),
    createdBy,
    status: seed.status ?? "running",
    alsoIn: seed.alsoIn ?? [],
    sequenceId: seed.sequenceId ?? seed._id.replace("cam_", "seq_"),
    scheduleIds: seed.scheduleIds ?? [],
    errors: seed.errors ?? [],
    creator: seed.creator ?? { userId: createdBy },
    senders: seed.senders ?? [{ userId: createdBy }],
    exportOutcome: seed.exportOutcome ?? null,
  };
}

function completeLead(seed: SeedRecords["leads"], context: SeedContext): LeadRecord {
  const [first = "", ...others] = (seed.email.split("@")[0] ?? "").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return {
    _id: seed._id ?? context.newId("lea_"),
    campaignId: seed.campaignId,
    email: seed.email,
    firstName: seed.firstName ?? capitalized(first),
    lastName: seed.lastName ?? others.map(capitalized).join(" "),
    contactId: seed.contactId ?? context.newId("ctc_"),
    isPaused: seed.isPaused ?? false,
    unsubscribedAt: seed.unsubscribedAt ? timestamp(seed.unsubscribedAt, context) : null,
  };
}

function completeWebhook(seed: SeedRecords["webhooks"], context: SeedContext): WebhookRecord {
  const campaign = seed.campaignId ? context.findCampaign(seed.campaignId) : undefined;
  return {
    _id: seed._id ?? context.newId("hoo_"),
    teamId: seed.teamId ?? campaign?.teamId ?? context.firstTeam,
    targetUrl: seed.targetUrl,
    type: seed.type ?? null,
    campaignId: seed.campaignId ?? null,
    isFirst: seed.isFirst ?? false,
    automationId: seed.automationId ?? null,
    secret: seed.secret ?? null,
    createdAt: timestamp(seed.createdAt, context),
    disabledAt: seed.disabledAt ? timestamp(seed.disabledAt, context) : null,
  };
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Timestamps have one form, so that they sort as text. */
function timestamp(text: string | undefined, context: SeedContext): string {
  return isoTime((text === undefined ? null : parseIsoTime(text)) ?? context.now);
}
