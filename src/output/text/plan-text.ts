import { blockOf } from "../../core/model/address.ts";
import { resourceOf, type Catalog } from "../../core/model/definition.ts";
import {
  type Names,
  type OutputChange,
  type Plan,
  type Step,
  hasChanges,
  isMove,
  type Drift,
} from "../../core/plan/plan.ts";
import {
  describeOutput,
  titleOf,
  type DescribedAttribute,
  type DescribedStep,
  describeDrift,
  describeStep,
} from "../content/describe-step.ts";
import { costText } from "../content/cost-text.ts";
import { fewPersonal, shownSteps } from "../content/step-groups.ts";
import type { PlanMode } from "../content/output-format.ts";
import type { Paint, Colour } from "../content/paint.ts";
import {
  REFRESHES_ONLY,
  checksText,
  nothingText,
  refusedText,
  stateOnlyText,
  summaryText,
} from "../content/summary-text.ts";
import { visible } from "../../core/model/visible.ts";
import { padded, columnsOf } from "../content/width.ts";
import { valueText } from "../content/value-text.ts";

/** A plan for people, with Terraform's symbols and summary lines. `mode` is `apply` when absent. */
export function planText(plan: Plan, given: TextContext & { readonly mode?: PlanMode }): string {
  const context = { ...given, names: plan.names };
  const { paint, mode = "apply" } = context;
  const sections: string[] = [];
  if (plan.drift.length > 0) {
    sections.push(
      `${paint("bold", "Note: Webhooks have changed outside of outreach")}\n\n${plan.drift.map((drift) => driftText(drift, context)).join("\n")}`,
    );
  }
  if (!hasChanges(plan)) sections.push(`${nothingText(plan, mode, paint)}\n`);
  else sections.push(...changeSections(plan, context, mode));
  if (plan.checks !== undefined) sections.push(`${paint("bold", "Checks:")} ${checksText(plan.checks)}\n`);
  const text = sections.join("\n");
  if (!plan.cost) return text;
  // A section of several lines keeps its distance.
  const gap = /\n./.test(sections.at(-1) ?? "") ? "\n" : "";
  return `${text}${gap}${costText(plan.cost)}\n`;
}

function changeSections(plan: Plan, context: TextContext, mode: PlanMode): readonly string[] {
  const steps = shownSteps(plan, mode);
  const sections: string[] = [];
  if (steps.length > 0)
    sections.push(`outreach will perform the following actions:\n\n${stepTexts(steps, context).join("\n")}`);
  if (mode !== "refresh-only" && steps.length > 0) sections.push(`${summaryText(plan, context.paint)}\n`);
  if (plan.consequence !== undefined) sections.push(`${visible(plan.consequence)}\n`);
  if (plan.outputs.length > 0)
    sections.push(`${context.paint("bold", "Changes to Outputs:")}\n${outputsText(plan.outputs, context.paint)}`);
  const refused = refusedText(plan);
  if (refused !== null)
    sections.push(...(mode === "refresh-only" || steps.length === 0 ? [`${context.paint("red", refused)}\n`] : []));
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
  if (step.action !== "create" || !step.again) return "";
  return step.again === "reassert"
    ? " (sent again: reassert has passed)"
    : " (sent again: earlier attempts were never confirmed)";
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

export interface TextContext {
  readonly catalog: Catalog;
  readonly paint: Paint;
  readonly names?: Names | undefined;
}

/** One step: action, reasons, changed attributes. Ends with an empty line. */
function stepText(step: Step, { catalog, paint, names }: TextContext): string {
  const { symbol, title, reasons, attributes } = describeStep(step, { catalog, names });
  const head = [
    headline(step, title, paint),
    ...reasons.map((reason) => `  # (${reason})`),
    `${symbolText(symbol, paint)} ${visible(step.address)}`,
  ];
  return [...head, ...attributeLines(step, attributes, paint), ""].join("\n");
}

/** One drifted object. Ends with an empty line. */
export function driftText(drift: Drift, { catalog, paint, names }: TextContext): string {
  const { address, before, after, changed } = drift;
  const where = visible(address);
  if (after === null)
    return `${paint("bold", `  # ${where}`)} has been deleted\n  ${paint("red", "-")} ${where} (id ${valueText(before["id"] ?? null)})\n`;
  const width = widthOf(changed);
  const lines = describeDrift(drift, { catalog, names }).map(({ name, values, comment }) =>
    line({ symbol: paint("yellow", "~"), name, width, text: `${values.join(" -> ")}${commentText(comment, paint)}` }),
  );
  return [`${paint("bold", `  # ${where}`)} has changed`, `  ${paint("yellow", "~")} ${where}`, ...lines, ""].join(
    "\n",
  );
}

function headline(step: Step, title: string, paint: Paint): string {
  if (isMove(step))
    return `${paint("bold", `  # ${visible(String(step.movedFrom))}`)} has moved to ${paint("bold", visible(step.address))}`;
  const which = "deposed" in step && step.deposed ? ` (deposed object ${visible(step.id)})` : "";
  const drifted = step.because.some(({ why }) => why === "drift") ? " (it was changed outside of outreach)" : "";
  return `${paint("bold", `  # ${visible(step.address)}`)}${which} ${title}${drifted}`;
}

const COLOURS: { readonly [key in DescribedStep["symbol"]]: Colour } = {
  "+": "green",
  "-": "red",
  "-/+": "yellow",
  "+/-": "yellow",
  "~": "yellow",
  ".": "dim",
  "": "dim",
};

/** Three columns wide. */
function symbolText(symbol: DescribedStep["symbol"], paint: Paint): string {
  return paint(COLOURS[symbol], symbol.padStart(3));
}

/** A line for each attribute. The effect of a replace follows the first attribute that forces it. */
function attributeLines(step: Step, attributes: readonly DescribedAttribute[], paint: Paint): readonly string[] {
  const [sign, colour] = signOf(step);
  const width = widthOf(attributes.map(({ name }) => name));
  return attributes.flatMap(({ name, values, forces, note, comment }) => {
    const text = `${values.join(" -> ")}${forces ? paint("red", " # forces replacement") : ""}${commentText(comment, paint)}`;
    return [
      line({ symbol: paint(colour, sign), name, width, text }),
      ...(note === null ? [] : [`        ${paint("dim", `(${note})`)}`]),
    ];
  });
}

function commentText(comment: string | null, paint: Paint): string {
  return comment === null ? "" : paint("dim", ` # ${comment}`);
}

function signOf({ action }: Step): readonly [string, Colour] {
  if (action === "create") return ["+", "green"];
  if (action === "delete") return ["-", "red"];
  return action === "adopt" || action === "forget" ? [" ", "dim"] : ["~", "yellow"];
}

function line({
  symbol,
  name,
  width,
  text,
}: {
  readonly symbol: string;
  readonly name: string;
  readonly width: number;
  readonly text: string;
}): string {
  return `      ${symbol} ${name.padEnd(width)} = ${text}`;
}

export function widthOf(names: readonly string[]): number {
  return names.reduce((most, name) => Math.max(most, columnsOf(name)), 0);
}
