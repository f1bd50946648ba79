import type { Attributes } from "../core/model/value.ts";
import type { DecisionReason } from "../core/plan/decision-reasons.ts";
import type { DriftReport } from "../core/plan/drift-report.ts";
import type { Drift, OutputChange, Plan, PlanCost, PlanCounts, Step } from "../core/plan/plan.ts";

/** A mistake, a risk or something worth knowing. Its texts contain no secrets, but they may contain emails of leads. */
export interface Message {
  readonly severity: "error" | "warning" | "note";
  /** Stable, as in `state_locked`. */
  readonly code: string;
  /** A fixed phrase for each code. */
  readonly summary: string;
  /** What happened and why, in sentences. */
  readonly detail: string;
  /** What to do, with the command to run where there is one. */
  readonly hint?: string;
  readonly address?: string;
  /** The argument that is wrong, as in `options.targets` or `configuration.webhooks.crm.type`. */
  readonly path?: string;
  /** Lines and columns count from 1. */
  readonly place?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** What every operation returns. */
export interface Result {
  /** Errors, warnings and notes, in the order of the configuration. */
  readonly diagnostics: readonly Message[];
}

/** What an apply would do. JSON without secrets: these are digests. Values that are known only after the apply are `{ $unknown: true }`. */
export interface PlannedChanges {
  /** What happens at each address, sorted: also at those that keep as they are. */
  readonly steps: readonly Step[];
  /** Changes from outside since the last apply. */
  readonly drift: readonly Drift[];
  /** The outputs that change. */
  readonly outputs: readonly OutputChange[];
  /** What an apply costs: how many requests, and the least time that they take. Null where that could not be planned. */
  readonly cost: PlanCost | null;
  /** The earlier writes whose outcome is unknown. Their addresses have no step. */
  readonly undecided: readonly { readonly address: string | null; readonly type: string }[];
}

export interface PlanResult extends Result {
  /** `failed`: an error stops the apply; the plan has what could be planned anyway. `undecided`: the outcome of an earlier write needs `outreach resolve`; the other addresses can be applied. */
  readonly status: "changed" | "failed" | "interrupted" | "unchanged" | "undecided";
  /** Null where no plan could be made. */
  readonly plan: PlannedChanges | null;
  /** How many objects the plan imports, adds, changes in the state, destroys and forgets. A replace counts as add and destroy. */
  readonly counts: PlanCounts;
  /** What `applySaved` and `outreach apply FILE` apply, encrypted if the state is. Null where nothing can be applied. */
  readonly saved: Uint8Array | null;
}

/** A plan that an apply is about to carry out. */
export type PlannedResult = Omit<PlanResult, "plan" | "saved"> & { readonly plan: PlannedChanges };

export interface ApplyResult extends Result {
  /**
   * `complete`: everything is as declared. `incomplete`: a step or a check has failed. `failed`: an error stopped it. It may have sent requests
   * if the state or its lock was lost halfway: they are journaled, so apply again. `declined`: `decide` returned false. `undecided`: the outcome of a write needs `outreach resolve`.
   */
  readonly status: "complete" | "declined" | "failed" | "incomplete" | "interrupted" | "undecided";
  /** What was planned. Null where no plan could be made. */
  readonly plan: PlannedChanges | null;
  /** What was done. Zeros if the status is `failed`, `declined`, or `interrupted` before the first step. */
  readonly counts: PlanCounts;
  /** The recorded outputs, by name; with `(sensitive value)` in place of each secret that the run knows. */
  readonly outputs: { readonly [name: string]: unknown };
}

export interface DriftResult extends Result, Omit<DriftReport, "diagnostics" | "undecided"> {
  /** `drift`: something recorded is missing or changed. `unknown`: the lists cannot tell. `error`: an error stopped the comparison. */
  readonly status: "drift" | "error" | "interrupted" | "none" | "undecided" | "unknown";
}

export interface ExplainResult extends Result {
  readonly status: "complete" | "failed" | "interrupted" | "undecided";
  /** Null where the address could not be explained. */
  readonly explanation: AddressExplanation | null;
}

/** What is declared, recorded and live at one address, and why the plan decides as it does. */
export interface AddressExplanation {
  readonly address: string;
  readonly type: string;
  readonly declared: Attributes | null;
  readonly recorded: { readonly id: string | null; readonly attributes: Attributes } | null;
  readonly live: { readonly id: string; readonly attributes: Attributes } | null;
  readonly steps: readonly Step[];
  readonly reasons: readonly DecisionReason[];
  /** What an apply would do here, in sentences. */
  readonly effect: string;
}

export interface GenerateResult extends Result {
  readonly status: "complete" | "failed" | "interrupted" | "undecided";
  /** A YAML configuration with imports; null if there is nothing to declare. It may contain emails of leads. */
  readonly yaml: string | null;
  readonly counts: { readonly declared: number; readonly imports: number };
  /** The live webhooks that the YAML does not declare, and why. */
  readonly leftOut: readonly { readonly id: string; readonly why: string }[];
}

/** Those of a plan that a program can read. */
export function changesOf({ steps, drift, outputs, cost, undecided }: Plan): PlannedChanges {
  return {
    steps,
    drift,
    outputs,
    cost: cost ?? null,
    undecided: undecided.map(({ address, type }) => ({ address, type })),
  };
}
