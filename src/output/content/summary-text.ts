import type { CheckResult } from "../../core/model/check-result.ts";
import { countOf } from "../../core/model/diagnostic.ts";
import { type Plan, type PlanCounts, countSteps, hasChanges } from "../../core/plan/plan.ts";
import type { Ending, PlanMode } from "./output-format.ts";
import { type Paint, plain } from "./paint.ts";

const NO_CHANGES: { readonly [mode in PlanMode]: string } = {
  apply: "No changes. Your webhooks match the configuration.",
  destroy: "No changes. No objects need to be destroyed.",
  "refresh-only": "No changes. Your webhooks match the state.",
};

const NOTHING_COMPARED = "Nothing was compared: the plan leaves out everything.";

export const REFRESHES_ONLY =
  "This is a refresh-only plan: applying it updates the state from the service, and sends nothing.";
const RECORDS_ONLY = "Applying this plan records the outcomes of earlier writes, and sends nothing.";
const OUTPUTS_ONLY = "Applying this plan updates the outputs in the state, and sends nothing.";

/** What a plan without changes says. An undecided outcome may still turn out to be a change. */
export function nothingText({ steps, diagnostics, undecided }: Plan, mode: PlanMode, paint: Paint): string {
  if (undecided.length === 0 && steps.length === 0 && diagnostics.some(({ code }) => code === "targeted"))
    return paint("yellow", NOTHING_COMPARED);
  if (undecided.length === 0) return paint("green", NO_CHANGES[mode]);
  return paint("yellow", "No changes, apart from undecided outcomes.");
}

/** What a report says first: the counts, or what a plan without steps does. */
export function conclusionText(plan: Plan, mode: PlanMode): string {
  if (!hasChanges(plan)) return nothingText(plan, mode, plain);
  if (mode === "refresh-only") return REFRESHES_ONLY;
  return plan.steps.every(({ action }) => action === "keep")
    ? stateOnlyText(plan)
    : summaryText({ ...plan, diagnostics: [] }, plain);
}

/** What a plan does that has changes, but no steps. */
export function stateOnlyText({ outputs }: Plan): string {
  return outputs.length > 0 ? OUTPUTS_ONLY : RECORDS_ONLY;
}

/** The last line of a plan, in Terraform's order. Imports and forgotten objects appear only if there are any. */
export function summaryText(
  { steps, diagnostics, unrecorded }: Pick<Plan, "steps" | "diagnostics" | "unrecorded">,
  paint: Paint,
): string {
  const counts = countsText(countSteps(steps));
  const refused = refusedText({ diagnostics });
  const records = unrecorded ? " The outcomes of earlier writes will be recorded." : "";
  return `${paint("bold", "Plan:")} ${counts}${records}${refused === null ? "" : ` ${paint("red", refused)}`}`;
}

export function countsText({ add, change, destroy, ...rest }: PlanCounts): string {
  return `${some(rest.import, "to import, ", "")}${String(add)} to add, ${String(change)} to change, ${String(destroy)} to destroy${some(rest.forget, "to forget")}.`;
}

/** Says that a plan cannot be applied; null for one that can. */
export function refusedText({ diagnostics }: Pick<Plan, "diagnostics">): string | null {
  const errors = countOf(diagnostics, "error");
  if (errors === 0) return null;
  return `This plan cannot be applied: it has ${errors === 1 ? "an error" : `${String(errors)} errors`}.`;
}

/** How many checks passed, and the names of the others. Their messages are diagnostics. */
export function checksText(checks: readonly CheckResult[]): string {
  const named = (status: CheckResult["status"], says: string): readonly string[] => {
    const found = checks.filter((check) => check.status === status);
    const names = status === "pass" ? "" : ` (${found.map(({ name }) => name).join(", ")})`;
    return found.length === 0 ? [] : [`${String(found.length)} ${says}${names}`];
  };
  return `${[...named("pass", "passed"), ...named("fail", "failed"), ...named("unknown", "known after apply")].join(", ")}.`;
}

const ENDINGS: { readonly [ending in Ending]: string } = {
  complete: "complete!",
  incomplete: "incomplete.",
  interrupted: "interrupted.",
  stopped: "stopped: its time is over.",
};

/** What an apply says about changes that its time was too short for. */
export function leftText(left: number): string {
  return `${String(left)} left: run apply again.`;
}

/** The last line of an apply, with its counts. */
export function appliedText(
  { add, change, destroy, ...rest }: PlanCounts,
  { destroying, ending }: { readonly destroying: boolean; readonly ending: Ending },
): string {
  const what = destroying ? "Destroy" : "Apply";
  const title = `${what} ${ENDINGS[ending]}`;
  const counts = destroying
    ? `${String(destroy)} destroyed`
    : `${String(add)} added, ${String(change)} changed, ${String(destroy)} destroyed`;
  return `${title} Resources: ${some(rest.import, "imported, ", "")}${counts}${some(rest.forget, "forgotten")}.`;
}

/** A count, if it is not 0. */
function some(count: number, what: string, before = ", "): string {
  return count > 0 ? `${before}${String(count)} ${what}` : "";
}
