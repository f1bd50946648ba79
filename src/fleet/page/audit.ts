import type { EventStatus } from "../fleet-store.ts";
import { askedText } from "./fleet-words.ts";

/** What one person asked for of any number of teams, within a few minutes. */
export interface Request {
  readonly action: EventStatus["action"];
  readonly settings: EventStatus["settings"];
  readonly by: string;
  /** When it was asked for last. */
  readonly atMs: number;
  /** At least one, the last one first. */
  readonly events: readonly [EventStatus, ...EventStatus[]];
}

/** The most time between two teams of one request. */
const PAUSE_MS = 60_000;
const LAST_REQUESTS = 20;

/** What was asked for, the newest first: the same for several teams in a row is one request. */
export function requestsIn(events: readonly EventStatus[]): readonly Request[] {
  const requests: (Omit<Request, "events"> & { events: [EventStatus, ...EventStatus[]] })[] = [];
  for (const event of events) {
    const last = requests.at(-1);
    const before = last?.events.at(-1);
    if (
      last &&
      before &&
      askedText(last) === askedText(event) &&
      last.by === event.by &&
      before.atMs - event.atMs < PAUSE_MS
    )
      last.events.push(event);
    else
      requests.push({
        action: event.action,
        settings: event.settings,
        by: event.by,
        atMs: event.atMs,
        events: [event],
      });
  }
  return requests.slice(0, LAST_REQUESTS);
}
