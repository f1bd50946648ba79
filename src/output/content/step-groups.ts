import { type Catalog, resourceOf } from "../../core/model/definition.ts";
import { type Plan, type Step, isMove } from "../../core/plan/plan.ts";
import type { PlanMode } from "./output-format.ts";
import { type FirstFew, firstFew } from "./first-few.ts";
import { blockOf } from "../../core/model/address.ts";

/** What a report groups steps by, in its order: the most dangerous first. */
const KINDS = ["delete", "replace", "create", "adopt", "update-state", "move", "forget"] as const;

export type StepKind = (typeof KINDS)[number];

const TITLES: { readonly [kind in StepKind]: string } = {
  delete: "to destroy",
  replace: "to replace",
  create: "to create",
  adopt: "to import",
  "update-state": "to update in the state only",
  move: "to move",
  forget: "to forget",
};

/** Steps that do the same. */
export interface StepGroup {
  readonly kind: StepKind;
  /** What they are, behind their number. */
  readonly title: string;
  /** Long lists of lead data are shortened to the first few and a count, but never what is destroyed or replaced. */
  readonly steps: readonly FirstFew<Step>[];
  /** The number of all of them. */
  readonly count: number;
}

/** The changes of a plan, grouped by what they do. Groups without steps are absent. */
export function stepGroups(plan: Plan, mode: PlanMode, catalog: Catalog): readonly StepGroup[] {
  const steps = shownSteps(plan, mode);
  return KINDS.flatMap((kind) => {
    const own = steps.filter((step) => (isMove(step) ? "move" : step.action) === kind);
    if (own.length === 0) return [];
    const shown = kind === "delete" || kind === "replace" ? own.map((item) => ({ item })) : fewPersonal(own, catalog);
    return [{ kind, title: TITLES[kind], steps: shown, count: own.length }];
  });
}

/** The steps to show: without those that change nothing, and without those that a refresh-only plan shows as drift. */
export function shownSteps({ steps, drift }: Plan, mode: PlanMode): readonly Step[] {
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
  const again = step.action === "create" ? step.again : undefined;
  return [
    blockOf(step.address),
    step.action,
    again,
    step.movedFrom !== undefined,
    step.because.map(({ why }) => why).join(),
  ].join(" ");
}
