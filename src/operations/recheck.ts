import { type AppliedRun, applyRun } from "../core/apply/run/apply-run.ts";
import type { PlannedRun } from "../core/apply/run/run-ports.ts";
import { timeLimit } from "../core/model/async.ts";
import type { Evaluate } from "../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../core/model/diagnostic.ts";
import { PLAIN_OPTIONS } from "../core/plan/plan-context.ts";
import { statusOf, type Applied } from "./apply.ts";
import { recheckedNote, waitingNote } from "./messages/waiting-notes.ts";
import type { OpenRun } from "./open-run.ts";
import { planWith } from "./plan.ts";

export interface RecheckOptions {
  /** Looks for everything that waits, whether or not it is due, and without the limit of a run. */
  readonly all: boolean;
  /** Looks for nothing more after this time, in milliseconds; null for no bound. */
  readonly maxDurationMs: number | null;
}

export interface RecheckResult {
  readonly rechecked: AppliedRun["rechecked"];
  readonly diagnostics: readonly Diagnostic[];
  readonly status: Applied["status"];
}

/** Looks for the watched unsubscriptions that wait, and does nothing else: it resolves no secret, and carries out no step of a plan. */
export async function recheck(run: OpenRun, { all, maxDurationMs }: RecheckOptions): Promise<RecheckResult> {
  const { clock } = run.context;
  const options = {
    ...PLAIN_OPTIONS,
    guarded: false,
    approval: "none",
    atMs: clock.now(),
    rechecks: all ? "all" : "due",
  } as const;
  const planned = await planWith(run, { options, evaluate: withoutRemovals(run.loaded.evaluate), withSecrets: false });
  if (planned.declarations.length === 0 && hasErrors(planned.plan.diagnostics))
    throw new DiagnosticsError(planned.plan.diagnostics);
  if (maxDurationMs === null) return recheckPlanned(run, planned);
  const limit = timeLimit(maxDurationMs, clock, () => new Error("The time of the recheck is over"));
  return recheckPlanned(run, planned, limit.signal).finally(limit.end);
}

function withoutRemovals(evaluate: Evaluate): Evaluate {
  return (seen) => ({ ...evaluate(seen), removals: [] });
}

/** Looks for the watched unsubscriptions that a plan has found to be due, and carries out none of its steps. `within`: aborted, it looks for nothing more. */
export async function recheckPlanned(run: OpenRun, planned: PlannedRun, within?: AbortSignal): Promise<RecheckResult> {
  const { context, store, open, ports, loaded } = run;
  // What its list has shown is left to the next apply: stored here, it would make saved plans stale.
  const document = planned.mustBeStored ? planned.document : open.document;
  const plan = { ...planned.plan, steps: [], outputs: [] };
  const alone = { ...planned, plan, document, outputsOf: () => document.outputs, failuresOf: () => [] };
  const request = { open, planned: alone, asked: false, approved: false, report: () => undefined, stop: ports.signal };
  const applied = await applyRun(store, { ...request, ...(within ? { within } : {}) }, ports);
  const rest = { nowMs: context.clock.now(), rateShare: loaded.configuration.service.rateShare };
  const said = applied.rechecked ? recheckedNote(applied.rechecked) : waitingNote(planned.plan.waiting, rest);
  return {
    rechecked: applied.rechecked,
    diagnostics: [...run.diagnostics, ...applied.diagnostics, ...said],
    status: statusOf(applied),
  };
}
