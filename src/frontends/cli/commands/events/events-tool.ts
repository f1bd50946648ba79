import { listEvents } from "../../../../service/events/event-list.ts";
import { pageOf } from "../mcp/tool-schemas.ts";
import type { ToolDefinition } from "../mcp/tool-call.ts";

export const tool: ToolDefinition = {
  title: "List the event types",
  description:
    "Lists the event types that a webhook can receive, with their categories and meanings: the values of a webhook's type.",
  isRemote: false,
  parameters: {},
  lists: ["events"],
  answer: ({ arguments: given }) => {
    const events = listEvents().map(({ name, category, description }) => ({ name, category, description }));
    return Promise.resolve({
      result: { events },
      text: pageOf(events, given)
        .map((event) => `${event.name} (${event.category}): ${event.description}\n`)
        .join(""),
    });
  },
};
