import { type Diagnostic, hasErrors } from "../../../core/model/diagnostic.ts";
import type { PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { type Applied, type ApplyOptions, apply } from "../../../operations/apply.ts";
import type { Ports } from "../../../operations/context.ts";
import type { OpenRun } from "../../../operations/open-run.ts";
import type { Planned } from "../../../operations/plan.ts";
import { modeOf } from "../../../output/content/output-format.ts";
import { followApply } from "../screen/follow-apply.ts";
import type { View } from "../screen/view.ts";

/** Shows a plan with its diagnostics, the errors last, where they are seen. */
export function showPlan(view: View, { plan, options, document, diagnostics }: Planned): void {
  const isError = ({ severity }: Diagnostic): boolean => severity === "error";
  const errors = diagnostics.filter(isError);
  // A plan with errors cannot be applied, but its steps help to understand the errors.
  const isShown = !hasErrors(plan.diagnostics) || plan.steps.some(({ action }) => action !== "keep");
  view.diagnostics(diagnostics.filter((one) => !isError(one)));
  if (isShown) view.plan(plan, { mode: modeOf(options), outputs: document.outputs });
  if (isShown && errors.length > 0) view.say("\n");
  view.diagnostics(errors);
}

/** Applies a plan, and shows the progress and the result. */
export async function applyShown(
  context: Ports,
  run: OpenRun,
  planned: PlannedRun,
  { view, approval, destroying }: Pick<ApplyOptions, "approval"> & { readonly view: View; readonly destroying: boolean },
): Promise<Applied["status"]> {
  const following = followApply(context, view, planned.plan);
  let applied: Applied;
  try {
    applied = await apply(run, planned, { approval, report: following.report });
  } finally {
    await following.end();
  }
  view.applied(applied, { destroying, outputs: applied.outputs });
  return applied.status;
}
