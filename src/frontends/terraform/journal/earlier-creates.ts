import { type Seen, sameDesired } from "../../../core/apply/recovery/decide-creates.ts";
import { lookalikes } from "../../../core/apply/recovery/lost-creates.ts";
import { recordOf } from "../../../core/apply/write/record.ts";
import type { Creation } from "../../../core/apply/write/write-context.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { Claim } from "../../provider-journal/ledger.ts";
import * as words from "./create-messages.ts";
import { type JournaledCreate, lookedFor } from "./journaled-create.ts";
import type { Writing } from "./writing.ts";

/** The outcome of a create. */
export type Created =
  | { readonly kind: "made"; readonly record: RecordedInstance; readonly diagnostics: readonly Diagnostic[] }
  /** It created nothing. */
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "undecided"; /** Of its create in the journal. */ readonly name: string; readonly diagnostics: readonly Diagnostic[] };

export interface Wanted {
  readonly creation: Creation;
  readonly queue: string;
}

/** Resolves earlier creates that look the same in the list. Null if none of them blocks this create. */
export async function resolveEarlier(definition: AnyResource, wanted: Wanted, writing: Writing): Promise<Created | null> {
  const { earlier } = writing;
  for (const one of await earlier.in(wanted.queue)) {
    const isSameKey = identityKey(definition, one.intent.key) === identityKey(definition, wanted.creation.attributes);
    if (one.outcome.kind === "made") {
      const taken = isSameKey ? await takeMade(definition, { one, ...one.outcome, wanted }, writing) : null;
      if (taken) return taken;
      continue;
    }
    const resolved = definition.irreversible
      ? await confirmNothing(definition, one, writing)
      : await lookForEarlier(definition, { one, isSameKey, wanted }, writing);
    if (resolved) return resolved;
  }
  return null;
}

/** An earlier process made such an object, and no call showed that Terraform has it. */
async function takeMade(
  definition: AnyResource,
  given: { readonly one: JournaledCreate; readonly record: RecordedInstance; readonly claim: Claim; readonly wanted: Wanted },
  { earlier, live, recovery, context, journals, isKnown, made }: Writing,
): Promise<Created | null> {
  const { one, record, claim, wanted } = given;
  const { id } = record;
  const pass = (): null => {
    earlier.drop(one);
    return null;
  };
  if (isKnown(record.attributes)) return pass();
  if (definition.irreversible || id === null) {
    earlier.drop(one);
    journals.handOver(one.name);
    return { kind: "made", record, diagnostics: [words.takenInstead(definition, null)] };
  }
  if (!(await live.find(id, context.signal))) {
    const { index, complete } = await recovery.lookAfter({ answered: true, lastAtMs: record.recordedAtMs });
    if (!index.byId.has(id)) return complete ? pass() : { kind: "refused", diagnostics: [words.madeAndNotListed(definition, id)] };
  }
  if (wanted.creation.allowDuplicate || claim === "returned" || claim === "without-id")
    return { kind: "refused", diagnostics: [words.madeBefore(definition, id, "maybe-managed")] };
  if (!sameDesired(definition, one.intent, desiredOf(wanted))) return { kind: "refused", diagnostics: [words.madeBefore(definition, id, "other-desired")] };
  earlier.drop(one);
  journals.handOver(one.name);
  made(id);
  return {
    kind: "made",
    record,
    diagnostics: [words.takenInstead(definition, id), ...(await duplicatesExcept(definition, { id, wanted }, { live, context }))],
  };
}

/** No list shows it, and only the user may send it again: records it as unconfirmed. */
async function confirmNothing(definition: AnyResource, one: JournaledCreate, { journals, context, earlier }: Writing): Promise<Created | null> {
  const { irreversible } = definition;
  if (!irreversible) return null;
  const { intent, outcome } = one;
  const cause = (outcome.kind === "open" ? outcome.cause : null) ?? "an earlier run sent it and ended before it stored the answer";
  const record = recordOf(
    definition,
    { ...intent, planned: intent.planned ?? {} },
    { id: null, returned: irreversible.unconfirmed, nowMs: context.clock.now() },
  );
  await journals.recordCreate(one.name, { kind: "done", record });
  earlier.drop(one);
  journals.handOver(one.name);
  return { kind: "made", record, diagnostics: [words.unconfirmed(definition, cause)] };
}

async function lookForEarlier(
  definition: AnyResource,
  { one, isSameKey, wanted }: { readonly one: JournaledCreate; readonly isSameKey: boolean; readonly wanted: Wanted },
  writing: Writing,
): Promise<Created | null> {
  const { recovery, journals, earlier } = writing;
  const { decision, seen } = await recovery.decide(lookedFor(one));
  if (decision.kind === "open") return { kind: "refused", diagnostics: [words.earlierUndecided(definition, one, decision)] };
  // It blocks others until its outcome is stored.
  if (decision.kind === "none") {
    await journals.recordCreate(one.name, { kind: "given_up" });
    earlier.drop(one);
    return null;
  }
  const record = await storeFound(definition, { one, object: decision.object, seen }, writing);
  if (!isSameKey) return null;
  const { id } = decision.object;
  if (!sameDesired(definition, one.intent, desiredOf(wanted))) return { kind: "refused", diagnostics: [words.madeBefore(definition, id, "other-desired")] };
  earlier.drop(one);
  journals.handOver(one.name);
  return { kind: "made", record, diagnostics: [words.takenInstead(definition, id), ...(await duplicatesExcept(definition, { id, wanted }, writing))] };
}

/** A duplicate stops a create, but not a record. It is reported: it may be the old object of a replace, if Terraform lost its state. */
async function duplicatesExcept(
  definition: AnyResource,
  { id, wanted: { creation } }: { readonly id: string; readonly wanted: Wanted },
  { live, context }: Pick<Writing, "live" | "context">,
): Promise<readonly Diagnostic[]> {
  if (creation.allowDuplicate) return [];
  const duplicates = (await live.duplicates(creation.attributes, context.signal)).filter(
    (duplicate) => duplicate.id !== id && !context.isManaged(duplicate.id),
  );
  return duplicates.map((duplicate) => words.duplicateExists(definition, id, duplicate.id));
}

/** Stores which lookalikes are live now. Somebody else may have made one of them, so that the create's own object appears later. */
export async function storeFound(
  definition: AnyResource,
  { one, object, seen }: { readonly one: Pick<JournaledCreate, "name" | "intent">; readonly object: LiveObject; readonly seen: Seen | null },
  { journals, context }: Writing,
): Promise<RecordedInstance> {
  const { intent, name } = one;
  const { id, attributes: returned } = object;
  const record = recordOf(definition, { ...intent, planned: intent.planned ?? {} }, { id, returned, nowMs: context.clock.now() });
  await journals.recordCreate(name, { kind: "done", record, lookalikes: seen ? lookalikes(intent, seen.index) : [id] });
  return record;
}

function desiredOf({ creation }: Wanted): { readonly provider: string; readonly planned: Creation["attributes"] } {
  return { provider: creation.provider, planned: creation.attributes };
}
