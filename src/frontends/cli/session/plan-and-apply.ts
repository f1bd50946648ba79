import { type AppliedRun, applyRun } from "../../../core/apply/run/apply-run.ts";
import type { PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { hasChanges } from "../../../core/plan/plan.ts";
import type { ExitCode, Input, Output, Ports } from "../command-context.ts";
import type { ServiceContext } from "./connection.ts";
import type { ApplyOptions } from "../program/options.ts";
import { followApply } from "../screen/follow-apply.ts";
import { type View, isComplete, withView } from "../screen/view.ts";
import { planAndShow, planRequest } from "./plan-and-show.ts";
import { type Session, withSession } from "./session.ts";

/** Plans, asks for approval, and applies the plan. `destroy` does the same with nothing declared. */
export function planAndApply(context: Input & Output & ServiceContext, options: ApplyOptions): Promise<ExitCode> {
  return withView(context, options, (view) => {
    if (!options.autoApprove && (!context.ask || options.json)) throw new DiagnosticsError([approvalRequired(context, options)]);
    return withSession(context, options, { operation: options.destroy ? "destroy" : "apply" }, async (session) => {
      const request = planRequest(context, session, options, { approval: options.autoApprove ? "none" : "typed", withSecrets: true });
      const planned = await planAndShow(context, session, { view, request, allowLocalState: options.allowLocalState });
      if (!planned) return 1;
      const asked = !options.autoApprove && hasChanges(planned.plan);
      if (asked && !(await approve(context, options))) return 1;
      return carryOut(context, session, { view, planned, asked, approved: asked, destroy: options.destroy });
    });
  });
}

export interface Approved {
  readonly view: View;
  readonly planned: PlannedRun;
  readonly asked: boolean;
  readonly approved: boolean;
  readonly destroy: boolean;
}

export async function carryOut(context: Ports, { store, open, ports }: Session, approved: Approved): Promise<ExitCode> {
  const { view, planned, destroy, ...approval } = approved;
  const following = followApply(context, view, planned.plan);
  let applied: AppliedRun;
  try {
    applied = await applyRun(store, { open, planned, ...approval, report: following.report, stop: ports.signal }, ports);
  } finally {
    await following.end();
  }
  view.applied(applied, { destroying: destroy, outputs: applied.outputs });
  if (applied.undecided) return 3;
  return isComplete(applied) ? 0 : 1;
}

async function approve(context: Input & Output, { destroy }: ApplyOptions): Promise<boolean> {
  if (!context.ask) throw new Error("approval needs a terminal");
  const question = destroy ? "Do you really want to destroy all managed webhooks?" : "Do you want to perform these actions?";
  const text = `\n${context.paint("bold", question)}\n  Only 'yes' will be accepted to approve.\n\n`;
  if ((await context.ask({ text, prompt: "  Enter a value: " })) === "yes") {
    context.out("\n");
    return true;
  }
  context.summarize("Cancelled.");
  context.out(`\n${destroy ? "Destroy" : "Apply"} cancelled. Nothing was changed.\n`);
  return false;
}

function approvalRequired({ cannotAsk }: Input, { destroy, json }: ApplyOptions): Diagnostic {
  return {
    code: "approval_missing",
    severity: "error",
    summary: "Approval required",
    detail: `${destroy ? "destroy" : "apply"} asks for a typed yes, but ${json ? "--json disables the question" : cannotAsk}. Nothing was done.`,
    hint: "If a person has reviewed the plan, pass --auto-approve. Or apply a plan saved by outreach plan --out.",
  };
}
