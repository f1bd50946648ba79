import type { Applied } from "../../../core/apply/run/apply-plan.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Plan, PlanCounts } from "../../../core/plan/plan.ts";
import type { TeamResult } from "../../../fleet/team-work.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import { type View, openView } from "../screen/view.ts";
import type { Run } from "./run-context.ts";

/** What a run has shown, for its result. */
export interface Shown {
  readonly view: View;
  /** The diagnostics so far, of which `found` becomes the whole. */
  diagnostics: readonly Diagnostic[];
  plan: Plan | null;
  applied: Applied | null;
}

/** A view that prints only plans, and keeps the rest. */
export async function keepingView({ context }: Run): Promise<Shown> {
  const printing = await openView(context, { json: false });
  const shown: Shown = {
    diagnostics: [],
    plan: null,
    applied: null,
    view: {
      ...printing,
      diagnostics: (found) => void (shown.diagnostics = [...shown.diagnostics, ...found]),
      plan: (plan, of) => {
        shown.plan = plan;
        printing.plan(plan, of);
      },
      progress: () => undefined,
      still: () => undefined,
      applied: (applied) => {
        shown.applied = applied;
        shown.diagnostics = [...shown.diagnostics, ...applied.diagnostics];
      },
    },
  };
  return shown;
}

export const NOTHING_DONE: PlanCounts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

/** How a run ended. What was carried out counts, unless it has `counts` of its own. */
export type Ended = Pick<TeamResult, "outcome"> &
  Partial<Pick<TeamResult, "counts" | "drifted" | "holds">> & { readonly saved?: Pick<NonNullable<TeamResult["plan"]>, "bytes" | "digest"> };

/** The result of a run, masked: others store it and show it to anybody. */
export function shownResult(run: Run, { diagnostics, plan, applied }: Shown, { outcome, saved, counts, drifted, holds }: Ended): TeamResult {
  return {
    outcome,
    holds,
    counts: counts ?? applied?.counts ?? NOTHING_DONE,
    drifted: drifted ?? plan?.drift.length ?? 0,
    messages: messagesOf(run, arrangedDiagnostics(run.context, diagnostics, "out")),
    plan: saved ? { ...saved, text: run.masked(run.printed()) } : null,
    requests: run.requests(),
  };
}

/** Messages without places, which name files of this machine. */
export function messagesOf({ masked }: Run, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(({ severity, code, summary, detail, hint, address }) => ({
    severity,
    code,
    summary: masked(summary),
    detail: masked(detail),
    ...(hint === undefined ? {} : { hint: masked(hint) }),
    ...(address === undefined ? {} : { address: masked(address) }),
  }));
}
