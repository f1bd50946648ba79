import { type Diagnostic, DiagnosticsError, errorOf } from "../core/model/diagnostic.ts";
import { visibleLines } from "../core/model/visible.ts";
import { ServiceError } from "../service/api/service-errors.ts";

/** A failure that a user can do something about. */
export interface Failure {
  readonly diagnostics: readonly Diagnostic[];
  /** Undecided: the outcome of a write is not known, and needs `resolve`. */
  readonly status: "failed" | "undecided";
}

/** The failure that an error stands for; null for an interrupt and for bugs of outreach. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof DiagnosticsError)
    return { diagnostics: error.diagnostics, status: error.undecided ? "undecided" : "failed" };
  if (error instanceof ServiceError) return { diagnostics: [serviceDiagnostic(error)], status: "failed" };
  const { code, message = "" } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return typeof code === "string" && /^(?:E[A-Z]+|ERR_FS_[A-Z]+)$/.test(code)
    ? { diagnostics: [systemDiagnostic(code, message)], status: "failed" }
    : null;
}

/** A bug of outreach, for programs. People need its stack. */
export const BUG: Diagnostic = errorOf("bug", "Unexpected error", {
  ways: [{ kind: "plan" }],
  detail: "This is a bug in outreach. The state and the journal contain every finished write.",
});

export function stackOf(error: unknown): string {
  return visibleLines(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

const FULL_DISK: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

function systemDiagnostic(code: string, message: string): Diagnostic {
  const detail = `${message}.`;
  if (FULL_DISK.has(code))
    return errorOf("system", "The disk is full", { detail, hint: "Free space on it, then run the command again." });
  return errorOf("system", code === "EROFS" ? "The disk is read-only" : "Operation failed", {
    detail,
    hint: message.includes(".lock")
      ? "The state cannot be locked here. To plan without a lock, pass --lock=false."
      : "Check the path, its permissions and the free disk space.",
  });
}

function serviceDiagnostic(error: ServiceError): Diagnostic {
  const { message, known } = error;
  return errorOf(
    known === null ? "service_read" : `service_${known}`,
    known === null ? "The service could not be read" : "The service refused the request",
    {
      detail: /[.?!]$/.test(message) ? message : `${message}.`,
      hint: hintFor(error),
    },
  );
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
      if (problem?.kind === "refused")
        return "Nothing was changed. Check the base URL. For the local service: is outreach sandbox running?";
      if (problem?.hint) return `Nothing was changed. ${problem.hint}`;
      if (message.includes(": 404")) return "Nothing was changed. Check that the base URL has its path, as in /api.";
      return "Nothing was changed. Check the base URL and the network, then run the command again.";
    default:
      return "Check the API key (OUTREACH_API_KEY, or api_key in the configuration), and that the base URL is the service of this key.";
  }
}
