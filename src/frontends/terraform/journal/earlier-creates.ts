import { type TwoLists, desiredText, isGoneFrom } from "../../../core/apply/recovery/decide-creates.ts";
import { lookalikes } from "../../../core/apply/recovery/lost-creates.ts";
import { recordOf } from "../../../core/apply/write/record.ts";
import type { Creation } from "../../../core/apply/write/write-context.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { CreateOutcome } from "../../provider-journal/ledger.ts";
import type { Found } from "./ledger-changes.ts";
import * as words from "./create-messages.ts";
import { declaredTwice } from "./duplicate-messages.ts";
import { type KnownCreate, isOpen } from "./known-creates.ts";
import type { Writing } from "./write-queues.ts";

/** The outcome of a create. */
export type Created =
  | { readonly kind: "made"; readonly record: RecordedInstance; readonly diagnostics: readonly Diagnostic[] }
  /** It created nothing. */
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: "undecided";
      /** The name of its create in the journal. */ readonly name: string;
      readonly diagnostics: readonly Diagnostic[];
    };

export interface Wanted {
  readonly creation: Creation;
  readonly queue: string;
}

/** Resolves earlier creates that look the same in the list. Null if none of them blocks this create. */
export async function resolveEarlier(
  definition: AnyResource,
  { creation, queue }: Wanted,
  writing: Writing,
): Promise<Created | null> {
  const { creates } = await writing.journal.known();
  const isInQueue = await writing.queues.membersOf(queue);
  for (const create of creates.filter((one) => isEarlier(one) && isInQueue(one))) {
    const { outcome, intent, name } = create;
    const isSameKey = identityKey(definition, intent.key) === identityKey(definition, creation.attributes);
    if (outcome.kind === "made" && (!isSameKey || writing.journal.isReturned(name))) continue;
    const wanted = { create, isSameKey, creation };
    const resolved =
      outcome.kind === "made"
        ? await takeMade(definition, { ...wanted, outcome }, writing)
        : definition.irreversible
          ? await confirmNothing(definition, create, writing)
          : await lookForEarlier(definition, wanted, writing);
    if (resolved) return resolved;
  }
  return null;
}

/** Whether Terraform may not have its object, or does not know whether there is one; or whether a process that runs in parallel has made one. */
function isEarlier(create: KnownCreate): boolean {
  const { outcome, owner } = create;
  return isOpen(create) ? owner === "nobody" || owner === "me" : outcome.kind === "made" && owner !== "me";
}

interface Earlier {
  readonly create: KnownCreate;
  /** Whether it sent the same as is wanted now, and not only what the list cannot tell from it. */
  readonly isSameKey: boolean;
  readonly creation: Creation;
}

/** Another process made such an object, and no call showed that Terraform has it. */
async function takeMade(
  definition: AnyResource,
  given: Earlier & { readonly outcome: Extract<CreateOutcome, { kind: "made" }> },
  writing: Writing,
): Promise<Created | null> {
  const { create, outcome, creation } = given;
  const { record, returned } = outcome;
  const { id } = record;
  const isParallel = create.owner === "alive";
  if (writing.isKnown(record.attributes) || (isParallel && creation.allowDuplicate)) return null;
  if (definition.irreversible || id === null) return returnMade(definition, { create, record }, writing);
  const { live, recovery, context } = writing;
  if (!(await live.find(id, context.signal))) {
    const seen = await recovery.lookAfter({ answered: true, lastAtMs: record.recordedAtMs });
    if (!seen.index.byId.has(id))
      return isGoneFrom(definition, seen, record, writing.unlisted)
        ? null
        : refused(words.madeAndNotListed(definition, id));
  }
  if (isParallel) return refused(declaredTwice(definition, id, "parallel"));
  if (creation.allowDuplicate || returned === "orderly" || returned === "without-id")
    return refused(words.madeBefore(definition, id, "maybe-managed"));
  return takeIfSame(definition, { ...given, record }, writing);
}

/** No list shows it, and only the user may send it again: records it as unconfirmed. */
async function confirmNothing(
  definition: AnyResource,
  create: KnownCreate,
  { journal, context }: Writing,
): Promise<Created | null> {
  const { outcome, name } = create;
  const cause =
    (outcome.kind === "open" ? outcome.cause : null) ?? "an earlier run sent it and ended before it stored the answer";
  const record = recordFor(
    definition,
    create,
    { id: null, attributes: definition.irreversible?.unconfirmed ?? {} },
    context.clock.now(),
  );
  await journal.settle(name, { record, lookalikes: null });
  journal.markReturned(name);
  return { kind: "made", record, diagnostics: [words.unconfirmed(definition, cause)] };
}

async function lookForEarlier(definition: AnyResource, given: Earlier, writing: Writing): Promise<Created | null> {
  const { recovery, journal } = writing;
  const { create, isSameKey } = given;
  const { decision, seen } = await recovery.decide(create);
  if (decision.kind === "open") return refused(words.earlierUndecided(definition, create, decision));
  // It blocks others until its outcome is stored.
  const found =
    decision.kind === "none" ? null : foundFor(definition, { create, object: decision.object, seen }, writing);
  await journal.settle(create.name, found);
  return found && isSameKey ? takeIfSame(definition, { ...given, record: found.record }, writing) : null;
}

/** Returns the object of an earlier create, unless it has other values than the declared ones. */
async function takeIfSame(
  definition: AnyResource,
  { create, creation, record }: Earlier & { readonly record: RecordedInstance },
  writing: Writing,
): Promise<Created> {
  const id = String(record.id);
  const isSame =
    desiredText(definition, create.intent) ===
    desiredText(definition, { provider: creation.provider, planned: creation.attributes });
  if (!isSame) return refused(words.madeBefore(definition, id, "other-desired"));
  writing.made(id);
  const taken = returnMade(definition, { create, record }, writing);
  return {
    ...taken,
    diagnostics: [...taken.diagnostics, ...(await duplicatesExcept(definition, { id, creation }, writing))],
  };
}

function returnMade(
  definition: AnyResource,
  { create, record }: { readonly create: KnownCreate; readonly record: RecordedInstance },
  { journal }: Writing,
): Created {
  journal.markReturned(create.name);
  return {
    kind: "made",
    record,
    diagnostics: [words.takenInstead(definition, definition.irreversible ? null : record.id)],
  };
}

function refused(diagnostic: Diagnostic): Created {
  return { kind: "refused", diagnostics: [diagnostic] };
}

/** A duplicate stops a create, but not a record. It is reported: it may be the old object of a replace, if Terraform lost its state. */
async function duplicatesExcept(
  definition: AnyResource,
  { id, creation }: { readonly id: string; readonly creation: Creation },
  { live, context }: Writing,
): Promise<readonly Diagnostic[]> {
  if (creation.allowDuplicate) return [];
  const duplicates = await live.duplicates(creation.attributes, context.signal);
  const others = duplicates.filter((duplicate) => duplicate.id !== id && !context.isManaged(duplicate.id));
  return others.map((duplicate) => words.duplicateExists(definition, id, duplicate.id));
}

/** What to store of an object that was found. */
export function foundFor(
  definition: AnyResource,
  {
    create,
    object,
    seen,
  }: { readonly create: KnownCreate; readonly object: LiveObject; readonly seen: TwoLists | null },
  { context }: Writing,
): Found {
  return {
    record: recordFor(definition, create, object, context.clock.now()),
    lookalikes: seen ? lookalikes(create.intent, seen.index) : [object.id],
  };
}

/** The record of what a create made. */
export function recordFor(
  definition: AnyResource,
  { intent }: KnownCreate,
  { id, attributes: returned }: { readonly id: string | null; readonly attributes: Attributes },
  nowMs: number,
): RecordedInstance {
  return recordOf(definition, { ...intent, planned: intent.planned ?? {} }, { id, returned, nowMs });
}
