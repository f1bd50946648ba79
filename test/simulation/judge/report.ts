import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";

/** What a run was, as its user saw it. */
export interface RunReport {
  readonly exit: 0 | 1 | 3 | "died";
  /** All diagnostics of plan and apply, and of errors; of a process that died, none. */
  readonly said: readonly Diagnostic[];
  /** Anything else that it printed. */
  readonly texts: readonly string[];
  /** The plan that was approved; null if the run did not come so far. */
  readonly plan: Plan | null;
  /** Whether the state or the journal was written. */
  readonly wrote: boolean;
  /** Whether its store showed it an older state than the current one: it cannot tell. */
  readonly sawOldState: boolean;
  /** Whether a person has approved this plan: else unconfirmed unsubscriptions must not be sent again. */
  readonly approved: boolean;
  /** A state that its store did not take. */
  readonly unstored: Uint8Array | null;
}

/** What somebody wanted, and what must not get out. */
export interface Judged {
  /** Of the final configuration. */
  readonly declarations: readonly Declaration[];
  /** The ids of somebody else's objects that the configuration removes. */
  readonly removals: readonly string[];
  /** The values of the variables that secrets come from. */
  readonly secretOf: { readonly [variable: string]: string };
  readonly apiKey: string;
  /** Whether creates carry a mark. */
  readonly marks: boolean;
}
