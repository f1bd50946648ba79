import { EVENT_TYPES } from "../service/events/event-catalog.ts";
import type { Schema } from "./check-schema.ts";
import { CAMPAIGN_STATUSES } from "./sandbox-records.ts";
import { SETTINGS_SCHEMA } from "./sandbox-settings.ts";

const id = (prefix: string, what: string): Schema => ({
  type: "string",
  pattern: `^${prefix}[A-Za-z0-9_-]{1,128}$`,
  description: what,
});
const text = (description: string): Schema => ({ type: "string", description });
const flag = (description: string): Schema => ({ type: "boolean", description });
const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type as "string", "null"] });
const list = (description: string, items: Schema): Schema & { items: Schema } => ({ type: "array", description, items });
const record = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  required,
  additionalProperties: false,
  properties,
});

const mailboxId: Schema = { type: "string", pattern: "^[A-Za-z0-9_-]{1,128}$", description: "a mailbox id" };
const timestamp: Schema = { $ref: "#/$defs/timestamp" };
const email: Schema = { type: "string", pattern: "^[^@\\s]+@[^@\\s]+$", description: "an email address" };
const team = id("tea_", "a team of this seed; the first one by default");
const status: Schema = { type: "string", enum: CAMPAIGN_STATUSES };
const outcome: Schema = { type: "string", enum: ["done", "error"] };

const campaign = record(["_id", "name"], {
  _id: id("cam_", "a campaign id"),
  teamId: team,
  name: { type: "string", minLength: 1 },
  labels: list("its labels", { type: "string" }),
  createdAt: timestamp,
  createdBy: id("usr_", "the user who created it; the first of its team by default"),
  status: { ...status, description: "the status that the list shows; running by default" },
  alsoIn: list("additional statuses", status),
  sequenceId: text("its main sequence"),
  scheduleIds: list("its schedules", id("skd_", "a schedule of this seed")),
  errors: list("its error messages; any makes hasError true", { type: "string" }),
  creator: { type: "object", description: "as the list shows it" },
  senders: list("as the list shows them", { type: "object" }),
  exportOutcome: { type: ["string", "null"], enum: ["done", "error", null], description: "the result of its exports" },
});

const schedule = record(["_id"], {
  _id: id("skd_", "a schedule id"),
  name: { type: "string", minLength: 1 },
  secondsToWait: count("seconds between sends"),
  timezone: text("an IANA timezone name"),
  start: { $ref: "#/$defs/timeOfDay" },
  end: { $ref: "#/$defs/timeOfDay" },
  weekdays: list("active weekdays", { type: "integer", minimum: 1, maximum: 7, description: "1 is Monday" }),
  public: flag("whether it is a template for other users"),
  teamId: team,
  createdBy: id("usr_", "the user who created it; the first of its team by default"),
  createdAt: timestamp,
  deletedAt: timestamp,
  deletedBy: id("usr_", "the user who deleted it"),
});

const mailbox = record(["_id"], {
  _id: mailboxId,
  userId: id("usr_", "its user; the first one by default"),
  active: flag("whether warm-up runs"),
  dailyLimit: count("messages a day"),
  warmupTemplate: text("the template's name"),
  warmEmailRampup: count("ramp-up a day"),
  warmEmailMax: count("most messages a day"),
  activeAt: timestamp,
  deliverability: record(["score", "lastAt"], { score: count("the score"), lastAt: timestamp }),
  shape: { type: ["string", "null"], enum: ["declared", "sample", null], description: "the field set of its answers" },
});

const webhook = record(["targetUrl"], {
  _id: id("hoo_", "a webhook id; the next one by default"),
  teamId: team,
  targetUrl: { type: "string", minLength: 1 },
  type: { type: ["string", "null"], enum: [...EVENT_TYPES.map((type) => type.name), null], description: "null: all" },
  campaignId: orNull(id("cam_", "a campaign of this seed")),
  isFirst: flag("deliver only the first activity"),
  automationId: orNull(text("the caller's tracking identifier")),
  secret: orNull(text("never in an answer of the API")),
  createdAt: timestamp,
  disabledAt: { $ref: "#/$defs/timestampOrNull", description: "when its receiver answered 410; a disabled webhook receives no events" },
});

/** The JSON Schema (2020-12) of a seed file. */
export const SEED_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Seed of the sandbox",
  description:
    "The records and settings of a sandbox at the start. Without teams, users and keys, those of the default seed are used. Absent collections are empty.",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: text("for editors"),
    version: { const: 1, description: "the version of this format" },
    settings: SETTINGS_SCHEMA,
    teams: list("the teams", record(["_id"], { _id: id("tea_", "a team id"), name: text("its name") })),
    users: list(
      "the users of the teams",
      record(["_id"], {
        _id: id("usr_", "a user id"),
        teamId: team,
        name: text("the user's name"),
        email,
        blocked: flag("whether the user's keys are refused as blocked; false by default"),
        hiddenBcc: { ...orNull(email), description: "the hidden recipient of the emails that the user sends; null: none" },
      }),
    ),
    keys: list(
      "the API keys",
      record(["key"], {
        name: text("the name that the sandbox prints at the start"),
        key: { type: "string", minLength: 1, pattern: "^[!-~]+$", description: "the key itself, in printable ASCII" },
        userId: orNull(id("usr_", "its user; null or absent: the key has no user")),
      }),
    ),
    schedules: list("the schedules", schedule),
    campaigns: list("the campaigns", campaign),
    leads: list(
      "the leads, each of one campaign",
      record(["campaignId", "email"], {
        _id: id("lea_", "a lead id; the next one by default"),
        campaignId: id("cam_", "a campaign of this seed"),
        email,
        firstName: text("in events; by default the first word of the email's local part"),
        lastName: text("in events; by default the other words of the email's local part"),
        contactId: id("ctc_", "a contact id; the next one by default"),
        isPaused: flag("false by default"),
        unsubscribedAt: { $ref: "#/$defs/timestampOrNull" },
      }),
    ),
    mailboxes: list("the users' mailboxes, for warm-up settings", mailbox),
    webhooks: list("the webhooks", webhook),
    exports: list(
      "campaign exports, pending or finished",
      record(["campaignId"], {
        _id: id("axp_", "an export id; the next one by default"),
        teamId: team,
        campaignId: id("cam_", "a campaign of this seed"),
        campaignName: text("the campaign's name by default"),
        startedAt: timestamp,
        durationMs: { type: ["integer", "null"], minimum: 0, description: "how long it is pending, in milliseconds; null: the setting exportMs" },
        outcome,
      }),
    ),
  },
  $defs: {
    timestamp: {
      type: "string",
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$",
      description: "an ISO 8601 date-time in UTC",
    },
    timestampOrNull: {
      type: ["string", "null"],
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$",
      description: "an ISO 8601 date-time in UTC, or null",
    },
    timeOfDay: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "HH:mm" },
  },
} as const satisfies Schema & Readonly<Record<string, unknown>>;
