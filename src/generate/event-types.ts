import { EVENT_TYPES, type EventTypeName } from "../service/events/catalog.ts";
import { type EventSubject, fieldsOf, PAYLOAD_FIELDS, type PayloadField, subjectOf } from "../service/events/payload.ts";
import { THIRD_PARTY_OMITTED } from "./event-shapes.ts";

const SUBJECTS: { readonly [Subject in EventSubject]: { readonly name: string; readonly about: string } } = {
  "campaign-lead": { name: "CampaignLeadEvent", about: "a lead in a campaign" },
  lead: { name: "LeadEvent", about: "a lead" },
  campaign: { name: "CampaignEvent", about: "a campaign" },
  sender: { name: "SenderEvent", about: "a sender's account" },
  team: { name: "TeamEvent", about: "the team" },
};

/** An event type with two forms, told apart by a field that only the second has. */
const REPLIES = { type: "emailsReplied", lead: "LeadReplyEvent", thirdParty: "ThirdPartyReplyEvent" } as const;

/** Every event has these, and `type`. */
const BASE = PAYLOAD_FIELDS.filter(({ form, isRequired }) => isRequired && form !== "type");
const SUBJECT_NAMES = Object.keys(SUBJECTS) as readonly EventSubject[];
/** The fields of events that do not depend on the single type. */
const COMMON = PAYLOAD_FIELDS.filter((field) => !field.isRequired && SUBJECT_NAMES.some((subject) => isCommon(field, subject)));

/** TypeScript types of the events that a receiver gets: a union on `type`, without `secret`. */
export function eventTypes(): string {
  return [
    "// made from the event catalogue",
    "",
    "/** A recipient of an email. */",
    "export interface Recipient {",
    "  /** The address in lower case. */",
    "  readonly address: string;",
    "  /** The name. Can be empty. */",
    "  readonly name: string;",
    "}",
    "",
    ...declaration("The fields of every event.", "export interface EventFields", [...BASE.map(member), "  /** The event type. */\n  readonly type: string;"]),
    ...SUBJECT_NAMES.flatMap(subjectDeclaration),
    ...EVENT_TYPES.flatMap(({ name, description }) => (name === REPLIES.type ? replies(description) : eventDeclaration(name, description))),
    ...unknownEvent(),
    ...declaration(
      "Every known event, by its type.",
      "export interface EventByType",
      EVENT_TYPES.map(({ name, description }) => `  /** ${description} */\n  readonly ${name}: ${interfaceName(name)};`),
    ),
    "/** The event types that this version knows. */",
    "export type EventType = keyof EventByType;",
    "",
    "/** An event of a type that this version knows: a union on `type`. */",
    "export type KnownEvent = EventByType[EventType];",
    "",
    "/** An event. `switch (event.type)` narrows it; what remains after all known types is an `UnknownEvent`. */",
    "export type OutreachEvent = KnownEvent | UnknownEvent;",
    "",
    "/** Every event type that this version knows. */",
    "export const EVENT_TYPES: readonly EventType[] = [",
    ...EVENT_TYPES.map(({ name }) => `  "${name}",`),
    "];",
    "",
  ].join("\n");
}

function isCommon(field: PayloadField, subject: EventSubject): boolean {
  return field.name !== "secret" && EVENT_TYPES.every(({ name }) => subjectOf(name) !== subject || field.isIn(name));
}

/** The absent fields are declared too, so that they can be read from an event that is not narrowed. */
function subjectDeclaration(subject: EventSubject): readonly string[] {
  const { name, about } = SUBJECTS[subject];
  const members = COMMON.map((field) => (isCommon(field, subject) ? member(field) : absent(field.name, `Not in events about ${about}.`)));
  return declaration(`The fields of events about ${about}.`, `export interface ${name} extends EventFields`, members);
}

function eventDeclaration(type: EventTypeName, description: string): readonly string[] {
  const { name } = SUBJECTS[subjectOf(type)];
  return declaration(`\`${type}\`: ${description}`, `export interface ${interfaceName(type)} extends ${name}`, [
    typeMember(type),
    ...ownFields(type).map(member),
  ]);
}

function replies(description: string): readonly string[] {
  const { type, lead, thirdParty } = REPLIES;
  const { name } = SUBJECTS[subjectOf(type)];
  const own = ownFields(type).filter(({ form }) => form !== "true");
  const marks = ownFields(type).filter(({ form }) => form === "true");
  return [
    ...declaration(`\`${type}\`: A lead replied by email.`, `export interface ${lead} extends ${name}`, [
      typeMember(type),
      ...own.map(member),
      ...marks.map((field) => `  /** Absent: this is a lead's reply. */\n  readonly ${field.name}?: false;`),
    ]),
    ...declaration(
      `\`${type}\`: A third party in the thread replied, from an address that is not the lead's.`,
      `export interface ${thirdParty} extends ${name}`,
      [
        typeMember(type),
        ...own.map(member),
        ...marks.map((field) => `  /** ${field.description} */\n  readonly ${field.name}: true;`),
        ...THIRD_PARTY_OMITTED.map((field) => absent(field, "Not in third-party replies.")),
      ],
    ),
    `/** \`${type}\`: ${description} \`isThirdPartyReply\` tells the two apart. */`,
    `export type ${interfaceName(type)} = ${lead} | ${thirdParty};`,
    "",
  ];
}

function unknownEvent(): readonly string[] {
  return [
    "/**",
    " * The name of an event type that this version does not know, as the service sent it. The compiler sees it as a string that no known name is,",
    " * because with a plain string, `switch (event.type)` would not narrow.",
    " */",
    "export type UnknownEventType = `${string} (unknown)`;",
    "",
    ...declaration(
      "An event of a type that this version does not know. It has whatever fields the service sends.",
      "export interface UnknownEvent extends EventFields",
      [
        "  /** The event type. */\n  readonly type: UnknownEventType;",
        ...COMMON.map(member),
        "  /** Any other field. */\n  readonly [field: string]: unknown;",
      ],
    ),
  ];
}

/** The fields that not every event about the same subject has. */
function ownFields(type: EventTypeName): readonly PayloadField[] {
  return fieldsOf(type).filter((field) => field.form !== "type" && field.name !== "secret" && !BASE.includes(field) && !isCommon(field, subjectOf(type)));
}

function typeMember(type: EventTypeName): string {
  return `  /** The event type. */\n  readonly type: "${type}";`;
}

function member(field: PayloadField): string {
  return `  /** ${[field.description, note(field)].filter((text) => text !== "").join(" ")} */\n  readonly ${field.name}${field.isRequired ? "" : "?"}: ${typeOf(field)};`;
}

function absent(name: string, why: string): string {
  return `  /** ${why} */\n  readonly ${name}?: never;`;
}

function note({ form, prefix }: PayloadField): string {
  if (form === "time") return "An ISO 8601 time.";
  return prefix === undefined ? "" : `The id starts with \`${prefix}\`.`;
}

function typeOf({ form }: PayloadField): string {
  if (form === "index") return "number";
  if (form === "recipients") return "readonly Recipient[]";
  return form === "true" ? "true" : "string";
}

function interfaceName(type: EventTypeName): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}Event`;
}

function declaration(doc: string, head: string, members: readonly string[]): readonly string[] {
  return [`/** ${doc} */`, `${head} {`, ...members, "}", ""];
}
