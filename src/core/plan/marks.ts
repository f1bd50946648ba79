import { type AnyResource, resourceOf } from "../model/definition.ts";
import { type Diagnostic, noteOf } from "../model/diagnostic.ts";
import type { PlanInput } from "./plan-context.ts";
import type { Step } from "./plan.ts";

/** Whether the creates of a type carry a mark. `marks`: the setting of the service. */
export function isMarked({ mark }: Pick<AnyResource, "mark">, marks: boolean): boolean {
  return marks && mark === true;
}

/** Says once what a mark is. */
export function markNotes(steps: readonly Step[], { catalog, marks = false }: PlanInput): readonly Diagnostic[] {
  const created = steps.filter(
    ({ action, type }) => (action === "create" || action === "replace") && isMarked(resourceOf(catalog, type), marks),
  );
  if (created.length === 0) return [];
  const [{ type } = { type: "" }] = created;
  const { noun, plural, exclusive } = resourceOf(catalog, type);
  const [which, it] =
    created.length === 1 ? [`A new ${noun} carries`, "it"] : [`${String(created.length)} new ${plural} carry`, "them"];
  return [
    noteOf("marked", `${which} a mark`, {
      detail: `The service gets ${it} with a random parameter in ${exclusive ?? "an attribute"}, so that a lost answer can be decided. Plans, the state and comparisons leave it out.`,
    }),
  ];
}
