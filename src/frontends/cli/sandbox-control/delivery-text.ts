import type { LoggedDelivery } from "../../../sandbox/delivery/delivery-log.ts";

/** The result of a delivery so far, as in `200 in 12 ms`. */
export function deliveryText({ state, attempts, nextAttemptAt, reason }: LoggedDelivery): string {
  const last = attempts.at(-1);
  const answer =
    last === undefined ? null : `${last.status === null ? (last.error ?? "no answer") : String(last.status)} in ${String(Math.round(last.durationMs))} ms`;
  switch (state) {
    case "pending":
      return "pending";
    case "delivered":
      return answer ?? state;
    case "retrying":
      return `${answer ?? "no answer"}${last && nextAttemptAt !== null ? `, retry in ${seconds(nextAttemptAt - last.at - last.durationMs)}` : ""}`;
    case "failed":
      return `failed: ${answer ?? reason ?? "no answer"}`;
    case "dropped":
    case "cancelled":
    case "skipped":
      return `not sent: ${reason ?? state}`;
  }
}

/** How many deliveries are in each state. */
export function countStates(deliveries: readonly Pick<LoggedDelivery, "state">[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of deliveries) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** `998 delivered, 2 retrying` */
export function statesText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${grouped(count)} ${state}`)
    .join(", ");
}

/** `1,000` */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function seconds(ms: number): string {
  return ms < 1000 ? `${String(Math.max(0, Math.round(ms)))} ms` : `${String(Math.round(ms / 1000))} s`;
}
