import type { SandboxClock } from "../time.ts";
import { Alarm } from "./alarm.ts";
import type { Delivery } from "./delivery-log.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { createAgents, post } from "./post.ts";
import type { PostResult } from "./post.ts";
import type { Target } from "./target.ts";
import { WebhookQueue } from "./webhook-queue.ts";

/** The owner of the queues, which decides the outcome of each delivery. */
export type QueueOwner = {
  readonly clock: SandboxClock;
  readonly settings: () => DeliverySettings;
  /** What to send now; null: the owner has ended the delivery. */
  readonly prepare: (delivery: Delivery) => { readonly target: Target; readonly body: string } | null;
  /** Called after each attempt. `startedAt`: in milliseconds since 1970. */
  readonly answered: (delivery: Delivery, result: PostResult, startedAt: number) => void;
};

/** Attempts under way at the same time, of all webhooks. */
const MAX_IN_FLIGHT = 200;
/** The same, including one attempt for each webhook that has no other. So webhooks that hang do not use up the attempts of all others. */
const MAX_IN_FLIGHT_WITH_FIRST = 1000;

/** An attempt under way. */
type Exchange = { readonly delivery: Delivery; readonly deadline: number; readonly abort: (error: string) => void };

/** The queues of all webhooks. Starts attempts in turn, ends them after the time-out, and starts retries when they are due. */
export class WebhookQueues {
  readonly #owner: QueueOwner;
  readonly #agents = createAgents();
  readonly #alarm: Alarm;
  readonly #queues = new Map<string, WebhookQueue>();
  /** Queues that can start an attempt as soon as there is room, in the order of their turns. */
  readonly #ready = new Set<WebhookQueue>();
  readonly #inFlight = new Set<Exchange>();

  constructor(owner: QueueOwner) {
    this.#owner = owner;
    this.#alarm = new Alarm(owner.clock, () => this.#onTime());
  }

  /** Attempts the delivery behind those of its webhook that wait already. */
  push(delivery: Delivery): void {
    const queue = this.#queueOf(delivery.webhookId);
    queue.push(delivery);
    this.#start(queue);
  }

  /** Attempts the delivery at its `nextAttemptAt`. */
  pushRetry(delivery: Delivery): void {
    this.#queueOf(delivery.webhookId).pushRetry(delivery);
    this.#alarm.set(delivery.nextAttemptAt ?? 0);
  }

  removeRetry(delivery: Delivery): void {
    this.#queues.get(delivery.webhookId)?.removeRetry(delivery);
  }

  /** Removes a delivery of the longest queue, if that is longer than the webhook's. */
  popLongerThan(webhookId: string): Delivery | undefined {
    const own = this.#queues.get(webhookId)?.length ?? 0;
    let longest: WebhookQueue | null = null;
    for (const queue of this.#queues.values()) if (queue.length > (longest?.length ?? own)) longest = queue;
    return longest?.pop();
  }

  /** Removes the deliveries of a webhook that have no attempt under way. */
  takeAll(webhookId: string): readonly Delivery[] {
    const queue = this.#queues.get(webhookId);
    const all = queue?.takeAll() ?? [];
    if (queue) this.#forgetIfEmpty(queue);
    return all;
  }

  /** Removes all deliveries, and ends the attempts under way. `ended` is called for each delivery, before the result of its attempt arrives. */
  endAll(ended: (delivery: Delivery) => void): void {
    for (const webhookId of this.#queues.keys()) for (const delivery of this.takeAll(webhookId)) ended(delivery);
    for (const { delivery, abort } of this.#inFlight) {
      ended(delivery);
      abort("cancelled");
    }
    this.#alarm.cancel();
  }

  /** Closes all connections. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #queueOf(webhookId: string): WebhookQueue {
    const existing = this.#queues.get(webhookId);
    if (existing) return existing;
    const queue = new WebhookQueue(webhookId);
    this.#queues.set(webhookId, queue);
    return queue;
  }

  #forgetIfEmpty(queue: WebhookQueue): void {
    if (queue.length === 0 && queue.inFlight === 0 && this.#queues.get(queue.webhookId) === queue) this.#queues.delete(queue.webhookId);
  }

  /** Starts as many attempts as there is room for; `queue` has its turn after those that wait already. */
  #start(queue: WebhookQueue): void {
    if (queue.waiting > 0) this.#ready.add(queue);
    const { concurrency } = this.#owner.settings();
    for (const ready of this.#ready) {
      const hasRoom = this.#inFlight.size < (ready.inFlight === 0 ? MAX_IN_FLIGHT_WITH_FIRST : MAX_IN_FLIGHT);
      if (ready.waiting > 0 && ready.inFlight < concurrency && !hasRoom) continue;
      this.#ready.delete(ready);
      if (ready.waiting > 0 && ready.inFlight < concurrency) {
        // The loop comes back to it after the others.
        this.#ready.add(ready);
        this.#attempt(ready);
      } else this.#forgetIfEmpty(ready);
    }
    this.#forgetIfEmpty(queue);
  }

  #attempt(queue: WebhookQueue): void {
    const delivery = queue.shift();
    const prepared = delivery && this.#owner.prepare(delivery);
    if (!prepared) return;
    const startedAt = this.#owner.clock.now();
    queue.inFlight++;
    const abort = post(prepared.target, prepared.body, this.#agents, (result) => {
      this.#inFlight.delete(exchange);
      queue.inFlight--;
      this.#owner.answered(delivery, result, startedAt);
      this.#start(queue);
    });
    const exchange: Exchange = { delivery, deadline: startedAt + this.#owner.settings().timeoutMs, abort };
    this.#inFlight.add(exchange);
    this.#alarm.set(exchange.deadline);
  }

  /** Ends attempts that take too long, starts retries that are due, and waits for the next of both. */
  #onTime(): void {
    const now = this.#owner.clock.now();
    for (const { deadline, abort } of this.#inFlight) if (deadline <= now) abort("timed out");
    let next = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) {
      queue.moveDue(now);
      this.#start(queue);
      next = Math.min(next, queue.nextRetryAt);
    }
    for (const { deadline } of this.#inFlight) next = Math.min(next, deadline);
    if (next < Number.POSITIVE_INFINITY) this.#alarm.set(next);
  }
}
