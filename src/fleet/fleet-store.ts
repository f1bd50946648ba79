import type { PlanCost, PlanCounts } from "../core/plan/plan.ts";
import type { Auto, StateMark, TeamResult } from "./team-work.ts";

/** Why a team is reconciled now. `adopt`: to plan the import of webhooks that are live and identical. */
export type Trigger = "interval" | "configuration" | "request" | "adopt" | "approval" | "retry";

/**
 * What the page, the table and the metrics show of a team. `new`: not reconciled yet. `unchanged`, `applied`, `failed`: how its last run
 * ended. `waiting`: its plan needs an approval. `locked`: several runs in a row have found the state locked. `parked`: nothing happens
 * until somebody resumes it. `paused`: somebody has paused it.
 */
export type TeamState =
  | "new"
  | "running"
  | "unchanged"
  | "applied"
  | "waiting"
  | "failed"
  | "locked"
  | "parked"
  | "paused";

export interface TeamStatus {
  readonly name: string;
  readonly state: TeamState;
  /** When the last run that has ended began. Milliseconds since the epoch. */
  readonly lastRunMs: number | null;
  readonly lastDurationMs: number | null;
  /** Null while it is paused or parked. */
  readonly nextRunMs: number | null;
  /** How many runs have failed one after the other. */
  readonly failures: number;
  /** When the first of them began; null if the last run did not fail. */
  readonly failingSinceMs: number | null;
  readonly drifted: number;
  /** What the last run has done, or what the plan that waits would do. */
  readonly counts: PlanCounts;
  /** Its own policy; null: the fleet's. */
  readonly auto: Auto | null;
  /** The id of the plan that waits for approval. */
  readonly plan: string | null;
  /** What plans of other teams that do the same for the same reasons have in common; null without a plan that waits. */
  readonly shape: string | null;
  /** Whether the plan that waits creates what a later plan can delete again, and nothing else. */
  readonly createsOnly: boolean;
  /** The ids of what the plan that waits deletes although nothing manages it: only a person approves that. */
  readonly removals: readonly string[];
  /** What an apply of the plan that waits costs; null without one. */
  readonly cost: PlanCost | null;
  /** The first error or warning of the last run, in a line. */
  readonly message: string | null;
  readonly commit: string | null;
  /** When it left the configuration. */
  readonly removedMs: number | null;
}

export interface RunStatus {
  readonly id: string;
  readonly team: string;
  readonly trigger: Trigger;
  /** `interrupted`: also where its process ended. */
  readonly outcome: TeamResult["outcome"] | "running";
  readonly beganMs: number;
  readonly durationMs: number | null;
  readonly counts: PlanCounts;
  readonly drifted: number;
  readonly requests: number;
  readonly messages: TeamResult["messages"];
  readonly commit: string | null;
  readonly process: string;
  /** The approved plan that it applied; null for one of its own. */
  readonly plan: string | null;
  readonly approvedBy: string | null;
}

/** A plan that waits, waited, or was approved. */
export interface PlanStatus {
  readonly id: string;
  readonly team: string;
  readonly madeMs: number;
  readonly counts: PlanCounts;
  /** What an apply costs; null where that is not known. */
  readonly cost: PlanCost | null;
  readonly text: string;
  readonly state: "waiting" | "approved" | "applied" | "outdated";
  readonly approvedBy: string | null;
}

/** What a person asked for. */
export interface EventStatus {
  /** Null: the settings of the fleet. */
  readonly team: string | null;
  /** `approve anyway`: in spite of a freeze. `set`: to change settings. */
  readonly action: "approve" | "approve anyway" | "adopt" | "run" | "pause" | "resume" | "set";
  readonly by: string;
  readonly atMs: number;
  /** The plan that was approved. */
  readonly plan: string | null;
  /** The settings that were changed, as options of a command. */
  readonly settings: string | null;
}

export interface ProcessStatus {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedMs: number;
  /** Whether its configuration is the one in force. */
  readonly isCurrent: boolean;
}

/** What all controllers of a fleet have in common. */
export interface FleetSettings {
  readonly auto: Auto;
  /** How often each team is reconciled. */
  readonly intervalMs: number;
  /** How long approvals and changes, and teams that were removed, are kept. */
  readonly historyMs: number;
  /** Until when no plan is applied without a person who says so, and why. */
  readonly freeze: { readonly untilMs: number; readonly reason: string } | null;
}

/** The settings that were given; the others stay as they are. */
export type GivenSettings = { readonly [name in keyof FleetSettings]?: FleetSettings[name] | undefined };

/** Where the configuration in force comes from. */
export interface ConfigurationStatus {
  readonly commit: string | null;
}

/** How many runs may begin at once: in all, and of teams that failed last time and that nobody has asked for. */
export interface MostRuns {
  readonly runs: number;
  readonly failing: number;
}

/** A run that has begun. */
export interface BegunRun {
  readonly id: string;
  readonly team: string;
  readonly trigger: Trigger;
  /** How many runs have failed, or could not decide an outcome, since the last one that succeeded. */
  readonly failures: number;
  /** How many of them could not decide an outcome. */
  readonly undecided: number;
  /** How many runs have found the state locked since one that did not. */
  readonly busy: number;
  /** The newest version of the team's state that a controller has seen since somebody last resumed a parked team. */
  readonly seen: StateMark | null;
  /** The database's time. */
  readonly beganMs: number;
  /** What the team's own policy allows, or the fleet's, and when the next run is due. */
  readonly auto: Auto;
  readonly freeze: FleetSettings["freeze"];
  readonly intervalMs: number;
  /** The approved plan that it has to apply. */
  readonly approved: { readonly id: string; readonly bytes: Uint8Array; readonly by: string } | null;
}

/** `by`: who approved the plan first. `other`: the plan of the team that waits now; null if none waits. */
export type Approval =
  | { readonly ok: true; readonly by: string }
  | { readonly ok: false; readonly other: string | null };

/** The database is not available. What was asked may have been done. */
export class FleetUnavailable extends Error {
  /** What to do about it, if the reason is known. */
  readonly hint: string | undefined;

  constructor(message: string, { hint, ...options }: ErrorOptions & { readonly hint?: string | undefined } = {}) {
    super(message, options);
    this.hint = hint;
  }
}

/** The database has no fleet, or only a part of one: it was created again, or is being restored. */
export class FleetMissing extends FleetUnavailable {}
