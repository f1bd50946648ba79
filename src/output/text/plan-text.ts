import { blockOf } from "../../core/model/address.ts";
import type { CheckResult } from "../../core/model/check-result.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { type OutputChange, type Plan, type Step, hasChanges } from "../../core/plan/plan.ts";
import type { Colour, Paint } from "./paint.ts";
import { firstFew } from "./first-few.ts";
import type { PlanMode } from "../format.ts";
import { type TextContext, driftText, isPersonal, stepText, titleOf, widthOf } from "./step-text.ts";
import { refusedText, summaryText } from "./summary-text.ts";
import { hiddenText, hiddenTexts, valueText, valueTexts } from "./value-text.ts";
import { padded } from "./width.ts";

const NO_CHANGES: { readonly [mode in PlanMode]: string } = {
  apply: "No changes. Your webhooks match the configuration.",
  destroy: "No changes. No objects need to be destroyed.",
  "refresh-only": "No changes. Your webhooks match the state.",
};

/** A plan for people, with Terraform's symbols and summary lines. `mode` is `apply` when absent. */
export function planText(plan: Plan, context: TextContext & { readonly mode?: PlanMode }): string {
  const { paint, mode = "apply" } = context;
  const sections: string[] = [];
  if (plan.drift.length > 0) {
    sections.push(`${paint("bold", "Note: Webhooks have changed outside of outreach")}\n\n${plan.drift.map((drift) => driftText(drift, context)).join("\n")}`);
  }
  if (!hasChanges(plan)) sections.push(`${nothingText(plan, mode, paint)}\n`);
  else sections.push(...changeSections(plan, context, mode));
  if (plan.checks !== undefined) sections.push(`${checksText(plan.checks, paint)}\n`);
  return sections.join("\n");
}

/** How many checks passed, and the names of the others. Their messages are diagnostics. */
function checksText(checks: readonly CheckResult[], paint: Paint): string {
  const named = (status: CheckResult["status"], says: string): readonly string[] => {
    const found = checks.filter((check) => check.status === status);
    const names = status === "pass" ? "" : ` (${found.map(({ name }) => name).join(", ")})`;
    return found.length === 0 ? [] : [`${String(found.length)} ${says}${names}`];
  };
  return `${paint("bold", "Checks:")} ${[...named("pass", "passed"), ...named("fail", "failed"), ...named("unknown", "known after apply")].join(", ")}.`;
}

/** An undecided outcome may still turn out to be a change. */
function nothingText({ undecided }: Plan, mode: PlanMode, paint: Paint): string {
  if (undecided.length === 0) return paint("green", NO_CHANGES[mode]);
  return paint("yellow", "No changes, apart from undecided outcomes.");
}

function changeSections(plan: Plan, context: TextContext, mode: PlanMode): readonly string[] {
  const drifted = new Set(mode === "refresh-only" ? plan.drift.map(({ address }) => address) : []);
  const steps = plan.steps.filter(({ action, address }) => action !== "keep" && !drifted.has(address));
  const sections: string[] = [];
  if (steps.length > 0) sections.push(`outreach will perform the following actions:\n\n${stepTexts(steps, context).join("\n")}`);
  if (mode !== "refresh-only" && steps.length > 0) sections.push(`${summaryText(plan, context.paint)}\n`);
  if (plan.outputs.length > 0) sections.push(`${context.paint("bold", "Changes to Outputs:")}\n${outputsText(plan.outputs, context.paint)}`);
  const refused = refusedText(plan);
  if (refused !== null) sections.push(...(mode === "refresh-only" || steps.length === 0 ? [`${context.paint("red", refused)}\n`] : []));
  else if (mode === "refresh-only") sections.push("This is a refresh-only plan: applying it updates the state from the service, and sends nothing.\n");
  else if (steps.length === 0) sections.push("Applying this plan updates the outputs in the state, and sends nothing.\n");
  return sections;
}

/** All steps, with long lists of lead data shortened to the first few and a count. */
function stepTexts(steps: readonly Step[], context: TextContext): readonly string[] {
  return firstFew(steps, (step) => (isPersonal(step.type, context) ? kindOf(step) : null)).map((few) => {
    if ("item" in few) return stepText(few.item, context);
    const { like, more } = few;
    const title = titleOf(like, resourceOf(context.catalog, like.type));
    return `${context.paint("bold", `  # ${blockOf(like.address)}: … and ${String(more)} more`)} ${title}${againText(like)}\n`;
  });
}

/** Groups equal steps of one block, so that a count never hides a different kind of step. */
function kindOf(step: Step): string {
  const again = step.action === "create" && step.again !== undefined;
  return [blockOf(step.address), step.action, again, step.movedFrom !== undefined, step.because.map(({ why }) => why).join()].join(" ");
}

function againText(step: Step): string {
  return step.action === "create" && step.again ? " (sent again: earlier attempts were never confirmed)" : "";
}

function outputsText(outputs: readonly OutputChange[], paint: Paint): string {
  const width = widthOf(outputs.map(({ name }) => name));
  return outputs
    .map((change) => {
      const [sign, colour] = outputSign(change);
      return `  ${paint(colour, sign)} ${padded(change.name, width)} = ${outputText(change)}\n`;
    })
    .join("");
}

function outputSign({ before, after }: OutputChange): readonly [string, Colour] {
  if (before === null) return ["+", "green"];
  return after === null ? ["-", "red"] : ["~", "yellow"];
}

function outputText({ before, after, sensitive }: OutputChange): string {
  if (before === null || after === null) {
    const value = (before ?? after)?.value ?? null;
    return sensitive ? hiddenText(value) : valueText(value);
  }
  return sensitive ? hiddenTexts(before.value, after.value) : valueTexts(before.value, after.value).join(" -> ");
}
