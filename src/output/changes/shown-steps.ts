import { blockOf } from "../../core/model/address.ts";
import { type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { Plan, Step } from "../../core/plan/plan.ts";
import type { PlanMode } from "../format.ts";
import { type FirstFew, firstFew } from "../text/first-few.ts";

/** The steps to show: without those that change nothing, and without those that a refresh-only plan shows as drift. */
export function shownSteps({ steps, drift }: Pick<Plan, "steps" | "drift">, mode: PlanMode): readonly Step[] {
  const drifted = new Set(mode === "refresh-only" ? drift.map(({ address }) => address) : []);
  return steps.filter(({ action, address }) => action !== "keep" && !drifted.has(address));
}

/** Steps with long lists of lead data shortened to the first few and a count. */
export function fewPersonal(steps: readonly Step[], catalog: Catalog): readonly FirstFew<Step>[] {
  return firstFew(steps, (step) => (isPersonal(step.type, catalog) ? kindOf(step) : null));
}

/** Whether resources of this type hold personal data. */
export function isPersonal(type: string, catalog: Catalog): boolean {
  return Object.values(resourceOf(catalog, type).schema).some(({ personal }) => personal);
}

/** Groups equal steps of one block, so that a count never hides a different kind of step. */
function kindOf(step: Step): string {
  const again = step.action === "create" && step.again !== undefined;
  return [blockOf(step.address), step.action, again, step.movedFrom !== undefined, step.because.map(({ why }) => why).join()].join(" ");
}
