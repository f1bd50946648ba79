import type { Catalog } from "../../core/model/definition.ts";
import type { Drift, Step } from "../../core/plan/plan.ts";
import { type DescribedAttribute, type DescribedStep, describeDrift, describeStep } from "../changes/describe-step.ts";
import { isMove } from "../json/step-json.ts";
import type { Colour, Paint } from "./paint.ts";
import { valueText } from "./value-text.ts";
import { visible } from "../../core/model/visible.ts";
import { columnsOf } from "./width.ts";

export interface TextContext {
  readonly catalog: Catalog;
  readonly paint: Paint;
}

/** One step: action, reasons, changed attributes. Ends with an empty line. */
export function stepText(step: Step, { catalog, paint }: TextContext): string {
  const { symbol, title, reasons, attributes } = describeStep(step, { catalog });
  const head = [headline(step, title, paint), ...reasons.map((reason) => `  # (${reason})`), `${symbolText(symbol, paint)} ${visible(step.address)}`];
  return [...head, ...attributeLines(step, attributes, paint), ""].join("\n");
}

/** One drifted object. Ends with an empty line. */
export function driftText(drift: Drift, { catalog, paint }: TextContext): string {
  const { address, before, after, changed } = drift;
  const where = visible(address);
  if (after === null) return `${paint("bold", `  # ${where}`)} has been deleted\n  ${paint("red", "-")} ${where} (id ${valueText(before["id"] ?? null)})\n`;
  const width = widthOf(changed);
  const lines = describeDrift(drift, { catalog }).map(({ name, values }) => line({ symbol: paint("yellow", "~"), name, width, text: values.join(" -> ") }));
  return [`${paint("bold", `  # ${where}`)} has changed`, `  ${paint("yellow", "~")} ${where}`, ...lines, ""].join("\n");
}

function headline(step: Step, title: string, paint: Paint): string {
  if (isMove(step)) return `${paint("bold", `  # ${visible(String(step.movedFrom))}`)} has moved to ${paint("bold", visible(step.address))}`;
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
  return attributes.flatMap(({ name, values, forces, note }) => {
    const text = `${values.join(" -> ")}${forces ? paint("red", " # forces replacement") : ""}`;
    return [line({ symbol: paint(colour, sign), name, width, text }), ...(note === null ? [] : [`        ${paint("dim", `(${note})`)}`])];
  });
}

function signOf({ action }: Step): readonly [string, Colour] {
  if (action === "create") return ["+", "green"];
  if (action === "delete") return ["-", "red"];
  return action === "adopt" || action === "forget" ? [" ", "dim"] : ["~", "yellow"];
}

function line({ symbol, name, width, text }: { readonly symbol: string; readonly name: string; readonly width: number; readonly text: string }): string {
  return `      ${symbol} ${name.padEnd(width)} = ${text}`;
}

export function widthOf(names: readonly string[]): number {
  return names.reduce((most, name) => Math.max(most, columnsOf(name)), 0);
}
