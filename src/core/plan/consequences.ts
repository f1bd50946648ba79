import type { AnyResource, Catalog } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, UNKNOWN } from "../model/value.ts";
import type { PlanOptions } from "./plan-context.ts";
import { type Consequences, type Plan, type Step, isRemoval } from "./plan.ts";
import { isPartial, within } from "./targets.ts";

interface Planned {
  readonly catalog: Catalog;
  readonly options: Pick<PlanOptions, "destroy" | "refreshOnly" | "importsOnly" | "targets" | "excludes">;
  readonly instances: readonly RecordedInstance[];
  readonly names?: { readonly [id: string]: string } | undefined;
  readonly leaves?: readonly string[] | undefined;
}

/**
 * What a plan changes for others, from all managed objects before and after it. Nothing where it does not know all of them: in a partial plan,
 * with an undecided write, where the plan leaves an object as it is, or where a value is unknown or unobserved.
 */
export function consequencesOf(
  { steps, undecided }: Pick<Plan, "steps" | "undecided">,
  planned: Planned,
): Pick<Plan, "consequences"> {
  const { catalog, options, instances, names = {}, leaves = [] } = planned;
  if (options.destroy || options.refreshOnly || options.importsOnly || isPartial(options) || undecided.length > 0)
    return {};
  const isLeft = within(leaves);
  const found = catalog.resources.flatMap((definition): readonly Consequences[] => {
    const { type, consequences } = definition;
    // What nothing manages is no part of the configuration before and after.
    const ofType = steps.filter((step) => step.type === type && !isRemoval(step));
    if (
      !consequences ||
      ofType.every(({ action }) => action === "keep") ||
      instances.some((one) => one.type === type && isLeft(one.address))
    )
      return [];
    const unobserved = new Map(
      instances.flatMap((one) => (one.type === type && one.unapplied ? [[one.address, one.unobserved] as const] : [])),
    );
    const sides = ofType.map((step) =>
      sidesOf(step, { definition, unobserved: unobserved.get(step.movedFrom ?? step.address) ?? [] }),
    );
    const sentences = consequences.of(
      sides.flatMap(({ before }) => before),
      sides.flatMap(({ after }) => after),
      names,
    );
    return sentences.length === 0 ? [] : [{ title: consequences.title, sentences }];
  });
  return found.length === 0 ? {} : { consequences: found };
}

/** The live objects of a step before and after it. */
function sidesOf(
  step: Step,
  { definition, unobserved }: { readonly definition: AnyResource; readonly unobserved: readonly string[] },
): { readonly before: readonly Attributes[]; readonly after: readonly Attributes[] } {
  const shown = (attributes: Attributes): Attributes => ({ ...attributes, ...hidden(step, definition) });
  const known = (attributes: Attributes): Attributes => ({
    ...shown(attributes),
    ...Object.fromEntries(unobserved.map((name) => [name, UNKNOWN])),
  });
  switch (step.action) {
    case "create":
      return { before: [], after: [shown(step.after)] };
    case "replace":
      return { before: [known(step.before)], after: [shown(step.after)] };
    case "delete":
      return { before: [known(step.before)], after: [] };
    case "forget":
      return step.gone ? { before: [], after: [] } : { before: [known(step.before)], after: [known(step.before)] };
    case "keep":
      return { before: [shown(step.before)], after: [shown(step.before)] };
    case "adopt":
    case "update-state":
      return { before: [shown(step.after)], after: [shown(step.after)] };
  }
}

/** What no sentence may contain: an object stands for the place that it hides. */
function hidden({ address, masked }: Step, { overlap }: AnyResource): Attributes {
  return Object.fromEntries(masked.map((name) => [name, name === overlap?.place ? address : UNKNOWN]));
}
