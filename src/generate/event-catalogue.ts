import { EVENT_TYPES, type EventTypeName, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";
import { EVENT_CATEGORIES, type ListedEvent, listEvents } from "../service/events/event-list.ts";
import { exampleOf, thirdPartyExample } from "../service/events/example.ts";
import { type EventSubject, PAYLOAD_FIELDS, type PayloadField, groupOf, subjectOf } from "../service/events/payload.ts";
import { REQUIRED_FIELDS } from "./event-schemas.ts";
import { code, markdownTable } from "./markdown-table.ts";

const SUBJECTS: { readonly [Subject in EventSubject]: string } = {
  "campaign-lead": "a lead in a campaign",
  lead: "a lead",
  campaign: "a campaign",
  sender: "a sender",
  team: "the team",
};

/** The event catalogue as a page of the docs, with an example of each event's payload. */
export function eventsReference(): string {
  return [
    "# Event types",
    "",
    "The values of a webhook's `type`, with an example of each event. Without `type`, a webhook receives all events. `outreach events` prints them. This page is generated from the event catalogue.",
    "",
    `[Payload](#payload). Categories: ${EVENT_CATEGORIES.map((category) => `[${category}](#${anchor(category)})`).join(", ")}. [Removed types](#removed).`,
    "",
    ...payload(),
    ...EVENT_CATEGORIES.flatMap((category) => categorySection(category, listEvents(category))),
    "## Removed",
    "",
    ...markdownTable(
      ["type", "instead"],
      REMOVED_EVENT_TYPES.map(({ name, note }) => [code(name), note]),
    ),
    "",
  ].join("\n");
}

/** The fields of all events that a receiver can do without. */
const ALWAYS_SENT = PAYLOAD_FIELDS.flatMap((field) => (isSent(field) && !field.isRequired && isInAll(field, EVENT_TYPES) ? [field.name] : []));

function payload(): readonly string[] {
  return [
    "## Payload",
    "",
    "The service sends each event as a POST request with a JSON body to the URL of the webhook. Every event has `_id` and `type`. The service's document promises no other field, so any other one can be missing or null.",
    "",
    ...markdownTable(
      ["field", "value", "description"],
      PAYLOAD_FIELDS.map((field) => [code(field.name), valueOf(field), field.description]),
    ),
    "",
    "In our reading, what an event is about decides which fields it has. The sandbox sends these:",
    "",
    ...markdownTable(
      ["about", `fields in addition to ${[...REQUIRED_FIELDS, ...ALWAYS_SENT].map(code).join(", ")}`],
      Object.entries(SUBJECTS).map(([subject, text]) => [text, fieldsAbout(subject)]),
    ),
    "",
    "The package has a JSON Schema for each type, as in `outreach-as-code/schemas/events/emailsReplied.schema.json`. `event.schema.json` accepts any event,",
    "including types that the service adds later. The schemas reject only what the service's document excludes, and accept null for a field that is missing. The",
    "[OpenAPI description](../../schemas/service.openapi.json) of the service lists the same events under `webhooks`.",
    "",
    "### Recipients",
    "",
    "- `emailsSent`, `emailsReplied` and `emailsBounced` have `to`, `cc` and `bcc`. A list without recipients is absent.",
    "- Each recipient has an `address` in lower case, and a `name`, which can be empty.",
    "- `to` of an outbound email is the lead. `to` of a reply is the owner of the mailbox, and any other recipients.",
    "- Only `emailsSent` has `bcc`, if the sender has set a hidden recipient. The hidden recipients of a reply are never visible.",
    "",
    "### Replies of third parties",
    "",
    "A reply from an address that is not the lead's is an `emailsReplied` event with `isThirdPartyReply: true`. It has no `campaignId`, `leadId` and",
    "`sequenceId`. A lead's reply has no `isThirdPartyReply`, or `false`.",
    "",
    ...jsonBlock(thirdPartyExample()),
    "",
    "### Secret",
    "",
    "If the webhook has a secret, every body contains it as `secret`, so the receiver can verify the sender. The examples on this page have none.",
    "",
    "### What the service does not document",
    "",
    ...markdownTable(["not documented", "how outreach and its sandbox read it"], READINGS),
    "",
  ];
}

const READINGS: readonly (readonly [string, string])[] = [
  ["What most types mean", "The specification has their names, and explains a few. The descriptions on this page are our reading of the names."],
  ["Which events have no campaign", "The tables below say what each event is about. The types and the JSON Schemas allow a campaign on every event."],
  ["The fields of single types, except for emails", "They have the fields of this page. A receiver must accept others."],
  [
    "Which types a lead state group covers",
    `${groupText("contacted")} ${groupText("hooked")} ${groupText("attracted")} ${groupText("warmed")} All types that end in \`Interested\` or \`NotInterested\` also send that group.`,
  ],
  ["The event of a lead state group", "It comes in addition to the event that causes it. It has an `_id` of its own, and neither a subject nor recipients."],
  ["Whether two events are the same one", "They are duplicates if both `type` and `_id` are the same."],
  ["Other fields of a third party's reply", "It has no other fields of a campaign, a sequence or a lead either, such as `leadEmail`."],
  ["The recipients of `emailsBounced`", "`to` is the lead, as in `emailsSent`."],
  [
    "The first activity, of a webhook with `is_first`",
    "Observed in an older manual: only the first time that the activity happened. The sandbox reads it as the first of its type for a lead in a campaign, and has the setting [`delivery.firstPer`](sandbox.md#settings).",
  ],
  [
    "Which answer the service expects, its time-out, and its retries",
    "The sandbox follows the defaults of Standard Webhooks. Its [settings](sandbox.md#settings) below `delivery` change them.",
  ],
];

/** The types that send this group in addition, as a sentence. */
function groupText(group: EventTypeName): string {
  return `${code(group)}: ${namesOf(EVENT_TYPES.filter(({ name }) => groupOf(name) === group))}.`;
}

function categorySection(category: string, events: readonly ListedEvent[]): readonly string[] {
  return [
    `## ${category}`,
    "",
    ...markdownTable(
      ["type", "sent when", "about", "also sends"],
      events.map(({ name, description, about, group }) => [code(name), description, SUBJECTS[about], group === null ? "" : code(group)]),
    ),
    "",
    ...events.flatMap(({ name }) => ["<details>", `<summary><code>${name}</code></summary>`, "", ...jsonBlock(exampleOf(name)), "", "</details>", ""]),
  ];
}

function valueOf({ form, prefix }: PayloadField): string {
  switch (form) {
    case "id":
      return prefix === undefined ? "id" : `id, as in \`${prefix}000001\``;
    case "type":
      return "a type of this page";
    case "time":
      return "ISO 8601, in UTC";
    case "index":
      return "integer";
    case "recipients":
      return "list of `{ address, name }`";
    case "flag":
      return "boolean";
    case "text":
      return "text";
    case "email":
      return "email address";
  }
}

/** The fields that all events about this have, except those of every event. */
function fieldsAbout(subject: string): string {
  const types = EVENT_TYPES.filter(({ name }) => subjectOf(name) === subject);
  const fields = PAYLOAD_FIELDS.filter((field) => isSent(field) && !isInAll(field, EVENT_TYPES) && isInAll(field, types));
  return fields.length === 0 ? "none" : fields.map(({ name }) => code(name)).join(", ");
}

/** Whether the sandbox sends it: it adds the secret of a webhook, and sends nothing that the specification does not show. */
function isSent({ name, isObserved }: PayloadField): boolean {
  return name !== "secret" && isObserved !== true;
}

function isInAll({ isIn }: PayloadField, types: readonly { readonly name: EventTypeName }[]): boolean {
  return types.every(({ name }) => isIn(name));
}

function namesOf(events: readonly { readonly name: string }[]): string {
  return events.map(({ name }) => code(name)).join(", ");
}

function jsonBlock(value: object): readonly string[] {
  return ["```json", JSON.stringify(value, null, 2), "```"];
}

/** The anchor of a heading, as the usual hosts make it. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}

/** The event catalogue as documented constants for CDK users. */
export function eventTypeConstants(): string {
  return [
    "// made from the event catalogue",
    "",
    "/** The values of a webhook's `type`. */",
    "export class EventType {",
    ...EVENT_TYPES.map(({ name, category, description }) => `  /** ${category}: ${description} */\n  public static readonly ${name} = "${name}";`),
    "",
    "  private constructor() {}",
    "}",
    "",
  ].join("\n");
}
