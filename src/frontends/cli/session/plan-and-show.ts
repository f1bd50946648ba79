import { planRun, undecidedDiagnostics } from "../../../core/apply/run/plan-run.ts";
import type { PlanRequest, PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import { PLAIN_OPTIONS, type PlanOptions as PlanChoices } from "../../../core/plan/plan-context.ts";
import type { Step } from "../../../core/plan/plan.ts";
import { expandAddress } from "../../../core/secrets/personal-mask.ts";
import type { PlanMode } from "../../../output/format.ts";
import type { Environment, Masks, Product } from "../command-context.ts";
import type { PlanningOptions } from "../program/options.ts";
import type { View } from "../screen/view.ts";
import type { Session } from "./session.ts";
import { localStateInCi } from "./state-in-ci.ts";

/** A plan that was shown, and what was said about it that is not part of it. */
export interface ShownRun extends PlannedRun {
  readonly messages: readonly Diagnostic[];
}

/** Plans, and shows the plan with its diagnostics, the errors last. Null if it has errors: then it cannot be applied. */
export async function planAndShow(
  context: Environment & Product,
  { store, open, ports, diagnostics }: Session,
  { view, request, allowLocalState }: { readonly view: View; readonly request: PlanRequest; readonly allowLocalState: boolean },
): Promise<ShownRun | null> {
  const planned = await planRun(open, request, ports);
  const { plan, document } = planned;
  const lost = allowLocalState ? [] : localStateInCi(context, { store, open }, plan);
  const undecidedOrAssumed = [...undecidedDiagnostics(planned), ...assumedSecrets(planned)];
  const found = [...diagnostics, ...plan.diagnostics, ...lost, ...undecidedOrAssumed];
  const isError = ({ severity }: Diagnostic): boolean => severity === "error";
  const errors = found.filter(isError);
  const errored = hasErrors([...plan.diagnostics, ...lost]);
  // A plan with errors cannot be applied, but its steps help to understand the errors.
  const isShown = !errored || plan.steps.some(({ action }) => action !== "keep");
  view.diagnostics(found.filter((one) => !isError(one)));
  if (isShown) view.plan({ ...plan, diagnostics: [...plan.diagnostics, ...lost] }, { mode: modeOf(request.options), outputs: document.outputs });
  // Last, where they are seen.
  if (isShown && errors.length > 0) view.say("\n");
  view.diagnostics(errors);
  return errored ? null : { ...planned, messages: [...diagnostics, ...lost, ...undecidedOrAssumed] };
}

export function planRequest(
  context: Masks,
  { loaded }: Session,
  options: PlanningOptions,
  { approval, withSecrets }: { readonly approval: PlanChoices["approval"]; readonly withSecrets: boolean },
): PlanRequest {
  const { target, replace, refreshOnly, destroy, adopt, assumeUnsubscribed, allowServiceChange } = options;
  const { allowDeletes, allowReplaces, allowRecreate, allowUnsubscribes: allowIrreversible, allowCampaignChange: allowLookupChange } = options;
  if (refreshOnly && (destroy || adopt || replace.length > 0 || assumeUnsubscribed)) throw new DiagnosticsError([refreshesOnly()]);
  if (destroy && (adopt || replace.length > 0 || assumeUnsubscribed)) throw new DiagnosticsError([destroysOnly()]);
  const allowed = { allowDeletes, allowReplaces, allowRecreate, allowIrreversible, allowLookupChange };
  const asked = { destroy, refreshOnly, targets: target, replace, adopt, assumeDone: assumeUnsubscribed };
  const choices: PlanChoices = { ...PLAIN_OPTIONS, ...allowed, ...asked, approval };
  const { limits } = loaded.configuration;
  return { evaluate: loaded.evaluate, limits, options: choices, expand: expander(context), allowServiceChange, withSecrets };
}

/** Users may copy addresses from the output, where emails are masked. */
export function expander({ personal }: Masks): PlanRequest["expand"] {
  return (typed, addresses) => expandAddress(typed, addresses, personal);
}

export function modeOf({ destroy, refreshOnly }: PlanChoices): PlanMode {
  if (destroy) return "destroy";
  return refreshOnly ? "refresh-only" : "apply";
}

function assumedSecrets({ document: { instances }, plan: { steps } }: Pick<PlannedRun, "document" | "plan">): readonly Diagnostic[] {
  const assumed = new Set(instances.flatMap((instance) => (instance.assumed.includes("secret") ? [instance.address] : [])));
  const isAssumed = (step: Step): boolean => {
    if (step.action === "adopt") return (step.after["secret"] ?? null) !== null && !("secret" in step.returned);
    if (step.action === "update-state" && step.because.some((reason) => reason.attribute === "secret" && "unobserved" in reason)) return true;
    return (step.action === "keep" || step.action === "update-state") && assumed.has(step.movedFrom ?? step.address);
  };
  return steps.filter(isAssumed).map(({ action, address, type }) => ({
    code: "secret_assumed",
    severity: "note",
    summary: "Secret assumed, not verified",
    detail: `${address} ${action === "adopt" ? "is" : "was"} imported. The service never shows a secret, so outreach assumes that the declared secret is the current one.`,
    ways: [{ kind: "replace", address, type }],
    address,
  }));
}

function destroysOnly(): Diagnostic {
  return {
    code: "options_conflict",
    severity: "error",
    summary: "Conflicting options",
    detail: "--destroy conflicts with --replace, --adopt and --assume-unsubscribed.",
    hint: "Pass --destroy without them.",
  };
}

function refreshesOnly(): Diagnostic {
  return {
    code: "options_conflict",
    severity: "error",
    summary: "Conflicting options",
    detail: "--refresh-only changes only the state, so it conflicts with --destroy, --replace, --adopt and --assume-unsubscribed.",
    hint: "Refresh first, then plan the rest.",
  };
}
