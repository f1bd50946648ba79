import { EVENT_TYPES, type EventType, type EventTypeName } from "../service/events/event-catalog.ts";
import { exampleOf, thirdPartyExample } from "../service/events/example.ts";
import { PAYLOAD_FIELDS, type PayloadField } from "../service/events/payload.ts";

type Json = { readonly [name: string]: unknown };

/**
 * The JSON Schemas of events, by their file names: one for each type, and one for any event. Each stands alone. They are for receivers,
 * so they reject only what the specification excludes: fields that it does not show are valid, null is an absent field, and the schema for
 * any event accepts types that the catalogue does not know.
 */
export function eventSchemas(): ReadonlyMap<string, object> {
  return new Map([
    ["event.schema.json", anyEvent()],
    ...EVENT_TYPES.map((event): [string, object] => [`${event.name}.schema.json`, eventOf(event)]),
  ]);
}

/** The fields that every event has. */
export const REQUIRED_FIELDS = PAYLOAD_FIELDS.filter(({ isRequired }) => isRequired).map(({ name }) => name);

/** The fields that a reply of a third party omits (section "Third-party reply"). */
export const THIRD_PARTY_OMITTED = ["campaignId", "leadId", "sequenceId"];

/** A field that is null is absent. */
const ABSENT = { type: "null" };

const THIRD_PARTY_RULE = rule(
  { type: { const: "emailsReplied" }, isThirdPartyReply: { const: true } },
  Object.fromEntries(THIRD_PARTY_OMITTED.map((field) => [field, ABSENT])),
);

/** An email's participant (section "Email recipients"). */
const PARTICIPANT = {
  type: "object",
  properties: {
    address: { type: "string", pattern: "^[^A-Z]*$", description: "In lower case." },
    name: { type: "string", description: "Can be empty." },
  },
  required: ["address", "name"],
};

function anyEvent(): Json {
  return {
    ...head("event"),
    title: "An event",
    description: "The body of an event that the service sends to a webhook. `type` decides which fields it can have.",
    type: "object",
    required: REQUIRED_FIELDS,
    properties: {
      ...fieldSchemas(),
      type: {
        type: "string",
        description: "The event type. The service can add types.",
        examples: EVENT_TYPES.map(({ name }) => name),
      },
    },
    allOf: absenceRules(),
    $defs: { participant: PARTICIPANT },
    examples: [exampleOf("emailsSent")],
  };
}

function eventOf({ name, description }: EventType & { readonly name: EventTypeName }): Json {
  const isReply = name === "emailsReplied";
  return {
    ...head(name),
    title: `An event of the type ${name}`,
    description,
    type: "object",
    required: REQUIRED_FIELDS,
    properties: { ...fieldSchemas(), type: { const: name, description: "The event type." }, ...absentFields(name) },
    ...(isReply ? THIRD_PARTY_RULE : {}),
    $defs: { participant: PARTICIPANT },
    examples: [exampleOf(name), ...(isReply ? [thirdPartyExample()] : [])],
  };
}

function head(name: string): Json {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `https://outreach-as-code.example/schemas/events/${name}.schema.json`,
  };
}

function fieldSchemas(): Json {
  return Object.fromEntries(
    PAYLOAD_FIELDS.map((field) => {
      const { type, ...rules } = formOf(field);
      return [field.name, { type: field.isRequired ? type : [type, "null"], ...rules, description: field.description }];
    }),
  );
}

function formOf({ form, prefix }: PayloadField): Json {
  switch (form) {
    case "id":
      return prefix === undefined ? { type: "string" } : { type: "string", pattern: `^${prefix}` };
    case "time":
      return { type: "string", format: "date-time" };
    case "index":
      return { type: "integer", minimum: 0 };
    case "recipients":
      return { type: "array", minItems: 1, items: { $ref: "#/$defs/participant" } };
    case "flag":
      return { type: "boolean" };
    // The specification shows addresses of leads and senders as text.
    case "email":
    case "text":
    case "type":
      return { type: "string" };
  }
}

/** The schema of each field that the specification says events of this type never have. */
function absentFields(type: EventTypeName): Json {
  return Object.fromEntries(
    PAYLOAD_FIELDS.flatMap(({ name, description, isExcluded }) =>
      isExcluded?.(type) === true ? [[name, { ...ABSENT, description: `${description} Not in these events.` }]] : [],
    ),
  );
}

/** Which fields events never have, as rules of a schema for all types. Events of types that the catalogue does not know can have all fields. */
function absenceRules(): readonly Json[] {
  const byField = PAYLOAD_FIELDS.flatMap(({ name, isExcluded }) => {
    const types = EVENT_TYPES.flatMap((type) => (isExcluded?.(type.name) === true ? [type.name] : []));
    return types.length === 0 ? [] : [rule({ type: { enum: types } }, { [name]: ABSENT })];
  });
  return [...byField, THIRD_PARTY_RULE];
}

function rule(event: Json, fields: Json): Json {
  // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
  return { if: { properties: event, required: Object.keys(event) }, then: { properties: fields } };
}
