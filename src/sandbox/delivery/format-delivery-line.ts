import { isoTime } from "../sandbox-time.ts";
import { lineOf, queryText } from "../format-log-line.ts";
import type { LoggedDelivery } from "./delivery-log.ts";
import { parseUrl } from "./target.ts";

/**
 * The last attempt of a delivery as a single line of text: time, event type, target, status, duration, event id, webhook, and the outcome.
 * Masks query parameters with the name of a secret, and email addresses. Control and direction characters are replaced.
 */
export function formatDeliveryLine(delivery: LoggedDelivery): string {
  const last = delivery.attempts.at(-1);
  return lineOf([
    isoTime(last === undefined ? delivery.at : last.at).slice(11, 23),
    "EVENT ",
    delivery.type,
    targetText(delivery.targetUrl),
    last === undefined ? "" : last.status === null ? "---" : String(last.status),
    last === undefined ? "" : `${String(Math.round(last.durationMs))} ms`,
    delivery.eventId,
    delivery.webhookId,
    last?.error ?? "",
    outcomeText(delivery),
  ]);
}

function targetText(targetUrl: string): string {
  const url = parseUrl(targetUrl);
  if (url === null) return "";
  return (url.origin + url.pathname + queryText(url.searchParams)).replace(
    /([^\s/?&=])[^\s/?&=]*(?:@|%40)([^\s/?&=]+)/gi,
    "$1***@$2",
  );
}

function outcomeText({ state, reason, attempts, nextAttemptAt }: LoggedDelivery): string {
  const last = attempts.at(-1);
  switch (state) {
    case "delivered":
    case "pending":
      return "";
    case "retrying": {
      const waitMs = (nextAttemptAt ?? 0) - ((last?.at ?? 0) + (last?.durationMs ?? 0));
      return `[retry ${String(attempts.length)} in ${waitText(waitMs)}]`;
    }
    case "failed":
      return `[failed: ${attempts.length === 1 ? "1 attempt" : `${String(attempts.length)} attempts`}${last?.status === 410 ? "; the webhook is now disabled" : ""}]`;
    case "dropped":
    case "cancelled":
    case "skipped":
      return `[${state}: ${reason ?? ""}]`;
  }
}

function waitText(ms: number): string {
  if (ms < 1000) return `${String(Math.max(0, Math.round(ms)))} ms`;
  if (ms < 120_000) return `${String(Math.round(ms / 100) / 10)} s`;
  return `${String(Math.round(ms / 60_000))} min`;
}
