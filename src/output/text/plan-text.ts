import { blockOf } from "../../core/model/address.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { type OutputChange, type Plan, type Step, hasChanges } from "../../core/plan/plan.ts";
import { describeOutput } from "../changes/describe-output.ts";
import { titleOf } from "../changes/describe-step.ts";
import { fewPersonal, shownSteps } from "../changes/shown-steps.ts";
import type { PlanMode } from "../format.ts";
import type { Paint } from "./paint.ts";
import { type TextContext, driftText, stepText, widthOf } from "./step-text.ts";
import { REFRESHES_ONLY, checksText, nothingText, refusedText, stateOnlyText, summaryText } from "./summary-text.ts";
import { visible } from "../../core/model/visible.ts";
import { padded } from "./width.ts";

/** A plan for people, with Terraform's symbols and summary lines. `mode` is `apply` when absent. */
export function planText(plan: Plan, context: TextContext & { readonly mode?: PlanMode }): string {
  const { paint, mode = "apply" } = context;
  const sections: string[] = [];
  if (plan.drift.length > 0) {
    sections.push(`${paint("bold", "Note: Webhooks have changed outside of outreach")}\n\n${plan.drift.map((drift) => driftText(drift, context)).join("\n")}`);
  }
  if (!hasChanges(plan)) sections.push(`${nothingText(plan, mode, paint)}\n`);
  else sections.push(...changeSections(plan, context, mode));
  if (plan.checks !== undefined) sections.push(`${paint("bold", "Checks:")} ${checksText(plan.checks)}\n`);
  return sections.join("\n");
}

function changeSections(plan: Plan, context: TextContext, mode: PlanMode): readonly string[] {
  const steps = shownSteps(plan, mode);
  const sections: string[] = [];
  if (steps.length > 0) sections.push(`outreach will perform the following actions:\n\n${stepTexts(steps, context).join("\n")}`);
  if (mode !== "refresh-only" && steps.length > 0) sections.push(`${summaryText(plan, context.paint)}\n`);
  if (plan.outputs.length > 0) sections.push(`${context.paint("bold", "Changes to Outputs:")}\n${outputsText(plan.outputs, context.paint)}`);
  const refused = refusedText(plan);
  if (refused !== null) sections.push(...(mode === "refresh-only" || steps.length === 0 ? [`${context.paint("red", refused)}\n`] : []));
  else if (mode === "refresh-only") sections.push(`${REFRESHES_ONLY}\n`);
  else if (steps.length === 0) sections.push(`${stateOnlyText(plan)}\n`);
  return sections;
}

/** All steps, with long lists of lead data shortened to the first few and a count. */
function stepTexts(steps: readonly Step[], context: TextContext): readonly string[] {
  return fewPersonal(steps, context.catalog).map((few) => {
    if ("item" in few) return stepText(few.item, context);
    const { like, more } = few;
    const title = titleOf(like, resourceOf(context.catalog, like.type));
    return `${context.paint("bold", `  # ${visible(blockOf(like.address))}: … and ${String(more)} more`)} ${title}${againText(like)}\n`;
  });
}

function againText(step: Step): string {
  return step.action === "create" && step.again ? " (sent again: earlier attempts were never confirmed)" : "";
}

const OUTPUT_COLOURS = { "+": "green", "-": "red", "~": "yellow" } as const;

function outputsText(outputs: readonly OutputChange[], paint: Paint): string {
  const width = widthOf(outputs.map(({ name }) => name));
  return outputs
    .map((change) => {
      const { symbol, values } = describeOutput(change);
      return `  ${paint(OUTPUT_COLOURS[symbol], symbol)} ${padded(change.name, width)} = ${values.join(" -> ")}\n`;
    })
    .join("");
}
