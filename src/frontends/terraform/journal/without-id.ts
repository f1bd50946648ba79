import type { Decision, Seen } from "../../../core/apply/recovery/decide-creates.ts";
import { lookalikes } from "../../../core/apply/recovery/lost-creates.ts";
import { recordOf } from "../../../core/apply/write/record.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { stillUndecided } from "./create-messages.ts";
import { storeFound } from "./earlier-creates.ts";
import { type JournaledCreate, isUndecided, lookedFor } from "./journaled-create.ts";
import type { Writing } from "./writing.ts";

/** What became of the create of an object that Terraform recorded without an id. */
export interface Outcome {
  readonly create: JournaledCreate;
  readonly decision: Decision;
  /** The list that shows it, if one was read. */
  readonly seen: Seen | null;
}

/** Finds the outcome of a create by its name. Null if the journal does not have it. */
export async function outcomeOf(name: string, { journals, recovery, resolved, live, context }: Writing): Promise<Outcome | null> {
  const { own, ofLiving } = await journals.creates();
  const create = [...own, ...ofLiving].find((one) => one.name === name);
  if (!create) return null;
  const decided = (decision: Decision, seen: Seen | null = null): Outcome => ({ create, decision, seen });
  const { outcome } = create;
  // Another object in Terraform's state has what it made.
  if (outcome.kind === "absent" || (outcome.kind === "over" && outcome.id !== null)) return decided({ kind: "none" });
  const id = outcome.kind === "made" ? outcome.record.id : null;
  if (outcome.kind !== "made" || id === null) {
    const recovered = await recovery.decide(lookedFor(create));
    if (recovered.decision.kind === "found") resolved.set(name, recovered.decision.object.id);
    return { create, ...recovered };
  }
  if (!resolved.has(name) && context.isManaged(id)) return decided({ kind: "none" });
  const object = await live.find(id, context.signal);
  if (object) return decided({ kind: "found", object });
  const seen = await recovery.lookAfter({ answered: true, lastAtMs: outcome.record.recordedAtMs });
  const later = seen.index.byId.get(id);
  if (later) return decided({ kind: "found", object: later }, seen);
  return decided(seen.complete ? { kind: "none" } : { kind: "open", why: "The service's list may be truncated", candidates: [] }, seen);
}

/** The same for a read. If Terraform does not store what was found, a later process must find it again. */
export async function outcomeForRead(definition: AnyResource, name: string, writing: Writing): Promise<Outcome | null> {
  const found = await outcomeOf(name, writing);
  if (found?.decision.kind === "found") {
    const { journals, context } = writing;
    const { id, attributes: returned } = found.decision.object;
    const { intent } = found.create;
    const record = recordOf(definition, { ...intent, planned: intent.planned ?? {} }, { id, returned, nowMs: context.clock.now() });
    journals.noteWithoutId(name, { record, lookalikes: found.seen ? lookalikes(intent, found.seen.index) : [id] });
  }
  return found;
}

/**
 * The name of an open create with the same attributes: when Terraform replaces a tainted object, it does not pass on the
 * object's private state.
 */
export async function undecidedName(definition: AnyResource, attributes: Attributes, { journals, resolved }: Writing): Promise<string | null> {
  await journals.prepare();
  const key = identityKey(definition, attributes);
  const { own } = await journals.creates();
  const open = own.find((one) => {
    const isSame = one.intent.type === definition.type && identityKey(definition, one.intent.key) === key;
    return isSame && isUndecided(one) && !resolved.has(one.name);
  });
  return open?.name ?? null;
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
  const { journals, queues, earlier } = writing;
  await journals.prepare();
  const leave = await queues.enter(await queues.queueOf(attributes));
  try {
    const found = name === null ? null : await outcomeOf(name, writing);
    if (!found) return await removeUnrecorded(definition, { name, attributes }, writing);
    const { create, decision, seen } = found;
    if (decision.kind === "open") return stays(definition, { cause: create.outcome.kind === "open" ? create.outcome.cause : null, open: decision });
    if (isUndecided(create)) {
      if (decision.kind === "none") await journals.recordCreate(create.name, { kind: "given_up" });
      else await storeFound(definition, { one: create, object: decision.object, seen }, writing);
    }
    earlier.drop(create);
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
  { journals, recovery, context }: Writing,
): Promise<Removed> {
  const { type, identity } = definition;
  const nowMs = context.clock.now();
  const key = Object.fromEntries(identity.map((one) => [one, attributes[one] ?? null]));
  const { decision, managed } = await recovery.lookFor(key, nowMs);
  if (decision.kind === "open") return stays(definition, { cause: `${journals.name} does not have the record of the run that sent it`, open: decision });
  const lost = { type, provider: "", address: null, key, planned: key, preIds: managed, sentAtMs: nowMs };
  await journals.remember(name ?? `${identityKey(definition, key)} ${String(nowMs)}`, lost);
  return { kind: "none" };
}

function stays(definition: AnyResource, { cause, open }: { readonly cause: string | null; readonly open: Extract<Decision, { kind: "open" }> }): Removed {
  return { kind: "open", diagnostic: stillUndecided(definition, { severity: "error", cause, open }) };
}
