import { EVENT_TYPES, type EventTypeName } from "../service/events/catalog.ts";
import { EVENT_CATEGORIES } from "../service/events/event-list.ts";
import { exampleOf, thirdPartyExample } from "../service/events/example.ts";
import { PARTICIPANT, REQUIRED_FIELDS, absenceRules, fieldSchemas } from "./event-shapes.ts";

type Json = { readonly [name: string]: unknown };

const IDS: { readonly [prefix: string]: string } = { act_: "ActivityId", cam_: "CampaignId", lea_: "LeadId", tea_: "TeamId", usr_: "UserId" };

/** The shapes of events (Events): the body of each event that the service sends to a webhook. */
export function openApiEventSchemas(): Json {
  const shapes = { id: (prefix: string) => ref(IDS[prefix] ?? ""), participant: ref("EmailParticipant") };
  return {
    EmailParticipant: PARTICIPANT,
    Activity: {
      type: "object",
      description: "The body of an event: an activity record.",
      properties: { ...fieldSchemas(shapes), type: ref("EventType") },
      required: REQUIRED_FIELDS,
      allOf: absenceRules(),
      "x-not-shown": ["Which optional fields an event has.", "Other fields of activities, and of events that are not about emails."],
    },
  };
}

/** The tag of each category's events. */
export function eventTags(): readonly Json[] {
  return EVENT_CATEGORIES.map((category) => ({
    name: tag(category),
    description: `Events of the category ${category}.`,
  }));
}

/** The events (section "Event types"), one webhook of the document for each type. */
export function openApiWebhooks(): Json {
  return Object.fromEntries(EVENT_TYPES.map(({ name, category, description }) => [name, { post: receive(name, { category, description }) }]));
}

function receive(type: EventTypeName, { category, description }: { readonly category: string; readonly description: string }): Json {
  return {
    operationId: `receive${type.slice(0, 1).toUpperCase()}${type.slice(1)}`,
    tags: [tag(category)],
    summary: description.replace(/\.$/, ""),
    security: [],
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { allOf: [ref("Activity")], properties: { type: { const: type } }, required: ["type"] }, examples: examplesOf(type) },
      },
    },
    responses: { default: { $ref: "#/components/responses/Received" } },
    "x-not-shown": category === "Email" ? "Which operation causes the event." : "Which operation causes the event, and which fields it has in addition.",
  };
}

function examplesOf(type: EventTypeName): Json {
  return {
    [type]: { value: exampleOf(type) },
    ...(type === "emailsReplied" ? { thirdPartyReply: { summary: "The reply of a third party.", value: thirdPartyExample() } } : {}),
  };
}

/** The answer to an event. */
export const RECEIVED = {
  description: "The receiver's answer.",
  "x-not-shown": "Which answer the service expects, how long it waits for one, and whether it sends the event again.",
};

function tag(category: string): string {
  return `Events: ${category}`;
}

function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}
