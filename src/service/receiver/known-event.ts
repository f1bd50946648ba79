import { EVENT_TYPES, type KnownEvent, type OutreachEvent } from "./generated/events.ts";

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Whether this version knows the event's type. */
export function isKnownEvent(event: OutreachEvent): event is KnownEvent {
  return KNOWN.has(event.type);
}
