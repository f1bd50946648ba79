import { parseHttpTime } from "../time.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import type { PostResult } from "./post.ts";

/** Whether the receiver accepted the event. */
export function isSuccess({ status, error }: PostResult, { success }: DeliverySettings): boolean {
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
export function retryWait(settings: DeliverySettings, failures: number, { retryAfter }: PostResult, now: number): number | null {
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
