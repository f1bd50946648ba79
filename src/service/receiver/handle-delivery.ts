import { EventError, type EventErrorCode } from "./event-error.ts";
import type { EventStore } from "./event-store.ts";
import type { OutreachEvent } from "./generated/events.ts";
import { parseEvent, type ParseOptions } from "./parse-event.ts";

/** What to do with events. */
export type HandlerOptions = ParseOptions & {
  /**
   * Handles an event. The service gets its answer when this is done, so queue work that takes long. If it fails, the service gets 500, and
   * can deliver the event again.
   */
  readonly onEvent: (event: OutreachEvent) => unknown;
  /** Remembers which events were handled. By default, the last 10,000 in memory. */
  readonly store?: EventStore;
  /**
   * Gets what went wrong on this side: what `onEvent` or `store` threw, or an `EventError` with the code `body_already_read`.
   * By default, `console.error`.
   */
  readonly onError?: (error: unknown) => unknown;
  /** Gets why a request was rejected, for example a wrong secret. By default, nothing happens: anyone can send such requests. */
  readonly onRejected?: (error: EventError) => unknown;
};

/** An answer to the service. */
export interface Answer {
  readonly status: number;
  /** Empty for 204. */
  readonly text: string;
  readonly headers: { readonly [name: string]: string };
}

const STATUSES: { readonly [Code in EventErrorCode]: number } = {
  invalid_json: 400,
  not_an_event: 400,
  secret_missing: 401,
  secret_wrong: 401,
  body_too_large: 413,
  body_already_read: 500,
};

/** Accepted: handled now, or before. */
const ACCEPTED: Answer = { status: 204, text: "", headers: {} };

/**
 * Answers a request. `read` gives its body, or null if the sender went away; it may throw an `EventError`. Never rejects.
 */
export async function handleDelivery(
  options: HandlerOptions,
  store: EventStore,
  method: string | undefined,
  read: () => Promise<Uint8Array | null>,
): Promise<Answer> {
  if (method !== "POST") return answer(405, "Only POST is allowed.", { allow: "POST" });
  let event: OutreachEvent;
  try {
    const body = await read();
    if (body === null) return answer(400, "The body is not complete.");
    event = parseEvent(body, options);
  } catch (error) {
    return reject(options, error);
  }
  try {
    return await handleOnce(options, store, event);
  } catch (error) {
    await reportError(options, error);
    return answer(500, "The event was not handled.");
  }
}

async function reject(options: HandlerOptions, error: unknown): Promise<Answer> {
  if (error instanceof EventError && error.code !== "body_already_read") await report(() => options.onRejected?.(error));
  else await reportError(options, error);
  return error instanceof EventError ? answer(STATUSES[error.code], error.message) : answer(500, "The event was not handled.");
}

async function handleOnce(options: HandlerOptions, store: EventStore, event: OutreachEvent): Promise<Answer> {
  const key = JSON.stringify([event.type, event._id]);
  const claim = await store.claim(key);
  if (claim === "done") return ACCEPTED;
  if (claim === "busy") return answer(503, "Another delivery of this event is being handled.", { "retry-after": "5" });
  if (claim !== "claimed") throw new TypeError("The store's claim must give claimed, done or busy.");
  try {
    await options.onEvent(event);
  } catch (error) {
    try {
      await store.release(key);
    } catch (failure) {
      await reportError(options, failure);
    }
    throw error;
  }
  await store.complete(key);
  return ACCEPTED;
}

function reportError(options: HandlerOptions, error: unknown): Promise<void> {
  return report(() => (options.onError === undefined ? logError(error) : options.onError(error)));
}

/** A reporter that fails changes no answer. */
async function report(reporter: () => unknown): Promise<void> {
  try {
    await reporter();
  } catch (failure) {
    logError(failure);
  }
}

function logError(error: unknown): void {
  console.error(error);
}

function answer(status: number, text: string, headers: Answer["headers"] = {}): Answer {
  return { status, text: `${text}\n`, headers: { "content-type": "text/plain; charset=utf-8", ...headers } };
}
