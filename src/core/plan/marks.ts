import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
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
  {
    catalog,
    options,
    declarations,
    markByDefault = false,
  }: Pick<PlanInput, "catalog" | "options" | "declarations" | "markByDefault">,
): readonly Diagnostic[] {
  const ofType = (type: string, attributes: Attributes): boolean =>
    isMarked(resourceOf(catalog, type), attributes, markByDefault);
  if (options.markAll && !declarations.some(({ type, attributes }) => ofType(type, attributes)))
    return [nothingMarked(catalog, declarations)];
  const created = steps.filter(
    (step) => (step.action === "create" || step.action === "replace") && ofType(step.type, step.after),
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

function nothingMarked(catalog: Catalog, declarations: readonly Pick<Declaration, "address" | "type">[]): Diagnostic {
  const first = declarations.find(({ type }) => resourceOf(catalog, type).mark !== undefined);
  const attribute = first && resourceOf(catalog, first.type).mark;
  return errorOf("mark_all_nothing", "No block asks for a mark", {
    detail:
      "You asked to replace every object that should carry a mark and does not. No block of the configuration asks for one.",
    ...(first && attribute
      ? { ways: [{ kind: "set-attribute", address: first.address, type: first.type, attribute, value: "true" }] }
      : {}),
  });
}
