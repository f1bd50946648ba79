import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, errorText, warningOf } from "../../../core/model/diagnostic.ts";
import { type JournalScope, unreadable } from "../../provider-journal/ledger.ts";
import { pending, keyText, undecided } from "./create-messages.ts";
import type { ScopeView, UnknownOwner, KnownCreate } from "./known-creates.ts";
import { hiddenText } from "../../../core/model/process-fate.ts";
import { isoTime } from "../../../core/model/iso-time.ts";
import { processText } from "../../provider-journal/ledger-store.ts";

function notWritten(severity: Diagnostic["severity"], detail: string): Diagnostic {
  return { code: "journal_not_written", severity, summary: "The journal could not be written", detail };
}

const FREE = "Free disk space, or set OUTREACH_JOURNAL to a place that can be written";

export function journalNotWritten(name: string, error: unknown): Diagnostic {
  return {
    ...notWritten(
      "warning",
      `The write succeeded, but its outcome could not be written to ${name}: ${messageOf(error)}.`,
    ),
    hint: "Make it writable, or free disk space. Until then, the provider creates nothing.",
  };
}

/** A write whose intent cannot be stored is not sent. */
export function nothingSent(name: string, error: unknown): DiagnosticsError {
  if (error instanceof DecidedElsewhere || error instanceof BegunElsewhere) return otherRun(error);
  const ways = error instanceof DiagnosticsError ? error.diagnostics.flatMap((one) => one.ways ?? []) : [];
  const problem = notWritten(
    "error",
    `The provider journals every create in ${name} before sending it, which failed: ${messageOf(error)}. Nothing was sent.`,
  );
  return new DiagnosticsError(
    [{ ...problem, ...(ways.length > 0 ? { ways } : { hint: `${FREE}, and apply again.` }) }],
    { cause: error },
  );
}

/** Another process recorded the outcome of the create first, so the object is that process's. */
export class DecidedElsewhere extends Error {
  override readonly name = "DecidedElsewhere";
}

export function isDecidedElsewhere(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof DecidedElsewhere;
}

/** Another process began the same since this one last looked. */
export class BegunElsewhere extends Error {
  override readonly name = "BegunElsewhere";
}

export function isBegunElsewhere(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof BegunElsewhere;
}

/** By the name of the error. */
const OTHER_RUN = {
  DecidedElsewhere: {
    code: "outcome_recorded_elsewhere",
    summary: "Another run has recorded the outcome",
    detail: "Another run looked for the object of the same create, and recorded its outcome first. Nothing was sent.",
  },
  BegunElsewhere: {
    code: "created_elsewhere",
    summary: "Another run creates the same",
    detail: "Another run that uses the same journal has begun to create the same several times. Nothing was sent.",
  },
} as const;

function otherRun(error: DecidedElsewhere | BegunElsewhere): DiagnosticsError {
  const diagnostic: Diagnostic = {
    severity: "error",
    hint: "Wait for that run to end, and apply again.",
    ...OTHER_RUN[error.name],
  };
  return new DiagnosticsError([diagnostic], { cause: error });
}

/** If a missing object returns, nobody knows it. */
export function missingNotRecorded(
  { noun }: AnyResource,
  { id, name, error }: { readonly id: string; readonly name: string; readonly error: unknown },
): Diagnostic {
  const detail = `${id} is missing, and Terraform plans it again. The provider could not note that in ${name}: ${messageOf(error)}. If the ${noun} returns later, the provider may not report it.`;
  return { ...notWritten("warning", detail), hint: `${FREE}.` };
}

/** It was sent and no list shows it, but that could not be stored. */
export function notGivenUp(error: unknown): string {
  return `It is not in the service's list, but the journal could not be written (${messageOf(error)}), so it was not sent again`;
}

/** Why the journal could not be read, as warnings: that stops creates, and nothing else. */
export function unreadJournal(name: string, error: unknown): readonly Diagnostic[] {
  const problem = isUnreadable(error)
    ? error
    : unreadable(
        `${name} cannot be read: ${messageOf(error)}. It shows what earlier runs may have sent, so the provider creates nothing until it can read it.`,
        "Make it readable, or set OUTREACH_JOURNAL to the place of the journal.",
      );
  return problem.diagnostics.map((diagnostic) => ({ ...diagnostic, severity: "warning" }));
}

export function journalShortLived(name: string): Diagnostic {
  return warningOf("journal_short_lived", "The journal may be lost with this machine", {
    detail: `This runs in a CI, and the journal is ${name}. If this run is interrupted, the next one needs the journal to find out what was sent.`,
    hint: "Set OUTREACH_JOURNAL to a store that outlives the job, or to a folder that your CI keeps between runs, also after a failed one.",
  });
}

/** Open creates of another workspace, service or key. */
export function pendingInOtherScope(
  name: string,
  { scope, creates }: ScopeView["otherScopes"][number],
  here: JournalScope,
): Diagnostic {
  const what = creates.length === 1 ? "an open create" : `${String(creates.length)} open creates`;
  return {
    ...pending(`${name} has ${what} for ${differences(scope, here).join(" and ")}. They do not affect this run.`),
    summary: "The outcome of earlier writes is not known yet",
    hint: "Apply there once. If that is no longer possible, and the service's lists agree with all of Terraform's states, remove the journal.",
  };
}

function differences(scope: JournalScope, here: JournalScope): readonly string[] {
  return [
    ...(scope.workspace === here.workspace ? [] : [`the workspace ${JSON.stringify(scope.workspace)}`]),
    ...(scope.baseUrl === here.baseUrl ? [] : [`the service at ${scope.baseUrl}`]),
    ...(scope.baseUrl === here.baseUrl && scope.key !== here.key ? ["another API key"] : []),
  ];
}

/** Whether the journal is damaged, rather than out of reach. */
export function isUnreadable(error: unknown): error is DiagnosticsError {
  return error instanceof DiagnosticsError && error.diagnostics.some(({ code }) => code === "journal_unreadable");
}

/** The original failure. */
function messageOf(error: unknown): string {
  if (error instanceof DiagnosticsError && error.cause !== undefined) return messageOf(error.cause);
  return errorText(error);
}

/** By then, a process that outlived its Terraform has ended in any case. */
export const OUTLIVES_TERRAFORM_MS = 75_000;

/** An open create of a process that may still run where this one cannot see it. */
type CreateOfUnknownOwner = Pick<KnownCreate, "intent"> & { readonly unknownOwner: UnknownOwner };

/** It stops a create of the same. */
export function sentByUnknownOwner(definition: AnyResource, one: CreateOfUnknownOwner, journal: string): Diagnostic {
  const { id, overAtMs } = one.unknownOwner;
  return {
    ...undecided(
      `Another run sent such a ${definition.noun}${keyText(definition, one.intent.key)} and recorded no outcome: ${runText(one, journal)} Nothing was sent now: it could create a duplicate.`,
      overAtMs === null
        ? "Wait for that run to end, and apply again."
        : `Apply again after ${isoTime(overAtMs)}: by then the create is certainly over, and the provider looks for its ${definition.noun}.`,
    ),
    ways: [{ kind: "release-creates", id }],
  };
}

/** A warning of a plan, which such creates do not stop: one for all, or none. */
export function openOfUnknownOwners(
  { noun, plural }: AnyResource,
  creates: readonly CreateOfUnknownOwner[],
  journal: string,
): readonly Diagnostic[] {
  const [first] = creates;
  if (!first) return [];
  const what = creates.length === 1 ? `a ${noun}` : `${String(creates.length)} ${plural}`;
  const detail = `Another run sent ${what} and recorded no outcome: ${runText(first, journal)} Until its outcome is known, the provider does not create the same again.`;
  return [{ ...pending(detail), ways: [{ kind: "release-creates", id: first.unknownOwner.id }] }];
}

function runText({ unknownOwner: { mark, why }, intent }: CreateOfUnknownOwner, journal: string): string {
  return `${processText(mark, why)}, at ${isoTime(intent.sentAtMs)}. ${hiddenText(`Its record in ${journal}`, why)}`;
}
