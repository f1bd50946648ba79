import { firstFew } from "../../../core/model/words.ts";
import type { Decision } from "../../../core/apply/recovery/decide-creates.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { importBlock } from "../wire/terraform-way-outs.ts";
import type { KnownCreate } from "./known-creates.ts";

/** What became of a lost answer. */
function recovered(summary: string, detail: string): Diagnostic {
  return warningOf("outcome_recovered", summary, { detail });
}

/** Terraform now records an object that an earlier process created. */
export function takenInstead({ noun }: AnyResource, id: string | null): Diagnostic {
  const done = id === null ? "carried out" : "created";
  return recovered(
    `An earlier run already ${done} this ${noun}`,
    `${id ?? `The ${noun}`} was ${done} by a run that ended before Terraform recorded it. Terraform records it now. Nothing was sent.`,
  );
}

/** The object recorded now has an unmanaged duplicate. */
export function duplicateExists(definition: AnyResource, id: string, duplicate: string): Diagnostic {
  return warningOf("unmanaged_duplicate", `An identical unmanaged ${definition.noun} exists`, {
    detail: `${duplicate} is identical to ${id}, and not known to be managed. Each event may be delivered twice.`,
    hint: `If it is yours, import it at its own address and destroy it:\n\n  ${importBlock(definition, duplicate)}`,
  });
}

/** The list shows the object that this call sent. */
export function foundInList({ noun }: AnyResource, id: string, cause: string): Diagnostic {
  return recovered(
    foundSummary(noun),
    `The answer to the create was lost: ${cause}. The service's list shows ${id}. Terraform records it.`,
  );
}

/** The list shows the object that an earlier call sent. */
export function foundAgain({ noun, type }: AnyResource, id: string): Diagnostic {
  return {
    ...recovered(
      foundSummary(noun),
      `The service's list shows ${id}, which an earlier run sent. That run got no answer, so Terraform marked the ${noun} as tainted.`,
    ),
    hint: `If the plan replaces it, keep it with this command, before the next apply:\n\n  terraform untaint ${type}.NAME`,
  };
}

function foundSummary(noun: string): string {
  return `A ${noun} was created, although its answer was lost`;
}

export function sentTwice({ noun }: AnyResource, cause: string): Diagnostic {
  return recovered(
    `A ${noun} was sent again`,
    `The answer to the create was lost: ${cause}. Two lists did not show it, so it was sent again. If the first one appears later, the provider reports it.`,
  );
}

/** An earlier run made the same, and another address may have it. */
export function madeBefore(definition: AnyResource, id: string, why: "maybe-managed" | "other-desired"): Diagnostic {
  const { noun } = definition;
  const reason =
    why === "maybe-managed"
      ? "It may be recorded at another address, which this run did not read."
      : "But its values differ from the declared ones. The service's list does not show all of them: its secret, for example, cannot be read.";
  const then =
    why === "other-desired"
      ? "\n\nThen terraform apply -replace=ADDRESS creates it again with the declared values. If that address has an object already, as with create_before_destroy, import it at its own address, and then remove that address from the configuration: Terraform deletes it."
      : "\n\nIf it is recorded there, run terraform plan without -target, and apply again.";
  return errorOf("made_before", `An earlier run already created such a ${noun}`, {
    detail: `${id} was created by an earlier run. ${reason} Nothing was sent: a second one would deliver each event twice.`,
    hint: `To record it here, import it:\n\n  ${importBlock(definition, id)}${then}`,
  });
}

/** An earlier run created it, and a list that may be truncated does not show it. */
export function madeAndNotListed({ noun }: AnyResource, id: string): Diagnostic {
  return errorOf("list_maybe_truncated", `A ${noun} is missing from a list that may be truncated`, {
    detail: `An earlier run created ${id}. The service's list does not show it, but may be truncated. Creating it again could make a duplicate, so nothing was sent.`,
    hint: "Apply again when the list is complete.",
  });
}

/** The ways out of an open create, for an object in Terraform's state. The one that loses nothing is first. */
function waysOut(definition: AnyResource, candidates: readonly LiveObject[]): string {
  const { type } = definition;
  const remove = `terraform state rm ${type}.NAME`;
  const [first] = candidates;
  if (!first) {
    return `Run terraform plan, which looks for it. If it finds it, run this before the next apply, which would replace it:\n\n  terraform untaint ${type}.NAME\n\nIf it does not find it, the next apply creates it. If you are sure that it was not created: ${remove}`;
  }
  return `If one of them is the right one, import it:\n\n  ${remove}\n\n  ${importBlock(definition, first.id)}\n\nOtherwise delete them in the service, and run terraform plan.`;
}

function whyOpen({ why, candidates }: Open): string {
  const ids = candidates.map(({ id }) => id).toSorted();
  return `${why}.${ids.length > 0 && !ids.every((id) => why.includes(id)) ? ` The list shows ${ids.join(", ")}.` : ""}`;
}

type Open = Pick<Extract<Decision, { kind: "open" }>, "why" | "candidates">;

/** The outcome of an earlier create stops this write. */
export function undecided(detail: string, hint: string): Diagnostic {
  return errorOf("outcome_undecided", "The outcome of an earlier create is undecided", { detail, hint });
}

function causeOf({ outcome }: KnownCreate): string {
  return (outcome.kind === "open" ? outcome.cause : null) ?? "the run ended before it stored the answer";
}

/** A create of this call: Terraform records it without an id. */
export function leftUndecided(definition: AnyResource, cause: string, open: Open): Diagnostic {
  const detail = `The service may or may not have created this ${definition.noun}: ${cause}. ${whyOpen(open)} Terraform records it without an id, as tainted.`;
  return { ...undecided(detail, waysOut(definition, open.candidates)), summary: "The outcome of a write is undecided" };
}

/** An object without an id, whose create is still open. */
export function stillUndecided(definition: AnyResource, create: KnownCreate, open: Open): Diagnostic {
  return keptWithoutId(definition, causeOf(create), open);
}

/** An object without an id, whose create the journal does not have. */
export function undecidedWithoutJournal(definition: AnyResource, journal: string, open: Open): Diagnostic {
  return keptWithoutId(definition, `${journal} does not have the record of the run that sent it`, open);
}

function keptWithoutId(definition: AnyResource, cause: string, open: Open): Diagnostic {
  return undecided(
    `The service may or may not have created this ${definition.noun}: ${cause}. ${whyOpen(open)} Terraform keeps it without an id. The provider sends nothing for it until the outcome is known.`,
    waysOut(definition, open.candidates),
  );
}

/** A create is blocked by an open one that looks the same in the list. */
export function earlierUndecided(definition: AnyResource, create: KnownCreate, open: Open): Diagnostic {
  const [first] = open.candidates;
  const take = first ? `If it is the right one, import it:\n\n  ${importBlock(definition, first.id)}\n\n` : "";
  return undecided(
    `An earlier run sent such a ${definition.noun}${keyText(definition, create.intent.key)}. The service may or may not have created it: ${causeOf(create)}. ${whyOpen(open)} Nothing was sent now: it could create a duplicate.`,
    `${take}Otherwise apply again later.`,
  );
}

/** An earlier run with another key sent the same, and ended before its outcome was known. */
export function undecidedWithAnotherKey(definition: AnyResource, { intent }: KnownCreate, journal: string): Diagnostic {
  return undecided(
    `An earlier run with another API key sent such a ${definition.noun}${keyText(definition, intent.key)}, and ended before the outcome was known. This key cannot prove the outcome. Nothing was sent.`,
    `Apply once with that key. If it is no longer valid, compare the service's list with Terraform's state. If they agree, remove ${journal} and apply again.`,
  );
}

/** An irreversible write without an answer is sent again only if the user requests it. */
export function unconfirmed({ noun, type }: AnyResource, cause: string): Diagnostic {
  return warningOf("outcome_unconfirmed", "The outcome of a write is unconfirmed", {
    detail: `The service may or may not have carried out this ${noun}: ${cause}. It is recorded as unconfirmed, and is sent again only if you request it.`,
    ways: [{ kind: "retry", address: null, type }],
  });
}

export function undecidedAtOtherService({ noun }: AnyResource): Diagnostic {
  return errorOf("service_changed", `The ${noun} belongs to another service or key`, {
    detail: `An earlier run sent this ${noun} with another base_url or API key than the provider has now. Its outcome is not known.`,
    hint: "Restore base_url and api_key, and apply. To start over, remove the resource from the state (terraform state rm).",
  });
}

/** An object without an id, whose create is not in the journal. */
export function notInJournal({ noun, type }: AnyResource, journal: string): Diagnostic {
  return warningOf("outcome_undecided", "The journal of an earlier run is not here", {
    detail: `The service may or may not have created this ${noun}: no answer arrived, and ${journal} does not have the record of the run that sent it. Terraform keeps it without an id.`,
    hint: `If that journal still exists, set OUTREACH_JOURNAL to it, and plan again. If OUTREACH_JOURNAL is the URL of a state store, every machine has the same journal.\n\nWithout that journal: if an identical ${noun} is live and is the right one, import it:\n\n  terraform state rm ${type}.NAME\n\n  ${importBlock({ type }, "ID")}\n\nIf none is live, the next apply replaces this one: it looks twice before it sends anything.`,
  });
}

/** An object without an id. The journal has an open create that looks like it, but Terraform has not kept which one it is. */
export function openWithoutName(definition: AnyResource, create: KnownCreate): Diagnostic {
  const { noun, type } = definition;
  const hint = `A replace looks for it, and deletes what it finds. To keep what it finds, remove it from the state: the next apply looks for it, and records it.\n\n  terraform state rm ${type}.NAME`;
  const detail = `The service may or may not have created this ${noun}: ${causeOf(create)}. Terraform keeps it without an id.`;
  return { ...undecided(detail, hint), severity: "warning" };
}

/** Objects of earlier runs that Terraform did not ask about since. */
export function madeAndUnclaimed(definition: AnyResource, creates: readonly KnownCreate[]): Diagnostic {
  const { noun, type } = definition;
  const [first] = creates.flatMap(({ outcome }) =>
    outcome.kind === "made" && outcome.record.id !== null ? [outcome.record.id] : [],
  );
  return warningOf(
    "outcome_unclaimed",
    `An earlier run created ${creates.length === 1 ? `a ${noun}` : `${noun}s`} that Terraform does not know`,
    {
      detail: `An earlier run created these, but no later run found them in the state: ${firstFew(
        creates.map((create) => madeText(definition, create)),
        MOST_NAMED,
        FEW,
      )}. The earlier run was interrupted, or they were removed from the state.`,
      hint: `If they are still declared with these values, the next apply records them.${
        first === undefined
          ? ""
          : ` If not, delete them in the service, or import and destroy them:

  ${importBlock({ type }, first)}`
      }`,
    },
  );
}

/** The outcome of an earlier write stops nothing. */
export function pending(detail: string): Diagnostic {
  return warningOf("outcome_pending", "The outcome of an earlier write is not known yet", { detail });
}

/** Creates of earlier runs whose outcome is open. */
export function stillPending(definition: AnyResource, creates: readonly KnownCreate[]): Diagnostic {
  return {
    ...pending(
      `An earlier run ended before the outcome was known of ${firstFew(
        creates.map((create) => madeText(definition, create)),
        MOST_NAMED,
        FEW,
      )}.`,
    ),
    hint: definition.list
      ? "The next apply looks for it before it creates it. If it is no longer declared, look for it in the service's list."
      : "The next apply that declares it records it as unconfirmed, and does not send it again.",
  };
}

function madeText(definition: AnyResource, { intent, outcome }: KnownCreate): string {
  const id = outcome.kind === "made" ? outcome.record.id : null;
  return `${id ?? `a ${definition.noun}`}${keyText(definition, intent.key)}`;
}

const MOST_NAMED = 10;
const FEW = { separator: "; ", last: "; and " };

const URL_LIKE = /^[a-z][a-z0-9+.-]*:/i;

/** ` (type = "emailsSent")`: without personal data, and without URLs, which can carry tokens. Terraform does not tell which values are sensitive. */
export function keyText({ schema }: AnyResource, key: Attributes): string {
  const parts = Object.entries(key).flatMap(([name, value]) => {
    if (value === null || schema[name]?.personal) return [];
    return typeof value === "string" && URL_LIKE.test(value) ? [] : [`${name} = ${JSON.stringify(value)}`];
  });
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
