import type { Schema } from "../check-schema.ts";
import { parseHttpTime } from "../sandbox-time.ts";

/**
 * How the sandbox delivers events. The specification shows none of it ("retry policy, delivery timeout and expected receiver response:
 * not shown"): the defaults follow Standard Webhooks, and every member is the sandbox's own choice.
 */
export type DeliverySettings = {
  /**
   * The hosts that receive events. `loopback`: this machine only (`127.0.0.0/8`, `::1`, `localhost`, `*.localhost`). `none`: nothing is sent.
   */
  readonly hosts: "loopback" | "any" | "none";
  /**
   * The reading of `isFirst`, "deliver only the first activity". `lead`: the first activity of its type for the lead in its campaign, or,
   * without a lead, of its type in the campaign or the team. It counts from the start of the sandbox or its last reset, not from the webhook's creation.
   * `webhook`: the first activity that matches the webhook.
   */
  readonly firstPer: "lead" | "webhook";
  /** The answers that count as success. Redirects are never followed. */
  readonly success: "2xx" | "200" | "below-400";
  /** Whether an answer of 410 disables the webhook. */
  readonly disableOn410: boolean;
  /** Whether `Retry-After` in a failed answer replaces the next wait. */
  readonly heedRetryAfter: boolean;
  /** The longest wait that `Retry-After` can ask for, in milliseconds. */
  readonly maxRetryAfterMs: number;
  /** The longest time of an attempt, from the connection to the end of the answer, in milliseconds. `speed` does not change it. */
  readonly timeoutMs: number;
  /** The waits before the second attempt, the third, and so on, in milliseconds. The number of waits is the number of retries. */
  readonly retriesMs: readonly number[];
  /** Divides the waits between attempts: with 100, a retry after 5 s comes after 50 ms. */
  readonly speed: number;
  /** Attempts at the same time, for each webhook. With 1, first attempts keep the order of the events. */
  readonly concurrency: number;
  /** Unfinished deliveries of all webhooks. Above it, deliveries of the webhook with the longest queue are dropped. */
  readonly queueLimit: number;
};

/** The default settings of the delivery. */
export const DEFAULT_DELIVERY: DeliverySettings = {
  hosts: "loopback",
  firstPer: "lead",
  success: "2xx",
  disableOn410: true,
  heedRetryAfter: true,
  maxRetryAfterMs: 3_600_000,
  timeoutMs: 15_000,
  retriesMs: [5_000, 300_000, 1_800_000],
  speed: 1,
  concurrency: 10,
  queueLimit: 100_000,
};

const DAY_MS = 86_400_000;

/** The JSON Schema of a change to `DeliverySettings`. */
export const DELIVERY_SCHEMA: Schema = {
  type: "object",
  description: "the delivery of events",
  additionalProperties: false,
  properties: {
    hosts: {
      enum: ["loopback", "any", "none"],
      description: "the hosts that receive events: loopback addresses and localhost names, any host, or none",
    },
    firstPer: {
      enum: ["lead", "webhook"],
      description:
        "the first activity of a webhook with isFirst: the first of its type for a lead in a campaign since the sandbox started or was reset, or the first that matches the webhook",
    },
    success: { enum: ["2xx", "200", "below-400"], description: "the answers that count as success; redirects are never followed" },
    disableOn410: { type: "boolean", description: "whether an answer of 410 disables the webhook" },
    heedRetryAfter: { type: "boolean", description: "whether Retry-After in a failed answer replaces the next wait" },
    maxRetryAfterMs: { type: "integer", minimum: 0, maximum: DAY_MS, description: "the longest wait that Retry-After can ask for, in milliseconds" },
    timeoutMs: { type: "integer", minimum: 1, maximum: DAY_MS, description: "the longest time of an attempt, to the end of the answer, in milliseconds" },
    retriesMs: {
      type: "array",
      items: { type: "integer", minimum: 0, maximum: DAY_MS },
      description: "the waits before each retry, in milliseconds",
    },
    speed: { type: "number", minimum: 0.001, maximum: 1_000_000, description: "divides the waits between attempts; 100 makes them a hundred times shorter" },
    concurrency: { type: "integer", minimum: 1, maximum: 100, description: "attempts at the same time for each webhook; 1 keeps the order of first attempts" },
    queueLimit: {
      type: "integer",
      minimum: 1,
      maximum: 1_000_000,
      description: "unfinished deliveries of all webhooks; above it, the longest queue loses deliveries",
    },
  },
};

/** Whether the receiver accepted the event. Null: no answer, or no error. */
export function isSuccess({ success }: DeliverySettings, status: number | null, error: string | null): boolean {
  if (status === null || error !== null) return false;
  switch (success) {
    case "2xx":
      return status >= 200 && status < 300;
    case "200":
      return status === 200;
    case "below-400":
      return status >= 200 && status < 400;
  }
}

/**
 * The milliseconds from `now` (since 1970) until the next attempt, after `failures` failed ones; null: no attempt follows. `Retry-After`
 * (seconds or an HTTP date) replaces the wait of the schedule.
 */
export function retryWait(settings: DeliverySettings, failures: number, retryAfter: string | null, now: number): number | null {
  const scheduledMs = settings.retriesMs[failures - 1];
  if (scheduledMs === undefined) return null;
  const askedMs = settings.heedRetryAfter ? readRetryAfter(retryAfter, now) : null;
  const waitMs = askedMs === null ? scheduledMs : Math.min(askedMs, settings.maxRetryAfterMs);
  return waitMs / settings.speed;
}

/** The wait that the header asks for, in milliseconds; null: none, or not readable. */
function readRetryAfter(text: string | null, now: number): number | null {
  const trimmed = (text ?? "").trim();
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed) * 1000;
  const at = parseHttpTime(trimmed);
  return at === null ? null : Math.max(0, at - now);
}
