import {
  type Diagnostic,
  DiagnosticsError,
  MAX_MISTAKES,
  furtherMistakes,
  errorOf,
} from "../../../core/model/diagnostic.ts";
import type { Path } from "../../../core/model/path.ts";
import { shortText } from "../../../core/model/words.ts";
import { visible, visibleLines, withoutCommands } from "../../../core/model/visible.ts";
import { WORD, replaceInWords } from "../../../core/secrets/email-like.ts";
import { type AttributePath, type Diagnostic as WireDiagnostic, Diagnostic_Severity } from "../generated/tfplugin6.ts";
import { wayOutText } from "./terraform-way-outs.ts";

/**
 * Diagnostics as Terraform prints them: notes become warnings, and the hint follows the detail. A detail may
 * repeat a wrong value or the service's words, so email addresses are masked.
 */
export function wireDiagnostics(diagnostics: readonly Diagnostic[]): WireDiagnostic[] {
  return firstOfEachSeverity(diagnostics).map((diagnostic) => ({
    severity: diagnostic.severity === "error" ? Diagnostic_Severity.ERROR : Diagnostic_Severity.WARNING,
    summary: withoutCommands(visible(shortText(diagnostic.summary))),
    detail: withoutCommands(visibleLines(textOf(diagnostic))),
    attribute: diagnostic.path === undefined || diagnostic.path.length === 0 ? undefined : wirePath(diagnostic.path),
  }));
}

function textOf({ detail, hint, ways = [] }: Diagnostic): string {
  const parts = [withoutEmails(shortText(detail)), hint && shortText(hint), wayOutText(ways)];
  return parts.filter((part) => typeof part === "string").join("\n\n");
}

/** The first diagnostics of each severity in one answer, and a count of the others. */
function firstOfEachSeverity(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const counts = { error: 0, warning: 0, note: 0 };
  const shown = diagnostics.filter(({ severity }) => ++counts[severity] <= MAX_MISTAKES);
  const further = (["error", "warning", "note"] as const).flatMap((severity) => {
    const count = counts[severity] - MAX_MISTAKES;
    return count > 0 ? [furtherMistakes("This answer", { severity, count })] : [];
  });
  return [...shown, ...further];
}

/** The path of a value inside its resource. */
export function wirePath(path: Path): AttributePath {
  return {
    steps: path.map((step) => ({
      selector:
        typeof step === "number"
          ? { $case: "elementKeyInt", elementKeyInt: step }
          : { $case: "attributeName", attributeName: step },
    })),
  };
}

const EMAIL_LIKE = /^(.).*(@|%40)(?=[\p{L}\p{N}-]+\.)/su;

export function withoutEmails(text: string): string {
  const lower = text.toLowerCase().replaceAll("%40", "@");
  // Only the address of this request: other words around an "at" may be anything.
  const plain = replaceInWords(text, (email) => (lower.includes(email.toLowerCase()) ? email : null));
  return plain.replaceAll(WORD, (word) => word.replace(EMAIL_LIKE, "$1***$2"));
}

/** Diagnostics of an exception. Messages of the service's client name method, path and status, never a secret. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof DiagnosticsError) return error.diagnostics;
  const detail = error instanceof Error ? error.message : String(error);
  const ofService = error instanceof Error && error.name === "ServiceError";
  return [
    errorOf(
      ofService ? "service_failed" : "provider_failed",
      ofService ? "The service could not be read" : "The provider failed",
      {
        detail: /[.!?]$/.test(detail) ? detail : `${detail}.`,
        ...(ofService ? { hint: serviceHint(error) } : {}),
      },
    ),
  ];
}

/** `known` names an error that the service documents; `problem` says why there was no connection. */
type FailedRead = Error & {
  readonly known?: string | null;
  readonly problem?: { readonly kind: string; readonly hint: string | null } | null;
};

function serviceHint({ message, known, problem }: FailedRead): string {
  if (known === "bad_team" || known?.endsWith("_not_found"))
    return "Nothing was changed. Check the id: no such object exists, or it belongs to another team than the API key's user.";
  if (known === "key_blocked")
    return "Nothing was changed. The API key is right, but the service blocks its user. Set api_key (or OUTREACH_API_KEY) to the key of another user of the same team.";
  if (known)
    return "Nothing was changed. Check that api_key (or OUTREACH_API_KEY) is right and belongs to the service at base_url.";
  if (problem?.kind === "refused")
    return "Nothing was changed. Check base_url (or OUTREACH_BASE_URL). For the local service: is npx outreach-as-code sandbox running?";
  if (problem?.hint) return `Nothing was changed. ${problem.hint}`;
  if (message.includes(": 404"))
    return "Nothing was changed. Check that base_url (or OUTREACH_BASE_URL) has its path, such as /api.";
  return "Nothing was changed. Check base_url, api_key and the network, then run Terraform again.";
}

/** An answer with our own diagnostics. */
export type Answer<A> = Omit<A, "diagnostics"> & { readonly diagnostics: readonly Diagnostic[] };

/**
 * Answers a call. An error that `work` throws becomes an answer with diagnostics, because a failed call tells the
 * user less; `failed` is the rest of that answer. Work that does not wait is answered at once: a promise for each of thousands of calls takes
 * time of its own.
 */
export function answering<Q, A extends { diagnostics: WireDiagnostic[] }>(
  work: (request: Q) => Answer<A> | Promise<Answer<A>>,
  failed: (request: Q) => Omit<A, "diagnostics">,
): (request: Q) => A | Promise<A> {
  const wired = ({ diagnostics, ...rest }: Answer<A>): A =>
    ({ ...rest, diagnostics: wireDiagnostics(diagnostics) }) as unknown as A;
  return (request) => {
    const answerOf = (error: unknown): A => wired({ ...failed(request), diagnostics: diagnosticsOf(error) });
    try {
      const answer = work(request);
      return answer instanceof Promise ? answer.then(wired).catch(answerOf) : wired(answer);
    } catch (error) {
      return answerOf(error);
    }
  };
}

/** Applies `change` to an answer, now or when it is there. */
export function mapAnswer<T, R>(answer: T | Promise<T>, change: (answer: T) => R): R | Promise<R> {
  return answer instanceof Promise ? answer.then(change) : change(answer);
}
