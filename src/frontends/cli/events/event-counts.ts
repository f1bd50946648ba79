import { countOf } from "../../../core/model/words.ts";
import { isAccepted } from "../../listen/replay-events.ts";
import type { ReceivedEvent } from "../../listen/received-event.ts";

/** What `outreach listen` has received. */
export interface EventCounts {
  readonly received: number;
  readonly wrongSecret: number;
  readonly invalid: number;
  readonly duplicates: number;
  readonly saved: number;
  /** Requests to receivers that were answered with 2xx, and all others. */
  readonly forwarded: number;
  readonly failed: number;
}

export const NO_EVENTS: EventCounts = { received: 0, wrongSecret: 0, invalid: 0, duplicates: 0, saved: 0, forwarded: 0, failed: 0 };

export function countEvent(counts: EventCounts, { verification, isDuplicate, forwards, savedAs }: ReceivedEvent): EventCounts {
  const delivered = forwards.filter(({ status }) => isAccepted(status)).length;
  return {
    received: counts.received + 1,
    wrongSecret: counts.wrongSecret + Number(verification === "wrong" || verification === "missing"),
    invalid: counts.invalid + Number(verification === "none"),
    duplicates: counts.duplicates + Number(isDuplicate),
    saved: counts.saved + Number(savedAs !== null),
    forwarded: counts.forwarded + delivered,
    failed: counts.failed + forwards.length - delivered,
  };
}

/** A summary, as in `Received 3 events: 1 with a wrong secret, 1 duplicate. Forwarded 2, 1 failed.` */
export function summaryText(counts: EventCounts): string {
  const { received, wrongSecret, invalid, duplicates, saved, forwarded, failed } = counts;
  const parts = [
    [wrongSecret, "with a wrong secret"],
    [invalid, "invalid"],
    [duplicates, duplicates === 1 ? "duplicate" : "duplicates"],
    [saved, "saved"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${String(count)} ${String(what)}`]));
  const head = `Received ${countOf(received, "event")}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`;
  return forwarded + failed === 0 ? head : `${head} Forwarded ${String(forwarded)}${failed === 0 ? "" : `, ${String(failed)} failed`}.`;
}
