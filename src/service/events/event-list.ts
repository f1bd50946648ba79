import { EVENT_TYPES, type EventType, type EventTypeName } from "./event-catalog.ts";
import { type EventSubject, fieldsOf, groupOf, subjectOf } from "./payload.ts";

/** An event type, and the facts about its payload. */
export interface ListedEvent extends EventType {
  readonly name: EventTypeName;
  readonly about: EventSubject;
  /** The lead state group that is sent in addition; null: none. */
  readonly group: EventTypeName | null;
  /** The names of the fields that its payload can have. */
  readonly fields: readonly string[];
}

/** The categories, in the specification's order. */
export const EVENT_CATEGORIES: readonly string[] = [...new Set(EVENT_TYPES.map(({ category }) => category))];

/** Every event type in the specification's order, or those of one category. */
export function listEvents(category?: string): readonly ListedEvent[] {
  return EVENT_TYPES.filter((event) => category === undefined || event.category === category).map((event) => ({
    ...event,
    about: subjectOf(event.name),
    group: groupOf(event.name),
    fields: fieldsOf(event.name).map(({ name }) => name),
  }));
}
