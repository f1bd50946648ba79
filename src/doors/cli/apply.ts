import { applyRun } from "../../core/apply/run.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { hasChanges } from "../../core/plan/plan.ts";
import { foldInto } from "../../core/state/open-state.ts";
import { progressText } from "../../output/progress.ts";
import { appliedText } from "../../output/summary-text.ts";
import type { ApplyOptions } from "./options.ts";
import { planAndShow } from "./plan.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

const NOTHING = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

/** Plans, asks, and carries the plan out. `destroy` is the same with nothing declared. */
export function applyCommand(terminal: Terminal, options: ApplyOptions): Promise<ExitCode> {
  if (!options.autoApprove && !terminal.ask) throw new DiagnosticsError([nobodyToAsk(options)]);
  return withSession(terminal, options, { operation: options.destroy ? "destroy" : "apply" }, async (opened) => {
    const session = await withJournalFolded(opened, terminal.stop);
    const planned = await planAndShow(terminal, session, options);
    if (!planned) return 1;
    if (!hasChanges(planned.plan)) {
      const summary = appliedText(NOTHING, { destroying: options.destroy, ending: "complete" });
      terminal.out(`\n${terminal.paint("green", summary)}\n`);
      return 0;
    }
    const asked = !options.autoApprove;
    if (asked && !(await approve(terminal, options))) return 1;
    const { store, open, ports } = session;
    const applied = await applyRun(
      store,
      { open, planned, asked, report: (progress) => terminal.out(`${progressText(progress)}\n`), stop: terminal.stop },
      ports,
    );
    printDiagnostics(terminal, applied.diagnostics);
    const complete = !hasErrors(applied.diagnostics) && !applied.interrupted;
    const ending = complete ? "complete" : applied.interrupted ? "interrupted" : "incomplete";
    const summary = appliedText(applied.counts, { destroying: options.destroy, ending });
    terminal.out(`\n${terminal.paint(complete ? "green" : "red", summary)}\n`);
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
