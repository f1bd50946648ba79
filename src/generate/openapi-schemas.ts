import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/catalog.ts";
import { EVENT_CATEGORIES } from "../service/events/event-list.ts";
import { openApiEventSchemas } from "./openapi-events.ts";

type Json = { readonly [name: string]: unknown };

/** Every documented shape (Resources and their fields, Events, Errors), by the name of its schema. */
export function openApiSchemas(): Json {
  return {
    ...IDS,
    ...webhooks(),
    ...campaigns(),
    ...exportsAndLeads(),
    ...warmup(),
    ...openApiEventSchemas(),
    EventType: eventType(),
    ErrorMessage: {
      type: "string",
      description: "A message for people. Errors have no structure.",
      "x-not-shown": "The answer to an invalid request.",
    },
  };
}

const IDS = {
  CampaignId: id("cam_", "a campaign"),
  UserId: id("usr_", "a user"),
  TeamId: id("tea_", "a team"),
  LeadId: id("lea_", "a lead"),
  ContactId: id("ctc_", "a contact"),
  WebhookId: id("hoo_", "a webhook"),
  ScheduleId: id("skd_", "a schedule"),
  ExportId: id("axp_", "an export"),
  ActivityId: id("act_", "an activity"),
};

function webhooks(): Json {
  const uri = { type: "string", format: "uri", description: "The address that the events are sent to, as POST requests." };
  const type = {
    description: "The event to send. Absent or unset: all events.",
    anyOf: [ref("EventType"), { type: "null" }],
    "x-not-shown": "Whether an unset type is absent or null.",
  };
  const targetUrl = {
    type: "string",
    pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
    description: "The address that the events are sent to. It may contain characters that a URI does not, such as `{`: observed in old webhooks.",
  };
  const added = { _id: ref("WebhookId"), targetUrl, createdAt: time("When it was added."), type };
  return {
    NewWebhook: {
      ...object(
        {
          targetUrl: uri,
          type: { description: "The event to send. Absent: all events.", ...ref("EventType") },
          campaignId: { description: "Same as the query parameter: the service's examples set both.", ...ref("CampaignId") },
          isFirst: { type: "boolean", description: "Same as the query parameter: the service's examples set both." },
          secret: {
            type: "string",
            writeOnly: true,
            description:
              "The service adds it to the body of every event of this webhook, so the receiver can verify the sender. The service stores it encrypted, never returns it, and cannot change it.",
          },
        },
        ["type", "campaignId", "isFirst", "secret"],
      ),
      "x-not-shown": "Which one applies if the query and the body differ.",
    },
    AddedWebhook: object(added, ["type"]),
    Webhook: object(
      {
        ...added,
        campaignId: { description: "The campaign whose events it sends, if it has one.", ...ref("CampaignId") },
        isFirst: { type: "boolean", description: "Whether only the first activity is sent. Observed in lists where it is set, not documented." },
        automationId: {
          type: ["integer", "string"],
          description: "The caller's id of a workflow automation. Observed in lists as a number where it is set, not documented.",
        },
      },
      ["type", "campaignId", "isFirst", "automationId"],
    ),
  };
}

function campaigns(): Json {
  const clock = { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };
  return {
    CampaignStatus: {
      type: "string",
      enum: ["running", "paused", "draft", "ended", "archived", "errors"],
      description: "A campaign can have several statuses at once, such as paused with errors.",
    },
    Campaign: {
      ...object(
        {
          _id: ref("CampaignId"),
          name: { type: "string" },
          labels: { type: "array", items: { type: "string" }, description: "Labels of the campaign. Can be empty." },
          createdAt: time("When it was created."),
          createdBy: { description: "Who created it.", ...ref("UserId") },
          status: ref("CampaignStatus"),
          sequenceId: { type: "string", description: "Its main sequence." },
          scheduleIds: { type: "array", items: ref("ScheduleId"), description: "Its schedules." },
          teamId: ref("TeamId"),
          hasError: { type: "boolean", description: "Whether it has errors. Can be absent if there are none." },
          errors: {
            type: "array",
            items: { type: "string" },
            description: "Error messages for people, such as a missing sender. Present if `hasError` is true.",
          },
          creator: { type: "object", description: "Who created it.", "x-not-shown": "Its fields." },
          senders: { type: "array", items: { type: "object", "x-not-shown": "Its fields." }, description: "The configuration of its senders." },
        },
        ["hasError", "errors"],
      ),
      description: "A campaign as version `v2` of the list shows it.",
      anyOf: [{ properties: { hasError: { const: false } } }, { properties: { errors: true }, required: ["errors"] }],
    },
    Schedule: object(
      {
        _id: ref("ScheduleId"),
        name: { type: "string" },
        secondsToWait: { type: "integer", description: "Seconds between sends." },
        timezone: { type: "string", description: "A name of the IANA time zone database." },
        start: { ...clock, description: "Daily start time, as hours and minutes." },
        end: { ...clock, description: "Daily end time, as hours and minutes." },
        weekdays: {
          type: "array",
          items: { type: "integer", minimum: 1, maximum: 7 },
          description: "The days on which it is active: 1 is Monday and 7 is Sunday.",
        },
        public: { type: "boolean", description: "Whether it is available as a template for other users." },
        teamId: ref("TeamId"),
        createdBy: { description: "Who created it.", ...ref("UserId") },
        createdAt: time("When it was created."),
        deletedAt: time("Deletion time. Present only if deleted."),
        deletedBy: { description: "The user who deleted it. Present only if deleted.", ...ref("UserId") },
      },
      ["deletedAt", "deletedBy"],
    ),
  };
}

function exportsAndLeads(): Json {
  return {
    CampaignExport: {
      ...object({
        _id: ref("ExportId"),
        id: { description: "The same as `_id`.", ...ref("ExportId") },
        teamId: ref("TeamId"),
        campaignId: ref("CampaignId"),
        campaignName: { type: "string" },
        status: { type: "string", enum: ["pending", "done", "error"], description: "Starts as `pending`, and changes once." },
        startedAt: time("When it was started."),
        progressIndex: { type: "integer", description: "The current progress index." },
        progressTime: { type: "integer", description: "Time of the progress, in milliseconds since 1970 as in the sample." },
        progressLastStepDuration: { type: "integer", description: "How long the last step took, in milliseconds." },
        progressType: { type: "string", description: "The current step; initially `starting`.", "x-not-shown": "Other values." },
        progress: { type: "integer", description: "How many items are done." },
        total: { type: "integer", description: "How many items there are." },
      }),
      "x-not-shown": "The name of the field with the URL of the CSV file, in the status of a `done` export.",
    },
    Lead: object({
      email: { type: "string", format: "email" },
      _id: ref("LeadId"),
      isPaused: { type: "boolean" },
      campaignId: ref("CampaignId"),
      contactId: ref("ContactId"),
    }),
  };
}

function warmup(): Json {
  return {
    WarmupSettings: {
      description: "A client must accept either field set.",
      anyOf: [ref("WarmupSettingsDeclared"), ref("WarmupSettingsSample")],
      "x-not-shown": "When to expect which of the two.",
    },
    WarmupSettingsDeclared: {
      ...object({
        active: { type: "boolean" },
        dailyLimit: { type: "integer" },
        warmupTemplate: { type: "string" },
        deliverability: { type: "object", "x-not-shown": "Its fields, unless they are those of the sample." },
      }),
      description: "The fields that the service declares.",
    },
    WarmupSettingsSample: {
      ...object({
        warmEmailRampup: { type: "integer" },
        warmEmailMax: { type: "integer" },
        activeAt: time(),
        deliverability: object({ score: { type: "integer" }, lastAt: time() }),
      }),
      description: "The fields of the service's sample.",
    },
  };
}

function eventType(): Json {
  return {
    type: "string",
    description: "An event that a webhook can receive. Each event of the lead state groups covers several kinds of activity.",
    enum: EVENT_TYPES.map(({ name }) => name),
    "x-enumDescriptions": Object.fromEntries(EVENT_TYPES.map(({ name, description }) => [name, description])),
    "x-categories": Object.fromEntries(
      EVENT_CATEGORIES.map((category) => [category, EVENT_TYPES.filter((one) => one.category === category).map(({ name }) => name)]),
    ),
    "x-removed": REMOVED_EVENT_TYPES,
  };
}

/** An object whose properties are all required, except those in `optional`. */
function object(properties: Json, optional: readonly string[] = []): Json {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

function id(prefix: string, kind: string): Json {
  return { type: "string", pattern: `^${prefix}`, description: `The id of ${kind}.` };
}

function time(description?: string): Json {
  return { type: "string", format: "date-time", ...(description === undefined ? {} : { description }) };
}

function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}
