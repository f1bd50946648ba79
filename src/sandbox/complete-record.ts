import type { CampaignRecord, Collection, LeadRecord, Records, ScheduleRecord, WebhookRecord } from "./records.ts";
import type { SeedRecords } from "./seed.ts";
import { isoTime, parseIsoTime } from "./time.ts";

/** What filling in a record asks of the world around it. */
export type Surroundings = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The first team's id; empty without teams. */
  readonly firstTeam: string;
  /** The first user of a team, or of any team; empty without users. */
  readonly firstUser: (teamId: string | null) => string;
  readonly findCampaign: (id: string) => CampaignRecord | undefined;
  /** An id with this prefix that nothing else has. */
  readonly newId: (prefix: string) => string;
};

/** `seed` as a whole record of `collection`: what it leaves out gets the default that `SEED_SCHEMA` documents. */
export function completeRecord<Name extends Collection>(collection: Name, seed: SeedRecords[Name], around: Surroundings): Records[Name] {
  const complete = COMPLETERS[collection] as (seed: SeedRecords[Name], around: Surroundings) => Records[Name];
  return complete(seed, around);
}

const COMPLETERS: { [Name in Collection]: (seed: SeedRecords[Name], around: Surroundings) => Records[Name] } = {
  teams: (seed) => ({ _id: seed._id, name: seed.name ?? seed._id }),
  users: (seed, around) => ({
    _id: seed._id,
    teamId: seed.teamId ?? around.firstTeam,
    name: seed.name ?? seed._id,
    email: seed.email ?? `${seed._id.replace("_", "-")}@example.com`,
    blocked: seed.blocked ?? false,
  }),
  keys: (seed) => ({ name: seed.name ?? "key", key: seed.key, userId: seed.userId ?? null }),
  schedules: completeSchedule,
  campaigns: completeCampaign,
  leads: completeLead,
  mailboxes: (seed, around) => ({
    _id: seed._id,
    userId: seed.userId ?? around.firstUser(null),
    active: seed.active ?? true,
    dailyLimit: seed.dailyLimit ?? 40,
    warmupTemplate: seed.warmupTemplate ?? "default",
    warmEmailRampup: seed.warmEmailRampup ?? 5,
    warmEmailMax: seed.warmEmailMax ?? seed.dailyLimit ?? 40,
    activeAt: timestamp(seed.activeAt, around),
    deliverability: {
      score: seed.deliverability?.score ?? 90,
      lastAt: timestamp(seed.deliverability?.lastAt, around),
    },
    shape: seed.shape ?? null,
  }),
  webhooks: completeWebhook,
  exports: (seed, around) => {
    const campaign = around.findCampaign(seed.campaignId);
    return {
      _id: seed._id ?? around.newId("axp_"),
      teamId: seed.teamId ?? campaign?.teamId ?? around.firstTeam,
      campaignId: seed.campaignId,
      campaignName: seed.campaignName ?? campaign?.name ?? "",
      startedAt: timestamp(seed.startedAt, around),
      durationMs: seed.durationMs ?? null,
      outcome: seed.outcome ?? "done",
    };
  },
};

function completeSchedule(seed: SeedRecords["schedules"], around: Surroundings): ScheduleRecord {
  const teamId = seed.teamId ?? around.firstTeam;
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
    createdBy: seed.createdBy ?? around.firstUser(teamId),
    createdAt: timestamp(seed.createdAt, around),
    ...(seed.deletedAt === undefined ? {} : { deletedAt: timestamp(seed.deletedAt, around) }),
    ...(seed.deletedBy === undefined ? {} : { deletedBy: seed.deletedBy }),
  };
}

function completeCampaign(seed: SeedRecords["campaigns"], around: Surroundings): CampaignRecord {
  const teamId = seed.teamId ?? around.firstTeam;
  const createdBy = seed.createdBy ?? around.firstUser(teamId);
  return {
    _id: seed._id,
    teamId,
    name: seed.name,
    labels: seed.labels ?? [],
    createdAt: timestamp(seed.createdAt, around),
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

function completeLead(seed: SeedRecords["leads"], around: Surroundings): LeadRecord {
  return {
    _id: seed._id ?? around.newId("lea_"),
    campaignId: seed.campaignId,
    email: seed.email,
    contactId: seed.contactId ?? around.newId("ctc_"),
    isPaused: seed.isPaused ?? false,
    unsubscribedAt: seed.unsubscribedAt ? timestamp(seed.unsubscribedAt, around) : null,
  };
}

function completeWebhook(seed: SeedRecords["webhooks"], around: Surroundings): WebhookRecord {
  const campaign = seed.campaignId ? around.findCampaign(seed.campaignId) : undefined;
  return {
    _id: seed._id ?? around.newId("hoo_"),
    teamId: seed.teamId ?? campaign?.teamId ?? around.firstTeam,
    targetUrl: seed.targetUrl,
    type: seed.type ?? null,
    campaignId: seed.campaignId ?? null,
    isFirst: seed.isFirst ?? false,
    automationId: seed.automationId ?? null,
    secret: seed.secret ?? null,
    createdAt: timestamp(seed.createdAt, around),
  };
}

/** Timestamps are kept in one form, so that they sort as text. */
function timestamp(text: string | undefined, around: Surroundings): string {
  return isoTime((text === undefined ? null : parseIsoTime(text)) ?? around.now);
}
