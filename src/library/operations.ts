import { type PlanCounts, countSteps } from "../core/plan/plan.ts";
import { driftStatus } from "../core/plan/drift-report.ts";
import type { OutputValue } from "../core/model/declaration.ts";
import { yamlText } from "../frontends/generate/yaml-text.ts";
import { type Applied, apply as applyPlanned } from "../operations/apply.ts";
import { drift as findDrift } from "../operations/drift.ts";
import { explain as explainAddress } from "../operations/explain.ts";
import { guardsNamed } from "../operations/guards.ts";
import { generate as generateConfiguration } from "../operations/generate.ts";
import { withOpenRun } from "../operations/open-run.ts";
import type { PlanChoices } from "../core/plan/plan-context.ts";
import { type Planned, plan as planRun } from "../operations/plan.ts";
import { assertConfiguration } from "../operations/saved-plan/plan-places.ts";
import { assertApplicable, decodePlan, encodePlan } from "../operations/saved-plan/saved-plan.ts";
import { withSavedPlan } from "../operations/saved-plan/with-saved-plan.ts";
import {
  APPLY_ACCEPTS,
  APPLY_SAVED_ACCEPTS,
  DRIFT_ACCEPTS,
  OPTIONS_ACCEPTS,
  PLAN_ACCEPTS,
  checkAddress,
  checkSaved,
} from "./check-input.ts";
import { type Problem, kindOf } from "./json-value.ts";
import type {
  ApplyOptions,
  ApplySavedOptions,
  ConfigurationInput,
  DriftOptions,
  Options,
  PlanCallOptions,
  PlanOptions,
} from "./library-options.ts";
import {
  type ApplyResult,
  type DriftResult,
  type ExplainResult,
  type GenerateResult,
  type PlanResult,
  type PlannedChanges,
  type PlannedResult,
  changesOf,
} from "./results.ts";
import { type Opened, WrongAnswer, withContext } from "./with-context.ts";

const NOTHING: PlanCounts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };
const NOT_APPLIED = { plan: null, counts: NOTHING, outputs: {} };

/**
 * Plans what an apply would do. Sends no writes, and stores nothing. Throws only for faults, such as an error of `onProgress`; mistakes of
 * users, and a service that cannot be reached, are diagnostics.
 */
export function plan(configuration: ConfigurationInput, options: PlanCallOptions = {}): Promise<PlanResult> {
  return withContext(
    { configuration, options, accepts: PLAN_ACCEPTS },
    { plan: null, counts: NOTHING, saved: null },
    ({ context, chosen, messages }, { secrets = true, ...asked }) =>
      withOpenRun(context, { ...chosen, operation: "plan", persists: false, secrets }, async (run) => {
        const planned = await planRun(run, { ...choicesOf(asked), approval: secrets ? "saved" : "open" });
        const isSaved = secrets && planned.status !== "failed";
        const saved = isSaved ? await encodePlan({ run, planned, config: chosen.config }) : null;
        return { ...plannedResult(planned, messages), saved };
      }),
  );
}

/**
 * Plans and applies, as `outreach apply --auto-approve` does: the guards hold, unless `allow` lifts them. `decide` sees the plan first, under the
 * lock: false applies nothing; after true, the lists are read again, and `plan_outdated` says if they no longer give the same plan. Everything that was sent is recorded when this resolves; to run again is safe.
 */
export function apply(configuration: ConfigurationInput, options: ApplyOptions = {}): Promise<ApplyResult> {
  const given = { configuration, options, accepts: APPLY_ACCEPTS };
  return withContext(given, NOT_APPLIED, ({ context, chosen, calls, messages }, { decide, ...asked }) =>
    withOpenRun(
      context,
      { ...chosen, operation: asked.destroy === true ? "destroy" : "apply" },
      async (run): Promise<ApplyResult> => {
        const planned = await planRun(run, { ...choicesOf(asked), approval: "none" });
        const result = plannedResult(planned, messages);
        const { plan: changes, diagnostics } = result;
        const notDone = { diagnostics, plan: changes, counts: NOTHING, outputs: outputsOf(planned.document.outputs) };
        if (planned.status === "failed") return { ...notDone, status: "failed" };
        if (decide && !isYes(await calls.ask(() => decide(result), run.ports.signal)))
          return { ...notDone, status: "declined" };
        const applied = await applyPlanned(run, planned, {
          approval: decide ? "decided" : "none",
          report: (step) => calls.report({ kind: "step", step }),
        });
        return appliedResult(applied, changes, [...diagnostics, ...messages(applied.diagnostics)]);
      },
    ),
  );
}

/**
 * Applies a plan that `plan` or `outreach plan --out` has saved, if nothing that it depends on has changed: configuration, variables, state,
 * service and live objects. Otherwise it applies nothing, with a diagnostic `plan_stale`.
 */
export function applySaved(
  configuration: ConfigurationInput,
  saved: Uint8Array,
  options: ApplySavedOptions = {},
): Promise<ApplyResult> {
  const names = { path: "the saved plan", again: "Make a new plan." };
  const check = (problems: Problem[]): void => checkSaved(saved, problems);
  const given = { configuration, options, accepts: APPLY_SAVED_ACCEPTS, check };
  return withContext(given, NOT_APPLIED, async ({ context, chosen, calls, messages }, { runKeyCommand = false }) => {
    const read = await decodePlan(context, saved, {
      ...chosen,
      ...names,
      runKeyCommand,
    });
    assertApplicable(read.saved, names.path);
    assertConfiguration(context, read.saved, chosen);
    const opening = { ...chosen, variables: read.saved.variables, operation: "apply" };
    return withSavedPlan(
      context,
      read,
      opening,
      async (run, { planned, diagnostics, status }): Promise<ApplyResult> => {
        const [found, changes] = [messages(diagnostics), changesOf(planned.plan)];
        if (status === "failed")
          return {
            status,
            diagnostics: found,
            plan: changes,
            counts: NOTHING,
            outputs: outputsOf(planned.document.outputs),
          };
        const applied = await applyPlanned(run, planned, {
          approval: "saved",
          report: (step) => calls.report({ kind: "step", step }),
        });
        return appliedResult(applied, changes, [...found, ...messages(applied.diagnostics)]);
      },
    );
  });
}

/** Compares the state with the service. Sends no writes, stores nothing, and resolves no secret but the API key. */
export async function drift(configuration: ConfigurationInput, options: DriftOptions = {}): Promise<DriftResult> {
  const nothing = {
    missing: [],
    changed: [],
    unmanaged: [],
    unobservable: [],
    unchecked: [],
    truncated: [],
    names: {},
  };
  const given = { configuration, options, accepts: DRIFT_ACCEPTS };
  const result = await withContext(
    given,
    nothing,
    async ({ context, chosen, messages }, { failOnUnmanaged = false }) => {
      const found = await findDrift(context, chosen);
      const { missing, changed, unmanaged, unobservable, unchecked, truncated, names } = found;
      const status = driftStatus(found, { failOnUnmanaged });
      return {
        status,
        missing,
        changed,
        unmanaged,
        unobservable,
        unchecked,
        truncated,
        names,
        diagnostics: messages(found.diagnostics),
      };
    },
  );
  return { ...result, status: result.status === "failed" ? "error" : result.status };
}

/** Explains one address, as in `outreach_webhook.crm-replies`. Sends no writes, and stores nothing. */
export function explain(
  configuration: ConfigurationInput,
  address: string,
  options: Options = {},
): Promise<ExplainResult> {
  const check = (problems: Problem[]): void => checkAddress(address, problems);
  const given = { configuration, options, accepts: OPTIONS_ACCEPTS, check };
  return withContext(given, { explanation: null }, ({ context, chosen, messages }) =>
    withOpenRun(context, { ...chosen, operation: "explain", persists: false }, async (run): Promise<ExplainResult> => {
      const { declaration, instance, live, steps, reasons, effect, ...found } = await explainAddress(run, address);
      return {
        status: found.isUndecided ? "undecided" : "complete",
        diagnostics: messages([...found.diagnostics, ...found.blockers]),
        explanation: {
          address: found.address,
          type: found.type,
          declared: declaration?.attributes ?? null,
          recorded: instance && { id: instance.id, attributes: instance.attributes },
          live: live?.object ? { id: live.object.id, attributes: live.object.attributes } : null,
          steps,
          reasons,
          effect,
        },
      };
    }),
  );
}

/**
 * Writes YAML, with imports, for the live webhooks that nothing manages. A configuration at the path need not exist. Sends no writes, and stores nothing.
 */
export function generate(configuration: ConfigurationInput, options: Options = {}): Promise<GenerateResult> {
  const nothing = { yaml: null, counts: { declared: 0, imports: 0 }, leftOut: [] };
  return withContext(
    { configuration, options, accepts: OPTIONS_ACCEPTS },
    nothing,
    async ({ context, chosen, messages }): Promise<GenerateResult> => {
      const found = await generateConfiguration(context, chosen);
      const { counts, leftOut } = found;
      const yaml =
        counts.declared + counts.imports === 0 ? null : yamlText(found.configuration, context.catalog, found.comments);
      return {
        status: "complete",
        diagnostics: messages([]),
        yaml,
        counts,
        leftOut: leftOut.map(({ id, why }) => ({ id, why })),
      };
    },
  );
}

function choicesOf({ allow = [], ...others }: PlanOptions): Partial<PlanChoices> {
  return { ...others, allow: guardsNamed(allow) };
}

function plannedResult({ plan: made, diagnostics, status }: Planned, messages: Opened["messages"]): PlannedResult {
  return { status, plan: changesOf(made), counts: countSteps(made.steps), diagnostics: messages(diagnostics) };
}

function appliedResult(
  { status, counts, outputs }: Applied,
  changes: PlannedChanges,
  diagnostics: ApplyResult["diagnostics"],
): ApplyResult {
  return { status, plan: changes, counts, outputs: outputsOf(outputs), diagnostics };
}

function outputsOf(outputs: readonly OutputValue[]): ApplyResult["outputs"] {
  return Object.fromEntries(outputs.map(({ name, value }) => [name, value]));
}

/** A program that answers `{ allowed: false }` does not mean yes. */
function isYes(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  throw new WrongAnswer({ path: "options.decide", text: `answers with ${kindOf(answer)}: answer true or false` });
}
