import type { Applied } from "../../../core/apply/run/apply-plan.ts";
import type { Progress } from "../../../core/apply/run/progress.ts";
import type { OutputValue } from "../../../core/model/declaration.ts";
import { type Diagnostic, hasErrors } from "../../../core/model/diagnostic.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { type Line, appliedLines, diagnosticLine, lineText, planLines, progressLine, stillLine, versionLine } from "../../../output/json-lines.ts";
import { outputsText } from "../../../output/outputs-text.ts";
import { planText } from "../../../output/plan-text.ts";
import { type ProgressCounts, liveLine, logLine, progressText } from "../../../output/progress.ts";
import type { PlanMode } from "../../../output/step-json.ts";
import { type Ending, appliedText } from "../../../output/summary-text.ts";
import { arrangedDiagnostics, failureDiagnostics, printDiagnostics } from "./print-diagnostics.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";

/** How plan and apply show what they do: to people, or as Terraform's machine-readable lines. */
export interface View {
  /** Whether how far an apply has come is one line that is shown anew all the time. */
  readonly isLive: boolean;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** `outputs` are those that are recorded. */
  plan(plan: Plan, given: { readonly mode: PlanMode; readonly outputs: readonly OutputValue[] }): void;
  /** Words for people: machines are told the same in other ways. */
  say(text: string): void;
  progress(progress: Progress): void;
  /** Said every now and then while an apply is under way. */
  still(counts: ProgressCounts, inFlight: readonly Pick<Progress, "phase" | "address" | "elapsedMs">[]): void;
  applied(applied: Applied, given: { readonly destroying: boolean; readonly outputs: readonly OutputValue[] }): void;
}

/** Gives `work` a view. What is thrown is shown by it too. */
export async function withView(context: CommandContext, { json }: { readonly json: boolean }, work: (view: View) => Promise<ExitCode>): Promise<ExitCode> {
  const view = json ? jsonView(context) : textView(context);
  try {
    return await work(view);
  } catch (error) {
    const known = json ? failureDiagnostics(error) : null;
    if (!known) throw error;
    view.diagnostics(known.diagnostics);
    return known.exit;
  }
}

export function isComplete({ diagnostics, interrupted }: Applied): boolean {
  return !hasErrors(diagnostics) && !interrupted;
}

function endingOf(applied: Applied): Ending {
  if (isComplete(applied) && !applied.undecided) return "complete";
  return applied.interrupted ? "interrupted" : "incomplete";
}

function textView(context: CommandContext): View {
  const { catalog, paint, isLive } = context;
  const clear = isLive ? "\r\u001b[K" : "";
  return {
    isLive,
    diagnostics: (diagnostics) => printDiagnostics(context, diagnostics),
    plan: (plan, { mode }) => context.out(planText(plan, { catalog, paint, mode })),
    say: (text) => context.out(text),
    progress: (progress) => context.out(`${clear}${progressText(progress)}\n`),
    still: (counts) => context.out(isLive ? `${clear}${paint("dim", liveLine(counts))}` : `${logLine(counts)}\n`),
    applied: (applied, { destroying, outputs }) => {
      context.out(clear);
      printDiagnostics(context, applied.diagnostics);
      const ending = endingOf(applied);
      // A diagnostic ends with an empty line of its own.
      const gap = applied.diagnostics.length > 0 ? "" : "\n";
      context.out(`${gap}${paint(ending === "complete" ? "green" : "red", appliedText(applied.counts, { destroying, ending }))}\n`);
      if (outputs.length > 0) context.out(`\n${paint("bold", "Outputs:")}\n\n${outputsText(outputs)}`);
    },
  };
}

function jsonView(context: CommandContext): View {
  const { catalog, clock, version } = context;
  const print = (line: Line): void => context.out(lineText(line, clock.now()));
  const printDiagnosticLines = (diagnostics: readonly Diagnostic[]): void =>
    arrangedDiagnostics(context, diagnostics, "out").map(diagnosticLine).forEach(print);
  print(versionLine(version));
  return {
    isLive: false,
    diagnostics: printDiagnosticLines,
    plan: (plan, { mode, outputs }) => planLines(plan, { catalog, mode, outputs }).forEach(print),
    say: () => undefined,
    progress: (progress) => print(progressLine(progress)),
    still: (_counts, inFlight) => inFlight.map(stillLine).forEach(print),
    applied: (applied, { destroying, outputs }) => {
      printDiagnosticLines(applied.diagnostics);
      appliedLines(applied.counts, { destroying, ending: endingOf(applied), outputs }).forEach(print);
    },
  };
}
