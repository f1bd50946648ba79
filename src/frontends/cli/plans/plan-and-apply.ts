import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { capitalised } from "../../../core/model/words.ts";
import { hasChanges } from "../../../core/plan/plan.ts";
import { withOpenRun } from "../../../operations/open-run.ts";
import { plan } from "../../../operations/plan.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { PlanningOptions } from "../program/command-options.ts";
import { applyAndShow, applyExitCode } from "./apply-and-show.ts";
import { withView } from "../screen/view.ts";

/** Plans, asks for approval, and applies the plan. `destroy` does the same with nothing declared. */
export function planAndApply(context: CommandContext, options: PlanningOptions): Promise<ExitCode> {
  const { autoApprove = false, destroy = false, json = false } = options;
  const operation = destroy ? "destroy" : "apply";
  return withView(context, options, (view) => {
    if (!autoApprove && (!context.ask || json)) throw approvalRequired(context, { operation, json });
    return withOpenRun(context, { ...options, operation }, async (run) => {
      const planned = await plan(run, { ...options, approval: autoApprove ? "none" : "typed" });
      view.plan(planned);
      if (planned.status === "failed") return exitCodeOf(planned.status);
      const asks = !autoApprove && hasChanges(planned.plan);
      if (asks && !(await approve(context, operation))) return exitCodeOf("cancelled");
      const applied = await applyAndShow(context, run, planned, {
        view,
        approval: asks ? "typed" : "none",
        destroying: destroy,
        maxDurationMs: options.maxDurationMs ?? null,
      });
      return applyExitCode(applied, options);
    });
  });
}

type Operation = "apply" | "destroy";

async function approve(context: CommandContext, operation: Operation): Promise<boolean> {
  if (!context.ask) throw new Error("approval needs a terminal");
  const question =
    operation === "destroy"
      ? "Do you really want to destroy all managed webhooks?"
      : "Do you want to perform these actions?";
  const text = `\n${context.paint("bold", question)}\n  Only 'yes' will be accepted to approve.\n\n`;
  if ((await context.ask({ text, prompt: "  Enter a value: " })) === "yes") {
    context.out("\n");
    return true;
  }
  context.summarize("Cancelled.");
  context.out(`\n${capitalised(operation)} cancelled. Nothing was changed.\n`);
  return false;
}

function approvalRequired(
  { cannotAsk }: CommandContext,
  { operation, json }: { readonly operation: Operation; readonly json: boolean },
): DiagnosticsError {
  return DiagnosticsError.of("approval_missing", "Approval required", {
    detail: `${operation} asks for a typed yes, but ${json ? "--json disables the question" : cannotAsk}. Nothing was done.`,
    hint: "If a person has reviewed the plan, pass --auto-approve. Or apply a plan saved by outreach plan --out.",
  });
}
