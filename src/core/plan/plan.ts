import type { Diagnostic } from "../model/diagnostic.ts";
import type { Attributes } from "../model/value.ts";

/** Why an attribute is part of a step. */
export interface Reason {
  readonly attribute: string;
  readonly why: "config" | "drift" | "secret";
}

interface StepBase {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  readonly because: readonly Reason[];
  /** Attributes made from sensitive variables. */
  readonly masked: readonly string[];
}

/** What is to be done with one address. Reasons explain, they never decide. */
export type Step = StepBase &
  (
    | { readonly action: "create"; readonly after: Attributes }
    | { readonly action: "replace"; readonly order: "delete-first"; readonly id: string; readonly before: Attributes; readonly after: Attributes }
    /** State only: nothing is sent. */
    | {
        readonly action: "record";
        readonly id: string | null;
        readonly before: Attributes;
        readonly after: Attributes;
        /** What the service shows now. */ readonly returned: Attributes;
      }
    | { readonly action: "delete"; readonly id: string; readonly before: Attributes }
    /** Taken out of the state, nothing is sent: it is gone already. */
    | { readonly action: "forget"; readonly before: Attributes }
    | { readonly action: "keep"; readonly id: string | null; readonly before: Attributes }
  );

/** What was changed behind our back since the last apply; `after` is null for what is gone. */
export interface Drift {
  readonly address: string;
  readonly type: string;
  readonly before: Attributes;
  readonly after: Attributes | null;
  readonly changed: readonly string[];
  readonly masked: readonly string[];
}

/** A plan is data: no functions, no time, sorted. One with errors can be read but not applied. */
export interface Plan {
  readonly format: 1;
  readonly steps: readonly Step[];
  readonly drift: readonly Drift[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlanCounts {
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
  readonly forget: number;
}

/** A replace counts as add and as destroy, a record as change. */
export function countSteps(steps: readonly Pick<Step, "action">[]): PlanCounts {
  const count = (...actions: readonly Step["action"][]): number => steps.filter(({ action }) => actions.includes(action)).length;
  return { add: count("create", "replace"), change: count("record"), destroy: count("delete", "replace"), forget: count("forget") };
}

export function hasChanges({ steps }: Plan): boolean {
  return steps.some(({ action }) => action !== "keep");
}
