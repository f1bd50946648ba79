import type { AnyResource, Catalog } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, UNKNOWN, type Value, hasUnknown } from "../model/value.ts";
import { firstFew } from "../model/words.ts";
import type { PlanOptions } from "./plan-context.ts";
import { type Names, type Plan, type Step, isRemoval } from "./plan.ts";
import { isPartial } from "./targets.ts";

interface Planned {
  readonly catalog: Catalog;
  readonly options: Pick<PlanOptions, "destroy" | "importsOnly" | "targets" | "excludes">;
  readonly instances: readonly RecordedInstance[];
  readonly names?: Names | undefined;
}

/** The most selections that the sentence names. */
const MAX_NAMED = 4;

/**
 * What no managed object selects any more, in a sentence. Absent where nothing is lost, and where the plan does not know all objects before and
 * after it: in a partial plan or a destroy, with an undecided write, or where a value is unknown or unobserved.
 */
export function consequenceOf(
  { steps, undecided }: Pick<Plan, "steps" | "undecided">,
  { catalog, options, instances, names = {} }: Planned,
): Pick<Plan, "consequence"> {
  if (options.destroy || options.importsOnly || isPartial(options) || undecided.length > 0) return {};
  const sentences = catalog.resources.flatMap((definition) => {
    const recorded = instances.filter(({ type }) => type === definition.type);
    if (!definition.overlap) return [];
    const unobserved = new Map(recorded.map((one) => [one.address, one.unapplied ? one.unobserved : []]));
    // What nothing manages is no part of the configuration before and after.
    const sides = steps
      .filter((step) => step.type === definition.type && !isRemoval(step))
      .map((step) => sidesOf(step, unobserved.get(step.movedFrom ?? step.address) ?? []));
    const lost = lostTexts(definition, sides, names);
    return lost.length === 0
      ? []
      : [`No ${definition.noun} of this configuration gets ${firstFew(lost, MAX_NAMED)} any more.`];
  });
  return sentences.length === 0 ? {} : { consequence: sentences.join(" ") };
}

interface Sides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
}

/** The selections before a plan that no object after it covers, in words. An absent selector covers everything. */
function lostTexts({ overlap }: AnyResource, sides: readonly Sides[], names: Names): readonly string[] {
  if (!overlap) return [];
  const selectionsOf = (side: keyof Sides): readonly (readonly Value[])[] => {
    const all = sides.flatMap(({ [side]: one }) => (one ? [overlap.selectors.map((name) => one[name] ?? null)] : []));
    return [...new Map(all.map((values) => [JSON.stringify(values), values])).values()];
  };
  const [before, after] = [selectionsOf("before"), selectionsOf("after")];
  if ([...before, ...after].some(hasUnknown)) return [];
  const kept = new Set(after.map((values) => JSON.stringify(values)));
  const lost = before.filter(
    (values) =>
      !kept.has(JSON.stringify(values)) &&
      !after.some((other) => other.every((value, at) => value === null || value === values[at])),
  );
  return lost.map((values) => {
    const isPartlyKept = after.some((other) =>
      other.every((value, at) => value === null || values[at] === null || value === values[at]),
    );
    const selected = Object.fromEntries(overlap.selectors.map((name, at) => [name, values[at] ?? null]));
    return overlap.selection(selected, { names, isPartlyKept });
  });
}

/** The live object of a step before and after it. A selector that no sentence may contain counts as unknown. */
function sidesOf(step: Step, unobserved: readonly string[]): Sides {
  const without = (attributes: Attributes, hidden: readonly string[] = []): Attributes => ({
    ...attributes,
    ...Object.fromEntries([...step.masked, ...hidden].map((name) => [name, UNKNOWN])),
  });
  const both = (one: Attributes | null): Sides => ({ before: one, after: one });
  switch (step.action) {
    case "create":
      return { before: null, after: without(step.after) };
    case "replace":
      return { before: without(step.before, unobserved), after: without(step.after) };
    case "delete":
      return { before: without(step.before, unobserved), after: null };
    case "forget":
      return both(step.gone ? null : without(step.before, unobserved));
    case "keep":
      return both(without(step.before));
    case "adopt":
    case "update-state":
      return both(without(step.after));
  }
}
