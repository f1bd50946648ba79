import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { diagnosticText } from "../../output/diagnostic-text.ts";
import { ServiceError } from "../../service/api/service-errors.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export function printDiagnostics(terminal: Terminal, diagnostics: readonly Diagnostic[]): void {
  const seen = new Set<string>();
  for (const diagnostic of diagnostics) {
    const text = diagnosticText(diagnostic, terminal.paintErrors);
    if (!seen.has(text)) terminal.err(`${text}\n`);
    seen.add(text);
  }
}

/** Prints what went wrong and returns the exit code. What is not understood is thrown on. */
export function printFailure(terminal: Terminal, error: unknown): ExitCode {
  if (error instanceof DiagnosticsError) {
    printDiagnostics(terminal, error.diagnostics);
    return error.undecided ? 3 : 1;
  }
  if (error instanceof ServiceError) {
    printDiagnostics(terminal, [serviceDiagnostic(error)]);
    return 1;
  }
  if (terminal.stop.aborted) {
    terminal.err("Interrupted. Nothing more was sent.\n");
    return 1;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && /^E[A-Z]+$/.test(code)) {
    printDiagnostics(terminal, [
      {
        code: "system",
        severity: "error",
        summary: "The system refused an operation",
        detail: `${message}.`,
        hint: "Check the path, its permissions, and the room on the disk.",
      },
    ]);
    return 1;
  }
  throw error;
}

function serviceDiagnostic({ message, known }: ServiceError): Diagnostic {
  const keyProblem = known !== null && ["no_key", "wrong_key", "key_blocked", "key_without_user", "unauthorized"].includes(known);
  return {
    code: known === null ? "service_read" : `service_${known}`,
    severity: "error",
    summary: "The service could not be read",
    detail: `${message}.`,
    hint: keyProblem
      ? "Check OUTREACH_API_KEY, and that OUTREACH_BASE_URL is the service that it belongs to."
      : "Nothing was changed. Check the base URL and the network, then run the command again.",
  };
}
