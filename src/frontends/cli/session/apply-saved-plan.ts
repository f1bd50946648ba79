import { firstFew } from "../../../core/model/words.ts";
import { samePlan } from "../../../core/apply/run/apply-run.ts";
import { planRun, undecidedDiagnostics } from "../../../core/apply/run/plan-run.ts";
import type { PlanRequest, PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import type { OpenState } from "../../../core/state/open-state.ts";
import type { ExitCode, Output } from "../command-context.ts";
import type { ServiceContext } from "./connection.ts";
import type { ApplyOptions, PlanFileOptions, StateOptions } from "../program/options.ts";
import { type View, withView } from "../screen/view.ts";
import { carryOut } from "./plan-and-apply.ts";
import { expander } from "./plan-and-show.ts";
import { basisOf, changedInputs, changedObjects } from "./plan-differences.ts";
import { readPlan } from "./plan-file.ts";
import { assertConfiguration, assertOfJob, assertPlaces } from "./plan-places.ts";
import { type ReadPlan, type SavedPlan, isSealed, literalText } from "./saved-plan.ts";
import { type Session, withSession } from "./session.ts";

/** The options that may be passed with a saved plan. The plan itself fixes everything else. */
const MAY_BE_GIVEN = new Set([
  "config",
  "team",
  "var",
  "varFile",
  "state",
  "lock",
  "lockTimeout",
  "autoApprove",
  "input",
  "json",
  "showEmails",
  "runKeyCommand",
]);

/**
 * Applies a saved plan, which is the approval of its steps, and no authority for anything else. It must still match: the
 * same configuration, state, service and declarations, and the same steps after reading the live list again under the lock.
 * Otherwise nothing is done.
 */
export function applySavedPlan(
  context: Output & ServiceContext,
  path: string,
  {
    options,
    given,
  }: { readonly options: ApplyOptions & PlanFileOptions; /** The names of the options on the command line. */ readonly given: readonly string[] },
): Promise<ExitCode> {
  return withView(context, options, async (view) => {
    const other = given.filter((name) => !MAY_BE_GIVEN.has(name));
    if (other.length > 0) throw new DiagnosticsError([decidedAlready(other)]);
    const read = await readPlan(context, path, options);
    if (!read.saved.withSecrets) throw new DiagnosticsError([madeWithoutSecrets(path)]);
    assertConfiguration(context, read.saved, options);
    const { variables } = read.saved;
    return applySaved(context, read, { options, variables, operation: "apply", view });
  });
}

interface Given {
  readonly options: StateOptions;
  /** Of the plan, where they hold for the apply. */
  readonly variables: SavedPlan["variables"];
  readonly operation: string;
  readonly view: View;
}

/** The same for a plan that was read, with the configuration that the options name. */
export async function applySaved(context: ServiceContext, read: ReadPlan, { options, variables, operation, view }: Given): Promise<ExitCode> {
  const { saved } = read;
  await assertOfJob(context, read, { options, variables });
  const opened = {
    ...options,
    var: [...Object.entries(variables).map(([name, value]) => `${name}=${typeof value === "string" ? value : literalText(value)}`), ...options.var],
  };
  const check = ({ loaded, store }: Pick<Session, "loaded" | "store">): void => assertPlaces(context, saved, { loaded, store });
  const begin = (open: OpenState): OpenState => beginSaved(open, saved);
  return withSession(context, opened, { operation, check, begin }, async (session) => {
    const { ports, loaded, open, diagnostics } = session;
    const request: PlanRequest = {
      evaluate: loaded.evaluate,
      limits: loaded.configuration.limits,
      options: { ...saved.choices, guarded: false },
      expand: expander(context),
      allowServiceChange: saved.allowServiceChange,
      withSecrets: true,
    };
    const planned = await planRun(open, request, ports);
    view.diagnostics([...diagnostics, ...planned.plan.diagnostics, ...undecidedDiagnostics(planned)]);
    const differences = samePlan(planned.plan, saved.plan) ? [] : await differencesFrom(saved, session, planned);
    if (differences.length > 0) throw stale(listed(differences));
    if (hasErrors(planned.plan.diagnostics)) return 1;
    return carryOut(context, session, { view, planned, asked: false, approved: true, destroy: saved.choices.destroy });
  });
}

/** Why the plan would now be another; nothing where its own errors say it. */
async function differencesFrom(saved: SavedPlan, session: Session, planned: PlannedRun): Promise<readonly string[]> {
  const isErrored = hasErrors(planned.plan.diagnostics);
  // Without declarations, the plan could not be made at all.
  if (isErrored && planned.declarations.length === 0) return [];
  const inputs = changedInputs(saved, { basis: await basisOf(session, planned), plan: planned.plan }, planned.declarations);
  if (inputs.length > 0) return inputs;
  const objects = changedObjects(saved.plan, planned.plan);
  return objects.length > 0 || isErrored ? objects : ["a new plan would be another"];
}

const SHOWN = 10;

function listed(differences: readonly string[]): string {
  return firstFew(differences, SHOWN, { separator: ";\n  ", last: ";\n  … and " });
}

/** A first plan creates the lineage and the salt of the future state. Any other one must bear the seal of its state. */
function beginSaved(open: OpenState, saved: SavedPlan): OpenState {
  const { lineage, serial, journalSeq, salt, isFirst } = saved;
  const { document } = open;
  if (isFirst) {
    if (open.version !== null) throw stale("no state existed when it was made, but one exists now");
    return { ...open, document: { ...document, lineage, salt } };
  }
  if (open.version === null) throw stale("the state that it was made with does not exist");
  if (document.lineage !== lineage) throw stale("it was made with another state (another lineage)");
  if (!isSealed(saved, document)) throw new DiagnosticsError([planChanged()]);
  if (document.serial !== serial) throw stale(`the state has changed from serial ${String(serial)} to ${String(document.serial)}`);
  if (document.journalSeq !== journalSeq) throw stale("a later run was interrupted, and the plan does not contain what it sent");
  return open;
}

function stale(why: string): DiagnosticsError {
  const diagnostic: Diagnostic = {
    code: "plan_stale",
    severity: "error",
    summary: "Saved plan is stale",
    detail: `The saved plan can no longer be applied: ${why}. Nothing was done.`,
    hint: "Make a new plan, review it, and apply it.",
  };
  return new DiagnosticsError([diagnostic]);
}

function planChanged(): Diagnostic {
  return {
    code: "plan_changed",
    severity: "error",
    summary: "Saved plan was changed",
    detail: "The saved plan is not as outreach plan made it with this state: its seal does not match. Nothing was done.",
    hint: "Find out who can change the file. Then make a new plan, review it, and apply it.",
  };
}

function decidedAlready(names: readonly string[]): Diagnostic {
  const shown = names.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return {
    code: "options_conflict",
    severity: "error",
    summary: "Conflicting options",
    detail: `A saved plan is applied unchanged, so ${shown.join(", ")} cannot be passed to apply.`,
    hint: "Pass them to outreach plan --out, and apply that plan.",
  };
}

function madeWithoutSecrets(path: string): Diagnostic {
  return {
    code: "plan_without_secrets",
    severity: "error",
    summary: "This plan cannot be applied",
    detail: `${path} was made with --no-secrets, so its secrets are unknown.`,
    hint: "Where the configuration is trusted, make a plan without that option and apply it.",
  };
}
