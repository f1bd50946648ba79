import { EVENT_TYPES, type EventTypeName } from "../service/events/catalog.ts";
import { PAYLOAD_FIELDS, type PayloadField } from "../service/events/payload.ts";

type Json = { readonly [name: string]: unknown };

/** What the schemas of a payload refer to. */
export interface SharedShapes {
  /** The schema of the ids with this prefix. */
  readonly id: (prefix: string) => Json;
  /** The schema of an email's participant. */
  readonly participant: Json;
}

/** An email's participant (section "Email recipients"). */
export const PARTICIPANT = {
  type: "object",
  properties: {
    address: { type: "string", pattern: "^[^A-Z]*$", description: "In lower case." },
    name: { type: "string", description: "Can be empty." },
  },
  required: ["address", "name"],
};

/** The fields that every event has. */
export const REQUIRED_FIELDS = PAYLOAD_FIELDS.filter(({ isRequired }) => isRequired).map(({ name }) => name);

/** The schemas of these fields, by their names. */
export function fieldSchemas(fields: readonly PayloadField[], shapes: SharedShapes): Json {
  return Object.fromEntries(fields.map((field) => [field.name, { ...formOf(field, shapes), description: field.description }]));
}

function formOf({ form, prefix }: PayloadField, { id, participant }: SharedShapes): Json {
  switch (form) {
    case "id":
      return prefix === undefined ? { type: "string" } : id(prefix);
    case "time":
      return { type: "string", format: "date-time" };
    case "index":
      return { type: "integer", minimum: 0 };
    case "recipients":
      return { type: "array", minItems: 1, items: participant };
    case "true":
      return { type: "boolean", const: true };
    // The specification shows addresses of leads and senders as text.
    case "email":
    case "text":
    case "type":
      return { type: "string" };
  }
}

/** The fields about which the specification says that only certain events have them. Everything else is our reading, and binds no receiver. */
const RULED = new Set(["subject", "to", "cc", "bcc", "isThirdPartyReply"]);

/** `false` for each field that the specification says events of this type never have. */
export function absentFields(type: EventTypeName): { readonly [field: string]: false } {
  return Object.fromEntries(PAYLOAD_FIELDS.filter(({ name, isIn }) => RULED.has(name) && !isIn(type)).map(({ name }) => [name, false]));
}

/** The fields that a reply of a third party omits (section "Third-party reply"). */
export const THIRD_PARTY_OMITTED = ["campaignId", "leadId", "sequenceId"];

/** The schema's rule for a reply of a third party. */
export const THIRD_PARTY_RULE = { isThirdPartyReply: { properties: Object.fromEntries(THIRD_PARTY_OMITTED.map((field) => [field, false])) } };

/** Which fields the types of events never have, as conditions of a schema for all types. Types that the catalogue does not know can have all fields. */
export function absenceRules(): readonly Json[] {
  const byFields = new Map<string, EventTypeName[]>();
  for (const { name } of EVENT_TYPES) {
    const fields = JSON.stringify(absentFields(name));
    byFields.set(fields, [...(byFields.get(fields) ?? []), name]);
  }
  return [...byFields].map(([fields, types]) => ({
    if: { properties: { type: { enum: types } }, required: ["type"] },
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    then: { properties: JSON.parse(fields) as Json },
  }));
}
