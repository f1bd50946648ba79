import { EVENT_TYPES, type EventType, type EventTypeName } from "../service/events/catalog.ts";
import { exampleOf, thirdPartyExample } from "../service/events/example.ts";
import { PARTICIPANT, REQUIRED_FIELDS, THIRD_PARTY_RULE, absenceRules, absentFields, fieldSchemas } from "./event-shapes.ts";

type Json = { readonly [name: string]: unknown };

const SHAPES = { id: (prefix: string) => ({ type: "string", pattern: `^${prefix}` }), participant: { $ref: "#/$defs/participant" } };

/**
 * The JSON Schemas of events, by their file names: one for each type, and one for any event. Each stands alone. They are for receivers,
 * so they reject only what the specification excludes: fields that it does not show are valid, null is an absent field, and the schema for
 * any event accepts types that the catalogue does not know.
 */
export function eventSchemas(): ReadonlyMap<string, object> {
  return new Map([["event.schema.json", anyEvent()], ...EVENT_TYPES.map((event): [string, object] => [`${event.name}.schema.json`, eventOf(event)])]);
}

function anyEvent(): Json {
  return {
    ...head("event"),
    title: "An event",
    description: "The body of an event that the service sends to a webhook. `type` decides which fields it can have.",
    type: "object",
    required: REQUIRED_FIELDS,
    properties: {
      ...fieldSchemas(SHAPES),
      type: { type: "string", description: "The event type. The service can add types.", examples: EVENT_TYPES.map(({ name }) => name) },
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
    properties: { ...fieldSchemas(SHAPES), type: { const: name, description: "The event type." }, ...absentFields(name) },
    ...(isReply ? THIRD_PARTY_RULE : {}),
    $defs: { participant: PARTICIPANT },
    examples: [exampleOf(name), ...(isReply ? [thirdPartyExample()] : [])],
  };
}

function head(name: string): Json {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $id: `https://outreach-as-code.example/schemas/events/${name}.schema.json` };
}
