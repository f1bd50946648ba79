import { countOf } from "../../core/model/diagnostic.ts";
import { type Plan, type PlanCounts, countSteps } from "../../core/plan/plan.ts";
import type { Ending } from "../format.ts";
import type { Paint } from "./paint.ts";

/** The last line of a plan. Imports and forgotten objects appear only if there are any. */
export function summaryText({ steps, diagnostics }: Pick<Plan, "steps" | "diagnostics">, paint: Paint): string {
  const { add, change, destroy, ...rest } = countSteps(steps);
  const counts = `${String(add)} to add, ${String(change)} to change, ${String(destroy)} to destroy${tail(rest, ["to import", "to forget"])}.`;
  const refused = refusedText({ diagnostics });
  return `${paint("bold", "Plan:")} ${counts}${refused === null ? "" : ` ${paint("red", refused)}`}`;
}

/** Says that a plan cannot be applied; null for one that can. */
export function refusedText({ diagnostics }: Pick<Plan, "diagnostics">): string | null {
  const errors = countOf(diagnostics, "error");
  if (errors === 0) return null;
  return `This plan cannot be applied: it has ${errors === 1 ? "an error" : `${String(errors)} errors`}.`;
}

/** The last line of an apply, with its counts. */
export function appliedText(
  { add, change, destroy, ...rest }: PlanCounts,
  { destroying, ending }: { readonly destroying: boolean; readonly ending: Ending },
): string {
  const what = destroying ? "Destroy" : "Apply";
  const title = ending === "complete" ? `${what} complete!` : ending === "interrupted" ? `${what} interrupted.` : `${what} incomplete.`;
  const counts = destroying ? `${String(destroy)} destroyed` : `${String(add)} added, ${String(change)} changed, ${String(destroy)} destroyed`;
  return `${title} Resources: ${counts}${tail(rest, ["imported", "forgotten"])}.`;
}

function tail({ import: imported, forget }: Pick<PlanCounts, "import" | "forget">, [toImport, toForget]: readonly [string, string]): string {
  return `${imported > 0 ? `, ${String(imported)} ${toImport}` : ""}${forget > 0 ? `, ${String(forget)} ${toForget}` : ""}`;
}
