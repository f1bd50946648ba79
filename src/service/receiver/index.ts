/** The library `outreach-as-code/events`: typed, verified events for receivers of webhooks. */
import { type EventHandler, makeHandler } from "./event-handler.ts";
import { boundedStore, type EventStore, type MemoryStoreOptions } from "./event-store.ts";
import type { HandlerOptions } from "./handle-delivery.ts";
import { checkKnown } from "./known-options.ts";

export { canonicalEmail, isEmail } from "./generated/email-address.ts";
export { EventError, type EventErrorCode } from "./event-error.ts";
export type { EventHandler } from "./event-handler.ts";
export type { Claim, EventStore, MemoryStoreOptions } from "./event-store.ts";
export * from "./generated/events.ts";
export type { EventAnswer, HandlerOptions, StoreOptions } from "./handle-delivery.ts";
export { isKnownEvent } from "./parse-event.ts";
export { parseEvent, type ParseOptions } from "./parse-event.ts";
export { isVerification } from "./verification.ts";
export {
  type Breach,
  createSuppressionWatch,
  type IsListed,
  type SuppressionWatchOptions,
} from "./suppression-watch.ts";

/**
 * Remembers handled events in the memory of this process, `limit` of them: 10,000 by default. Of several deliveries of one event at the
 * same time, one is handled; the others wait for it. Throws a TypeError for an unknown option.
 */
export function memoryStore(options: Partial<MemoryStoreOptions> = {}): EventStore {
  checkKnown(options, ["limit", "claimMs", "now"]);
  return boundedStore({ now: Date.now, ...options });
}

/**
 * A handler of requests with events, for `node:http` and for Fetch's `Request`. It verifies the secret, hands each event to `onEvent` once,
 * and answers:
 * - 204: `onEvent` has handled the event, now or in an earlier delivery
 * - 400: the body is not an event. 401: the secret is missing or wrong. 405: not a POST. 413: the body is too large. 415: it is compressed
 * - 500: `onEvent` or the store failed, or something else read the body before. `onError` gets the error
 * - 503: another process is handling the same event
 *
 * An event of `outreach doctor --receivers` is answered with 204 once its secret is verified, without `onEvent` and the store.
 *
 * Events come at least once: an event is handled again if it failed before, or if the store has forgotten it.
 * How long a request may take is up to the server: `requestTimeout` of `node:http` is 5 minutes by default.
 *
 * Throws a TypeError if the options cannot verify anything, have a store and no name, or contain an unknown option.
 */
export function eventHandler(options: HandlerOptions): EventHandler {
  return makeHandler(options, { defaultStore: memoryStore, newToken: () => crypto.randomUUID() });
}
