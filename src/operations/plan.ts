import { planRun, undecidedDiagnostics } from "../core/apply/run/plan-run.ts";
import type { PlanRequest, PlannedRun } from "../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, noteOf } from "../core/model/diagnostic.ts";
import { PLAIN_OPTIONS, type PlanChoices, type PlanOptions, choicesOf } from "../core/plan/plan-context.ts";
import { type Step, hasChanges } from "../core/plan/plan.ts";
import { expandAddress } from "../core/secrets/personal-mask.ts";
import type { OperationContext } from "./context.ts";
import type { OpenRun } from "./open-run.ts";
import { learnPlanned } from "./personal-data.ts";
import { redactedDiagnostics, redactedRun } from "./redacted-plan.ts";
import { waitingNote } from "./messages/waiting-notes.ts";
import { withoutState } from "./state/records.ts";
import { localStateInCi } from "./state/state-in-ci.ts";

/** A plan, what it was made with, and what is said about it. */
export interface Planned extends PlannedRun {
  readonly options: PlanOptions;
  /** Everything that the plan has to say, in order: errors of the plan, and what is undecided or worth knowing. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that are not in the plan itself. */
  readonly messages: readonly Diagnostic[];
  /** A failed plan has errors: it can be read, and not applied. */
  readonly status: "failed" | "undecided" | "changed" | "unchanged";
}

export interface PlanRequirements extends Partial<PlanChoices> {
  /** How the plan will be approved: it decides which guards hold. */
  readonly approval: PlanOptions["approval"];
}

/** Plans what an apply would do. Sends no writes, and stores nothing. The plan of an untrusted configuration cannot be applied. */
export async function plan(run: OpenRun, { approval, ...given }: PlanRequirements): Promise<Planned> {
  const choices = choicesOf(given);
  const { replace, refreshOnly, destroy, adopt, assumeUnsubscribed, allow } = choices;
  const isAboutCreates = adopt || replace.length > 0 || assumeUnsubscribed;
  if (refreshOnly && (destroy || isAboutCreates)) throw refreshesOnly();
  if (destroy && isAboutCreates)
    throw DiagnosticsError.of("options_conflict", "Conflicting options", {
      detail: "--destroy conflicts with --replace, --adopt and --assume-unsubscribed.",
      hint: "Pass --destroy without them.",
    });
  const options = { ...PLAIN_OPTIONS, ...choices, approval, atMs: run.context.clock.now() };
  const planned = await planWith(run, { options, withSecrets: run.loaded.withSecrets });
  const lost = allow.includes("local-state") ? [] : localStateInCi(run.context, run, planned.plan);
  const isPlanned = planned.declarations.length > 0 || !hasErrors(planned.plan.diagnostics);
  // A missing state explains what follows, so it is said first.
  const missing = lost.length > 0 || !isPlanned ? [] : withoutState(run, planned.plan);
  const diagnostics = [...lost, ...missing, ...planned.plan.diagnostics];
  return withMessages(run, { ...planned, plan: { ...planned.plan, diagnostics } }, options);
}

/** A plan of an open run, by the options of the core. */
export async function planWith(
  run: OpenRun,
  { options, evaluate, withSecrets }: Pick<PlanRequest, "options" | "withSecrets"> & Partial<PlanRequest>,
): Promise<PlannedRun> {
  const { context, loaded, open, ports } = run;
  const { limits } = loaded.configuration;
  const request = {
    evaluate: evaluate ?? loaded.evaluate,
    limits,
    ignored: loaded.ignored,
    options,
    expand: expander(context),
    withSecrets,
  };
  const planned = await planRun(open, request, ports);
  learnPlanned(context, planned.plan);
  return redactedRun(planned, { ...context.redactor, catalog: context.catalog, withSecrets });
}

/** A plan with everything that is said about it. */
export function withMessages(
  { context, loaded, diagnostics }: OpenRun,
  planned: PlannedRun,
  options: PlanOptions,
): Planned {
  const { plan: found } = planned;
  const waiting = waitingNote(found.waiting, {
    nowMs: context.clock.now(),
    rateShare: loaded.configuration.service.rateShare,
  });
  const open = [...undecidedDiagnostics(planned), ...assumedSecrets(planned), ...waiting];
  return {
    ...planned,
    options,
    diagnostics: [...diagnostics, ...found.diagnostics, ...open],
    messages: redactedDiagnostics([...diagnostics, ...open], context.redactor.redact),
    status: hasErrors(found.diagnostics)
      ? "failed"
      : found.undecided.length > 0
        ? "undecided"
        : hasChanges(found)
          ? "changed"
          : "unchanged",
  };
}

/** Users may copy addresses from the output, where emails are masked. */
export function expander({ personal }: OperationContext): (typed: string, addresses: Iterable<string>) => string {
  return (typed, addresses) => expandAddress(typed, addresses, personal);
}

function assumedSecrets({ document: { instances }, plan: { steps } }: PlannedRun): readonly Diagnostic[] {
  const assumed = new Set(
    instances.flatMap((instance) => (instance.assumed.includes("secret") ? [instance.address] : [])),
  );
  const isAssumed = (step: Step): boolean => {
    if (step.action === "adopt") return (step.after["secret"] ?? null) !== null && !("secret" in step.returned);
    if (
      step.action === "update-state" &&
      step.because.some((reason) => reason.attribute === "secret" && "unobserved" in reason)
    )
      return true;
    return (step.action === "keep" || step.action === "update-state") && assumed.has(step.movedFrom ?? step.address);
  };
  return steps.filter(isAssumed).map(({ action, address, type }) =>
    noteOf("secret_assumed", "Secret assumed, not verified", {
      detail: `${address} ${action === "adopt" ? "is" : "was"} imported. The service never shows a secret, so outreach assumes that the declared secret is the current one.`,
      ways: [{ kind: "replace", address, type }],
      address,
    }),
  );
}

function refreshesOnly(): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail:
      "--refresh-only changes only the state, so it conflicts with --destroy, --replace, --adopt and --assume-unsubscribed.",
    hint: "Refresh first, then plan the rest.",
  });
}
