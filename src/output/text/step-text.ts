import type { Schema } from "../../core/model/attribute.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import { type Attributes, identical } from "../../core/model/value.ts";
import type { Drift, Step } from "../../core/plan/plan.ts";
import type { Colour, Paint } from "./paint.ts";
import { isMove } from "../json/step-json.ts";
import { hiddenText, hiddenTexts, valueText, valueTexts } from "./value-text.ts";
import { visible } from "./visible.ts";
import { columnsOf } from "./width.ts";

export interface TextContext {
  readonly catalog: Catalog;
  readonly paint: Paint;
}

/** Whether resources of this type hold personal data. */
export function isPersonal(type: string, { catalog }: Pick<TextContext, "catalog">): boolean {
  return Object.values(resourceOf(catalog, type).schema).some(({ personal }) => personal);
}

/** One step: action, reasons, changed attributes. Ends with an empty line. */
export function stepText(step: Step, { catalog, paint }: TextContext): string {
  const definition = resourceOf(catalog, step.type);
  const [symbol, colour] = symbolOf(step);
  const names = changedNames(step, definition.schema);
  const forcing = step.action === "replace" ? names.filter((name) => step.because.some(({ attribute }) => attribute === name)) : [];
  const head = [headline(step, definition, paint), ...reasonLines(step, definition, forcing), `${paint(colour, symbol)} ${visible(step.address)}`];
  return [...head, ...attributeLines(step, definition, { names, forcing, paint }), ""].join("\n");
}

/** One drifted object. Ends with an empty line. */
export function driftText({ address, type, before, after, changed, masked }: Drift, { catalog, paint }: TextContext): string {
  const { schema } = resourceOf(catalog, type);
  const where = visible(address);
  if (after === null) return `${paint("bold", `  # ${where}`)} has been deleted\n  ${paint("red", "-")} ${where} (id ${valueText(before["id"] ?? null)})\n`;
  const width = widthOf(changed);
  const lines = changed.map((name) => line({ symbol: paint("yellow", "~"), name, width, text: bothText(name, { before, after, schema, masked }) }));
  return [`${paint("bold", `  # ${where}`)} has changed`, `  ${paint("yellow", "~")} ${where}`, ...lines, ""].join("\n");
}

/** The action, in words that follow an address. */
export function titleOf(step: Step, { destroy }: Pick<AnyResource, "destroy">): string {
  switch (step.action) {
    case "create":
      return "will be created";
    case "replace":
      return step.because.some(({ why }) => why !== "requested") ? "must be replaced" : "will be replaced, as requested";
    case "update-state":
      return "will be updated in the state only; nothing is sent";
    case "delete":
      return "will be destroyed";
    case "forget":
      if (step.released) return "will no longer be managed by outreach, but will not be destroyed";
      return destroy === "forget" ? "will be removed from the state only" : "will be taken out of the state; it is gone already";
    case "adopt":
      return "will be imported";
    case "keep":
      return "matches the configuration";
  }
}

function headline(step: Step, definition: AnyResource, paint: Paint): string {
  if (isMove(step)) return `${paint("bold", `  # ${visible(String(step.movedFrom))}`)} has moved to ${paint("bold", visible(step.address))}`;
  const which = "deposed" in step && step.deposed ? ` (deposed object ${step.id})` : "";
  const drifted = step.because.some(({ why }) => why === "drift") ? " (it was changed outside of outreach)" : "";
  return `${paint("bold", `  # ${visible(step.address)}`)}${which} ${titleOf(step, definition)}${drifted}`;
}

/** Reasons in brackets, one a line. */
function reasonLines(step: Step, { noun, destroy }: AnyResource, forcing: readonly string[]): readonly string[] {
  const lines: string[] = [];
  if (step.movedFrom !== undefined && !isMove(step)) lines.push(`moved from ${visible(step.movedFrom)}`);
  for (const reason of step.because) {
    if (reason.why === "lookup") lines.push(`${visible(reason.lookup)} now finds another ${reason.attribute}`);
  }
  if (step.action === "create" && step.again) lines.push("an earlier attempt was never confirmed: sent again");
  if (step.action === "replace" && forcing.length === 0) lines.push(...replaceNotes(step, destroy));
  if ("deposed" in step && step.deposed) lines.push("left over from a replace: its replacement stays");
  if (step.action === "replace" && step.imported) lines.push(`imported from ${JSON.stringify(step.id)}`, `warning: this destroys the imported ${noun}`);
  if (step.action === "forget" && step.released) lines.push("destroy: false is set in the configuration");
  if (step.action === "forget" && destroy === "forget") lines.push(`a ${noun} cannot be undone`);
  if (step.action === "adopt") lines.push(destroy === "forget" ? "recorded as done: nothing is sent" : "already exists: nothing is sent");
  return lines.map((text) => `  # (${text})`);
}

/** The effect of a replace on event delivery. */
function replaceNotes({ order }: Extract<Step, { action: "replace" }>, destroy: AnyResource["destroy"]): readonly string[] {
  if (destroy === "forget") return [];
  return [
    order === "create-first"
      ? "both the new one and the old one deliver between the create and the delete"
      : "events are not delivered between the delete and the create",
  ];
}

function symbolOf(step: Step): readonly [string, Colour] {
  switch (step.action) {
    case "create":
      return ["  +", "green"];
    case "replace":
      return [step.order === "create-first" ? "+/-" : "-/+", "yellow"];
    case "update-state":
      return isMove(step) ? ["   ", "dim"] : ["  ~", "yellow"];
    case "delete":
      return ["  -", "red"];
    case "forget":
      return ["  .", "dim"];
    case "adopt":
    case "keep":
      return ["   ", "dim"];
  }
}

interface Sides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
  readonly schema: Schema;
  readonly masked: readonly string[];
}

/** The changed attributes; for a create or a delete, all with a value. */
function changedNames(step: Step, schema: Schema): readonly string[] {
  const before = "before" in step ? step.before : null;
  const after = "after" in step ? step.after : null;
  return Object.keys(schema).filter((name) => {
    const [had, has] = [before?.[name] ?? null, after?.[name] ?? null];
    return before === null || after === null ? (had ?? has) !== null : !identical(had, has);
  });
}

interface Changed {
  readonly names: readonly string[];
  /** Those of them that force a replace. */
  readonly forcing: readonly string[];
  readonly paint: Paint;
}

/** A line for each attribute. The effect of a replace follows the first attribute that forces it. */
function attributeLines(step: Step, { schema, destroy }: AnyResource, { names, forcing, paint }: Changed): readonly string[] {
  const sides = { before: "before" in step ? step.before : null, after: "after" in step ? step.after : null, schema, masked: step.masked };
  const [sign, colour] = signOf(step);
  const width = widthOf(names);
  return names.flatMap((name) => {
    const forced = forcing.includes(name);
    const text = `${bothText(name, sides)}${forced ? paint("red", " # forces replacement") : ""}`;
    const because = forced ? schema[name]?.replaceNote : undefined;
    const meaning = step.action === "replace" && name === forcing[0] ? replaceNotes(step, destroy) : [];
    const note = [...(because === undefined ? [] : [because]), ...meaning].join(": ");
    return [line({ symbol: paint(colour, sign), name, width, text }), ...(note === "" ? [] : [`        ${paint("dim", `(${note})`)}`])];
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
  return Math.max(0, ...names.map(columnsOf));
}

function bothText(name: string, { before, after, schema, masked }: Sides): string {
  const [had, has] = [before?.[name] ?? null, after?.[name] ?? null];
  const hidden = schema[name]?.sensitive === true || masked.includes(name);
  if (before === null) return hidden ? hiddenText(has) : valueText(has);
  if (after === null) return hidden ? hiddenText(had) : valueText(had);
  return hidden ? hiddenTexts(had, has) : valueTexts(had, has).join(" -> ");
}
