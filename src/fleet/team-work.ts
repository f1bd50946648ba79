import type { Diagnostic } from "../core/model/diagnostic.ts";
import type { PlanCost, PlanCounts } from "../core/plan/plan.ts";

/** What a plan may do without a person's approval. */
export type Auto = "none" | "safe" | "all";

/** The teams of a configuration, as this process reads it now. */
export interface FleetConfiguration {
  /** Changes with anything that a plan of any team depends on, but for the values of secrets. Hexadecimal. */
  readonly digest: string;
  /** The commit of the checkout; null where it is none. */
  readonly commit: string | null;
  readonly teams: readonly DeclaredTeam[];
}

export interface DeclaredTeam {
  readonly name: string;
  /** Changes with anything that a plan of this team depends on, but for the values of secrets. Hexadecimal. */
  readonly digest: string;
}

/** What the controller asks to be done with teams: it knows neither files nor the service itself. */
export interface TeamWork {
  /**
   * Reads the configuration. Throws `DiagnosticsError` while it cannot be read or has mistakes: then the one before stays in force. Throws
   * `FleetUnavailable` while the database is not available, which knows the teams of before.
   */
  read(signal: AbortSignal): Promise<FleetConfiguration>;
  /**
   * Plans a team of the configuration that was read last, and applies the plan as far as `auto` allows: `none` nothing; `safe` a plan that stays
   * within the limits of the configuration; `all` any plan that the configuration asks for, though not one that recreates more
   * webhooks than its limit, nor one for another campaign of the same name. What it does not apply is saved, and returned as the plan that waits. Throws nothing for
   * what goes wrong with the team, only the signal's reason, and the error of the fleet's database.
   */
  reconcile(team: string, auto: Auto, signal: AbortSignal, facts: RunFacts): Promise<TeamResult>;
  /** Applies exactly this saved plan, if it still fits. */
  applyPlan(team: string, plan: Uint8Array, signal: AbortSignal, facts: RunFacts): Promise<TeamResult>;
}

/** What a run has to know of the team's other runs, and of the fleet. */
export interface RunFacts {
  /** The newest version of the state that was seen: the run fails if the state is older. */
  readonly seen: StateMark | null;
  /** The run fails if the service has answered nothing so long after its first request. */
  readonly hangsAfterMs: number;
  /** Why no plan may be applied now, as a sentence; null where it may. */
  readonly hold: string | null;
  /** Whether webhooks that are live and identical to declared ones are imported. The plan waits then, whatever the policy. */
  readonly adopts?: boolean;
}

/** What a team has at the service: `webhooks` of its state, by the key of this name. */
export interface Holding {
  /** Null: that of the run before. */
  readonly keyName: string | null;
  readonly webhooks: number;
}

/** A team that left the configuration. `webhooks`: those that are live and that no other team has. */
export interface RemovedTeam extends Holding {
  readonly name: string;
  /** When it was removed: milliseconds since the epoch. */
  readonly removedMs: number;
  /** Where its state is, without credentials; null if no run has read it. */
  readonly place: string | null;
}

/** A version of a team's state. */
export interface StateMark {
  /** Where it is, without credentials. */
  readonly place: string;
  readonly lineage: string;
  readonly serial: number;
}

export interface TeamResult {
  /**
   * `unchanged`: nothing to do. `applied`: all of it was done. `waiting`: a plan waits for approval. `outdated`: the approved plan does not fit any more,
   * and nothing was done. `busy`: somebody else has the lock of the state. `undecided`: the outcome of a write is not known, a person has to look.
   * `interrupted`: it was asked to stop before it was done.
   */
  readonly outcome: "unchanged" | "applied" | "waiting" | "outdated" | "busy" | "failed" | "undecided" | "interrupted";
  /** What was done, or for a plan that waits, what it would do. */
  readonly counts: PlanCounts;
  /** How many objects somebody else has changed or deleted since they were recorded. */
  readonly drifted: number;
  /** Without secrets and personal data, as they may be stored and shown to anybody. */
  readonly messages: readonly Pick<Diagnostic, "severity" | "code" | "summary" | "detail" | "hint" | "address">[];
  /**
   * The plan that waits: its bytes, encrypted if the state is, and as text for people, without secrets and personal data. `digest` changes with what it does,
   * also with what the text shortens or masks. `shape`: what plans of other teams that do the same for the same reasons have in common. `createsOnly`: it creates what a later plan
   * can delete again, and nothing else. `removals`: the ids of what it deletes although nothing manages it. `cost`: what an apply of it costs.
   */
  readonly plan: {
    readonly bytes: Uint8Array;
    readonly text: string;
    readonly digest: string;
    readonly shape: string;
    readonly createsOnly: boolean;
    readonly removals: readonly string[];
    readonly cost: PlanCost | null;
  } | null;
  /** How many requests were sent to the service. */
  readonly requests: number;
  /** The newest version of the state that this run or one before has seen. Absent: none. */
  readonly seen?: StateMark | null;
  /** What it found that the team has at the service. Absent: it did not come so far. */
  readonly holds?: Holding | undefined;
  /** The state is older than one that was seen, or a controller that may be gone has left a lock that stays. */
  readonly needsPerson?: boolean;
}
