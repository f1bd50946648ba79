import { EVENT_TYPES } from "../../service/events/catalog.ts";
import type { EventTypeName } from "../../service/events/catalog.ts";
import type { Activity } from "./activity.ts";

/** One bit for each event type. */
const BITS: ReadonlyMap<EventTypeName, bigint> = new Map(EVENT_TYPES.map(({ name }, index) => [name, 1n << BigInt(index)]));

/** Remembers this many leads, campaigns and webhooks. Above it, the oldest are forgotten, and their next activity counts as a first one. */
const MAX_REMEMBERED = 100_000;

/** Remembers which activities were the first ones, for webhooks with `isFirst`. */
export class FirstActivities {
  readonly #seen = new Map<string, bigint>();
  readonly #received = new Map<string, true>();

  /** Notes an activity. Returns whether it is the first of its type for its lead in its campaign, or without a lead for its campaign or team. */
  note({ type, teamId, campaignId, leadId }: Activity): boolean {
    const key = `${teamId}/${campaignId ?? ""}/${leadId ?? ""}`;
    const seen = this.#seen.get(key) ?? 0n;
    const bit = BITS.get(type) ?? 0n;
    if ((seen & bit) !== 0n) return false;
    remember(this.#seen, key, seen | bit);
    return true;
  }

  /** Notes that an activity matches a webhook. Returns whether it is the first one. */
  noteReceived(webhookId: string): boolean {
    if (this.#received.has(webhookId)) return false;
    remember(this.#received, webhookId, true);
    return true;
  }

  clear(): void {
    this.#seen.clear();
    this.#received.clear();
  }
}

function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.set(key, value);
  if (memory.size <= MAX_REMEMBERED) return;
  const oldest = memory.keys().next().value;
  if (oldest !== undefined) memory.delete(oldest);
}
