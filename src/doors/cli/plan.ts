import { type PlannedRun, planRun } from "../../core/apply/run.ts";
import { type Diagnostic, hasErrors } from "../../core/model/diagnostic.ts";
import { type Plan, hasChanges } from "../../core/plan/plan.ts";
import { planText } from "../../output/plan-text.ts";
import type { PlanOptions } from "./options.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Shows what an apply would do. Sends nothing that writes, and stores nothing. */
export function planCommand(terminal: Terminal, options: PlanOptions): Promise<ExitCode> {
  return withSession(terminal, options, { operation: "plan" }, async (session) => {
    const planned = await planAndShow(terminal, session, options);
    if (!planned) return 1;
    return options.detailedExitcode && hasChanges(planned.plan) ? 2 : 0;
  });
}

/** Plans and prints the plan with its diagnostics; null when it has errors. */
export async function planAndShow(
  terminal: Terminal,
  { open, loaded, ports, diagnostics }: Session,
  options: Pick<PlanOptions, "destroy">,
): Promise<PlannedRun | null> {
  const planned = await planRun(open, options.destroy ? "destroy" : loaded.evaluate, ports);
  const notes = assumedSecrets(open.document.instances, planned.plan);
  printDiagnostics(terminal, [...diagnostics, ...planned.plan.diagnostics, ...notes]);
  if (hasErrors(planned.plan.diagnostics)) return null;
  terminal.out(planText(planned.plan, { catalog: terminal.catalog, paint: terminal.paint, mode: options.destroy ? "destroy" : "apply" }));
  return planned;
}

function assumedSecrets(instances: Session["open"]["document"]["instances"], { steps }: Plan): readonly Diagnostic[] {
  const staying = new Set(steps.flatMap(({ action, address }) => (action === "keep" || action === "record" ? [address] : [])));
  return instances
    .filter(({ assumed, address }) => assumed.includes("secret") && staying.has(address))
    .map(({ address }) => ({
      code: "secret_assumed",
      severity: "note",
      summary: "Secret assumed, not verified",
      detail: `${address} was imported. The service never shows a secret, so the declared one is taken to be the one that it has.`,
      hint: "To be sure, change the secret: the webhook is then deleted and created anew.",
      address,
    }));
}
