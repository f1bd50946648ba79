import type { Progress } from "../../core/apply/apply-plan.ts";
import { applyRun } from "../../core/apply/apply-run.ts";
import type { PlannedRun } from "../../core/apply/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { hasChanges } from "../../core/plan/plan.ts";
import type { ApplyOptions, StateOptions } from "./options.ts";
import { planAndShow, planRequest } from "./plan.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Plans, asks, and carries the plan out. `destroy` is the same with nothing declared. */
export function applyCommand(terminal: Terminal, options: ApplyOptions): Promise<ExitCode> {
  if (!options.autoApprove && !terminal.ask) throw new DiagnosticsError([nobodyToAsk(options)]);
  return withSession(terminal, options, { operation: options.destroy ? "destroy" : "apply" }, async (session) => {
    const planned = await planAndShow(terminal, session, planRequest(session, options, { unattended: options.autoApprove, withSecrets: true }));
    if (!planned) return 1;
    const asked = !options.autoApprove && hasChanges(planned.plan);
    if (asked && !(await approve(terminal, options))) return 1;
    return carryOut(terminal, session, { planned, asked, approved: asked, destroy: options.destroy });
  });
}

/** The state follows what is live, and nothing is asked: the same as `apply --refresh-only --auto-approve`. */
export function refreshCommand(terminal: Terminal, options: StateOptions & { readonly allowRecreate: boolean }): Promise<ExitCode> {
  return applyCommand(terminal, {
    target: [],
    replace: [],
    destroy: false,
    adopt: false,
    assumeUnsubscribed: false,
    allowDeletes: false,
    allowUnsubscribes: false,
    allowCampaignChange: false,
    allowServiceChange: false,
    allowLocalState: false,
    json: false,
    ...options,
    refreshOnly: true,
    autoApprove: true,
  });
}

export interface Approved {
  readonly planned: PlannedRun;
  readonly asked: boolean;
  readonly approved: boolean;
  readonly destroy: boolean;
}

export async function carryOut(terminal: Terminal, { store, open, ports }: Session, { planned, asked, approved, destroy }: Approved): Promise<ExitCode> {
  const report = (progress: Progress): void => terminal.out(progressText(progress));
  const applied = await applyRun(store, { open, planned, asked, approved, report, stop: terminal.stop }, ports);
  printDiagnostics(terminal, applied.diagnostics);
  const { import: imported, add, change, destroy: destroyed } = applied.counts;
  const complete = !hasErrors(applied.diagnostics) && !applied.interrupted;
  const title = complete ? `${destroy ? "Destroy" : "Apply"} complete!` : applied.interrupted ? "Apply interrupted." : "Apply incomplete.";
  const taken = imported > 0 ? `${String(imported)} imported, ` : "";
  const counts = destroy ? `${String(destroyed)} destroyed` : `${taken}${String(add)} added, ${String(change)} changed, ${String(destroyed)} destroyed`;
  terminal.out(`\n${terminal.paint(complete ? "green" : "red", `${title} Resources: ${counts}.`)}\n`);
  if (applied.undecided) terminal.err("\nRun outreach plan: it says how to go on.\n");
  return applied.undecided ? 3 : complete ? 0 : 1;
}

async function approve(terminal: Terminal, { destroy }: ApplyOptions): Promise<boolean> {
  if (!terminal.ask) throw new Error("nobody can answer");
  const question = destroy ? "Do you really want to destroy all managed webhooks?" : "Do you want to perform these actions?";
  terminal.out(`\n${terminal.paint("bold", question)}\n  Only 'yes' will be accepted to approve.\n\n`);
  if ((await terminal.ask("  Enter a value: ")) === "yes") {
    terminal.out("\n");
    return true;
  }
  terminal.out(`\n${destroy ? "Destroy" : "Apply"} cancelled. Nothing was changed.\n`);
  return false;
}

function nobodyToAsk({ destroy }: ApplyOptions): Diagnostic {
  return {
    code: "approval_missing",
    severity: "error",
    summary: "Nobody can approve the plan",
    detail: `${destroy ? "destroy" : "apply"} asks for a yes, but the input is not a terminal. Nothing was done.`,
    hint: "Give --auto-approve where a person has looked at the plan before, or apply a plan saved by outreach plan --out.",
  };
}

const WORDS = {
  create: ["Creating...", "Creation complete"],
  delete: ["Destroying...", "Destruction complete"],
  replace: ["Replacing...", "Replacement complete"],
} as const;

function progressText({ kind, phase, address, id, elapsedMs }: Progress): string {
  const [begun, done] = WORDS[phase];
  const seconds = `${String(Math.round(elapsedMs / 1000))}s`;
  const withId = id === null ? "" : ` [id=${id}]`;
  if (kind === "start") return `${address}: ${begun}${withId}\n`;
  return kind === "complete" ? `${address}: ${done} after ${seconds}${withId}\n` : `${address}: Stopped after ${seconds}\n`;
}
