import { defineFunction } from "../../core/model/definition.ts";
import { EVENT_TYPE_NAMES } from "./event-type.ts";

/** Every documented event type, in the specification's order (Event types). */
export const eventTypes = defineFunction({
  name: "event_types",
  summary: "Lists the event types of webhooks",
  docs: "Returns the event types that a webhook can receive, in the order of the service's documentation.",
  parameters: [],
  returns: { list: "string" },
  call: () => ({ value: EVENT_TYPE_NAMES, diagnostics: [] }),
});
