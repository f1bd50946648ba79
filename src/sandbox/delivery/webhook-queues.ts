import type { SandboxClock } from "../sandbox-time.ts";
import type { Delivery } from "./delivery-log.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { createAgents, post } from "./post.ts";
import type { PostResult } from "./post.ts";
import type { Target } from "./target.ts";

/** The owner of the queues, which decides the outcome of each delivery. */
export type QueueOwner = {
  readonly clock: SandboxClock;
  readonly settings: () => DeliverySettings;
  /** What to send now; null: the owner has ended the delivery. */
  readonly prepare: (delivery: Delivery) => { readonly target: Target; readonly body: string } | null;
  /** Called after each attempt. `startedAt`: in milliseconds since 1970. */
  readonly answered: (delivery: Delivery, result: PostResult, startedAt: number) => void;
};

/** The unfinished deliveries of one webhook. */
type WebhookQueue = {
  /** Deliveries to attempt as soon as the webhook has an attempt free, in their order. */
  readonly waiting: Delivery[];
  /** Attempts under way. */
  readonly attempts: Map<Delivery, Attempt>;
  /** Deliveries whose next attempt is due later, each with the function that cancels it. */
  readonly retries: Map<Delivery, () => void>;
  hasDropped: boolean;
};

/** An attempt under way. */
type Attempt = {
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** Ends it with an error. */
  readonly end: (error: string) => void;
};

/** Attempts at the same time that all webhooks share. Each of them can have one anyway, so that those which hang delay no other. */
const SHARED_ATTEMPTS = 200;

/** One queue for each webhook with unfinished deliveries. Starts attempts, ends them after the time-out, and starts retries when they are due. */
export class WebhookQueues {
  readonly #owner: QueueOwner;
  readonly #agents = createAgents();
  readonly #queues = new Map<string, WebhookQueue>();
  /** The deadline that `#cancelWait` ends the wait for, in milliseconds since 1970. */
  #nextDeadline = Number.POSITIVE_INFINITY;
  #cancelWait = (): void => undefined;

  constructor(owner: QueueOwner) {
    this.#owner = owner;
  }

  /** Attempts the delivery behind those of its webhook that wait already. */
  push(delivery: Delivery): void {
    const queue = this.#queueOf(delivery.webhookId);
    queue.waiting.push(delivery);
    this.#start(delivery.webhookId, queue);
  }

  /** Attempts the delivery at its `nextAttemptAt`. */
  pushRetry(delivery: Delivery): void {
    const { retries } = this.#queueOf(delivery.webhookId);
    const retry = (): void => {
      retries.delete(delivery);
      delivery.state = "pending";
      delivery.nextAttemptAt = null;
      this.push(delivery);
    };
    retries.set(delivery, callAt(this.#owner.clock, delivery.nextAttemptAt ?? 0, retry));
  }

  /** Cancels the retry of a delivery. */
  removeRetry(delivery: Delivery): void {
    const retries = this.#queues.get(delivery.webhookId)?.retries;
    retries?.get(delivery)?.();
    retries?.delete(delivery);
  }

  /** Whether the webhook has as many unfinished deliveries as it may have. */
  isFull(webhookId: string): boolean {
    const queue = this.#queues.get(webhookId);
    return queue !== undefined && unfinishedOf(queue) >= this.#owner.settings().queueLimit;
  }

  /** Notes that a full queue has dropped a delivery. True for the first one since the queue was empty. */
  noteDrop(webhookId: string): boolean {
    const queue = this.#queueOf(webhookId);
    const isFirst = !queue.hasDropped;
    queue.hasDropped = true;
    return isFirst;
  }

  /** Removes the deliveries of a webhook that have no attempt under way. */
  takeAll(webhookId: string): readonly Delivery[] {
    const queue = this.#queues.get(webhookId);
    if (!queue) return [];
    const all = [...queue.waiting, ...queue.retries.keys()];
    queue.waiting.length = 0;
    for (const cancel of queue.retries.values()) cancel();
    queue.retries.clear();
    this.#start(webhookId, queue);
    return all;
  }

  /** Removes all deliveries, and ends the attempts under way. `ended` is called for each delivery, before the result of its attempt arrives. */
  endAll(ended: (delivery: Delivery) => void): void {
    for (const [webhookId, { attempts }] of this.#queues) {
      for (const delivery of this.takeAll(webhookId)) ended(delivery);
      for (const [delivery, { end }] of attempts) {
        ended(delivery);
        end("cancelled");
      }
    }
    this.#cancelWait();
    this.#nextDeadline = Number.POSITIVE_INFINITY;
  }

  /** Closes all connections. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #queueOf(webhookId: string): WebhookQueue {
    const queue = this.#queues.get(webhookId) ?? {
      waiting: [],
      attempts: new Map(),
      retries: new Map(),
      hasDropped: false,
    };
    this.#queues.set(webhookId, queue);
    return queue;
  }

  /** Starts as many attempts as the webhook has free, and forgets a queue without deliveries. */
  #start(webhookId: string, queue: WebhookQueue): void {
    const { waiting, attempts } = queue;
    const share = Math.min(this.#owner.settings().concurrency, Math.floor(SHARED_ATTEMPTS / this.#queues.size));
    while (attempts.size < Math.max(1, share)) {
      const delivery = waiting.shift();
      if (!delivery) break;
      this.#attempt(delivery, queue);
    }
    if (unfinishedOf(queue) === 0 && this.#queues.get(webhookId) === queue) this.#queues.delete(webhookId);
  }

  #attempt(delivery: Delivery, queue: WebhookQueue): void {
    const { clock, settings, prepare, answered } = this.#owner;
    const prepared = prepare(delivery);
    if (!prepared) return;
    const startedAt = clock.now();
    const end = post(prepared.target, prepared.body, this.#agents, (result) => {
      queue.attempts.delete(delivery);
      answered(delivery, result, startedAt);
      this.#start(delivery.webhookId, queue);
    });
    const deadline = startedAt + settings().timeoutMs;
    queue.attempts.set(delivery, { deadline, end });
    this.#waitUntil(deadline);
  }

  /** Ends, at `at`, the attempts whose deadline that is. One wait for all of them: to cancel a wait costs as much as a POST. */
  #waitUntil(at: number): void {
    if (at >= this.#nextDeadline) return;
    this.#cancelWait();
    this.#nextDeadline = at;
    this.#cancelWait = callAt(this.#owner.clock, at, () => {
      this.#nextDeadline = Number.POSITIVE_INFINITY;
      const now = this.#owner.clock.now();
      for (const { attempts } of this.#queues.values())
        for (const { deadline, end } of attempts.values()) if (deadline <= now) end("timed out");
      for (const { attempts } of this.#queues.values())
        for (const { deadline } of attempts.values()) this.#waitUntil(deadline);
    });
  }
}

function unfinishedOf({ waiting, attempts, retries }: WebhookQueue): number {
  return waiting.length + attempts.size + retries.size;
}

/** The longest single wait, so that a changed clock is noticed, in milliseconds. */
const MAX_WAIT_MS = 3_600_000;

/** Calls back at `at`, in milliseconds since 1970. The returned function cancels that. */
function callAt(clock: SandboxClock, at: number, onTime: () => void): () => void {
  const cancelled = new AbortController();
  const wait = (): void => {
    const ms = Math.min(MAX_WAIT_MS, Math.max(1, at - clock.now()));
    clock.sleep(ms, cancelled.signal).then(
      () => {
        if (cancelled.signal.aborted) return;
        if (clock.now() < at) wait();
        else onTime();
      },
      () => undefined,
    );
  };
  wait();
  return () => cancelled.abort();
}
