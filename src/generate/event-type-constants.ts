import { EVENT_TYPES } from "../service/events/catalog.ts";

/** The event catalogue as documented constants for CDK users. */
export function eventTypeConstants(): string {
  return [
    "// made from the event catalogue",
    "",
    "/** The values of a webhook's `type`. */",
    "export const EventType = {",
    ...EVENT_TYPES.map(({ name, category, description }) => `  /** ${category}: ${description} */\n  ${name}: "${name}",`),
    "} as const;",
    "",
    "/** The name of an event type. */",
    "export type EventType = (typeof EventType)[keyof typeof EventType];",
    "",
  ].join("\n");
}
