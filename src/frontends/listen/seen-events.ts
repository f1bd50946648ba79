import { type EventFields, textOf } from "./received-event.ts";

/** Remembers which events were accepted. */
export interface SeenEvents {
  /** Whether an event with this type and id was added before. Adds it. An event without an id is never a duplicate. */
  add(event: EventFields): boolean;
}

/** Remembers the last `limit` events. */
export function seenEvents(limit: number): SeenEvents {
  const seen = new Set<string>();
  return {
    add: (event) => {
      const id = textOf(event, "_id");
      if (id === "") return false;
      const key = JSON.stringify([textOf(event, "type"), id]);
      // Deleted and added again, it is the latest.
      const isDuplicate = seen.delete(key);
      seen.add(key);
      const [oldest] = seen;
      if (seen.size > limit && oldest !== undefined) seen.delete(oldest);
      return isDuplicate;
    },
  };
}
