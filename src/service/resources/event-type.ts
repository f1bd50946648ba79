import type { Problem } from "../../core/model/attribute.ts";
import { nearest } from "../../core/model/diagnostic.ts";
import type { Value } from "../../core/model/value.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../events/event-catalog.ts";
import { defineFunction } from "../../core/model/definition.ts";

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
      hint:
        removed.replacement === null
          ? `It has no replacement. ${othersLike(value)}`
          : `Use ${removed.note.replace(/^use /, "")} instead.`,
    };
  }
  const meant = nearest(value, EVENT_TYPE_NAMES);
  return {
    code: "event_type_unknown",
    summary: "Unknown event type",
    detail: `The service has no event type ${JSON.stringify(value)}.`,
    hint:
      meant === null
        ? ALL.includes(value)
          ? "For all events, omit type."
          : othersLike(value)
        : `Did you mean ${meant}?`,
  };
}

/** What people write for every event type. */
const ALL: readonly string[] = ["", "*", "all", "any"];

/** Never advises to leave `type` out: that would subscribe the webhook to all events. */
function othersLike(name: string): string {
  const similar = similarNames(name);
  if (similar.length === 0)
    return "Write one of the event types that the documentation of outreach_webhook lists, or remove the webhook or the entry.";
  return `Remove the webhook or the entry, or use a similar event type: ${similar.join(", ")}.`;
}

const MAX_SIMILAR = 6;
/** Letters at the beginning of a word that make it similar to another, as in reply and replied. */
const COMMON_LETTERS = 4;

/** The event types that share the most words with a name. */
function similarNames(name: string): readonly string[] {
  const words = wordsOf(name.slice(0, MAX_NAME));
  const shared = EVENT_TYPE_NAMES.map((candidate) => ({
    candidate,
    count: wordsOf(candidate).filter((word) => words.some((other) => isSimilar(word, other))).length,
  }));
  const most = Math.max(...shared.map(({ count }) => count));
  return most === 0
    ? []
    : shared.flatMap(({ candidate, count }) => (count === most ? [candidate] : [])).slice(0, MAX_SIMILAR);
}

/** No event type is longer. */
const MAX_NAME = 100;

/** `networkFollowSkipped` → `network`, `follow`, `skipped`. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());
}

function isSimilar(a: string, b: string): boolean {
  return a === b || (a.length >= COMMON_LETTERS && a.slice(0, COMMON_LETTERS) === b.slice(0, COMMON_LETTERS));
}

/** Whether a webhook of earlier days may still have it. */
export function isRemovedEventType(value: Value): boolean {
  return REMOVED_EVENT_TYPES.some(({ name }) => name === value);
}

/** Every documented event type, in the specification's order (Event types). */
export const eventTypes = defineFunction({
  name: "event_types",
  summary: "Lists the event types of webhooks",
  docs: "Returns the event types that a webhook can receive, in the order of the service's documentation.",
  parameters: [],
  returns: { list: "string" },
  call: () => ({ value: EVENT_TYPE_NAMES, diagnostics: [] }),
});
