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

/** A field that is null is absent. */
const ABSENT = { type: "null" };

/** The schemas of all fields, by their names. */
export function fieldSchemas(shapes: SharedShapes): Json {
  return Object.fromEntries(
    PAYLOAD_FIELDS.map((field) => {
      const form = formOf(field, shapes);
      return [field.name, { ...(field.isRequired ? form : orNull(form)), description: field.description }];
    }),
  );
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
    case "flag":
      return { type: "boolean" };
    // The specification shows addresses of leads and senders as text.
    case "email":
    case "text":
    case "type":
      return { type: "string" };
  }
}

function orNull(form: Json): Json {
  const { type, ...rules } = form;
  return type === undefined ? { anyOf: [form, ABSENT] } : { type: [type, "null"], ...rules };
}

/** The schema of each field that the specification says events of this type never have. */
export function absentFields(type: EventTypeName): { readonly [field: string]: Json } {
  return Object.fromEntries(
    PAYLOAD_FIELDS.flatMap(({ name, description, isExcluded }) =>
      isExcluded?.(type) === true ? [[name, { ...ABSENT, description: `${description} Not in these events.` }]] : [],
    ),
  );
}

/** The fields that a reply of a third party omits (section "Third-party reply"). */
export const THIRD_PARTY_OMITTED = ["campaignId", "leadId", "sequenceId"];

/** The rule for a reply of a third party. */
export const THIRD_PARTY_RULE = rule(
  { type: { const: "emailsReplied" }, isThirdPartyReply: { const: true } },
  Object.fromEntries(THIRD_PARTY_OMITTED.map((field) => [field, ABSENT])),
);

/** Which fields events never have, as rules of a schema for all types. Events of types that the catalogue does not know can have all fields. */
export function absenceRules(): readonly Json[] {
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
