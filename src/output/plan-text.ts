import type { Schema } from "../core/model/attribute.ts";
import { type Catalog, resourceOf } from "../core/model/definition.ts";
import { type Attributes, type Value, identical, isSecretDigest, isUnknown } from "../core/model/value.ts";
import { type Drift, type Plan, type Step, countSteps, hasChanges } from "../core/plan/plan.ts";
import type { Colour, Paint } from "./paint.ts";
import { visible } from "./visible.ts";

export const NO_CHANGES = "No changes. Your webhooks match the configuration.";

/** A plan as people read it, in Terraform's symbols and summary lines. */
export function planText(plan: Plan, { catalog, paint }: { readonly catalog: Catalog; readonly paint: Paint }): string {
  const context: Context = { catalog, paint };
  const sections: string[] = [];
  if (plan.drift.length > 0) {
    sections.push(`${paint("bold", "Note: Webhooks have changed outside of outreach")}\n\n${plan.drift.map((drift) => driftText(drift, context)).join("\n")}`);
  }
  const steps = plan.steps.filter(({ action }) => action !== "keep");
  if (!hasChanges(plan)) return [...sections, paint("green", NO_CHANGES)].join("\n").concat("\n");
  sections.push(`outreach will perform the following actions:\n\n${steps.map((step) => stepText(step, context)).join("\n")}`);
  return `${sections.join("\n")}\n${summaryText(plan, paint)}\n`;
}

export function summaryText({ steps }: Pick<Plan, "steps">, paint: Paint): string {
  const { add, change, destroy, forget } = countSteps(steps);
  const tail = forget > 0 ? `, ${String(forget)} to forget` : "";
  return `${paint("bold", "Plan:")} ${String(add)} to add, ${String(change)} to change, ${String(destroy)} to destroy${tail}.`;
}

interface Context {
  readonly catalog: Catalog;
  readonly paint: Paint;
}

const TITLES: { readonly [action in Step["action"]]: string } = {
  create: "will be created",
  replace: "must be replaced",
  record: "will be updated in the state only; nothing is sent",
  delete: "will be destroyed",
  forget: "will be taken out of the state; it is gone already",
  adopt: "will be imported",
  keep: "is as declared",
};

const SYMBOLS: { readonly [action in Step["action"]]: readonly [string, Colour] } = {
  create: ["  +", "green"],
  replace: ["-/+", "yellow"],
  record: ["  ~", "yellow"],
  delete: ["  -", "red"],
  forget: ["  .", "dim"],
  adopt: ["  &", "cyan"],
  keep: ["   ", "dim"],
};

function stepText(step: Step, { catalog, paint }: Context): string {
  const { schema } = resourceOf(catalog, step.type);
  const [symbol, colour] = SYMBOLS[step.action];
  const before = "before" in step ? step.before : null;
  const after = "after" in step ? step.after : null;
  const changes = changedLines({ before, after, schema, masked: step.masked, step }, paint);
  const why = step.because.some((reason) => reason.why === "drift") ? " (it was changed outside of outreach)" : "";
  return [`${paint("bold", `  # ${step.address}`)} ${TITLES[step.action]}${why}`, `${paint(colour, symbol)} ${step.address}`, ...changes, ""].join("\n");
}

function driftText({ address, type, before, after, changed, masked }: Drift, { catalog, paint }: Context): string {
  const { schema } = resourceOf(catalog, type);
  if (after === null) return `${paint("bold", `  # ${address}`)} has been deleted\n  ${paint("red", "-")} ${address} (id ${show(before["id"] ?? null)})\n`;
  const lines = changed.map((name) =>
    line({ symbol: paint("yellow", "~"), name, width: widthOf(changed), text: arrow(name, { before, after, schema, masked }) }),
  );
  return [`${paint("bold", `  # ${address}`)} has changed`, `  ${paint("yellow", "~")} ${address}`, ...lines, ""].join("\n");
}

interface Sides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
  readonly schema: Schema;
  readonly masked: readonly string[];
}

function changedLines({ before, after, schema, masked, step }: Sides & { readonly step: Step }, paint: Paint): readonly string[] {
  const names = Object.keys(schema).filter((name) => {
    const [had, has] = [before?.[name] ?? null, after?.[name] ?? null];
    return before === null || after === null ? (had ?? has) !== null : !identical(had, has);
  });
  const width = widthOf(names);
  return names.flatMap((name) => {
    const forced = step.action === "replace" && step.because.some(({ attribute }) => attribute === name);
    const [sign, colour] = before === null ? (["+", "green"] as const) : after === null ? (["-", "red"] as const) : (["~", "yellow"] as const);
    const text = `${arrow(name, { before, after, schema, masked })}${forced ? paint("red", " # forces replacement") : ""}`;
    const note = forced ? noteOf(schema, name) : undefined;
    return [line({ symbol: paint(colour, sign), name, width, text }), ...(note === undefined ? [] : [`        ${paint("dim", `(${note})`)}`])];
  });
}

function noteOf(schema: Schema, name: string): string {
  return schema[name]?.replaceNote ?? "events are not delivered between the delete and the create";
}

function line({ symbol, name, width, text }: { readonly symbol: string; readonly name: string; readonly width: number; readonly text: string }): string {
  return `      ${symbol} ${name.padEnd(width)} = ${text}`;
}

function widthOf(names: readonly string[]): number {
  return Math.max(0, ...names.map(({ length }) => length));
}

function arrow(name: string, { before, after, schema, masked }: Sides): string {
  const hidden = schema[name]?.sensitive === true || masked.includes(name);
  const text = (side: Attributes): string =>
    hidden && !isUnknown(side[name]) && (side[name] ?? null) !== null ? "(sensitive value)" : show(side[name] ?? null);
  if (before === null) return after === null ? "" : text(after);
  if (after === null) return text(before);
  return hidden && (before[name] ?? null) !== null && (after[name] ?? null) !== null ? "(sensitive value)" : `${text(before)} -> ${text(after)}`;
}

function show(value: Value): string {
  if (isUnknown(value)) return "(known after apply)";
  if (isSecretDigest(value)) return "(sensitive value)";
  return visible(JSON.stringify(value));
}
