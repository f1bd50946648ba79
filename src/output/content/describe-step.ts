import type { Schema } from "../../core/model/attribute.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import { type Attributes, identical, isUnknown } from "../../core/model/value.ts";
import { type Drift, type Names, type OutputChange, type Step, isMove } from "../../core/plan/plan.ts";
import { hiddenOutput, hiddenText, hiddenTexts, nameText, valueText, valueTexts } from "./value-text.ts";
import { visible } from "../../core/model/visible.ts";

/** A step in words, without a layout. Every text is on one line, without control characters. */
export interface DescribedStep {
  readonly symbol: "+" | "-" | "-/+" | "+/-" | "~" | "." | "";
  /** The action, in words that follow the address. */
  readonly title: string;
  /** Why, and what it means: one clause each. */
  readonly reasons: readonly string[];
  /** The changed attributes; of an object that comes or goes, all with a value. */
  readonly attributes: readonly DescribedAttribute[];
}

export interface DescribedAttribute {
  readonly name: string;
  /** Before and after; one text where there is only one side, or where both look alike. */
  readonly values: readonly [string] | readonly [before: string, after: string];
  /** Whether it forces the replace. */
  readonly forces: boolean;
  /** Why it does, and what the replace means; null for all but the first attribute that forces it. */
  readonly note: string | null;
  /** The name of what the value is the id of; on both sides of a change. Null where no name is known. */
  readonly comment: string | null;
}

export interface DescribeContext {
  readonly catalog: Catalog;
  /** Hides emails in a value before a long one is cut; absent where the stream hides them later. */
  readonly mask?: (text: string) => string;
  /** The names that the plan has read. */
  readonly names?: Names | undefined;
}

export function describeStep(step: Step, context: DescribeContext): DescribedStep {
  const definition = resourceOf(context.catalog, step.type);
  const sides = {
    before: "before" in step ? step.before : null,
    after: "after" in step ? step.after : null,
    masked: step.masked,
  };
  const names = changedNames(sides, definition.schema);
  const forcing =
    step.action === "replace" ? names.filter((name) => step.because.some(({ attribute }) => attribute === name)) : [];
  const attributes = names.map((name): DescribedAttribute => {
    const forces = forcing.includes(name);
    const because = forces ? definition.schema[name]?.replaceNote : undefined;
    const meaning = step.action === "replace" && name === forcing[0] ? replaceNotes(step, definition.destroy) : [];
    const note = [...(because === undefined ? [] : [because]), ...meaning].join(": ");
    const values = valuesOf(name, sides, definition.schema, context);
    return {
      name,
      values,
      forces,
      note: note === "" ? null : note,
      comment: commentOf(name, sides, definition.schema, context),
    };
  });
  return {
    symbol: symbolOf(step),
    title: titleOf(step, definition),
    reasons: reasonsOf(step, definition, forcing),
    attributes,
  };
}

/** What a report says about a step in addition to its group and its attributes: one clause each. */
export function remarksOf(step: Step, { reasons }: DescribedStep): readonly string[] {
  return [
    ...(isMove(step) ? [`moved from ${visible(String(step.movedFrom))}`] : []),
    ...("deposed" in step && step.deposed ? [`deposed object ${visible(step.id)}`] : []),
    ...(step.because.some(({ why }) => why === "drift") ? ["changed outside of outreach"] : []),
    ...reasons,
  ];
}

/** The known values that identify the object after the step, or before it if it goes. */
export function identityOf(step: Step, context: DescribeContext): readonly string[] {
  const { identity, schema } = resourceOf(context.catalog, step.type);
  const after = "after" in step ? step.after : step.before;
  return identity.flatMap((name) => {
    const value = after[name] ?? null;
    if (value === null || isUnknown(value)) return [];
    const sides = { before: null, after, masked: step.masked };
    const comment = commentOf(name, sides, schema, context);
    return valuesOf(name, sides, schema, context).map((text) => (comment === null ? text : `${text} (${comment})`));
  });
}

/** Whether the attribute has a value before the apply: a report leaves out those of a new object that only the apply brings. */
export function isKnown({ values }: DescribedAttribute): boolean {
  return values.at(-1) !== "(known after apply)";
}

/** The changed attributes of a drifted object; none of one that is gone. */
export function describeDrift(
  { type, before, after, changed, masked }: Drift,
  context: DescribeContext,
): readonly DescribedAttribute[] {
  if (after === null) return [];
  const { schema } = resourceOf(context.catalog, type);
  const sides = { before, after, masked };
  return changed.map((name) => ({
    name,
    values: valuesOf(name, sides, schema, context),
    forces: false,
    note: null,
    comment: commentOf(name, sides, schema, context),
  }));
}

/** The action, in words that follow an address. */
export function titleOf(step: Step, { destroy }: AnyResource): string {
  switch (step.action) {
    case "create":
      return "will be created";
    case "replace":
      return step.because.some(({ why }) => why !== "requested")
        ? "must be replaced"
        : "will be replaced, as requested";
    case "update-state":
      return "will be updated in the state only; nothing is sent";
    case "delete":
      return step.removal ? "will be destroyed, although nothing manages it" : "will be destroyed";
    case "forget":
      if (step.released) return "will no longer be managed by outreach, but will not be destroyed";
      return destroy === "forget"
        ? "will be removed from the state only"
        : "will be taken out of the state; it is gone already";
    case "adopt":
      return "will be imported";
    case "keep":
      return "matches the configuration";
  }
}

function symbolOf(step: Step): DescribedStep["symbol"] {
  switch (step.action) {
    case "create":
      return "+";
    case "replace":
      return step.order === "create-first" ? "+/-" : "-/+";
    case "update-state":
      return isMove(step) ? "" : "~";
    case "delete":
      return "-";
    case "forget":
      return ".";
    case "adopt":
    case "keep":
      return "";
  }
}

function reasonsOf(step: Step, { noun, destroy }: AnyResource, forcing: readonly string[]): readonly string[] {
  const reasons: string[] = [];
  if (step.movedFrom !== undefined && !isMove(step)) reasons.push(`moved from ${visible(step.movedFrom)}`);
  for (const reason of step.because) {
    if (reason.why === "lookup") reasons.push(`${visible(reason.lookup)} now finds another ${reason.attribute}`);
  }
  const unknown =
    step.action === "replace"
      ? step.because.flatMap((reason) => ("unobserved" in reason ? [reason.attribute] : []))
      : [];
  if (unknown.length > 0)
    reasons.push(
      `${unknown.join(" and ")} was not declared at the import, and the service does not show it: only a replace sends it`,
    );
  if (step.action === "create" && step.again)
    reasons.push(
      step.again === "reassert"
        ? "done before, and sent again: reassert has passed"
        : "an earlier attempt was never confirmed: sent again",
    );
  if (step.action === "replace" && forcing.length === 0) reasons.push(...replaceNotes(step, destroy));
  if (step.action === "delete" && step.removal) reasons.push(`reason: ${visible(step.removal.reason)}`);
  if ("deposed" in step && step.deposed) reasons.push("left over: the current one stays");
  if (step.action === "replace" && step.imported)
    reasons.push(`imported from ${JSON.stringify(step.id)}`, `warning: this destroys the imported ${noun}`);
  if (step.action === "forget" && step.released) reasons.push("destroy: false is set in the configuration");
  if (step.action === "forget" && destroy === "forget") reasons.push(`no documented request undoes a ${noun}`);
  if (step.action === "adopt")
    reasons.push(destroy === "forget" ? "recorded as done: nothing is sent" : "already exists: nothing is sent");
  return reasons;
}

/** The effect of a replace on event delivery. */
function replaceNotes(
  { order }: Extract<Step, { action: "replace" }>,
  destroy: AnyResource["destroy"],
): readonly string[] {
  if (destroy === "forget") return [];
  return [
    order === "create-first"
      ? "both the new one and the old one deliver between the create and the delete"
      : "events are not delivered between the delete and the create",
  ];
}

interface Sides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
  readonly masked: readonly string[];
}

function changedNames({ before, after }: Sides, schema: Schema): readonly string[] {
  return Object.keys(schema).filter((name) => {
    const [had, has] = [before?.[name] ?? null, after?.[name] ?? null];
    return before === null || after === null ? (had ?? has) !== null : !identical(had, has);
  });
}

function valuesOf(
  name: string,
  { before, after, masked }: Sides,
  schema: Schema,
  { mask }: DescribeContext,
): DescribedAttribute["values"] {
  const [had, has] = [before?.[name] ?? null, after?.[name] ?? null];
  const hidden = schema[name]?.sensitive === true || masked.includes(name);
  if (before === null || after === null) {
    const value = before === null ? has : had;
    return [hidden ? hiddenText(value) : valueText(value, mask)];
  }
  return hidden ? hiddenTexts(had, has) : valueTexts(had, has, mask);
}

/** The names of the ids in the values of an attribute. An id without one stands for itself where the other side has a name. */
function commentOf(
  name: string,
  { before, after, masked }: Sides,
  schema: Schema,
  { names, mask }: DescribeContext,
): string | null {
  if (!names || !schema[name]?.refersTo || masked.includes(name)) return null;
  const ids = [before?.[name] ?? null, after?.[name] ?? null].filter((id) => typeof id === "string");
  if (!ids.some((id) => Object.hasOwn(names, id))) return null;
  return [...new Set(ids)].map((id) => nameText(Object.hasOwn(names, id) ? (names[id] ?? id) : id, mask)).join(" -> ");
}

/** The change of an output in words, without a layout. */
interface DescribedOutput {
  readonly symbol: "+" | "-" | "~";
  readonly values: readonly [string] | readonly [before: string, after: string];
}

/** `mask` hides emails in a value before a long one is cut. */
export function describeOutput(
  { before, after, sensitive }: OutputChange,
  mask?: (text: string) => string,
): DescribedOutput {
  if (before !== null && after !== null)
    return {
      symbol: "~",
      values: sensitive
        ? hiddenTexts(before.value, after.value, hiddenOutput)
        : valueTexts(before.value, after.value, mask),
    };
  const value = (before ?? after)?.value ?? null;
  return { symbol: before === null ? "+" : "-", values: [sensitive ? hiddenOutput(value) : valueText(value, mask)] };
}
