import { EVENT_TYPES } from "../service/events/event-catalog.ts";
import { isoTime, parseIsoTime } from "./sandbox-time.ts";
import { type Schema, type ValueOf, count, flag, list, object, oneOf, orNull, text } from "./schema.ts";

/** One field of a record: its form in a seed file, and its value where the seed has none. */
type Field<T, Required extends boolean> = {
  readonly schema: Schema<T>;
  readonly isRequired: Required;
  readonly otherwise: T | Derive<T>;
  /** The collection whose records it names; null and absent name none. */
  readonly refersTo?: string | undefined;
};

/** A value that depends on the record's other fields, the given ones and those that come before it. */
type Derive<T> = (record: DerivedFrom, context: SeedContext) => T;

type DerivedFrom = Readonly<Record<"_id" | "teamId" | "campaignId" | "createdBy" | "email", string>> & {
  readonly dailyLimit: number;
};

/** The parts of the world that default values depend on. */
export type SeedContext = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The first team's id; empty if the world has no teams. */
  readonly firstTeam: string;
  /** The first user of a team, or of any team; empty if the world has no users. */
  readonly firstUser: (teamId: string | null) => string;
  readonly findCampaign: (id: string) => { readonly teamId: string; readonly name: string } | undefined;
  /** An unused id with this prefix. */
  readonly newId: (prefix: string) => string;
};

const needed = <T>(schema: Schema<T>, refersTo?: string): Field<T, true> => ({
  schema,
  isRequired: true,
  otherwise: () => undefined as never,
  refersTo,
});
const field = <T>(
  schema: Schema<T>,
  otherwise: NoInfer<T> | Derive<NoInfer<T>>,
  refersTo?: string,
): Field<T, false> => ({ schema, isRequired: false, otherwise, refersTo });
/** A field that a record may lack. */
const extra = <T>(schema: Schema<T>): Field<T | undefined, false> => ({
  schema,
  isRequired: false,
  otherwise: undefined,
});

const id = (prefix: string, what: string): Schema<string> => ({
  type: "string",
  pattern: `^${prefix}[A-Za-z0-9_-]{1,128}$`,
  description: what,
});
const NAME: Schema<string> = { type: "string", minLength: 1 };
const TEXT: Schema<string> = { type: "string" };
const EMAIL: Schema<string> = { type: "string", pattern: "^[^@\\s]+@[^@\\s]+$", description: "an email address" };
const TIME: Schema<string> = { $ref: "#/$defs/timestamp" };
const TIME_OR_NULL: Schema<string | null> = { $ref: "#/$defs/timestampOrNull" };
const TIME_OF_DAY: Schema<string> = { $ref: "#/$defs/timeOfDay" };
const TEAM = id("tea_", "a team of this seed; the first one by default");
const CREATOR = id("usr_", "the user who created it; the first of its team by default");

const ownId: Derive<string> = ({ _id }) => _id;
const firstTeam: Derive<string> = (_, context) => context.firstTeam;
const teamOfCampaign: Derive<string> = ({ campaignId }, context) =>
  context.findCampaign(campaignId)?.teamId ?? context.firstTeam;
const firstUser: Derive<string> = ({ teamId }, context) => context.firstUser(teamId);
const now: Derive<string> = (_, context) => isoTime(context.now);

/** The documented campaign statuses (section "States and transitions"). */
export const CAMPAIGN_STATUSES = ["running", "paused", "draft", "ended", "archived", "errors"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
const STATUS: Schema<CampaignStatus> = { type: "string", enum: CAMPAIGN_STATUSES };

/** The fields of the records of each collection. Each collection refers only to earlier ones. */
export const FIELDS = {
  /** "Entity that holds users and billing" (section "What the service does"). */
  teams: { _id: needed(id("tea_", "a team id")), name: field(text("its name"), ownId) },
  /** The accounts of a team. A blocked user's keys are refused (section "Authentication", 4). */
  users: {
    _id: needed(id("usr_", "a user id")),
    teamId: field(TEAM, firstTeam, "teams"),
    name: field(text("the user's name"), ownId),
    email: field(EMAIL, ({ _id }) => `${_id.replace("_", "-")}@example.com`),
    blocked: field(flag("whether the user's keys are refused as blocked; false by default"), false),
    /** Section "Email recipients". Never in an answer of the API. */
    hiddenBcc: field(
      { ...orNull(EMAIL), description: "the hidden recipient of the emails that the user sends; null: none" },
      null,
    ),
  },
  keys: {
    name: field(text("the name that the sandbox prints at the start"), "key"),
    key: needed<string>({
      type: "string",
      minLength: 1,
      pattern: "^[!-~]+$",
      description: "the key itself, in printable ASCII",
    }),
    userId: field(orNull(id("usr_", "its user; null or absent: the key has no user")), null, "users"),
  },
  /** Section "Resources and their fields", "Schedule". */
  schedules: {
    _id: needed(id("skd_", "a schedule id")),
    name: field(NAME, ownId),
    secondsToWait: field(count("seconds between sends"), 120),
    timezone: field(text("an IANA timezone name"), "Etc/UTC"),
    start: field(TIME_OF_DAY, "09:00"),
    end: field(TIME_OF_DAY, "17:00"),
    weekdays: field(list("active weekdays", { ...count("1 is Monday", 1), maximum: 7 }), [1, 2, 3, 4, 5]),
    public: field(flag("whether it is a template for other users"), false),
    teamId: field(TEAM, firstTeam, "teams"),
    createdBy: field(CREATOR, firstUser),
    createdAt: field(TIME, now),
    deletedAt: extra(TIME),
    deletedBy: extra(id("usr_", "the user who deleted it")),
  },
  /** Section "Resources and their fields", "Campaign". */
  campaigns: {
    _id: needed(id("cam_", "a campaign id")),
    teamId: field(TEAM, firstTeam, "teams"),
    name: needed(NAME),
    labels: field(list("its labels", TEXT), []),
    createdAt: field(TIME, now),
    createdBy: field(CREATOR, firstUser),
    status: field({ ...STATUS, description: "the status that the list shows; running by default" }, "running"),
    /** The list's filter finds the campaign by each of them. */
    alsoIn: field(list("additional statuses", STATUS), []),
    sequenceId: field(text("its main sequence"), ({ _id }) => _id.replace("cam_", "seq_")),
    scheduleIds: field(list("its schedules", id("skd_", "a schedule of this seed")), [], "schedules"),
    /** With any, the campaign is also in the status `errors`. */
    errors: field(list("its error messages; any makes hasError true", TEXT), []),
    creator: field<object>({ type: "object", description: "as the list shows it" }, ({ createdBy }) => ({
      userId: createdBy,
    })),
    senders: field(list<object>("as the list shows them", { type: "object" }), ({ createdBy }) => [
      { userId: createdBy },
    ]),
    /** Null: the value of `SandboxChoices.exportOutcome`. */
    exportOutcome: field(
      { ...oneOf("the result of its exports", "done", "error", null), type: ["string", "null"] },
      null,
    ),
  },
  /** The leads of campaigns (section "Resources and their fields", "Lead"). */
  leads: {
    _id: field(id("lea_", "a lead id; the next one by default"), (_, { newId }) => newId("lea_")),
    campaignId: needed(id("cam_", "a campaign of this seed"), "campaigns"),
    email: needed(EMAIL),
    firstName: field(
      text("in events; by default the first word of the email's local part"),
      ({ email }) => wordsOf(email)[0] ?? "",
    ),
    lastName: field(text("in events; by default the other words of the email's local part"), ({ email }) =>
      wordsOf(email).slice(1).join(" "),
    ),
    contactId: field(id("ctc_", "a contact id; the next one by default"), (_, { newId }) => newId("ctc_")),
    isPaused: field(flag("false by default"), false),
    /** Null: it is not unsubscribed. Never in an answer of the API. */
    unsubscribedAt: field(TIME_OR_NULL, null),
  },
  /** The users' mailboxes with their warm-up settings in both field sets (section "Warm-up settings"). */
  mailboxes: {
    _id: needed<string>({ type: "string", pattern: "^[A-Za-z0-9_-]{1,128}$", description: "a mailbox id" }),
    userId: field(id("usr_", "its user; the first one by default"), (_, context) => context.firstUser(null), "users"),
    active: field(flag("whether warm-up runs"), true),
    dailyLimit: field(count("messages a day"), 40),
    warmupTemplate: field(text("the template's name"), "default"),
    warmEmailRampup: field(count("ramp-up a day"), 5),
    warmEmailMax: field(count("most messages a day"), ({ dailyLimit }) => dailyLimit),
    activeAt: field(TIME, now),
    deliverability: field(
      object("how the mailbox is doing", { score: count("the score"), lastAt: TIME }, ["score", "lastAt"]),
      (_, context) => ({
        score: 90,
        lastAt: isoTime(context.now),
      }),
    ),
    /** Null: the value of `SandboxChoices.warmupShape`. */
    shape: field(
      { ...oneOf("the field set of its answers", "declared", "sample", null), type: ["string", "null"] },
      null,
    ),
  },
  /** The webhooks, including the fields that the service never returns (sections "Webhook", "Secret"). */
  webhooks: {
    _id: field(id("hoo_", "a webhook id; the next one by default"), (_, { newId }) => newId("hoo_")),
    teamId: field(TEAM, teamOfCampaign, "teams"),
    /** Exactly as the caller sent it. */
    targetUrl: needed(NAME),
    type: field<string | null>(
      { type: ["string", "null"], enum: [...EVENT_TYPES.map((type) => type.name), null], description: "null: all" },
      null,
    ),
    campaignId: field(orNull(id("cam_", "a campaign of this seed")), null),
    isFirst: field(flag("deliver only the first activity"), false),
    automationId: field(orNull(text("the caller's tracking identifier")), null),
    secret: field(orNull(text("never in an answer of the API")), null),
    createdAt: field(TIME, now),
    /** Null: its events are delivered. Never in an answer of the API. */
    disabledAt: field(
      { ...TIME_OR_NULL, description: "when its receiver answered 410; a disabled webhook receives no events" },
      null,
    ),
  },
  /** Section "Resources and their fields", "Campaign export". */
  exports: {
    _id: field(id("axp_", "an export id; the next one by default"), (_, { newId }) => newId("axp_")),
    teamId: field(TEAM, teamOfCampaign, "teams"),
    campaignId: needed(id("cam_", "a campaign of this seed")),
    campaignName: field(
      text("the campaign's name by default"),
      ({ campaignId }, context) => context.findCampaign(campaignId)?.name ?? "",
    ),
    startedAt: field(TIME, now),
    durationMs: field(orNull(count("how long it is pending, in milliseconds; null: the setting exportMs")), null),
    outcome: field<"done" | "error">({ type: "string", enum: ["done", "error"] }, "done"),
  },
};

function wordsOf(email: string): readonly string[] {
  const words = (email.split("@")[0] ?? "").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
}

type Fields = typeof FIELDS;

/** The name of a collection. */
export type Collection = keyof Fields;
export const COLLECTIONS = Object.keys(FIELDS) as readonly Collection[];

/** What the documentation of a seed says of each collection. */
export const COLLECTION_TEXTS: Readonly<Record<Collection, string>> = {
  teams: "the teams",
  users: "the users of the teams",
  keys: "the API keys",
  schedules: "the schedules",
  campaigns: "the campaigns",
  leads: "the leads, each of one campaign",
  mailboxes: "the users' mailboxes, for warm-up settings",
  webhooks: "the webhooks",
  exports: "campaign exports, pending or finished",
};

/** The collections of a sandbox and their records. */
export type Records = {
  readonly [C in Collection]: {
    readonly [N in keyof Fields[C]]: Fields[C][N] extends { schema: Schema } ? ValueOf<Fields[C][N]["schema"]> : never;
  };
};
export type UserRecord = Records["users"];
export type CampaignRecord = Records["campaigns"];
export type LeadRecord = Records["leads"];
export type WebhookRecord = Records["webhooks"];
export type ExportRecord = Records["exports"];

type NeededNames<C> = { [N in keyof C]: C[N] extends { readonly isRequired: true } ? N : never }[keyof C];

/** The records of a seed: fields that are not required get their defaults. */
export type SeedRecords = {
  readonly [C in Collection]: Partial<Records[C]> & Pick<Records[C], NeededNames<Fields[C]> & keyof Records[C]>;
};

/** The JSON Schema of the records of a collection in a seed. */
export function recordSchema(collection: Collection): Schema {
  const fields = Object.entries<Field<unknown, boolean>>(FIELDS[collection]);
  const required = fields.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  const properties = Object.fromEntries(fields.map(([name, { schema }]) => [name, schema]));
  return { type: "object", required, additionalProperties: false, properties };
}

/** The fields of a collection that name records of another one. */
export function referencesOf(collection: Collection): readonly (readonly [field: string, target: Collection])[] {
  return Object.entries<Field<unknown, boolean>>(FIELDS[collection]).flatMap(([name, { refersTo }]) =>
    refersTo === undefined ? [] : [[name, refersTo as Collection] as const],
  );
}

/** Completes a record of a seed. */
export function completeRecord<C extends Collection>(
  collection: C,
  seed: SeedRecords[C],
  context: SeedContext,
): Records[C] {
  const given = seed as Readonly<Record<string, unknown>>;
  const record: Record<string, unknown> = {};
  for (const [name, { schema, otherwise }] of Object.entries<Field<unknown, boolean>>(FIELDS[collection])) {
    const value =
      given[name] ??
      (typeof otherwise === "function"
        ? (otherwise as Derive<unknown>)({ ...given, ...record } as DerivedFrom, context)
        : otherwise);
    if (value !== undefined) record[name] = withTimes(value, schema, context.now);
  }
  return record as Records[C];
}

/** Timestamps have one form, so that they sort as text. */
function withTimes(value: unknown, { $ref, properties }: Schema, nowMs: number): unknown {
  if (typeof value === "string")
    return $ref?.startsWith("#/$defs/timestamp") ? isoTime(parseIsoTime(value) ?? nowMs) : value;
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, withTimes(one, properties[name] ?? {}, nowMs)]),
  );
}
