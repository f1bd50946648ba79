import { type Diagnostic, errorOf } from "../../../core/model/diagnostic.ts";
import { BUG, type Failure, failureOf, stackOf } from "../../../operations/known-failure.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import { diagnosticsText } from "../../../output/content/diagnostic-text.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";

export function printDiagnostics(context: CommandContext, diagnostics: readonly Diagnostic[]): void {
  printArranged(
    context,
    withoutKept(context, arrangedDiagnostics(context, diagnostics, { hidesEmails: context.hidesEmails.err })),
  );
}

/** Without the notes that are kept, to be printed once for all teams. */
export function withoutKept({ keepNote }: CommandContext, arranged: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!keepNote) return arranged;
  const isKept = ({ code, severity }: Diagnostic): boolean => severity === "note" && ONCE_FOR_TEAMS.has(code);
  arranged.filter(isKept).forEach(keepNote);
  return arranged.filter((one) => !isKept(one));
}

/** Diagnostics whose ways out are already in words. */
export function printArranged(context: CommandContext, diagnostics: readonly Diagnostic[]): void {
  context.err(diagnosticsText(diagnostics, context.paintErrors, context.columns));
}

/** Notes that most of many teams have: they are printed once, and the teams are counted. */
const ONCE_FOR_TEAMS: ReadonlySet<string> = new Set(["secret_assumed", "state_missing"]);

/** Prints a failure and returns the exit code. */
export function printFailure(context: CommandContext, error: unknown): ExitCode {
  const known = failureOf(error);
  if (known) {
    printDiagnostics(context, known.diagnostics);
    return exitCodeOf(known.status);
  }
  if (context.stop.aborted) {
    context.err(`Interrupted. ${NOTHING_FURTHER}\n`);
    return 1;
  }
  context.err(`${stackOf(error)}\n\n${BUG.detail}\n`);
  return 1;
}

const NOTHING_FURTHER = "No further requests were sent.";

/** An interrupt, or a bug of outreach, as a diagnostic for programs. People find the stack of a bug on stderr. */
export function unexpectedFailure(context: CommandContext, error: unknown): Failure {
  if (context.stop.aborted)
    return {
      diagnostics: [errorOf("interrupted", "Interrupted", { ways: [{ kind: "plan" }], detail: NOTHING_FURTHER })],
      status: "failed",
    };
  context.err(`${stackOf(error)}\n`);
  return { diagnostics: [BUG], status: "failed" };
}
