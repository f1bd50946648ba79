import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/catalog.ts";

type Json = { readonly [name: string]: unknown };

/** Every documented shape (Resources and their fields, Events, Errors), by the name of its schema. */
export function openApiSchemas(): Json {
  return {
    ...IDS,
    ...webhooks(),
    ...campaigns(),
    ...exportsAndLeads(),
    ...warmup(),
    ...activities(),
    EventType: eventType(),
    ErrorMessage: {
      type: "string",
      description: "A message for people, and nothing else: errors have no structure.",
      "x-not-shown": "What is answered to a request that is not valid.",
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
    description: "The event that is sent. Without one, or unset, every event is.",
    anyOf: [ref("EventType"), { type: "null" }],
    "x-not-shown": "Whether an unset type is left out or null.",
  };
  const added = { _id: ref("WebhookId"), targetUrl: uri, createdAt: time("When it was added."), type };
  return {
    NewWebhook: {
      ...object(
        {
          targetUrl: uri,
          type: { description: "The event to send. Without one every event is sent.", ...ref("EventType") },
          campaignId: { description: "The same as the query parameter: examples of the service have it here too.", ...ref("CampaignId") },
          isFirst: { type: "boolean", description: "The same as the query parameter: examples of the service have it here too." },
          secret: {
            type: "string",
            writeOnly: true,
            description:
              "Comes back in the body of every event of this webhook, so that the receiver knows the sender. It is stored encrypted, never returned by an operation, and cannot be changed.",
          },
        },
        ["type", "campaignId", "isFirst", "secret"],
      ),
      "x-not-shown": "Which one counts where the query and the body differ.",
    },
    AddedWebhook: object(added, ["type"]),
    Webhook: object({ ...added, campaignId: { description: "The campaign whose events it sends, if it is for one.", ...ref("CampaignId") } }, [
      "type",
      "campaignId",
    ]),
  };
}

function campaigns(): Json {
  const clock = { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };
  return {
    CampaignStatus: {
      type: "string",
      enum: ["running", "paused", "draft", "ended", "archived", "errors"],
      description: "A campaign can be in several at a time, such as paused with errors.",
    },
    Campaign: {
      ...object(
        {
          _id: ref("CampaignId"),
          name: { type: "string" },
          labels: { type: "array", items: { type: "string" }, description: "Labels that sort it. There may be none." },
          createdAt: time("When it was created."),
          createdBy: { description: "Who created it.", ...ref("UserId") },
          status: ref("CampaignStatus"),
          sequenceId: { type: "string", description: "Its main sequence." },
          scheduleIds: { type: "array", items: ref("ScheduleId"), description: "Its schedules." },
          teamId: ref("TeamId"),
          hasError: { type: "boolean", description: "Whether it has errors. It may be absent when there are none." },
          errors: {
            type: "array",
            items: { type: "string" },
            description: "What is wrong, for people to read, such as a missing sender. Present when `hasError` is true.",
          },
          creator: { type: "object", description: "Who created it.", "x-not-shown": "Its fields." },
          senders: { type: "array", items: { type: "object", "x-not-shown": "Its fields." }, description: "How it is sent." },
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
        secondsToWait: { type: "integer", description: "Seconds between two messages." },
        timezone: { type: "string", description: "A name of the IANA time zone database." },
        start: { ...clock, description: "When the day begins, as hours and minutes." },
        end: { ...clock, description: "When the day ends, as hours and minutes." },
        weekdays: {
          type: "array",
          items: { type: "integer", minimum: 1, maximum: 7 },
          description: "The days on which it is active: 1 is Monday and 7 is Sunday.",
        },
        public: { type: "boolean", description: "Whether other users can take it as a template." },
        teamId: ref("TeamId"),
        createdBy: { description: "Who created it.", ...ref("UserId") },
        createdAt: time("When it was created."),
        deletedAt: time("When it was deleted; only then present."),
        deletedBy: { description: "Who deleted it; only present if it was.", ...ref("UserId") },
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
        status: { type: "string", enum: ["pending", "done", "error"], description: "It begins with `pending`, and stays what it becomes after that." },
        startedAt: time("When it was started."),
        progressIndex: { type: "integer", description: "How far the export's steps have come." },
        progressTime: { type: "integer", description: "When it came that far, in milliseconds since 1970 as the sample has it." },
        progressLastStepDuration: { type: "integer", description: "How long the last step took, in milliseconds." },
        progressType: { type: "string", description: "The present step; at first `starting`.", "x-not-shown": "Other values." },
        progress: { type: "integer", description: "How many items are done." },
        total: { type: "integer", description: "How many items there are." },
      }),
      "x-not-shown": "The name of the field with the address of the CSV file, which the export's status has once it is `done`.",
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
      description: "A client should bear with either field set.",
      anyOf: [ref("WarmupSettingsDeclared"), ref("WarmupSettingsSample")],
      "x-not-shown": "Which of the two comes when.",
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
      description: "The fields that the service's sample has instead.",
    },
  };
}

function activities(): Json {
  const required = { _id: ref("ActivityId"), type: ref("EventType"), teamId: ref("TeamId"), createdAt: time("When it happened.") };
  const optional = { ...activityOrigin(), ...emailFields() };
  return {
    EmailParticipant: object({
      address: { type: "string", pattern: "^[^A-Z]*$", description: "In lower case." },
      name: { type: "string", description: "May be empty." },
    }),
    Activity: {
      ...object({ ...required, ...optional }, Object.keys(optional)),
      description: "What happened, as an activity record has it: the body of an event.",
      dependentSchemas: {
        to: onlyOf(["emailsSent", "emailsReplied", "emailsBounced"]),
        cc: onlyOf(["emailsSent", "emailsReplied", "emailsBounced"]),
        bcc: onlyOf(["emailsSent"]),
        isThirdPartyReply: onlyOf(["emailsReplied"], { campaignId: false, leadId: false, sequenceId: false }),
      },
      "x-not-shown": ["Which of the fields that are not required an event has.", "Further fields of activities, and of events about anything but emails."],
    },
  };
}

/** Where an activity comes from, and whom it is about. */
function activityOrigin(): Json {
  const text = { type: "string" };
  return {
    campaignId: { description: "The campaign that it came from. Absent from events of no campaign.", ...ref("CampaignId") },
    campaignName: text,
    sequenceId: { type: "string", description: "The sequence of the task." },
    sequenceStep: { type: "number", description: "The index of the step, from 0." },
    leadId: { description: "The lead that it is about.", ...ref("LeadId") },
    leadEmail: text,
    leadFirstName: text,
    leadLastName: text,
    sendUserId: { description: "Who sent the message.", ...ref("UserId") },
    sendUserEmail: text,
    sendUserName: text,
    secret: { type: "string", description: "The webhook's secret, if it has one." },
  };
}

function emailFields(): Json {
  const people = { type: "array", minItems: 1, items: ref("EmailParticipant") };
  return {
    subject: { type: "string", description: "Of events about emails only." },
    to: { ...people, description: "The lead; of a reply, the mailbox's owner and any other recipients." },
    cc: { ...people, description: "Recipients in copy." },
    bcc: { ...people, description: "Hidden recipients: only of `emailsSent`, when the sender has set one." },
    isThirdPartyReply: {
      type: "boolean",
      const: true,
      description:
        "The reply came from an address that is not known as the lead's. Only of `emailsReplied`, which then has no `campaignId`, `leadId` and `sequenceId`.",
    },
  };
}

function eventType(): Json {
  const categories = [...new Set(EVENT_TYPES.map(({ category }) => category))];
  return {
    type: "string",
    description: "An event that a webhook can ask for. Those of the lead state groups stand for several kinds of activity each.",
    enum: EVENT_TYPES.map(({ name }) => name),
    "x-enumDescriptions": Object.fromEntries(EVENT_TYPES.map(({ name, description }) => [name, description])),
    "x-categories": Object.fromEntries(
      categories.map((category) => [category, EVENT_TYPES.filter((one) => one.category === category).map(({ name }) => name)]),
    ),
    "x-removed": REMOVED_EVENT_TYPES,
  };
}

/** What an activity with a field is, when only activities of these types have the field. */
function onlyOf(types: readonly string[], properties: Json = {}): Json {
  return { properties: { type: { enum: types }, ...properties } };
}

/** An object whose properties are all required but those in `optional`. */
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
