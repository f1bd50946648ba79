import type { CheckResult } from "../model/check-result.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Attributes, Value } from "../model/value.ts";
import type { UndecidedWrite } from "./undecided.ts";

/** Why a step is planned: `attribute` is null where the user requested it. */
export type Reason =
  | {
      readonly attribute: string;
      readonly why: "config" | "drift" | "secret";
      /** It was imported without a declared value, and the service does not show the current one. */
      readonly unobserved?: true;
    }
  /** Its lookup now finds another value. */
  | { readonly attribute: string; readonly why: "lookup"; readonly lookup: string }
  | { readonly attribute: null; readonly why: "requested" };

interface StepBase {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  readonly because: readonly Reason[];
  /** Attributes made from sensitive variables. */
  readonly masked: readonly string[];
  /** The recorded address, where only the place in the configuration has changed. */
  readonly movedFrom?: string;
}

/** The change of one address. Reasons explain, they never decide. */
export type Step = StepBase &
  (
    | {
        readonly action: "create";
        readonly after: Attributes;
        /**
         * An irreversible write that was sent before. `unconfirmed`: its outcome was never confirmed, so it is sent only if a person
         * has approved this plan. `reassert`: it is done, and the time after which it is sent again has passed. `recheck`: what it
         * was sent for was not found; never part of a plan.
         */
        readonly again?: "unconfirmed" | "reassert" | "recheck";
      }
    | {
        readonly action: "replace";
        readonly order: "delete-first" | "create-first";
        readonly id: string;
        readonly before: Attributes;
        readonly after: Attributes;
        /** The object is recorded before it is replaced, with these values of the service. */
        readonly imported?: Attributes;
      }
    /** A change of the state alone; nothing is sent. */
    | {
        readonly action: "update-state";
        readonly id: string | null;
        readonly before: Attributes;
        readonly after: Attributes;
        /** The values that the service shows now. */ readonly returned: Attributes;
      }
    | {
        readonly action: "delete";
        readonly id: string;
        readonly before: Attributes;
        /** The object was replaced earlier; the current one of the address stays. */
        readonly deposed?: true;
        /** Nothing manages the object: the configuration names its id. Only a plan that a person has approved deletes it. */
        readonly removal?: { readonly reason: string };
      }
    /** Removed from the state, nothing is sent: it is gone already, or nothing can undo it, or it is released. */
    | {
        readonly action: "forget";
        readonly before: Attributes;
        /** The configuration releases it: it stays live, and so do the older objects of its address. */
        readonly released?: true;
        /** The object no longer exists. */
        readonly gone?: true;
      }
    /** Recorded, nothing is sent: it exists already. */
    | {
        readonly action: "adopt";
        readonly id: string | null;
        readonly after: Attributes;
        readonly returned: Attributes;
      }
    /** `undeclared`: an irreversible write that nothing declares any more. It stays recorded. */
    | { readonly action: "keep"; readonly id: string | null; readonly before: Attributes; readonly undeclared?: true }
  );

/** A change from outside since the last apply; `after` is null for an object that is gone. */
export interface Drift {
  readonly address: string;
  readonly type: string;
  readonly before: Attributes;
  readonly after: Attributes | null;
  readonly changed: readonly string[];
  readonly masked: readonly string[];
}

/** A change of an output value; a side is null where there is no such output, and `after` may be unknown. */
export interface OutputChange {
  readonly name: string;
  readonly before: { readonly value: Value } | null;
  readonly after: { readonly value: Value } | null;
  readonly sensitive: boolean;
}

/** The irreversible writes that wait: what they are about was not found, and each run looks for some of it. They are no changes. */
export interface Waiting {
  readonly count: number;
  /** How many are due. */
  readonly due: number;
  /** The addresses that an apply of this plan looks for, in this order. */
  readonly now: readonly string[];
  /** When the first one that it leaves out is due, in milliseconds since the epoch. */
  readonly nextAtMs: number | null;
}

/** A limit of the service: so many requests within any window of time. */
export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** What an apply of a plan costs. */
export interface PlanCost {
  /** How many requests it sends in all. */
  readonly requests: number;
  /** The least time between the first and the last of them. */
  readonly leastMs: number;
  /** The limit that this follows from. */
  readonly limit: RateLimit;
}

/** A plan is data: no functions, no time of its own, sorted. A plan with errors can be read but not applied. */
export interface Plan {
  readonly format: 1;
  readonly steps: readonly Step[];
  readonly drift: readonly Drift[];
  /** The outputs that change. */
  readonly outputs: readonly OutputChange[];
  /** The results of the checks, with the planned values. Absent: none are declared. */
  readonly checks?: readonly CheckResult[];
  readonly diagnostics: readonly Diagnostic[];
  /** The writes that recovery could not decide: their addresses have no step, the others are applied (exit 3). */
  readonly undecided: readonly UndecidedWrite[];
  /** Outcomes of earlier writes that only an apply can record, as `diagnostics` say: a change without a step. Absent: there are none. */
  readonly unrecorded?: true;
  /** What waits, and is compared with nothing. Absent: nothing waits. */
  readonly waiting?: Waiting;
  /** The names of objects that the steps refer to, by their ids, as far as the run has read them. Text of others. Absent: none. */
  readonly names?: Names;
  /** What its apply costs. Compared with nothing. Absent: it could not be planned. */
  readonly cost?: PlanCost;
  /** What no object selects any more, in a sentence with text of others. Follows from the steps. Absent: nothing, or it is not known. */
  readonly consequence?: string;
}

export type Names = { readonly [id: string]: string };

export interface PlanCounts {
  readonly import: number;
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
  readonly forget: number;
}

/** Whether the step changes only the recorded address. */
export function isMove(step: Step): boolean {
  return step.action === "update-state" && step.movedFrom !== undefined && step.because.length === 0;
}

/** Counts as Terraform does: a replace is an add and a destroy, changed values of the state alone are a change; a move, and an object that is gone, are neither. */
export function countSteps(steps: readonly Step[]): PlanCounts {
  const counts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };
  for (const step of steps) {
    if (step.action === "adopt" || (step.action === "replace" && step.imported)) counts.import++;
    if (step.action === "create" || step.action === "replace") counts.add++;
    if (step.action === "delete" || step.action === "replace") counts.destroy++;
    if (step.action === "update-state" && !isMove(step)) counts.change++;
    if (step.action === "forget" && !step.gone) counts.forget++;
  }
  return counts;
}

/** Whether the step deletes an object that nothing manages. */
export function isRemoval(
  step: Step,
): step is Extract<Step, { readonly action: "delete" }> & { readonly removal: { readonly reason: string } } {
  return step.action === "delete" && step.removal !== undefined;
}

export function hasChanges({ steps, outputs, unrecorded }: Pick<Plan, "steps" | "outputs" | "unrecorded">): boolean {
  return unrecorded === true || outputs.length > 0 || steps.some(({ action }) => action !== "keep");
}
