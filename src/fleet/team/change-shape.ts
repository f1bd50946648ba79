import { blockOf } from "../../core/model/address.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { canonicalJson } from "../../core/model/value.ts";
import { type Plan, type Step, isMove, isRemoval } from "../../core/plan/plan.ts";
import { digest } from "../../core/state/checksum.ts";

/**
 * Hexadecimal digits that plans of different teams have in common if they wait for the same reasons and do the same: as many steps of each kind, in
 * the same blocks, because of the same attributes. Ids, keys of a fan-out and values do not count, but for the ids of what nothing manages.
 */
export function changeShape({ steps, outputs }: Pick<Plan, "steps" | "outputs">, reasons: readonly string[]): string {
  const kinds = new Map<string, number>();
  for (const step of steps) {
    if (step.action === "keep") continue;
    const kind = kindOf(step);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const names = outputs.map(({ name }) => name);
  return digest(
    canonicalJson([
      [...new Set(reasons)].toSorted(),
      [...kinds].map(([kind, count]) => `${kind} ${String(count)}`).toSorted(),
      names.toSorted(),
    ]),
  );
}

/** Whether the plan creates objects that a later plan can delete again, and does nothing else. */
export function createsOnly({ steps }: Pick<Plan, "steps">, { resources }: Catalog): boolean {
  const listed = new Set(resources.filter(({ list }) => list !== undefined).map(({ type }) => type));
  const changes = steps.filter(({ action }) => action !== "keep");
  return changes.length > 0 && changes.every(({ action, type }) => action === "create" && listed.has(type));
}

/** The ids of what the plan deletes although nothing manages it. */
export function removedIds({ steps }: Pick<Plan, "steps">): readonly string[] {
  return steps
    .filter(isRemoval)
    .map(({ id }) => id)
    .toSorted();
}

function kindOf(step: Step): string {
  const because = step.because.map((reason) => `${reason.attribute ?? ""} ${reason.why}`);
  const { again = null } = step.action === "create" ? step : {};
  return canonicalJson([
    step.action,
    isMove(step),
    again,
    blockOf(step.address),
    because.toSorted(),
    ...(isRemoval(step) ? [step.id] : []),
  ]);
}
