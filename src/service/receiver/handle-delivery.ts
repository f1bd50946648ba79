import { EventError, type EventErrorCode } from "./event-error.ts";
import type { EventStore } from "./event-store.ts";
import type { OutreachEvent } from "./generated/events.ts";
import { type ParseOptions, readEvent } from "./parse-event.ts";
import { isVerification } from "./verification.ts";

/** What to do with events. */
export type HandlerOptions = ParseOptions &
  StoreOptions & {
    /**
     * Handles an event. The service gets its answer when this is done, so queue work that takes long. If it fails, the service gets 500, and
     * can deliver the event again.
     */
    readonly onEvent: (event: OutreachEvent) => unknown;
    /**
     * Gets what went wrong on this side: what `onEvent` or `store` threw, or an `EventError` with the code `body_already_read`.
     * By default, `console.error`.
     */
    readonly onError?: (error: unknown) => unknown;
    /** Gets why a request was rejected, for example a wrong secret. By default, nothing happens: anyone can send such requests. */
    readonly onRejected?: (error: EventError) => unknown;
  };

/** Where a handler remembers which events it has handled. */
export type StoreOptions =
  | {
      readonly store: EventStore;
      /** What this handler does with events, as in `crm`. Of handlers with one store and one name, only one handles an event. */
      readonly name: string;
    }
  /** By default, the handler remembers the last 10,000 events in memory. */
  | { readonly store?: undefined; readonly name?: string };

/** An answer to the service. */
export interface EventAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Empty for 204. */
  readonly body: string;
}

/** A handler, ready to get events. */
export interface Handling {
  readonly options: HandlerOptions;
  readonly store: EventStore;
  /** Different for each delivery, in all processes. */
  readonly newToken: () => string;
}

/** The status that answers each error. */
export const STATUSES: { readonly [Code in EventErrorCode]: number } = {
  invalid_json: 400,
  not_an_event: 400,
  secret_missing: 401,
  secret_wrong: 401,
  body_too_large: 413,
  body_compressed: 415,
  body_already_read: 500,
};

/** Accepted: handled now, or before, or there is nothing to do. */
const ACCEPTED: EventAnswer = { status: 204, headers: {}, body: "" };

/**
 * Answers a request. `read` gives its body, or null if the sender went away; it may throw an `EventError`. Never rejects.
 */
export async function handleDelivery(
  handling: Handling,
  method: string | undefined,
  read: () => Promise<Uint8Array | null>,
): Promise<EventAnswer> {
  if (method !== "POST") return answer(405, "Only POST is allowed.", { allow: "POST" });
  let body: Uint8Array | null;
  try {
    body = await read();
  } catch (error) {
    return reject(handling.options, error);
  }
  return body === null ? answer(400, "The body is not complete.") : handleBody(handling, body);
}

/** Answers a request with this body: bytes, text, or what a parser has made of them. Never rejects. */
export async function handleBody(handling: Handling, body: unknown): Promise<EventAnswer> {
  const { options } = handling;
  let event: OutreachEvent;
  try {
    event = readEvent(body as object, options);
  } catch (error) {
    return reject(options, error);
  }
  if (isVerification(event)) return ACCEPTED;
  try {
    return await handleOnce(handling, event);
  } catch (error) {
    await reportError(options, error);
    return answer(500, "The event was not handled.");
  }
}

async function reject(options: HandlerOptions, error: unknown): Promise<EventAnswer> {
  if (error instanceof EventError && error.code !== "body_already_read")
    await report(() => options.onRejected?.(error));
  else await reportError(options, error);
  return error instanceof EventError
    ? answer(STATUSES[error.code], error.message)
    : answer(500, "The event was not handled.");
}

async function handleOnce({ options, store, newToken }: Handling, event: OutreachEvent): Promise<EventAnswer> {
  const key = JSON.stringify([options.name ?? "", event.type, event._id]);
  const token = newToken();
  const claim = await store.claim(key, token);
  if (claim === "done") return ACCEPTED;
  if (claim === "busy") return answer(503, "Another delivery of this event is being handled.", { "retry-after": "5" });
  if (claim !== "claimed") throw new TypeError("The store's claim must give claimed, done or busy.");
  try {
    await options.onEvent(event);
  } catch (error) {
    try {
      await store.release(key, token);
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

function answer(status: number, text: string, headers: EventAnswer["headers"] = {}): EventAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body: `${text}\n` };
}
