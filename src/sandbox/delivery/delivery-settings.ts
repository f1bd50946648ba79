import { type ValueOf, count, flag, list, object, oneOf, setting, time } from "../schema.ts";
import { parseHttpTime } from "../sandbox-time.ts";

/**
 * How the sandbox delivers events. The specification shows none of it ("retry policy, delivery timeout and expected receiver response:
 * not shown"): the defaults follow Standard Webhooks, and every member is the sandbox's own choice.
 */
export const DELIVERY_SCHEMA = object("the delivery of events", {
  /** `loopback`: this machine only (`127.0.0.0/8`, `::1`, `localhost`, `*.localhost`). `none`: nothing is sent. */
  hosts: setting(
    "loopback",
    oneOf(
      "the hosts that receive events: loopback addresses and localhost names, any host, or none",
      "loopback",
      "any",
      "none",
    ),
  ),
  /**
   * `lead`: the first activity of its type for the lead in its campaign, or, without a lead, of its type in the campaign or the team. It counts from the
   * start of the sandbox or its last reset, not from the webhook's creation. `webhook`: the first activity that matches the webhook.
   */
  firstPer: setting(
    "lead",
    oneOf(
      "the first activity of a webhook with isFirst: the first of its type for a lead in a campaign since the sandbox started or was reset, or the first that matches the webhook",
      "lead",
      "webhook",
    ),
  ),
  success: setting(
    "2xx",
    oneOf("the answers that count as success; redirects are never followed", "2xx", "200", "below-400"),
  ),
  disableOn410: setting(true, flag("whether an answer of 410 disables the webhook")),
  heedRetryAfter: setting(true, flag("whether Retry-After in a failed answer replaces the next wait")),
  maxRetryAfterMs: setting(3_600_000, time("the longest wait that Retry-After can ask for, in milliseconds")),
  /** From the connection to the end of the answer. `speed` does not change it. */
  timeoutMs: setting(15_000, time("the longest time of an attempt, to the end of the answer, in milliseconds", 1)),
  /** The number of waits is the number of retries. */
  retriesMs: setting([5_000, 300_000, 1_800_000], list("the waits before each retry, in milliseconds", time("a wait"))),
  speed: setting<number>(1, {
    type: "number",
    minimum: 0.001,
    maximum: 1_000_000,
    description: "divides the waits between attempts; 100 makes them a hundred times shorter",
  }),
  concurrency: setting(10, {
    ...count("attempts at the same time for each webhook; 1 keeps the order of first attempts", 1),
    maximum: 100,
  }),
  queueLimit: setting(100_000, {
    ...count("unfinished deliveries of one webhook; above it, its further events are dropped", 1),
    maximum: 1_000_000,
  }),
});

export type DeliverySettings = ValueOf<typeof DELIVERY_SCHEMA>;

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
export function retryWait(
  settings: DeliverySettings,
  failures: number,
  retryAfter: string | null,
  now: number,
): number | null {
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
