import type { PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { type Applied, type ApplyOptions, apply } from "../../../operations/apply.ts";
import type { Ports } from "../../../operations/context.ts";
import type { OpenRun } from "../../../operations/open-run.ts";
import { followApply } from "../screen/follow-apply.ts";
import type { View } from "../screen/view.ts";

/** Applies a plan, and shows the progress and the result. */
export async function applyAndShow(
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
