import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { PlanCounts } from "../../core/plan/plan.ts";
import type { Applied } from "../../operations/apply.ts";
import type { LoadedConfiguration } from "../../operations/configuration/load-configuration.ts";
import { arrangedDiagnostics } from "../../operations/messages/arrange-diagnostics.ts";
import type { Planned } from "../../operations/plan.ts";
import { modeOf } from "../../output/content/output-format.ts";
import { text } from "../../output/text/text-format.ts";
import { plain } from "../../output/content/paint.ts";
import type { TeamResult } from "../team-work.ts";
import type { TeamRun } from "./team-run.ts";

/** What a run has found and done so far, for its result. */
export interface Done {
  /** Null before the configuration is loaded. */
  loaded: LoadedConfiguration | null;
  diagnostics: readonly Diagnostic[];
  planned: Planned | null;
  applied: Applied | null;
}

export const NOTHING_DONE: PlanCounts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

/** How a run ended. What was carried out counts, unless it has `counts` of its own. */
export type Ended = Pick<TeamResult, "outcome"> &
  Partial<Pick<TeamResult, "counts" | "drifted" | "holds">> & {
    readonly saved?: Pick<NonNullable<TeamResult["plan"]>, "bytes" | "digest" | "shape" | "createsOnly" | "removals">;
  };

/** The result of a run, masked: others store it and show it to anybody. */
export function teamResult(
  run: TeamRun,
  { diagnostics, planned, applied }: Done,
  { outcome, saved, counts, drifted, holds }: Ended,
): TeamResult {
  return {
    outcome,
    holds,
    counts: counts ?? applied?.counts ?? NOTHING_DONE,
    drifted: drifted ?? planned?.plan.drift.length ?? 0,
    messages: messagesOf(run, arrangedDiagnostics(run.context, diagnostics, { hidesEmails: true })),
    plan:
      saved && planned ? { ...saved, cost: planned.plan.cost ?? null, text: run.masked(planText(run, planned)) } : null,
    requests: run.requests(),
  };
}

/** Messages without places, which name files of this machine. */
export function messagesOf({ masked }: TeamRun, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(({ severity, code, summary, detail, hint, address }) => ({
    severity,
    code,
    summary: masked(summary),
    detail: masked(detail),
    ...(hint === undefined ? {} : { hint: masked(hint) }),
    ...(address === undefined ? {} : { address: masked(address) }),
  }));
}

function planText({ context: { catalog, version, clock } }: TeamRun, { plan, options, document }: Planned): string {
  const format = {
    catalog,
    version,
    paint: plain,
    isLive: false,
    columns: null,
    nowMs: clock.now(),
    mask: (line: string) => line,
  };
  return text.run.plan(plan, { mode: modeOf(options), outputs: document.outputs }, format);
}
