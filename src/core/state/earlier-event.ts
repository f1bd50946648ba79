import { parsedTimeMs } from "../model/time.ts";
import type { JournalEvent } from "./journal-event.ts";

/** An event as earlier versions store it: the lookalikes of a create are `alike`, and format 1 lacks times and `answered`. */
type EarlierEvent = JournalEvent & { readonly alike?: readonly string[] };

/** The event as this version stores it. */
export function currentEvent(event: EarlierEvent): JournalEvent {
  if (event.kind === "intent")
    return (event.sentAtMs as number | undefined) === undefined ? { ...event, sentAtMs: parsedTimeMs(event.serverDate) ?? 0 } : event;
  // The service may still be working on it.
  if (event.kind === "undecided") return (event.answered as boolean | undefined) === undefined ? { ...event, answered: false } : event;
  const { alike, ...rest } = event;
  return alike && rest.kind === "done" ? { ...rest, lookalikes: alike } : event;
}
