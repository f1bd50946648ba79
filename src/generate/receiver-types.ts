import { EVENT_TYPES, type EventTypeName } from "../service/events/event-catalog.ts";
import { fieldsOf, groupOf, PAYLOAD_FIELDS, type PayloadField } from "../service/events/payload.ts";
import { THIRD_PARTY_OMITTED } from "./event-schemas.ts";

/** An event type with two forms, told apart by `isThirdPartyReply`. */
const REPLIES = { type: "emailsReplied", lead: "LeadReplyEvent", thirdParty: "ThirdPartyReplyEvent" } as const;

/** The lead state group for every message to a lead, in any channel. */
const CONTACT = "contacted";
const CONTACT_TYPES = EVENT_TYPES.flatMap(({ name }) => (name === CONTACT || groupOf(name) === CONTACT ? [name] : []));
/** The fields of single types: those of emails. */
const EMAIL_FIELDS: ReadonlySet<string> = new Set(["subject", "to", "cc", "bcc", "isThirdPartyReply"]);
/** The fields that events of every type can have. */
const COMMON = PAYLOAD_FIELDS.filter(
  ({ name, form }) => form !== "type" && name !== "secret" && !EMAIL_FIELDS.has(name),
);

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
    ...declaration(
      "The fields of every event. Only `_id` and `type` are always there.",
      "export interface EventFields",
      ["  /** The event type. */\n  readonly type: string;", ...COMMON.map(member)],
    ),
    ...EVENT_TYPES.flatMap(({ name, description }) =>
      name === REPLIES.type ? replies(description) : eventDeclaration(name, description),
    ),
    ...unknownEvent(),
    ...declaration(
      "Every known event, by its type.",
      "export interface EventByType",
      EVENT_TYPES.map(
        ({ name, description }) => `  /** ${description} */\n  readonly ${name}: ${interfaceName(name)};`,
      ),
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
    "/** An event that shows a message, an invite or a call to a lead. */",
    `export type ContactEvent = EventByType[${CONTACT_TYPES.map((name) => `"${name}"`).join(" | ")}];`,
    "",
    "/** Every event type that this version knows. */",
    "export const EVENT_TYPES: readonly EventType[] = [",
    ...EVENT_TYPES.map(({ name }) => `  "${name}",`),
    "];",
    "",
  ].join("\n");
}

/** What the library knows of event types and of the documented fields of events. */
export function eventFieldForms(): string {
  return [
    "// made from the event catalogue",
    "",
    "/** What a documented field of an event holds. */",
    'export type FieldForm = "text" | "time" | "number" | "flag" | "recipients";',
    "",
    "/** The documented fields that an event can have in addition to `_id` and `type`. */",
    "export const FIELD_FORMS: ReadonlyMap<string, FieldForm> = new Map([",
    ...PAYLOAD_FIELDS.filter(({ name, isRequired }) => !isRequired && name !== "secret").map(
      (field) => `  ["${field.name}", "${formOf(field)}"],`,
    ),
    "]);",
    "",
    "/** The types of events that show a message, an invite or a call to a lead. */",
    `export const CONTACT_TYPES: ReadonlySet<string> = new Set([${CONTACT_TYPES.map((name) => `"${name}"`).join(", ")}]);`,
    "",
  ].join("\n");
}

function formOf({ form }: PayloadField): string {
  if (form === "time" || form === "flag" || form === "recipients") return form;
  return form === "index" ? "number" : "text";
}

function eventDeclaration(type: EventTypeName, description: string): readonly string[] {
  return declaration(`\`${type}\`: ${description}`, `export interface ${interfaceName(type)} extends EventFields`, [
    typeMember(type),
    ...emailFields(type).map(member),
  ]);
}

function replies(description: string): readonly string[] {
  const { type, lead, thirdParty } = REPLIES;
  const own = emailFields(type).filter(({ form }) => form !== "flag");
  const marks = emailFields(type).filter(({ form }) => form === "flag");
  return [
    ...declaration(`\`${type}\`: A lead replied by email.`, `export interface ${lead} extends EventFields`, [
      typeMember(type),
      ...own.map(member),
      ...marks.map((field) => `  /** Absent or false: this is a lead's reply. */\n  readonly ${field.name}?: false;`),
    ]),
    ...declaration(
      `\`${type}\`: A third party in the thread replied, from an address that is not the lead's.`,
      `export interface ${thirdParty} extends EventFields`,
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
        "  /** Any other field. */\n  readonly [field: string]: unknown;",
      ],
    ),
  ];
}

function emailFields(type: EventTypeName): readonly PayloadField[] {
  return fieldsOf(type).filter(({ name }) => EMAIL_FIELDS.has(name));
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
  return form === "flag" ? "boolean" : "string";
}

function interfaceName(type: EventTypeName): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}Event`;
}

function declaration(doc: string, head: string, members: readonly string[]): readonly string[] {
  return [`/** ${doc} */`, `${head} {`, ...members, "}", ""];
}
