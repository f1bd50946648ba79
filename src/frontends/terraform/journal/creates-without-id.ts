import { type Decision, type TwoLists, isGoneFrom } from "../../../core/apply/recovery/decide-creates.ts";
import { whyUnknown } from "../../../core/plan/missing.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { CreateJournal } from "./create-journal.ts";
import { stillUndecided, undecidedWithoutJournal } from "./create-messages.ts";
import { foundFor } from "./earlier-creates.ts";
import { type KnownCreate, isOpen, isOurs } from "./known-creates.ts";
import type { Writing } from "./write-queues.ts";

/** What became of the create of an object that Terraform recorded without an id. */
export interface Outcome {
  readonly create: KnownCreate;
  readonly decision: Decision;
  /** The list that shows it, if one was read. */
  readonly seen: TwoLists | null;
}

/** Finds the outcome of a create by its name. Null if the journal does not have it. */
export async function outcomeOf(
  definition: AnyResource,
  name: string,
  { journal, recovery, live, context, unlisted }: Writing,
): Promise<Outcome | null> {
  const create = (await journal.known()).creates.find((one) => one.name === name);
  if (!create) return null;
  const decided = (decision: Decision, seen: TwoLists | null = null): Outcome => ({ create, decision, seen });
  const { outcome, lastAtMs } = create;
  // Another object in Terraform's state has what it made.
  if (outcome.kind === "absent" || (outcome.kind === "over" && !outcome.isSought))
    return decided({ kind: "none", proof: "proven" });
  const id = outcome.kind === "made" ? outcome.record.id : outcome.kind === "over" ? outcome.id : null;
  if (id === null) return { create, ...(await recovery.decide(create)) };
  if (context.isManaged(id) && !isReturnedWithoutId(create, journal)) return decided({ kind: "none", proof: "proven" });
  const object = await live.find(id, context.signal);
  if (object) return decided({ kind: "found", object });
  const seen = await recovery.lookAfter({
    answered: true,
    lastAtMs: outcome.kind === "made" ? outcome.record.recordedAtMs : lastAtMs,
  });
  const later = seen.index.byId.get(id);
  if (later) return decided({ kind: "found", object: later }, seen);
  if (isGoneFrom(definition, seen, { id, attributes: {} }, unlisted))
    return decided({ kind: "none", proof: "proven" }, seen);
  return decided({ kind: "open", why: whyUnknown(definition, seen.listings[0]), candidates: [] }, seen);
}

/** Whether this process has told Terraform the id of an object that it recorded without one. Terraform may not store it. */
export function isReturnedWithoutId({ name, outcome }: KnownCreate, journal: CreateJournal): boolean {
  return outcome.kind === "made" && outcome.returned === "without-id" && journal.isReturned(name);
}

/** Finds the outcome of a create for a read, and notes its object: if Terraform does not store it, a later process must find it again. */
export async function outcomeForRead(definition: AnyResource, name: string, writing: Writing): Promise<Outcome | null> {
  const found = await outcomeOf(definition, name, writing);
  if (found?.decision.kind === "found")
    writing.journal.markReturned(name, foundFor(definition, { ...found, object: found.decision.object }, writing));
  return found;
}

/**
 * An open create with the same attributes: when Terraform replaces a tainted object, it does not pass on the object's
 * private state, and if that fails, it keeps none.
 */
export async function openOfSame(
  definition: AnyResource,
  attributes: Attributes,
  { journal }: Writing,
): Promise<KnownCreate | null> {
  const key = identityKey(definition, attributes);
  const open = (await journal.known()).creates.find((one) => {
    const isSame = one.intent.type === definition.type && identityKey(definition, one.intent.key) === key;
    return isSame && isOurs(one) && isOpen(one);
  });
  return open ?? null;
}

export type Removed =
  /** It was created, and must be deleted. */
  | { readonly kind: "there"; readonly id: string }
  /** It was not created. */
  | { readonly kind: "none" }
  | { readonly kind: "open"; readonly diagnostic: Diagnostic };

/** Finds the object to delete for one without an id. If there is none, remembers a lost create: if the object appears later, that is reported. */
export async function removeWithoutId(
  definition: AnyResource,
  { name, attributes }: { readonly name: string | null; readonly attributes: Attributes },
  writing: Writing,
): Promise<Removed> {
  const { journal, queues } = writing;
  await journal.prepare();
  const leave = await queues.enter(await queues.queueOf(attributes));
  try {
    const found = name === null ? null : await outcomeOf(definition, name, writing);
    if (!found) return await removeUnrecorded(definition, { name, attributes }, writing);
    const { create, decision, seen } = found;
    if (decision.kind === "open") return { kind: "open", diagnostic: stillUndecided(definition, create, decision) };
    if (isOpen(create))
      await journal.settle(
        create.name,
        decision.kind === "none" ? null : foundFor(definition, { create, object: decision.object, seen }, writing),
      );
    if (decision.kind === "none") return { kind: "none" };
    writing.made(decision.object.id);
    return { kind: "there", id: decision.object.id };
  } finally {
    leave();
  }
}

/** The journal does not have the create, so its time and what existed before are not known: any identical object may be it, or somebody else's. */
async function removeUnrecorded(
  definition: AnyResource,
  { name, attributes }: { readonly name: string | null; readonly attributes: Attributes },
  { journal, recovery, context }: Writing,
): Promise<Removed> {
  const { type, identity } = definition;
  const nowMs = context.clock.now();
  const key = Object.fromEntries(identity.map((one) => [one, attributes[one] ?? null]));
  const { decision, managed } = await recovery.lookFor(key, nowMs);
  if (decision.kind === "open")
    return { kind: "open", diagnostic: undecidedWithoutJournal(definition, journal.name, decision) };
  const lost = { type, provider: "", address: null, key, planned: key, preIds: managed, sentAtMs: nowMs };
  await journal.remember(name ?? `${identityKey(definition, key)} ${String(nowMs)}`, lost);
  return { kind: "none" };
}
