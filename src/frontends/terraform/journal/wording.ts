import type { Decision } from "../../../core/apply/recovery/decide-creates.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { JournalScope } from "../../../core/state/journal.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { importBlock } from "../way-out-text.ts";
import type { JournaledCreate } from "./journaled-create.ts";

export function journalNotWritten(path: string, error: unknown): Diagnostic {
  return {
    code: "journal_not_written",
    severity: "warning",
    summary: "The journal could not be written",
    detail: `The write was carried out, but ${path} does not tell so: ${messageOf(error)}.`,
    hint: "Make room on the disk. Until then nothing more is created.",
  };
}

/** What cannot be stored before it is sent is not sent. */
export function nothingSent(folder: string, error: unknown): DiagnosticsError {
  const diagnostic: Diagnostic = {
    code: "journal_not_written",
    severity: "error",
    summary: "The journal could not be written",
    detail: `Every write is stored in ${folder} before it is sent, which failed: ${messageOf(error)}. Nothing was sent.`,
    hint: "Make room on the disk, or set OUTREACH_JOURNAL to a folder that can be written to, and apply again.",
  };
  return new DiagnosticsError([diagnostic], { cause: error });
}

/** It was sent, is in no list, and that could not be stored. */
export function notGivenUp(error: unknown): string {
  return `It is not in the service's list, but the journal could not be written (${messageOf(error)}), so it is not sent again`;
}

export function unreadJournals(folder: string, error: unknown): Diagnostic {
  return {
    code: "journal_unreadable",
    severity: "warning",
    summary: "The journal cannot be read",
    detail: `${folder} cannot be read: ${messageOf(error)}. It tells what earlier runs were about to send, so nothing is created before it can be.`,
    hint: "Make it readable, or set OUTREACH_JOURNAL to the folder that holds it.",
  };
}

export function journalShortLived(folder: string): Diagnostic {
  return {
    code: "journal_short_lived",
    severity: "warning",
    summary: "The journal may go with this machine",
    detail: `CI is set, and the journal is in ${folder}. If this run is cut off, the next one needs the journal to find out what was sent.`,
    hint: "Keep the folder from run to run: set OUTREACH_JOURNAL to one that your CI stores, and store it also when a run fails. Where that is so already, nothing is to be done: it cannot be seen from here.",
  };
}

/** A create that this process does not know about is in Terraform's hands from now on. */
export function takenInstead({ noun }: AnyResource, id: string | null): Diagnostic {
  return {
    code: "outcome_recovered",
    severity: "warning",
    summary: `An earlier run had already ${id === null ? "carried out" : "created"} this ${noun}`,
    detail: `${id ?? `The ${noun}`} was ${id === null ? "carried out" : "created"} by a run that ended before Terraform had recorded it. It is recorded now, and nothing was sent.`,
  };
}

/** Beside what is recorded now there is another that looks the same. */
export function duplicateExists(definition: AnyResource, id: string, duplicate: string): Diagnostic {
  return {
    code: "unmanaged_duplicate",
    severity: "warning",
    summary: `An identical unmanaged ${definition.noun} exists`,
    detail: `${duplicate} is live beside ${id}, looks the same, and is not known to be managed. Each event may be delivered twice.`,
    hint: `If it is yours, import it at an address of its own and destroy it:\n\n  ${importBlock(definition, duplicate)}`,
  };
}

/** What was sent in this very call was found in the list. */
export function foundInList({ noun }: AnyResource, id: string, cause: string): Diagnostic {
  return {
    code: "outcome_recovered",
    severity: "warning",
    summary: `A ${noun} was created, although its answer was lost`,
    detail: `No answer told whether it was created: ${cause}. ${id} was then found in the service's list, and is recorded.`,
  };
}

export function sentTwice({ noun }: AnyResource, cause: string): Diagnostic {
  return {
    code: "outcome_recovered",
    severity: "warning",
    summary: `A ${noun} was sent once more`,
    detail: `No answer told whether it was created: ${cause}. Two lists were without it, so it was sent again. Should the first one turn up all the same, that is reported.`,
  };
}

/** An earlier run has made the same, and it is not sure that no other address has it. */
export function madeBefore(definition: AnyResource, id: string, why: "maybe-managed" | "other-desired"): Diagnostic {
  const { noun } = definition;
  const reason =
    why === "maybe-managed"
      ? "It may be recorded at another address, which this run has not looked at."
      : "But it was created with other values than are declared now, of which the service's list does not show all; its secret, for one, cannot be read back.";
  const then =
    why === "other-desired"
      ? "\n\nThen terraform apply -replace=ADDRESS creates it anew with the values that are declared. Where that address has one already, as with create_before_destroy, import it at an address of its own, and then remove that from the configuration: so Terraform deletes it."
      : "\n\nIf it is recorded, run terraform plan without -target, and apply again.";
  return {
    code: "made_before",
    severity: "error",
    summary: `An earlier run has created such a ${noun}`,
    detail: `${id} was created by an earlier run. ${reason} Nothing was sent: a second one would deliver every event twice.`,
    hint: `To have it recorded here, import it:\n\n  ${importBlock(definition, id)}${then}`,
  };
}

/** Terraform tells no address, so that only the second of two creates can be refused. */
export function declaredTwice({ noun, identity }: AnyResource, id: string): Diagnostic {
  return {
    code: "declared_twice",
    severity: "error",
    summary: `The same ${noun} is declared twice`,
    detail: `${id} is managed already, with the same ${identity.join(", ")}: each event would be delivered twice. Nothing was sent.`,
    hint: "Remove one of the two, or set allow_duplicate = true in both.",
  };
}

/** What an earlier run has created is not in a list that may be cut off. */
export function madeAndNotListed({ noun }: AnyResource, id: string): Diagnostic {
  return {
    code: "list_maybe_truncated",
    severity: "error",
    summary: `A ${noun} is missing from a list that may be truncated`,
    detail: `${id} was created by an earlier run, and is not in the service's list, which may be truncated. Creating it again could make a duplicate, so nothing was sent.`,
    hint: "Apply again when the list is whole.",
  };
}

/** The ways out of a create that stays open, for an object in Terraform's state; first the one that loses nothing. */
function waysOut(definition: AnyResource, candidates: readonly LiveObject[]): string {
  const { type } = definition;
  const remove = `terraform state rm ${type}.NAME`;
  const [first] = candidates;
  if (!first) {
    return `Run terraform plan: it looks for it. When that finds it, keep it before the next apply, which would replace it:\n\n  terraform untaint ${type}.NAME\n\nWhat it does not find, the next apply creates. When you are sure that it was not created: ${remove}`;
  }
  return `If one of them is it, take it over:\n\n  ${remove}\n\n  ${importBlock(definition, first.id)}\n\nOtherwise have them removed, and run terraform plan.`;
}

function whyOpen({ why, candidates }: Pick<Extract<Decision, { kind: "open" }>, "why" | "candidates">): string {
  const ids = candidates.map(({ id }) => id).toSorted();
  return `${why}.${ids.length > 0 && !ids.every((id) => why.includes(id)) ? ` The list shows ${ids.join(", ")}.` : ""}`;
}

/** A create of this very call: Terraform records it without an id. */
export function leftUndecided(definition: AnyResource, cause: string, open: Pick<Extract<Decision, { kind: "open" }>, "why" | "candidates">): Diagnostic {
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of a write is undecided",
    detail: `The service may or may not have created this ${definition.noun}: ${cause}. ${whyOpen(open)} Terraform records it without an id, as tainted.`,
    hint: waysOut(definition, open.candidates),
  };
}

/** An object without an id, whose create is still open. */
export function stillUndecided(
  definition: AnyResource,
  given: {
    readonly severity: "error" | "warning";
    readonly cause: string | null;
    readonly open: Pick<Extract<Decision, { kind: "open" }>, "why" | "candidates">;
  },
): Diagnostic {
  const { severity, cause, open } = given;
  return {
    code: "outcome_undecided",
    severity,
    summary: "The outcome of an earlier create is undecided",
    detail: `This ${definition.noun} was sent to the service, and it may or may not have been created: ${cause ?? "the run ended before the answer was stored"}. ${whyOpen(open)} It is kept without an id, and nothing is sent before that is settled.`,
    hint: waysOut(definition, open.candidates),
  };
}

/** A create waits for the outcome of one that looks the same in the list. */
export function earlierUndecided(
  definition: AnyResource,
  { intent, outcome }: JournaledCreate,
  open: Pick<Extract<Decision, { kind: "open" }>, "why" | "candidates">,
): Diagnostic {
  const cause = (outcome.kind === "open" ? outcome.cause : null) ?? "the run ended before the answer was stored";
  const [first] = open.candidates;
  const take = first ? `If it is the one that you want, import it:\n\n  ${importBlock(definition, first.id)}\n\n` : "";
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of an earlier create is undecided",
    detail: `An earlier run sent such a ${definition.noun} (${keyText(definition, intent.key)}), and it may or may not have been created: ${cause}. ${whyOpen(open)} Nothing was sent now: it could be doubled.`,
    hint: `${take}Otherwise apply again later.`,
  };
}

/** An earlier run with another key has sent the same, and ended before its outcome was known. */
export function undecidedWithAnotherKey(definition: AnyResource, { intent }: JournaledCreate, path: string): Diagnostic {
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of an earlier create is undecided",
    detail: `An earlier run with another API key sent such a ${definition.noun} (${keyText(definition, intent.key)}), and ended before it was known whether it was created. With this key that cannot be told for certain. Nothing was sent.`,
    hint: `Apply once with that key. If it is no longer valid, look at the service's list; when it agrees with Terraform's state, remove ${path} and apply again.`,
  };
}

/** An irreversible write without an answer is sent again only if the user requests it. */
export function unconfirmed({ noun, type }: AnyResource, cause: string): Diagnostic {
  return {
    code: "outcome_unconfirmed",
    severity: "warning",
    summary: "The outcome of a write is unconfirmed",
    detail: `The service may or may not have carried out this ${noun}: ${cause}. It is recorded as unconfirmed, and is sent again only if you request it.`,
    ways: [{ kind: "retry", address: null, type }],
  };
}

export function foundAgain({ noun, type }: AnyResource, id: string): Diagnostic {
  return {
    code: "outcome_recovered",
    severity: "warning",
    summary: `A ${noun} was created, although its answer was lost`,
    detail: `${id} was found in the service's list, and is what an earlier run has sent. As that run could not know, Terraform has it marked as tainted and replaces it.`,
    hint: `To keep it as it is, run before the next apply: terraform untaint ${type}.NAME`,
  };
}

export function undecidedElsewhere({ noun }: AnyResource): Diagnostic {
  return {
    code: "service_changed",
    severity: "error",
    summary: `The ${noun} belongs to another service or key`,
    detail: `This ${noun} was sent to the service at another base_url, or with another API key, than the provider has now, and it is not known whether it was created.`,
    hint: "Restore base_url and api_key, and apply. To begin anew, remove the resource from the state (terraform state rm).",
  };
}

/** Neither Terraform nor a journal tells what was sent. */
export function undecidedUnknown({ noun, type }: AnyResource): Diagnostic {
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of an earlier create is undecided",
    detail: `This ${noun} was sent to the service, and it may or may not have been created. No journal tells what was sent, so it cannot be looked for.`,
    hint: "Remove it from the state. The next apply creates it, unless an identical one is live: then it says how to import that.",
    ways: [{ kind: "remove-record", address: null, type }],
  };
}

export function turnedUpLate(definition: AnyResource, id: string): Diagnostic {
  return {
    code: "late_duplicate",
    severity: "warning",
    summary: `A ${definition.noun} has appeared late`,
    detail: `${id} is live and not known to be managed, and may have come from an earlier create whose answer was lost. Each event may be delivered twice.`,
    hint: `If it is yours, import it and destroy it:\n\n  ${importBlock(definition, id)}\n\nIf it is somebody else's, leave it alone: this warning repeats for 24 hours.`,
  };
}

/** What earlier runs have created, and nobody has asked about since. */
export function madeAndUnclaimed(definition: AnyResource, creates: readonly JournaledCreate[]): Diagnostic {
  const { noun, type } = definition;
  const [first] = creates.flatMap(({ outcome }) => (outcome.kind === "made" && outcome.record.id !== null ? [outcome.record.id] : []));
  return {
    code: "outcome_unclaimed",
    severity: "warning",
    summary: `An earlier run has created ${creates.length === 1 ? `a ${noun}` : `${noun}s`} that Terraform does not know of`,
    detail: `No later run has found in the state what an earlier one has carried out: ${firstFew(creates.map((create) => madeText(definition, create)))}. The earlier one was cut off, or it was taken out of the state.`,
    hint: `What is still declared with these values is recorded by the next apply.${
      first === undefined
        ? ""
        : ` What is not, remove in the service, or import and destroy it:

  ${importBlock({ type }, first)}`
    }`,
  };
}

/** Creates of earlier runs whose outcome is open. */
export function stillPending(definition: AnyResource, creates: readonly JournaledCreate[]): Diagnostic {
  const { noun, list } = definition;
  return {
    code: "outcome_pending",
    severity: "warning",
    summary: "The outcome of an earlier write is not known yet",
    detail: `An earlier run sent ${creates.length === 1 ? `a ${noun}` : `${String(creates.length)} ${noun}s`} and ended before it was known whether that was carried out: ${firstFew(creates.map(({ intent }) => keyText(definition, intent.key)))}.`,
    hint: list
      ? "The next apply that creates it looks for it first. What is no longer declared, look for in the service's list."
      : "The next apply that declares it records it as unconfirmed, and does not send it again.",
  };
}

function madeText(definition: AnyResource, { intent, outcome }: JournaledCreate): string {
  const id = outcome.kind === "made" ? outcome.record.id : null;
  const what = keyText(definition, intent.key);
  return id === null ? what : `${id} (${what})`;
}

const MOST_TOLD = 10;

function firstFew(texts: readonly string[]): string {
  const rest = texts.length - MOST_TOLD;
  return [...texts.slice(0, MOST_TOLD), ...(rest > 0 ? [`and ${String(rest)} more`] : [])].join("; ");
}

/** What belongs to another workspace, service or key. */
export function pendingElsewhere(path: string, scope: JournalScope | null, here: JournalScope, count: number): Diagnostic {
  const others = scope === null ? ["an unknown workspace"] : differences(scope, here);
  return {
    code: "outcome_pending",
    severity: "warning",
    summary: "The outcome of earlier writes is not known yet",
    detail: `${path} tells of ${count === 1 ? "a create" : `${String(count)} creates`} whose outcome is open, for ${others.join(" and ")}. Nothing is concluded from that here.`,
    hint: "Apply there once, or remove the file when the service's list agrees with Terraform's state there.",
  };
}

function differences(scope: JournalScope, here: JournalScope): readonly string[] {
  return [
    ...(scope.workspace === here.workspace ? [] : [`the workspace ${JSON.stringify(scope.workspace)}`]),
    ...(scope.baseUrl === here.baseUrl ? [] : [`the service at ${scope.baseUrl}`]),
    ...(scope.baseUrl === here.baseUrl && scope.key !== here.key ? ["another API key"] : []),
  ];
}

/** Without what is personal: the journal's events outlive what is declared. */
function keyText({ schema }: Pick<AnyResource, "schema">, key: Attributes): string {
  const parts = Object.entries(key).flatMap(([name, value]) => (value === null || schema[name]?.personal ? [] : [`${name} = ${JSON.stringify(value)}`]));
  return parts.join(", ");
}

/** Of what was concluded from a failure, the failure itself. */
function messageOf(error: unknown): string {
  if (error instanceof DiagnosticsError && error.cause !== undefined) return messageOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
