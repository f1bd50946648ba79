import type { ConfigurationOutline } from "../../core/model/configuration-outline.ts";
import type { OutputValue } from "../../core/model/declaration.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { PlanOptions, Scope } from "../../core/plan/plan-context.ts";
import type { Plan, PlanCounts } from "../../core/plan/plan.ts";
import type { StateDocument } from "../../core/state/document.ts";
import type { Paint } from "./paint.ts";

/** One way to print a plan or a state. Every function is pure and returns whole lines. What it returns passes the mask of the stream that it goes to. */
export interface DocumentFormat {
  /** A saved plan as one document. */
  plan(plan: Plan, shown: ShownPlan, context: FormatContext): string;
  /** A state as one document. */
  state(state: ShownState, context: FormatContext): string;
}

/** A format that can also print what happens while a command runs. */
export interface OutputFormat extends DocumentFormat {
  /** What plan and apply print while they run. */
  readonly run: RunFormat;
}

export interface RunFormat {
  /** Where diagnostics go; everything else is a result, for stdout. */
  readonly diagnosticsTo: "out" | "err";
  /** Whether `still` redraws one line on a terminal. */
  readonly redraws: boolean;
  begin(context: FormatContext): string;
  diagnostics(diagnostics: readonly Diagnostic[], context: FormatContext): string;
  plan(plan: Plan, shown: Pick<ShownPlan, "mode" | "outputs">, context: FormatContext): string;
  /** Words for people. A format for programs says the same in its other lines, and returns nothing here. */
  say(text: string): string;
  progress(event: ProgressEvent, context: FormatContext): string;
  /** Printed every now and then during an apply. */
  still(counts: ProgressCounts, inFlight: readonly InFlight[], context: FormatContext): string;
  /** Clears what `still` has left on the screen. */
  endProgress(context: FormatContext): string;
  applied(applied: ShownApply, context: FormatContext): string;
}

export interface FormatContext {
  readonly catalog: Catalog;
  /** The version of outreach. */
  readonly version: string;
  /** Colours of the stream that the text goes to. */
  readonly paint: Paint;
  /** The width of the terminal that shows the text; null if it goes elsewhere. */
  readonly columns: number | null;
  /** Whether that stream is a terminal that can redraw its last line. */
  readonly isLive: boolean;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The mask of the stream, which knows texts as they are. A format that escapes, cuts or measures texts masks them first. */
  readonly mask: (text: string) => string;
}

/** What a plan is made for. */
export type PlanMode = "apply" | "destroy" | "refresh-only";

export function modeOf({ destroy, refreshOnly }: Pick<PlanOptions, "destroy" | "refreshOnly">): PlanMode {
  if (destroy) return "destroy";
  return refreshOnly ? "refresh-only" : "apply";
}

export interface ShownPlan {
  readonly mode: PlanMode;
  /** The name of the configuration, for reports. */
  readonly configuration: string;
  /** What tells this configuration's stages apart: a name that the user gave, or the place of the state. Null for the state that it has by default. */
  readonly stage: string | null;
  /** What the plan is about, as the user gave it. */
  readonly scope: Scope;
  /** The run of a CI that reports the plan; absent elsewhere. */
  readonly run?: ReportRun;
  /** The path of the saved plan, as the user gave it; null where it has none. */
  readonly planFile: string | null;
  /** What the plan said when it was made, with the ways out in words. */
  readonly diagnostics: readonly Diagnostic[];
  readonly outline: ConfigurationOutline;
  /** False for a plan without secrets, which cannot be applied. */
  readonly withSecrets: boolean;
  /** The addresses whose recorded secret nobody has verified. */
  readonly assumed: readonly string[];
  /** The outputs as recorded: a plan holds only those that change. */
  readonly outputs: readonly OutputValue[];
}

/** A run of a CI, for its reports. */
export interface ReportRun {
  /** The commit that was planned; null if it is not known. */
  readonly commit: string | null;
  /** A number that grows with each run; null if the CI has none. */
  readonly run: number | null;
}

export type ShownState = Pick<StateDocument, "instances" | "outputs" | "lostCreates" | "pending">;

/** How an apply ended. */
export type Ending = "complete" | "incomplete" | "interrupted" | "stopped";

export interface ShownApply {
  readonly counts: PlanCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly destroying: boolean;
  readonly ending: Ending;
  /** How many changes its time was too short for. */
  readonly left: number;
  /** The outputs that are recorded now. */
  readonly outputs: readonly OutputValue[];
}

/** What happens to one address during an apply. */
export interface ProgressEvent {
  /** `unsure`: the outcome is not known yet. */
  readonly kind: "start" | "complete" | "errored" | "unsure";
  readonly phase: "create" | "delete";
  readonly address: string;
  readonly id: string | null;
  readonly elapsedMs: number;
  /**
   * Milliseconds between the delete and the create of a replace, from the sending of the first to the answer of the second:
   * an upper bound of the time in which neither object existed.
   */
  readonly gapMs?: number;
}

export type InFlight = Pick<ProgressEvent, "phase" | "address" | "elapsedMs">;

/** How far an apply is. */
export interface ProgressCounts {
  /** Finished steps, whatever their outcome. */
  readonly done: number;
  readonly total: number;
  /** Finished steps that failed, or whose outcome is undecided. */
  readonly failed: number;
  readonly elapsedMs: number;
}
