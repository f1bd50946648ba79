import type { Catalog } from "../../core/model/definition.ts";
import type { Plan, Step } from "../../core/plan/plan.ts";
import type { PlanMode } from "../format.ts";
import { isMove } from "../json/step-json.ts";
import type { FirstFew } from "../text/first-few.ts";
import { fewPersonal, shownSteps } from "./shown-steps.ts";

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
export function stepGroups(plan: Pick<Plan, "steps" | "drift">, mode: PlanMode, catalog: Catalog): readonly StepGroup[] {
  const steps = shownSteps(plan, mode);
  return KINDS.flatMap((kind) => {
    const own = steps.filter((step) => (isMove(step) ? "move" : step.action) === kind);
    if (own.length === 0) return [];
    const shown = kind === "delete" || kind === "replace" ? own.map((item) => ({ item })) : fewPersonal(own, catalog);
    return [{ kind, title: TITLES[kind], steps: shown, count: own.length }];
  });
}
