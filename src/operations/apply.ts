import { type AppliedRun, applyRun } from "../core/apply/run/apply-run.ts";
import type { Progress } from "../core/apply/run/progress.ts";
import type { PlannedRun } from "../core/apply/run/run-ports.ts";
import { hasErrors } from "../core/model/diagnostic.ts";
import { appliedNotes } from "./messages/waiting-notes.ts";
import type { OpenRun } from "./open-run.ts";

/** What was applied, and how that ended. */
export interface Applied extends AppliedRun {
  /** Undecided: the outcome of a write is not known, and needs `resolve`. Incomplete: a step or a check has failed. */
  readonly status: "complete" | "incomplete" | "interrupted" | "undecided";
}

export interface ApplyOptions {
  /**
   * How the plan was approved. `typed`: by a person just now, so the lists are read again and must give the same plan. `saved`: by a
   * person, with the saved plan that it equals. `decided`: by a program that took its time, so the lists are read again. `none`: by nobody. Nothing
   * unconfirmed is sent again unless a person approved it.
   */
  readonly approval: "typed" | "decided" | "saved" | "none";
  /** Called at the start and the end of each step. */
  readonly report: (progress: Progress) => void;
  /** Aborted: begin nothing more. What is in flight is finished, and what is left is counted. */
  readonly within?: AbortSignal | undefined;
}

/** Carries out a plan. Everything that was sent is stored when it returns or throws. The run's signal stops it: what is in flight is finished. */
export async function apply(
  { store, open, ports }: OpenRun,
  planned: PlannedRun,
  { approval, report, within }: ApplyOptions,
): Promise<Applied> {
  const [asked, approved] = [
    approval === "typed" || approval === "decided",
    approval === "typed" || approval === "saved",
  ];
  const applied = await applyRun(
    store,
    { open, planned, asked, approved, report, stop: ports.signal, ...(within ? { within } : {}) },
    ports,
  );
  return { ...applied, diagnostics: [...applied.diagnostics, ...appliedNotes(applied)], status: statusOf(applied) };
}

export function statusOf({ undecided, interrupted, diagnostics }: AppliedRun): Applied["status"] {
  if (undecided) return "undecided";
  if (interrupted) return "interrupted";
  return hasErrors(diagnostics) ? "incomplete" : "complete";
}
