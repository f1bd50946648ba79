import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { firstOfEachFile, shortened } from "./bounded.ts";
import { diagnosticText } from "../../../output/text/diagnostic-text.ts";
import { diagnosticsText } from "../../../output/text/diagnostics-text.ts";
import { plain } from "../../../output/text/paint.ts";
import { ServiceError } from "../../../service/api/service-errors.ts";
import { hidingEmails } from "./personal-data.ts";
import { onePerCause } from "./one-per-cause.ts";
import { wayOutText } from "./way-out-text.ts";
import type { ExitCode, Hints, Interrupt, Masks, Messages } from "../command-context.ts";
import { visibleLines } from "../../../core/model/visible.ts";

/** What printing diagnostics needs. */
export type DiagnosticsContext = Hints & Masks & Messages;

export function printDiagnostics(context: DiagnosticsContext, diagnostics: readonly Diagnostic[]): void {
  context.err(diagnosticsText(arrangedDiagnostics(context, diagnostics, "err"), context.paintErrors, context.columns));
}

/** Diagnostics in the order of the file, without repeats, and with their ways out in this command's syntax. Many of one file are counted. */
export function arrangedDiagnostics(
  { asCalled, given, form, hidesEmails, personal }: Hints & Masks,
  diagnostics: readonly Diagnostic[],
  stream: keyof Masks["hidesEmails"],
): readonly Diagnostic[] {
  const arranged = firstOfEachFile(onePerCause(byPlace(diagnostics))).map((found) => {
    const diagnostic = shortened(hidesEmails[stream] ? hidingEmails(found, personal) : found);
    const { hint, ways = [] } = diagnostic;
    const lines = [hint, wayOutText(ways, { given, isStack: form.isStack })].filter((line) => typeof line === "string");
    return lines.length === 0 ? diagnostic : { ...diagnostic, hint: asCalled(lines.join("\n")) };
  });
  return [...new Map(arranged.map((diagnostic) => [diagnosticText(diagnostic, plain), diagnostic])).values()];
}

/** Those of one file together, in its order. Diagnostics without a place stay where they are. */
function byPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const firstOf = new Map<string, number>();
  const ranked = diagnostics.map((diagnostic, index) => {
    const { file, line = null, column = 0 } = diagnostic.place ?? { file: "" };
    if (line === null) return { diagnostic, rank: index, line: 0, column: 0 };
    const rank = firstOf.get(file) ?? index;
    firstOf.set(file, rank);
    return { diagnostic, rank, line, column };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || a.line - b.line || a.column - b.column).map(({ diagnostic }) => diagnostic);
}

/** Prints a failure and returns the exit code. */
export function printFailure(context: DiagnosticsContext & Interrupt, error: unknown): ExitCode {
  const known = failureDiagnostics(error);
  if (known) {
    printDiagnostics(context, known.diagnostics);
    return known.exit;
  }
  if (context.stop.aborted) {
    context.err(`Interrupted. ${NOTHING_FURTHER}\n`);
    return 1;
  }
  context.err(`${stackOf(error)}\n\n${BUG}\n`);
  return 1;
}

const NOTHING_FURTHER = "No further requests were sent.";
const BUG = "This is a bug in outreach. The state and the journal contain every finished write.";

function stackOf(error: unknown): string {
  return visibleLines(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** An interrupt, or a bug of outreach, as a diagnostic for programs. People find the stack of a bug on stderr. */
export function unexpectedFailure(context: Interrupt & Messages, error: unknown): { readonly diagnostics: readonly Diagnostic[]; readonly exit: ExitCode } {
  const problem = { severity: "error", ways: [{ kind: "plan" }] } as const;
  if (context.stop.aborted) return { diagnostics: [{ ...problem, code: "interrupted", summary: "Interrupted", detail: NOTHING_FURTHER }], exit: 1 };
  context.err(`${stackOf(error)}\n`);
  return { diagnostics: [{ ...problem, code: "bug", summary: "Unexpected error", detail: BUG }], exit: 1 };
}

/** The diagnostics of a failure; null for an interrupt and for bugs of outreach. */
export function failureDiagnostics(error: unknown): { readonly diagnostics: readonly Diagnostic[]; readonly exit: ExitCode } | null {
  if (error instanceof DiagnosticsError) return { diagnostics: error.diagnostics, exit: error.undecided ? 3 : 1 };
  if (error instanceof ServiceError) return { diagnostics: [serviceDiagnostic(error)], exit: 1 };
  const { code, message } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^(?:E[A-Z]+|ERR_FS_[A-Z]+)$/.test(code) ? { diagnostics: [systemDiagnostic(code, message)], exit: 1 } : null;
}

const FULL_DISK: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

function systemDiagnostic(code: string, message: string): Diagnostic {
  const problem = { code: "system", severity: "error", detail: `${message}.` } as const;
  if (FULL_DISK.has(code)) return { ...problem, summary: "The disk is full", hint: "Free space on it, then run the command again." };
  return {
    ...problem,
    summary: code === "EROFS" ? "The disk is read-only" : "Operation failed",
    hint: message.includes(".lock")
      ? "The state cannot be locked here. To plan without a lock, pass --lock=false."
      : "Check the path, its permissions and the free disk space.",
  };
}

function serviceDiagnostic(error: ServiceError): Diagnostic {
  const { message, known } = error;
  return {
    code: known === null ? "service_read" : `service_${known}`,
    severity: "error",
    summary: known === null ? "The service could not be read" : "The service refused the request",
    detail: /[.?!]$/.test(message) ? message : `${message}.`,
    hint: hintFor(error),
  };
}

function hintFor({ known, message, problem }: ServiceError): string {
  switch (known) {
    case "campaign_not_found":
      return "Check the id (list them: outreach get campaigns), and that the API key belongs to the right team.";
    case "bad_team":
    case "lead_not_found":
    case "webhook_not_found":
      return "Check the id: it does not exist, or belongs to another team than the API key's user.";
    case "key_blocked":
      return "The API key is right, but the service blocks its user. Set OUTREACH_API_KEY to the key of another user of the same team.";
    case "key_without_user":
      return "The service finds no user for OUTREACH_API_KEY. Create a key in the integration settings of the application.";
    case null:
      if (problem?.kind === "refused") return "Nothing was changed. Check the base URL. For the local service: is outreach sandbox running?";
      if (problem?.hint) return `Nothing was changed. ${problem.hint}`;
      if (message.includes(": 404")) return "Nothing was changed. Check that the base URL has its path, as in /api.";
      return "Nothing was changed. Check the base URL and the network, then run the command again.";
    default:
      return "Check the API key (OUTREACH_API_KEY, or api_key in the configuration), and that the base URL is the service of this key.";
  }
}
