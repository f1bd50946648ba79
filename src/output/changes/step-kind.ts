import type { Step } from "../../core/plan/plan.ts";
import { isMove } from "../json/step-json.ts";

/** What a report groups steps by, in its order: the most dangerous first. */
export const STEP_KINDS = ["delete", "replace", "create", "adopt", "update-state", "move", "forget", "keep"] as const;

export type StepKind = (typeof STEP_KINDS)[number];

/** What the steps of a kind are, behind their number. */
export const KIND_TITLES: { readonly [kind in StepKind]: string } = {
  delete: "to destroy",
  replace: "to replace",
  create: "to create",
  adopt: "to import",
  "update-state": "to update in the state only",
  move: "to move",
  forget: "to forget",
  keep: "unchanged",
};

export function kindOf(step: Step): StepKind {
  return isMove(step) ? "move" : step.action;
}
