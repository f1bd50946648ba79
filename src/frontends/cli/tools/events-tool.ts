import { EVENT_TYPES } from "../../../service/events/catalog.ts";
import { TEXT, record } from "./result-schemas.ts";
import type { ToolDefinition } from "./tool-call.ts";

const CATEGORIES = [...new Set(EVENT_TYPES.map(({ category }) => category))];

export const eventsTool: ToolDefinition = {
  name: "events",
  title: "List the event types",
  description: "Lists the event types that a webhook can receive, with their categories and meanings: the values of a webhook's type.",
  isRemote: false,
  input: {
    type: "object",
    properties: { category: { type: "string", enum: CATEGORIES, description: "Only this category." } },
    additionalProperties: false,
  },
  result: record({ events: { type: "array", items: record({ name: TEXT, category: TEXT, description: TEXT }) } }),
  answer: ({ arguments: { category } }) => {
    const events = EVENT_TYPES.filter((event) => category === undefined || event.category === category).map(({ name, category: of, description }) => ({
      name,
      category: of,
      description,
    }));
    return Promise.resolve({ result: { events }, text: events.map((event) => `${event.name} (${event.category}): ${event.description}\n`).join("") });
  },
};
