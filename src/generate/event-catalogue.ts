import { groupBy } from "../core/model/maps.ts";
import { EVENT_TYPES, type EventTypeName, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";
import { EVENT_CATEGORIES, type ListedEvent, listEvents } from "../service/events/event-list.ts";
import { exampleOf, thirdPartyExample } from "../service/events/example.ts";
import {
  type EventSubject,
  PAYLOAD_FIELDS,
  type PayloadField,
  fieldsOf,
  groupOf,
  subjectOf,
} from "../service/events/payload.ts";
import { REQUIRED_FIELDS } from "./event-schemas.ts";
import { capitalised } from "../core/model/words.ts";
import { code, fillTemplate, markdownTable } from "./markdown.ts";

const SUBJECTS: { readonly [Subject in EventSubject]: string } = {
  "campaign-lead": "a lead in a campaign",
  lead: "a lead",
  campaign: "a campaign",
  sender: "a sender",
  team: "the team",
};

/** The event catalogue as a page of the docs, with an example of each event's payload. */
export function eventsReference(): string {
  return fillTemplate("events", {
    categories: EVENT_CATEGORIES.map((category) => `[${category}](#${anchor(category)})`).join(", "),
    fields: markdownTable(
      ["field", "value", "description"],
      PAYLOAD_FIELDS.map((field) => [code(field.name), valueOf(field), field.description]),
    ),
    subjects: markdownTable(
      ["about", `fields in addition to ${[...REQUIRED_FIELDS, ...ALWAYS_SENT].map(code).join(", ")}`],
      Object.entries(SUBJECTS).map(([subject, text]) => [text, fieldsAbout(subject)]),
    ),
    examples: [...groupBy(EVENT_TYPES, ({ name }) => shapeOf(name))].flatMap(([shape, [first]]) =>
      first === undefined ? [] : [`#### ${capitalised(shape)}`, "", ...jsonBlock(exampleOf(first.name)), ""],
    ),
    "third party": jsonBlock(thirdPartyExample()),
    ...Object.fromEntries(GROUPS.map((group) => [group, groupText(group)])),
    events: EVENT_CATEGORIES.flatMap((category) => categorySection(category, listEvents(category))),
    removed: markdownTable(
      ["type", "instead"],
      REMOVED_EVENT_TYPES.map(({ name, note }) => [code(name), note]),
    ),
  });
}

/** The lead state groups that the page explains. */
const GROUPS = ["contacted", "hooked", "attracted", "warmed"] as const;

/** The fields of all events that a receiver can do without. */
const ALWAYS_SENT = PAYLOAD_FIELDS.flatMap((field) =>
  isSent(field) && !field.isRequired && isInAll(field, EVENT_TYPES) ? [field.name] : [],
);

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
      events.map(({ name, description, group }) => [
        code(name),
        description,
        shapeOf(name),
        group === null ? "" : code(group),
      ]),
    ),
    "",
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

/** What an event of this type is about, and its fields in addition to those of all such events: types that share it share an example. */
function shapeOf(type: EventTypeName): string {
  const subject = subjectOf(type);
  // isThirdPartyReply, the only flag, is in the example of a third party's reply.
  const more = fieldsOf(type).filter(
    (field) => isSent(field) && field.form !== "flag" && !isInAll(field, typesAbout(subject)),
  );
  return [SUBJECTS[subject], ...(more.length === 0 ? [] : [`with ${namesOf(more)}`])].join(", ");
}

function typesAbout(subject: string): readonly { readonly name: EventTypeName }[] {
  return EVENT_TYPES.filter(({ name }) => subjectOf(name) === subject);
}

/** The fields that all events about this have, except those of every event. */
function fieldsAbout(subject: string): string {
  const fields = PAYLOAD_FIELDS.filter(
    (field) => isSent(field) && !isInAll(field, EVENT_TYPES) && isInAll(field, typesAbout(subject)),
  );
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
  return heading.toLowerCase().replaceAll(/[`,]/g, "").replaceAll(" ", "-");
}

/** The event catalogue as documented constants for CDK users. */
export function eventTypeConstants(): string {
  return [
    "// made from the event catalogue",
    "",
    "/** The values of a webhook's `type`. */",
    "export class EventType {",
    ...EVENT_TYPES.map(
      ({ name, category, description }) =>
        `  /** ${category}: ${description} */\n  public static readonly ${name} = "${name}";`,
    ),
    "",
    "  private constructor() {}",
    "}",
    "",
  ].join("\n");
}
