import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { JournalScope } from "../../../core/state/journal.ts";

export function journalNotWritten(path: string, error: unknown): Diagnostic {
  return {
    code: "journal_not_written",
    severity: "warning",
    summary: "The journal could not be written",
    detail: `The write succeeded, but its outcome could not be written to ${path}: ${messageOf(error)}.`,
    hint: "Free disk space. Until then, the provider creates nothing.",
  };
}

/** A write whose intent cannot be stored is not sent. */
export function nothingSent(folder: string, error: unknown): DiagnosticsError {
  const diagnostic: Diagnostic = {
    code: "journal_not_written",
    severity: "error",
    summary: "The journal could not be written",
    detail: `The provider journals every write in ${folder} before sending it, which failed: ${messageOf(error)}. Nothing was sent.`,
    hint: "Free disk space, or set OUTREACH_JOURNAL to a writable folder, and apply again.",
  };
  return new DiagnosticsError([diagnostic], { cause: error });
}

/** If a missing object returns, nobody knows it. */
export function missingNotRecorded(
  { noun }: Pick<AnyResource, "noun">,
  { id, folder, error }: { readonly id: string; readonly folder: string; readonly error: unknown },
): Diagnostic {
  return {
    code: "journal_not_written",
    severity: "warning",
    summary: "The journal could not be written",
    detail: `${id} is missing, and Terraform plans it again. The provider could not note that in ${folder}: ${messageOf(error)}. If the ${noun} returns later, the provider may not report it.`,
    hint: "Free disk space, or set OUTREACH_JOURNAL to a writable folder.",
  };
}

/** It was sent and no list shows it, but that could not be stored. */
export function notGivenUp(error: unknown): string {
  return `It is not in the service's list, but the journal could not be written (${messageOf(error)}), so it was not sent again`;
}

export function unreadJournals(folder: string, error: unknown): Diagnostic {
  return {
    code: "journal_unreadable",
    severity: "warning",
    summary: "The journal cannot be read",
    detail: `${folder} cannot be read: ${messageOf(error)}. It shows what earlier runs may have sent, so the provider creates nothing until it can read it.`,
    hint: "Make it readable, or set OUTREACH_JOURNAL to the journal's folder.",
  };
}

export function journalShortLived(folder: string): Diagnostic {
  return {
    code: "journal_short_lived",
    severity: "warning",
    summary: "The journal may be lost with this machine",
    detail: `CI is set, and the journal is in ${folder}. If this run is interrupted, the next one needs the journal to find out what was sent.`,
    hint: "Set OUTREACH_JOURNAL to a folder that your CI keeps between runs, also after a failed one.",
  };
}

/** Open creates of another workspace, service or key. */
export function pendingElsewhere(path: string, scope: JournalScope | null, here: JournalScope, count: number): Diagnostic {
  const others = scope === null ? ["an unknown workspace"] : differences(scope, here);
  return {
    code: "outcome_pending",
    severity: "warning",
    summary: "The outcome of earlier writes is not known yet",
    detail: `${path} has ${count === 1 ? "an open create" : `${String(count)} open creates`} for ${others.join(" and ")}. They do not affect this run.`,
    hint: "Apply there once. Or, if the service's list agrees with Terraform's state there, remove the file.",
  };
}

function differences(scope: JournalScope, here: JournalScope): readonly string[] {
  return [
    ...(scope.workspace === here.workspace ? [] : [`the workspace ${JSON.stringify(scope.workspace)}`]),
    ...(scope.baseUrl === here.baseUrl ? [] : [`the service at ${scope.baseUrl}`]),
    ...(scope.baseUrl === here.baseUrl && scope.key !== here.key ? ["another API key"] : []),
  ];
}

/** The original failure. */
function messageOf(error: unknown): string {
  if (error instanceof DiagnosticsError && error.cause !== undefined) return messageOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
