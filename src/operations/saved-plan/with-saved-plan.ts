import { firstFew } from "../../core/model/words.ts";
import { samePlan } from "../../core/apply/run/apply-run.ts";
import { undecidedDiagnostics } from "../../core/apply/run/plan-run.ts";
import type { PlannedRun } from "../../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, errorOf } from "../../core/model/diagnostic.ts";
import { lastChange } from "../../core/state/document.ts";
import type { OpenState } from "../../core/state/open-state.ts";
import type { OperationContext } from "../context.ts";
import { assertSound, loadConfiguration } from "../configuration/load-configuration.ts";
import { type OpenRun, type RunOptions, withOpenRun } from "../open-run.ts";
import { planWith } from "../plan.ts";
import { type Difference, basisOf, changedInputs, changedObjects } from "./plan-differences.ts";
import { assertOfJob, assertPlaces } from "./plan-places.ts";
import { type ReadPlan, type SavedPlan, isSealed, literalText } from "./saved-plan.ts";

export interface SavedPlanOptions extends RunOptions {
  /** The values of variables of the plan, where they hold for the apply. */
  readonly variables: SavedPlan["variables"];
}

/** A saved plan that was made again, and what is said about it. */
export interface PlannedAgain {
  readonly planned: PlannedRun;
  readonly diagnostics: readonly Diagnostic[];
  /** Failed: the configuration now has errors. */
  readonly status: "failed" | "same";
}

/**
 * Opens a run for a saved plan, which is the approval of its steps, and no authority for anything else. It must still match: the
 * same state, service and declarations as the options name them, and the same steps after reading the live list again under the
 * lock. Otherwise it throws, and nothing is done.
 */
export async function withSavedPlan<T>(
  context: OperationContext,
  read: ReadPlan,
  { variables, loaded: before, ...options }: SavedPlanOptions,
  use: (run: OpenRun, again: PlannedAgain) => Promise<T>,
): Promise<T> {
  const { saved } = read;
  const ofPlan = new Map(
    Object.entries(variables).map(([name, value]) => {
      const text = typeof value === "string" ? value : literalText(value);
      return [name, { value: text, from: "--var", isPassed: true as const }];
    }),
  );
  const loaded = before ?? (await loadConfiguration(context, options, { runsLists: true, ofPlan }));
  assertSound(loaded, "service", "state");
  assertOfJob(context, read, { options, loaded: loaded.value, ofPlan });
  const opening = {
    ...options,
    loaded,
    check: (opened: Pick<OpenRun, "loaded" | "store">) => assertPlaces(context, saved, opened),
    begin: (open: OpenState) => beginSaved(open, saved),
  };
  return withOpenRun(context, opening, async (run) => {
    const planned = await planWith(run, {
      options: { ...saved.choices, guarded: false },
      withSecrets: true,
    });
    const diagnostics = [...run.diagnostics, ...planned.plan.diagnostics, ...undecidedDiagnostics(planned)];
    const differences = samePlan(planned.plan, saved.plan) ? [] : await differencesFrom(saved, run, planned);
    if (differences.length > 0) throw new DiagnosticsError([...diagnostics, staleFor(differences)]);
    return use(run, { planned, diagnostics, status: hasErrors(planned.plan.diagnostics) ? "failed" : "same" });
  });
}

/** Why the plan would now be another; nothing where its own errors say it. */
async function differencesFrom(saved: SavedPlan, run: OpenRun, planned: PlannedRun): Promise<readonly Difference[]> {
  const isErrored = hasErrors(planned.plan.diagnostics);
  // Without declarations, the plan could not be made at all.
  if (isErrored && planned.declarations.length === 0) return [];
  const inputs = changedInputs(saved, { basis: await basisOf(run, planned), plan: planned.plan }, planned.declarations);
  if (inputs.length > 0) return inputs;
  const objects = changedObjects(saved.plan, planned.plan);
  return objects.length > 0 || isErrored ? objects : [{ text: "a new plan would be another" }];
}

const SHOWN = 10;

function staleFor(differences: readonly Difference[]): Diagnostic {
  const texts = differences.map(({ text }) => text);
  const why = stale(firstFew(texts, SHOWN, { separator: ";\n  ", last: ";\n  … and " }));
  return differences.some(({ isSecret }) => isSecret) ? { ...why, hint: SAME_SECRET } : why;
}

const SAME_SECRET =
  "Set the same secret in both jobs, for example in the environments plan and production of GitHub, or once for both. If the secret was changed after the plan, only make a new plan. Then review it, and apply it.";

/** A first plan creates the lineage and the salt of the future state. Any other one must bear the seal of its state. */
function beginSaved(open: OpenState, saved: SavedPlan): OpenState {
  const { lineage, serial, journalSeq, salt, isFirst } = saved;
  const { document } = open;
  if (isFirst) {
    if (open.version !== null)
      throw new DiagnosticsError([stale("no state existed when it was made, but one exists now")]);
    return { ...open, document: { ...document, lineage, salt } };
  }
  if (open.version === null) throw new DiagnosticsError([stale("the state that it was made with does not exist")]);
  if (document.lineage !== lineage)
    throw new DiagnosticsError([stale("it was made with another state (another lineage)")]);
  if (!isSealed(saved, document)) throw planChanged();
  const last = lastChange(document);
  if (last.serial !== serial)
    throw new DiagnosticsError([
      stale(`the state has changed from serial ${String(serial)} to ${String(last.serial)}`),
    ]);
  if (last.journalSeq !== journalSeq)
    throw new DiagnosticsError([stale("a later run was interrupted, and the plan does not contain what it sent")]);
  return open;
}

function stale(why: string): Diagnostic {
  return errorOf("plan_stale", "Saved plan is stale", {
    detail: `The saved plan can no longer be applied: ${why}. Nothing was done.`,
    hint: "Make a new plan, review it, and apply it.",
  });
}

function planChanged(): DiagnosticsError {
  return DiagnosticsError.of("plan_changed", "Saved plan was changed", {
    detail:
      "The saved plan is not as outreach plan made it with this state: its seal does not match. Nothing was done.",
    hint: "Find out who can change the file. Then make a new plan, review it, and apply it.",
  });
}
