import type { Progress } from "../../core/apply/apply-plan.ts";
import { applyRun } from "../../core/apply/run.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { hasChanges } from "../../core/plan/plan.ts";
import { foldInto } from "../../core/state/open-state.ts";
import type { ApplyOptions } from "./options.ts";
import { planAndShow } from "./plan.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Plans, asks, and carries the plan out. `destroy` is the same with nothing declared. */
export function applyCommand(terminal: Terminal, options: ApplyOptions): Promise<ExitCode> {
  if (!options.autoApprove && !terminal.ask) throw new DiagnosticsError([nobodyToAsk(options)]);
  return withSession(terminal, options, { operation: options.destroy ? "destroy" : "apply" }, async (opened) => {
    const session = await withJournalFolded(opened, terminal.stop);
    const planned = await planAndShow(terminal, session, options);
    if (!planned) return 1;
    if (!hasChanges(planned.plan)) {
      terminal.out(
        `\n${terminal.paint("green", options.destroy ? "Destroy complete! Resources: 0 destroyed." : "Apply complete! Resources: 0 added, 0 changed, 0 destroyed.")}\n`,
      );
      return 0;
    }
    const asked = !options.autoApprove;
    if (asked && !(await approve(terminal, options))) return 1;
    const { store, open, ports } = session;
    const applied = await applyRun(store, { open, planned, asked, report: (progress) => terminal.out(progressText(progress)), stop: terminal.stop }, ports);
    printDiagnostics(terminal, applied.diagnostics);
    const { add, change, destroy } = applied.counts;
    const complete = !hasErrors(applied.diagnostics) && !applied.interrupted;
    const title = complete ? `${options.destroy ? "Destroy" : "Apply"} complete!` : applied.interrupted ? "Apply interrupted." : "Apply incomplete.";
    const counts = options.destroy ? `${String(destroy)} destroyed` : `${String(add)} added, ${String(change)} changed, ${String(destroy)} destroyed`;
    terminal.out(`\n${terminal.paint(complete ? "green" : "red", `${title} Resources: ${counts}.`)}\n`);
    if (applied.undecided) terminal.err("\nRun outreach plan: it says how to go on.\n");
    return applied.undecided ? 3 : complete ? 0 : 1;
  });
}

/** A journal that a run left behind with every outcome decided becomes part of the state first. */
async function withJournalFolded(session: Session, signal: AbortSignal): Promise<Session> {
  if (!session.open.journal) return session;
  return { ...session, open: await foldInto(session.store, session.open, [], signal) };
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
    hint: "Give --auto-approve where a person has looked at the plan before.",
  };
}

const WORDS = {
  create: ["Creating...", "Creation complete"],
  delete: ["Destroying...", "Destruction complete"],
  replace: ["Replacing (delete, then create)...", "Replacement complete"],
} as const;

function progressText({ kind, phase, address, id, elapsedMs }: Progress): string {
  const [begun, done] = WORDS[phase];
  const seconds = `${String(Math.round(elapsedMs / 1000))}s`;
  const withId = id === null ? "" : ` [id=${id}]`;
  if (kind === "start") return `${address}: ${begun}${withId}\n`;
  return kind === "complete" ? `${address}: ${done} after ${seconds}${withId}\n` : `${address}: Stopped after ${seconds}\n`;
}
