import type { WebhookRecord } from "../sandbox-records.ts";
import { isoTime } from "../sandbox-time.ts";
import type { SandboxClock } from "../sandbox-time.ts";
import { changeRecord } from "../world.ts";
import type { World } from "../world.ts";
import type { Activity } from "../events/activity.ts";
import { asLogged, DeliveryLog, isFinished } from "./delivery-log.ts";
import type { Delivery, DeliveryState, LoggedDelivery } from "./delivery-log.ts";
import { isSuccess, retryWait } from "./delivery-settings.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import type { PostResult } from "./post.ts";
import { readTarget, refuseTarget } from "./target.ts";
import type { Target } from "./target.ts";
import { WebhookQueues } from "./webhook-queues.ts";

/** The surroundings of the deliveries. */
export type DeliverySource = {
  readonly clock: SandboxClock;
  readonly world: () => World;
  readonly settings: () => DeliverySettings;
  /** The number of finished deliveries that the log keeps. */
  readonly logLimit: number;
  /**
   * Called after each attempt. Also called once for each webhook whose host is not allowed, and for the first delivery that a full queue
   * drops.
   */
  readonly onDelivery?: (delivery: LoggedDelivery) => void;
};

/** The deliveries of one activity. */
export type Emitted = {
  /** The ids of its deliveries: one for each webhook that it matches. */
  readonly deliveries: readonly number[];
  /** The ids of webhooks that it matches and that the settings do not allow. */
  readonly skipped: readonly string[];
};

/**
 * Delivers activities to the webhooks that they match (section "Events"). Each webhook has one bounded queue of its own, so that a slow receiver delays
 * no other one. Settings apply from the next attempt.
 */
export class Deliveries {
  readonly #source: DeliverySource;
  readonly #log: DeliveryLog;
  /** The first activities so far, for webhooks with `isFirst`. */
  readonly #firsts = new Set<string>();
  readonly #queues: WebhookQueues;
  /** Read once for each record, so that its deliveries share one text of the URL. */
  readonly #targets = new WeakMap<WebhookRecord, Target | null>();
  /** The reported reason of each skipped webhook. */
  readonly #skipped = new Map<string, string>();
  #unfinished = 0;
  #isClosed = false;
  #onIdle: (() => void)[] = [];

  constructor(source: DeliverySource) {
    this.#source = source;
    this.#log = new DeliveryLog(source.logLimit);
    this.#queues = new WebhookQueues({
      clock: source.clock,
      settings: source.settings,
      prepare: (delivery) => this.#prepare(delivery),
      answered: (delivery, result, startedAt) => this.#answered(delivery, result, startedAt),
    });
  }

  /** Queues the activity for each webhook of its team that matches now: by type, campaign and `isFirst`. */
  emit(activity: Activity): Emitted {
    const deliveries: number[] = [];
    const skipped: string[] = [];
    if (this.#isClosed) return { deliveries, skipped };
    const { hosts, firstPer } = this.#source.settings();
    const isFirst = this.#noteFirst(
      `${activity.type} ${activity.teamId} ${activity.campaignId ?? ""} ${activity.leadId ?? ""}`,
    );
    for (const webhook of this.#source.world().webhooks.values()) {
      if (!isMatch(webhook, activity)) continue;
      if (webhook.isFirst && !(firstPer === "lead" ? isFirst : this.#noteFirst(webhook._id))) continue;
      const refusal = refuseTarget(this.#targetOf(webhook), hosts);
      if (refusal === null) deliveries.push(this.#queue(webhook, activity, null).id);
      else {
        skipped.push(webhook._id);
        this.#skip(webhook, activity, refusal);
      }
    }
    return { deliveries, skipped };
  }

  /** The log: all unfinished deliveries and the last finished ones, after the id `after`, oldest first. */
  list(after?: number): readonly LoggedDelivery[] {
    return this.#log.list(after);
  }

  /** How many deliveries are queued, under way or waiting for a retry. */
  get unfinished(): number {
    return this.#unfinished;
  }

  has(id: number): boolean {
    return this.#log.get(id) !== undefined;
  }

  /** Removes the finished deliveries from the log. */
  clearLog(): void {
    this.#log.clear();
  }

  /**
   * Delivers the event of a logged delivery again, with the same `_id`, to the same webhook; enables the webhook if an answer of 410 has
   * disabled it. A retry that is due later is cancelled. The errors say why it is not possible.
   */
  redeliver(id: number): { readonly delivery: LoggedDelivery | null; readonly errors: readonly string[] } {
    const refuse = (error: string): { delivery: null; errors: readonly string[] } => ({
      delivery: null,
      errors: [`delivery ${String(id)}: ${error}`],
    });
    const before = this.#log.get(id);
    if (!before) return refuse("is not in the log");
    if (before.state === "pending") return refuse("is still pending");
    const world = this.#source.world();
    const webhook = world.webhooks.get(before.webhookId);
    if (!webhook) return refuse(`its webhook ${before.webhookId} no longer exists`);
    const refusal = refuseTarget(this.#targetOf(webhook), this.#source.settings().hosts);
    if (refusal !== null) return refuse(refusal);
    if (webhook.disabledAt !== null) changeRecord(world, "webhooks", webhook._id, { disabledAt: null });
    if (before.state === "retrying") {
      this.#queues.removeRetry(before);
      this.#finish(before, "cancelled", "The event was delivered again by hand.");
    }
    return { delivery: asLogged(this.#queue(webhook, before.activity, id)), errors: [] };
  }

  /** Ends the queued deliveries and retries of a webhook. Attempts under way go on, without a retry. */
  cancel(webhookId: string): void {
    this.#endAll(webhookId, "cancelled", WEBHOOK_DELETED);
  }

  /** Ends everything, and forgets which activities were the first ones. */
  reset(): void {
    this.#queues.endAll((delivery) => this.#finish(delivery, "cancelled", SANDBOX_RESET));
    this.#firsts.clear();
    this.#skipped.clear();
  }

  /** Resolves when no delivery is queued, under way or waiting for a retry. */
  whenIdle(): Promise<void> {
    return this.#unfinished === 0 ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Ends everything at once, and closes all connections. */
  close(): void {
    this.#isClosed = true;
    this.reset();
    this.#queues.close();
  }

  /** Whether there was none with this key. Above the limit, the oldest is forgotten, and the next of its key counts as a first one. */
  #noteFirst(key: string): boolean {
    if (this.#firsts.has(key)) return false;
    this.#firsts.add(key);
    const [oldest] = this.#firsts;
    if (this.#firsts.size > MAX_FIRSTS && oldest !== undefined) this.#firsts.delete(oldest);
    return true;
  }

  #queue(webhook: WebhookRecord, activity: Activity, redeliveryOf: number | null): Delivery {
    const delivery = this.#log.open({
      at: this.#source.clock.now(),
      activity,
      webhookId: webhook._id,
      targetUrl: this.#targetOf(webhook)?.shown ?? "",
      redeliveryOf,
    });
    this.#unfinished++;
    if (!this.#queues.isFull(webhook._id)) this.#queues.push(delivery);
    else {
      this.#finish(delivery, "dropped", QUEUE_FULL);
      if (this.#queues.noteDrop(webhook._id)) this.#report(delivery);
    }
    return delivery;
  }

  #skip(webhook: WebhookRecord, activity: Activity, reason: string): void {
    const targetUrl = this.#targetOf(webhook)?.shown ?? "";
    const key = `${targetUrl} ${reason}`;
    if (this.#skipped.get(webhook._id) === key) return;
    if (this.#skipped.size >= MAX_SKIPPED) this.#skipped.clear();
    this.#skipped.set(webhook._id, key);
    const delivery = this.#log.open({
      at: this.#source.clock.now(),
      activity,
      webhookId: webhook._id,
      targetUrl,
      redeliveryOf: null,
    });
    this.#log.close(delivery, "skipped", reason);
    this.#report(delivery);
  }

  /** The request of the next attempt; null: there is none, because webhook or settings have changed. */
  #prepare(delivery: Delivery): { readonly target: Target; readonly body: string } | null {
    const end = (state: DeliveryState, reason: string | null): null => {
      this.#finish(delivery, state, reason);
      return null;
    };
    const webhook = this.#source.world().webhooks.get(delivery.webhookId);
    if (!webhook) return end("cancelled", WEBHOOK_DELETED);
    if (webhook.disabledAt !== null) return end("dropped", WEBHOOK_DISABLED);
    const target = this.#targetOf(webhook);
    const refusal = refuseTarget(target, this.#source.settings().hosts);
    if (target === null || refusal !== null) return end("skipped", refusal);
    const { payload } = delivery.activity;
    return { target, body: JSON.stringify(webhook.secret === null ? payload : { ...payload, secret: webhook.secret }) };
  }

  #answered(delivery: Delivery, result: PostResult, at: number): void {
    const settings = this.#source.settings();
    const now = this.#source.clock.now();
    const { status, error } = result;
    delivery.attempts = [...delivery.attempts, { at, durationMs: now - at, status, error }];
    delivery.status = status ?? delivery.status;
    if (isFinished(delivery.state)) return;
    const webhook = this.#source.world().webhooks.get(delivery.webhookId);
    const waitMs = retryWait(settings, delivery.attempts.length, result.retryAfter, now);
    if (isSuccess(settings, status, error)) this.#finish(delivery, "delivered", null);
    else if (!webhook) this.#finish(delivery, "cancelled", WEBHOOK_DELETED);
    else if (status === 410 && settings.disableOn410) this.#disable(delivery, now);
    else if (webhook.disabledAt !== null) this.#finish(delivery, "dropped", WEBHOOK_DISABLED);
    else if (waitMs === null) this.#finish(delivery, "failed", error ?? `answered ${String(status)}`);
    else {
      delivery.state = "retrying";
      delivery.nextAttemptAt = Math.round(now + waitMs);
      this.#queues.pushRetry(delivery);
    }
    this.#report(delivery);
  }

  #disable(delivery: Delivery, now: number): void {
    changeRecord(this.#source.world(), "webhooks", delivery.webhookId, { disabledAt: isoTime(now) });
    this.#finish(delivery, "failed", "answered 410, which disables the webhook");
    this.#endAll(delivery.webhookId, "dropped", WEBHOOK_DISABLED);
  }

  #endAll(webhookId: string, state: DeliveryState, reason: string): void {
    for (const delivery of this.#queues.takeAll(webhookId)) this.#finish(delivery, state, reason);
  }

  #finish(delivery: Delivery, state: DeliveryState, reason: string | null): void {
    this.#log.close(delivery, state, reason);
    this.#unfinished--;
    if (this.#unfinished > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }

  #targetOf(webhook: WebhookRecord): Target | null {
    const known = this.#targets.get(webhook);
    if (known !== undefined) return known;
    const target = readTarget(webhook);
    this.#targets.set(webhook, target);
    return target;
  }

  #report(delivery: Delivery): void {
    this.#source.onDelivery?.(asLogged(delivery));
  }
}

const MAX_FIRSTS = 100_000;
const MAX_SKIPPED = 10_000;
const QUEUE_FULL = "The queue was full (settings.delivery.queueLimit).";
const WEBHOOK_DELETED = "The webhook was deleted.";
const WEBHOOK_DISABLED = "The webhook is disabled, because its receiver answered 410.";
const SANDBOX_RESET = "The sandbox was reset, seeded or closed.";

/** Whether the webhook subscribes to the activity: same team, same type or all, same campaign or all. A disabled webhook matches nothing. */
function isMatch(webhook: WebhookRecord, activity: Activity): boolean {
  return (
    webhook.teamId === activity.teamId &&
    (webhook.type === null || webhook.type === activity.type) &&
    (webhook.campaignId === null || webhook.campaignId === activity.campaignId) &&
    webhook.disabledAt === null
  );
}
