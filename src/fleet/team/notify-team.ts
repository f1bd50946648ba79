import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Notice } from "../../core/model/notice.ts";
import { countOf } from "../../core/model/words.ts";
import type { OperationOptions } from "../../operations/options.ts";
import { summaryText } from "../../output/content/summary-text.ts";
import { plain } from "../../output/content/paint.ts";
import type { FleetStore } from "../database/pg-fleet-store.ts";
import { sendNotices } from "./send-notices.ts";
import type { Done, Ended } from "./team-result.ts";
import type { TeamRun } from "./team-run.ts";

/** These say nothing about the team. */
const SAYS_NOTHING: ReadonlySet<Ended["outcome"]> = new Set(["busy", "interrupted", "outdated"]);

interface Notifying {
  readonly done: Done;
  readonly ended: Ended;
  readonly options: Pick<OperationOptions, "config">;
  readonly team: string;
  readonly fleet: Pick<FleetStore, "sentNotices" | "keepNotices">;
}

/** Sends notifications of a run's findings: each once until it is over, and again after `remind`. Returns warnings for those that could not be sent. */
export async function notifyTeam(
  run: TeamRun,
  { done, ended, options: { config }, team, fleet }: Notifying,
): Promise<readonly Diagnostic[]> {
  const { loaded } = done;
  const says = !SAYS_NOTHING.has(ended.outcome) && !run.context.stop.aborted;
  if (!says || !loaded?.configuration.notify?.length) return [];
  const notices = noticesOf(done, ended);
  const before = notices.length === 0 ? {} : await fleet.sentNotices(team);
  const { warnings, sent } = await sendNotices(run.context, loaded, { config, notices, before });
  await fleet.keepNotices(team, sent);
  return warnings;
}

function noticesOf({ diagnostics, planned, applied }: Done, { outcome, saved }: Ended): readonly Notice[] {
  const failed = outcome === "failed" || outcome === "undecided" ? [failureNotice(diagnostics, outcome)] : [];
  const drifted = (planned?.plan.drift ?? []).map(
    ({ address, after }) => `${address}: ${after === null ? "missing" : "changed"}`,
  );
  const drift: Notice = {
    event: "drift",
    summary: `Drift detected: ${String(drifted.length)} missing or changed.`,
    lines: drifted,
    facts: drifted,
  };
  const reasons = diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(({ summary, detail }) => `${summary}. ${detail}`);
  const approval = (plan: NonNullable<Ended["saved"]>): Notice => ({
    event: "approval",
    summary: `A plan waits for approval. ${planned ? summaryText(planned.plan, plain) : ""}`.trim(),
    lines: reasons,
    facts: [plan.digest],
  });
  const found = applied?.rechecked?.done ?? 0;
  return [
    ...failed,
    ...(drifted.length > 0 ? [drift] : []),
    ...(saved ? [approval(saved)] : []),
    ...(found > 0 ? [recheckNotice(found)] : []),
  ];
}

function failureNotice(diagnostics: readonly Diagnostic[], event: "failed" | "undecided"): Notice {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    event,
    summary:
      event === "undecided"
        ? "The outcome of a write is undecided."
        : `The run failed: ${errors[0]?.summary ?? "no reason is known"}.`,
    lines: errors.map(
      ({ address, summary, detail }) =>
        `${address === undefined ? "" : `${address}: `}${summary}. ${detail.replaceAll(/\s+/g, " ")}`,
    ),
    // The details may name times and durations.
    facts: errors.map(({ code, address = "" }) => `${code} ${address}`),
  };
}

function recheckNotice(done: number): Notice {
  const summary = `${countOf(done, "person", "people")} of a list appeared in a campaign, and ${done === 1 ? "is" : "are"} unsubscribed now.`;
  return { event: "rechecked", summary, lines: [], facts: [] };
}
