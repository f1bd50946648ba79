import type { EventTypeName } from "../../service/events/event-catalog.ts";
import type { Activity } from "../events/activity.ts";

/**
 * Where a delivery stands:
 * - `pending`: queued, or an attempt is under way
 * - `retrying`: an attempt failed, the next is not due yet
 * - `delivered`: an attempt succeeded
 * - `failed`: no attempt succeeded, and none follows
 * - `dropped`: the queue was full, or the webhook was disabled
 * - `cancelled`: the webhook was deleted, the event was delivered again by hand, or the sandbox was reset, seeded or closed
 * - `skipped`: never sent, because the settings do not allow the webhook's host
 */
export type DeliveryState = "pending" | "retrying" | "delivered" | "failed" | "dropped" | "cancelled" | "skipped";

/** One attempt to deliver an event. */
export type Attempt = {
  /** When it started, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  /** The status of the answer; null: no answer. */
  readonly status: number | null;
  /** Why there is no whole answer, as text; null: there is one. */
  readonly error: string | null;
};

/** One event on its way to one webhook, in the order of queueing. */
export type LoggedDelivery = {
  /** Counts up from 1. */
  readonly id: number;
  /** When it was queued, in milliseconds since 1970. */
  readonly at: number;
  /** The event's `_id`: the same in all deliveries of an event. */
  readonly eventId: string;
  readonly type: EventTypeName;
  readonly webhookId: string;
  /** The webhook's URL without its user info. */
  readonly targetUrl: string;
  readonly state: DeliveryState;
  /** The status of the last answer; null: none (yet). */
  readonly status: number | null;
  readonly attempts: readonly Attempt[];
  /** When the next attempt is due, in milliseconds since 1970; null: none is. */
  readonly nextAttemptAt: number | null;
  /** Why it failed, or was dropped, cancelled or skipped, as text; null otherwise. */
  readonly reason: string | null;
  /** The id of the delivery that it repeats; null: none. */
  readonly redeliveryOf: number | null;
};

/** A delivery in progress. Refers to its activity: bodies are built when they are sent. */
export type Delivery = { -readonly [Name in keyof LoggedDelivery]: LoggedDelivery[Name] } & {
  readonly activity: Activity;
};

/** Keeps all unfinished deliveries and the last `limit` finished ones. */
export class DeliveryLog {
  readonly #limit: number;
  readonly #deliveries = new Map<number, Delivery>();
  #finished = 0;
  #lastId = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** All kept deliveries after the id `after`, oldest first. */
  list(after = 0): readonly LoggedDelivery[] {
    const logged: LoggedDelivery[] = [];
    for (const delivery of this.#deliveries.values()) if (delivery.id > after) logged.push(asLogged(delivery));
    return logged;
  }

  get(id: number): Delivery | undefined {
    return this.#deliveries.get(id);
  }

  open({
    at,
    activity,
    webhookId,
    targetUrl,
    redeliveryOf,
  }: Pick<Delivery, "at" | "activity" | "webhookId" | "targetUrl" | "redeliveryOf">): Delivery {
    const { _id } = activity.payload;
    const delivery: Delivery = {
      id: ++this.#lastId,
      at,
      eventId: typeof _id === "string" ? _id : "",
      type: activity.type,
      webhookId,
      targetUrl,
      state: "pending",
      status: null,
      attempts: [],
      nextAttemptAt: null,
      reason: null,
      redeliveryOf,
      activity,
    };
    this.#deliveries.set(delivery.id, delivery);
    return delivery;
  }

  /** Ends a delivery, and removes the oldest finished ones above the limit. */
  close(delivery: Delivery, state: DeliveryState, reason: string | null): void {
    delivery.state = state;
    delivery.reason = reason;
    delivery.nextAttemptAt = null;
    this.#finished++;
    if (this.#finished > this.#limit * 1.25) this.#trim(this.#limit);
  }

  /** Removes all finished deliveries. */
  clear(): void {
    this.#trim(0);
  }

  #trim(keep: number): void {
    for (const [id, { state }] of this.#deliveries) {
      if (this.#finished <= keep) return;
      if (!isFinished(state)) continue;
      this.#deliveries.delete(id);
      this.#finished--;
    }
  }
}

/** Whether no attempt follows. */
export function isFinished(state: DeliveryState): boolean {
  return state !== "pending" && state !== "retrying";
}

/** The delivery as the log shows it, unaffected by later attempts. */
export function asLogged({ activity: _, ...logged }: Delivery): LoggedDelivery {
  return logged;
}
