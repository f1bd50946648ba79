import { type AnyResource, resourceOf } from "../model/definition.ts";
import { type Diagnostic, errorOf, noteOf } from "../model/diagnostic.ts";
import type { Attributes } from "../model/value.ts";
import type { PlanInput } from "./plan-context.ts";
import type { Step } from "./plan.ts";

/** Whether the create of an object with these values carries a mark. `byDefault`: where it does not say so itself. */
export function isMarked({ mark }: Pick<AnyResource, "mark">, attributes: Attributes, byDefault: boolean): boolean {
  if (mark === undefined) return false;
  const own = attributes[mark] ?? null;
  return own === null ? byDefault : own === true;
}

/** Says once what a mark is, and what `markAll` does not find. */
export function markNotes(
  steps: readonly Step[],
  { catalog, options, declarations, markByDefault = false }: Pick<PlanInput, "catalog" | "options" | "declarations" | "markByDefault">,
): readonly Diagnostic[] {
  const ofType = (type: string, attributes: Attributes): boolean => isMarked(resourceOf(catalog, type), attributes, markByDefault);
  if (options.markAll && !declarations.some(({ type, attributes }) => ofType(type, attributes))) return [NOTHING_MARKED];
  const created = steps.filter((step) => (step.action === "create" || step.action === "replace") && ofType(step.type, step.after));
  if (created.length === 0) return [];
  const [{ type } = { type: "" }] = created;
  const { noun, plural, exclusive } = resourceOf(catalog, type);
  const [which, it] = created.length === 1 ? [`A new ${noun} carries`, "it"] : [`${String(created.length)} new ${plural} carry`, "them"];
  return [
    noteOf("marked", `${which} a mark`, {
      detail: `The service gets ${it} with a random parameter in ${exclusive ?? "an attribute"}, so that a lost answer can be decided. Plans, the state and comparisons leave it out.`,
    }),
  ];
}

const NOTHING_MARKED: Diagnostic = errorOf("mark_all_nothing", "Nothing is to carry a mark", {
  detail: "--mark-all replaces what is to carry a mark and does not, and no block is to carry one.",
  hint: "Set mark: true in a block, or for all under service.",
});
