import { type AppliedRun, applyRun } from "../../core/apply/apply-run.ts";
import type { PlannedRun } from "../../core/apply/run-ports.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { hasChanges } from "../../core/plan/plan.ts";
import { followApply } from "./follow-apply.ts";
import type { ApplyOptions, StateOptions } from "./options.ts";
import { planAndShow, planRequest } from "./plan.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";
import { type View, isComplete, withView } from "./view.ts";

/** Plans, asks, and carries the plan out. `destroy` is the same with nothing declared. */
export function applyCommand(terminal: Terminal, options: ApplyOptions): Promise<ExitCode> {
  return withView(terminal, options, (view) => {
    if (!options.autoApprove && (!terminal.ask || options.json)) throw new DiagnosticsError([nobodyToAsk(options)]);
    return withSession(terminal, options, { operation: options.destroy ? "destroy" : "apply" }, async (session) => {
      const request = planRequest(terminal, session, options, { unattended: options.autoApprove, withSecrets: true });
      const planned = await planAndShow(terminal, session, { view, request, allowLocalState: options.allowLocalState });
      if (!planned) return 1;
      const asked = !options.autoApprove && hasChanges(planned.plan);
      if (asked && !(await approve(terminal, options))) return 1;
      return carryOut(terminal, session, { view, planned, asked, approved: asked, destroy: options.destroy });
    });
  });
}

/** The state follows what is live, and nothing is asked: the same as `apply --refresh-only --auto-approve`. */
export function refreshCommand(terminal: Terminal, options: StateOptions & { readonly allowRecreate: boolean; readonly json: boolean }): Promise<ExitCode> {
  return applyCommand(terminal, {
    target: [],
    replace: [],
    destroy: false,
    adopt: false,
    assumeUnsubscribed: false,
    allowDeletes: false,
    allowUnsubscribes: false,
    allowCampaignChange: false,
    allowServiceChange: false,
    allowLocalState: false,
    ...options,
    refreshOnly: true,
    autoApprove: true,
  });
}

export interface Approved {
  readonly view: View;
  readonly planned: PlannedRun;
  readonly asked: boolean;
  readonly approved: boolean;
  readonly destroy: boolean;
}

export async function carryOut(terminal: Terminal, { store, open, ports }: Session, approved: Approved): Promise<ExitCode> {
  const { view, planned, destroy, ...approval } = approved;
  const following = followApply(terminal, view, planned.plan);
  let applied: AppliedRun;
  try {
    applied = await applyRun(store, { open, planned, ...approval, report: following.report, stop: terminal.stop }, ports);
  } finally {
    await following.end();
  }
  view.applied(applied, { destroying: destroy, outputs: applied.outputs });
  if (applied.undecided) return 3;
  return isComplete(applied) ? 0 : 1;
}

async function approve(terminal: Terminal, { destroy }: ApplyOptions): Promise<boolean> {
  if (!terminal.ask) throw new Error("nobody can answer");
  const question = destroy ? "Do you really want to destroy all managed webhooks?" : "Do you want to perform these actions?";
  terminal.out(`\n${terminal.paint("bold", question)}\n  Only 'yes' will be accepted to approve.\n\n`);
  if ((await terminal.ask("  Enter a value: ")) === "yes") {
    terminal.out("\n");
    return true;
  }
  terminal.out(`\n${destroy ? "Destroy" : "Apply"} cancelled. Nothing was changed.\n`);
  return false;
}

function nobodyToAsk({ destroy, json }: ApplyOptions): Diagnostic {
  return {
    code: "approval_missing",
    severity: "error",
    summary: "Nobody can approve the plan",
    detail: `${destroy ? "destroy" : "apply"} asks for a yes, but ${json ? "with --json nobody is asked" : "the input is not a terminal"}. Nothing was done.`,
    hint: "Give --auto-approve where a person has looked at the plan before, or apply a plan saved by outreach plan --out.",
  };
}
