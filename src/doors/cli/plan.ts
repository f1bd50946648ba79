import { planRun } from "../../core/apply/plan-run.ts";
import type { PlanRequest, PlannedRun } from "../../core/apply/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { type PlanOptions as PlanChoices, PLAIN_OPTIONS } from "../../core/plan/plan-options.ts";
import { type Plan, hasChanges } from "../../core/plan/plan.ts";
import { planText } from "../../output/plan-text.ts";
import type { PlanOptions, PlanningOptions } from "./options.ts";
import { savePlan } from "./plan-file.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Shows what an apply would do. Sends nothing that writes, and stores nothing but the plan with `--out`. */
export function planCommand(terminal: Terminal, options: PlanOptions): Promise<ExitCode> {
  return withSession(terminal, options, { operation: "plan", trusted: options.secrets }, async (session) => {
    const request = planRequest(session, options, { unattended: false, withSecrets: options.secrets });
    const planned = await planAndShow(terminal, session, request);
    if (!planned) return 1;
    if (options.out !== undefined) {
      await savePlan(terminal, options.out, { session, planned, choices: request.options, options });
      terminal.out(`\nSaved the plan to ${options.out}\n\nTo carry out exactly this plan, run:\n    outreach apply ${options.out}\n`);
    }
    if (planned.plan.undecided.length > 0) return 3;
    return options.detailedExitcode && hasChanges(planned.plan) ? 2 : 0;
  });
}

export function planRequest(
  { loaded }: Session,
  options: PlanningOptions,
  { unattended, withSecrets }: { readonly unattended: boolean; readonly withSecrets: boolean },
): PlanRequest {
  const { target, replace, refreshOnly, destroy, adopt, assumeUnsubscribed, allowServiceChange } = options;
  const { allowDeletes, allowRecreate, allowUnsubscribes, allowCampaignChange } = options;
  if (refreshOnly && (destroy || adopt || replace.length > 0 || assumeUnsubscribed)) throw new DiagnosticsError([refreshesOnly()]);
  const allowed = { allowDeletes, allowRecreate, allowUnsubscribes, allowCampaignChange };
  const choices: PlanChoices = { ...PLAIN_OPTIONS, ...allowed, destroy, refreshOnly, targets: target, replace, adopt, assumeUnsubscribed, unattended };
  return { evaluate: loaded.evaluate, limits: loaded.configuration.limits, options: choices, allowServiceChange, withSecrets };
}

/** Plans and prints the plan with its diagnostics; null when it has errors. */
export async function planAndShow(terminal: Terminal, { open, loaded, ports, diagnostics }: Session, request: PlanRequest): Promise<PlannedRun | null> {
  const planned = await planRun(open, request, ports);
  const { plan } = planned;
  const notes = assumedSecrets(planned);
  printDiagnostics(terminal, [...diagnostics, ...plan.diagnostics, ...plan.undecided, ...notes]);
  if (hasErrors(plan.diagnostics)) return null;
  if (request.options.destroy && !hasChanges(plan)) terminal.out("No changes. No objects need to be destroyed.\n");
  else terminal.out(planText(plan, { catalog: terminal.catalog, paint: terminal.paint }));
  return planned;
}

function assumedSecrets({
  document: { instances },
  plan: { steps },
}: {
  readonly document: PlannedRun["document"];
  readonly plan: Plan;
}): readonly Diagnostic[] {
  const staying = new Set(steps.flatMap(({ action, address }) => (action === "keep" || action === "record" ? [address] : [])));
  return instances
    .filter(({ assumed, address }) => assumed.includes("secret") && staying.has(address))
    .map(({ address }) => ({
      code: "secret_assumed",
      severity: "note",
      summary: "Secret assumed, not verified",
      detail: `${address} was taken over. The service never shows a secret, so the declared one is taken to be the one that it has.`,
      hint: `To be sure, have it deleted and created anew with --replace '${address}'.`,
      address,
    }));
}

function refreshesOnly(): Diagnostic {
  return {
    code: "options_conflict",
    severity: "error",
    summary: "Options that do not go together",
    detail: "--refresh-only changes the state alone, so it cannot be combined with --destroy, --replace, --adopt or --assume-unsubscribed.",
    hint: "Refresh first, then plan the rest.",
  };
}
