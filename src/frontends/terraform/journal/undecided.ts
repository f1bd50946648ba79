import type { Decision, Seen } from "../../../core/apply/recovery/decide-creates.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { sameMeaning } from "../../../core/model/attribute.ts";
import type { UndecidedCreate } from "../private-state.ts";
import { type JournaledCreate, lookedFor } from "./journaled-create.ts";
import type { Writing } from "./writing.ts";

/** Describes an open create, for the object without an id that Terraform records. */
export async function undecidedOf(
  definition: AnyResource,
  { name, intent, before, outcome, cause }: JournaledCreate & { readonly cause: string },
  { live, signal }: { readonly live: LiveList; readonly signal: AbortSignal },
): Promise<UndecidedCreate> {
  const { key, planned, provider, serverDate, sentAtMs } = intent;
  const { answered, lastAtMs } = lookedFor({ name, intent, before, outcome });
  const preIds = before ? await relevantIds(definition, { key, ids: before.ids }, { live, signal }) : null;
  return { name, key, planned, provider, serverDate, sentAtMs, preIds, partial: before?.partial ?? false, cause, answered, lastAtMs };
}

/** The ids of objects that could be mistaken for it. Terraform's state need not hold the others. */
async function relevantIds(
  { identity, schema }: AnyResource,
  { key, ids }: { readonly key: UndecidedCreate["key"]; readonly ids: ReadonlySet<string> },
  { live, signal }: { readonly live: LiveList; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const listing = await live.get(signal).catch(() => null);
  if (!listing?.complete) return [...ids];
  const always = identity.filter((name) => (schema[name]?.observed ?? "always") === "always");
  const couldBe = listing.objects.filter(({ attributes }) =>
    always.every((name) => {
      const attribute = schema[name];
      return attribute !== undefined && sameMeaning(attribute, attributes[name] ?? null, key[name] ?? null);
    }),
  );
  return couldBe.flatMap(({ id }) => (ids.has(id) ? [id] : []));
}

/**
 * Finds the create of an object without an id in the journals: when Terraform replaces a tainted object, it does not pass on
 * the object's private state. `resolved`: none of its creates is open. Null if no journal has it.
 */
export async function undecidedIn(
  definition: AnyResource,
  attributes: Attributes,
  { journals, resolved, live, context: { signal } }: Writing,
): Promise<UndecidedCreate | "resolved" | null> {
  await journals.prepare();
  const key = identityKey(definition, attributes);
  const { own } = await journals.creates();
  const same = own.filter(({ intent }) => intent.type === definition.type && identityKey(definition, intent.key) === key);
  for (const create of same) {
    const { name, outcome } = create;
    if (outcome.kind === "open" && !resolved.has(name)) {
      return undecidedOf(definition, { ...create, cause: outcome.cause ?? "the run ended before it stored the answer" }, { live, signal });
    }
  }
  // Terraform may have stored something else since a plan found it.
  const isTold = same.every(({ outcome }) => outcome.kind !== "over" || !outcome.wasOpen);
  return same.length > 0 && isTold ? "resolved" : null;
}

/** Finds the outcome of the create of an object without an id. */
export async function lookForUndecided(
  { type }: AnyResource,
  undecided: UndecidedCreate,
  writing: Writing,
): Promise<{ readonly decision: Decision; readonly seen: Seen | null; readonly journaled: JournaledCreate }> {
  const { journals, recovery, resolved, live, context } = writing;
  const journaled = await journals.returned(type, undecided);
  const done = (decision: Decision, seen: Seen | null = null) => ({ decision, seen, journaled });
  const id = resolved.get(undecided.name) ?? (journaled.outcome.kind === "made" ? journaled.outcome.record.id : null);
  if (journaled.outcome.kind === "absent") return done({ kind: "none" });
  if (id !== null) {
    if (!resolved.has(undecided.name) && context.isManaged(id)) return done({ kind: "none" });
    const object = await live.find(id, context.signal);
    if (object) return done({ kind: "found", object });
    const lastAtMs = journaled.outcome.kind === "made" ? journaled.outcome.record.recordedAtMs : undecided.lastAtMs;
    const seen = await recovery.lookAfter(lastAtMs);
    const later = seen.index.byId.get(id);
    if (later) return done({ kind: "found", object: later }, seen);
    return done(seen.complete ? { kind: "none" } : { kind: "open", why: "The service's list may be truncated", candidates: [] }, seen);
  }
  const recovered = await recovery.decide(lookedFor(journaled));
  if (recovered.decision.kind === "found") resolved.set(undecided.name, recovered.decision.object.id);
  return { ...recovered, journaled };
}
