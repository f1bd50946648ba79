import type { Problem } from "../../core/model/attribute.ts";
import { nearest } from "../../core/model/diagnostic.ts";
import type { Value } from "../../core/model/value.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../events/catalog.ts";

export const EVENT_TYPE_NAMES: readonly string[] = EVENT_TYPES.map(({ name }) => name);

/** Events: a documented event type; the message names the replacement of a removed one, and the nearest to a mistyped one. */
export function checkEventType(value: Value): Problem | undefined {
  if (typeof value !== "string" || EVENT_TYPE_NAMES.includes(value)) return undefined;
  const removed = REMOVED_EVENT_TYPES.find(({ name }) => name === value);
  if (removed) {
    return {
      code: "event_type_removed",
      summary: "Removed event type",
      detail: `The service no longer accepts the event type ${value}.`,
      hint: removed.replacement === null ? "It has no replacement: take it out." : `Use ${removed.note.replace(/^use /, "")} instead.`,
    };
  }
  const meant = nearest(value, EVENT_TYPE_NAMES);
  return {
    code: "event_type_unknown",
    summary: "Unknown event type",
    detail: `The service has no event type ${JSON.stringify(value)}.`,
    hint: meant === null ? "Leave type out to receive all events." : `Did you mean ${meant}?`,
  };
}

/** Whether a webhook of earlier days may still have it. */
export function isRemovedEventType(value: Value): boolean {
  return REMOVED_EVENT_TYPES.some(({ name }) => name === value);
}
