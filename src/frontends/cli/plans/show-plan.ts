import { type Diagnostic, hasErrors } from "../../../core/model/diagnostic.ts";
import type { Planned } from "../../../operations/plan.ts";
import { modeOf } from "../../../output/content/output-format.ts";
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
