import type { AppliedRun, Rechecked } from "../../core/apply/run/apply-run.ts";
import { type Diagnostic, noteOf } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { countOf, durationWords } from "../../core/model/words.ts";
import { costOf } from "../../core/plan/plan-cost.ts";
import type { Waiting } from "../../core/plan/plan.ts";
import { rateLimit } from "../../service/api/pace.ts";

const WAITING = "watched unsubscription";
const NOT_YET = "Watched leads were not found yet";

/** What a plan, and the list of a state, say about what waits. `rateShare` is the usable share of the service's limit. */
export function waitingNote(
  waiting: Waiting | undefined,
  { nowMs, rateShare = 1 }: { readonly nowMs: number; readonly rateShare?: number | undefined },
): readonly Diagnostic[] {
  if (!waiting) return [];
  const { count, due, now, nextAtMs } = waiting;
  const isLeft = due > now.length ? [`${String(due)} ${due === 1 ? "is" : "are"} due.`] : [];
  const looks =
    now.length > 0
      ? [`The next apply or outreach recheck looks for ${now.length === count ? "all of them" : String(now.length)}.`]
      : [];
  const isLater = nextAtMs !== null && nextAtMs > nowMs;
  const next = isLater
    ? [`${now.length > 0 ? "The next after that is" : "The next one is"} due at ${timeText(nextAtMs)}.`]
    : [];
  const { leastMs } = costOf(count, rateLimit(rateShare));
  const time = leastMs === 0 ? "" : `: at least ${durationWords(leastMs / 1000)} of the service's limit`;
  const round = `A full round is ${countOf(count, "request")}${time}.`;
  const waits = `${countOf(count, WAITING)} ${count === 1 ? "waits" : "wait"} until the campaign has the lead.`;
  return [
    noteOf("unsubscriptions_waiting", NOT_YET, { detail: [waits, ...isLeft, ...looks, ...next, round].join(" ") }),
  ];
}

/** What an apply says about what was not found, and about what it looked for again. */
export function appliedNotes({ notFound, rechecked }: AppliedRun): readonly Diagnostic[] {
  const { waiting, accepted } = notFound;
  const areDone = `${countOf(accepted, "unsubscription")} of leads that do not exist ${accepted === 1 ? "is" : "are"} recorded as done, as on_not_found: accept says.`;
  const wait = `${countOf(waiting, WAITING)} of this run ${waiting === 1 ? "waits" : "wait"} until the campaign has the lead. A later apply or outreach recheck looks again.`;
  return [
    ...(accepted > 0
      ? [noteOf("unsubscriptions_accepted", "No such leads in the campaigns", { detail: areDone })]
      : []),
    ...(waiting > 0 ? [noteOf("unsubscriptions_waiting", NOT_YET, { detail: wait })] : []),
    ...recheckedNote(rechecked),
  ];
}

/** What a run says about what waited. */
export function recheckedNote(rechecked: Rechecked | null): readonly Diagnostic[] {
  if (!rechecked) return [];
  const { sent, done } = rechecked;
  const left = sent - done;
  const detail = `Of ${countOf(sent, WAITING)}, ${String(done)} ${done === 1 ? "is" : "are"} done now; ${String(left)} still ${left === 1 ? "waits" : "wait"}.`;
  return [noteOf("unsubscriptions_rechecked", "Looked for watched leads", { detail })];
}

/** To the minute, in UTC. */
function timeText(epochMs: number): string {
  return `${isoTime(epochMs).slice(0, 16).replace("T", " ")} UTC`;
}
