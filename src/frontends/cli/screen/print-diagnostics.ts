import { type Diagnostic, errorOf } from "../../../core/model/diagnostic.ts";
import type { Hints, Interrupt } from "../../../operations/context.ts";
import { BUG, type Failure, failureOf, stackOf } from "../../../operations/known-failure.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import { diagnosticsText } from "../../../output/content/diagnostic-text.ts";
import type { ExitCode, Masks, Messages } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";

/** What printing diagnostics needs. */
export type DiagnosticsContext = Hints & Masks & Messages;

export function printDiagnostics(context: DiagnosticsContext, diagnostics: readonly Diagnostic[]): void {
  context.err(diagnosticsText(arrangedDiagnostics(context, diagnostics, { hidesEmails: context.hidesEmails.err }), context.paintErrors, context.columns));
}

/** Prints a failure and returns the exit code. */
export function printFailure(context: DiagnosticsContext & Interrupt, error: unknown): ExitCode {
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
export function unexpectedFailure(context: Interrupt & Messages, error: unknown): Failure {
  if (context.stop.aborted)
    return {
      diagnostics: [errorOf("interrupted", "Interrupted", { ways: [{ kind: "plan" }], detail: NOTHING_FURTHER })],
      status: "failed",
    };
  context.err(`${stackOf(error)}\n`);
  return { diagnostics: [BUG], status: "failed" };
}
