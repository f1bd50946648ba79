import { remainingListingDelayMs, waitForList, type ListingDelayMs } from "../live/listing-delay.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import type { AnyResource, LiveListing, LiveObject, WriteOutcome } from "../../model/definition.ts";
import { identityKey } from "../../plan/identity.ts";
import { indexLive } from "../../plan/live-index.ts";
import { isWhole } from "../../plan/missing.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import { namingHolder } from "./exclusive-holder.ts";
import { type Decision, bothLists, decideCreates, desiredText } from "../recovery/decide-creates.ts";
import { keyIn, withoutUnknown } from "./store-intent.ts";
import { createdAlthoughRejected, maybeCreated } from "./outcome-diagnostics.ts";
import type { Creation, WriteContext } from "./write-context.ts";

/** What became of a create that an answer rejected. `lost` is stored with its outcome, in case its object appears later. */
type AfterRejection = WriteOutcome & { readonly lost?: LostCreate };

/**
 * Some services carry out a create and reject it in their answer. So the list is read before a rejection is believed: an object
 * that must have come from this create is its outcome. The rejection stays what the user reads, also when the list fails. After a
 * conflict, only an object with the mark of the create is.
 */
export async function lookAfterRejection(
  definition: AnyResource,
  { creation, outcome }: { readonly creation: Creation; readonly outcome: Extract<WriteOutcome, { kind: "refused" }> },
  context: WriteContext,
): Promise<AfterRejection> {
  const { live, lost, signal } = context;
  const listing = await live.fresh(signal).catch(() => null);
  const rejected = await rejectedCreate(
    definition,
    { creation, isConflict: outcome.rejected === "conflict", listing },
    context,
  );
  const decision = listing ? outcomeIn(listing, rejected, { ...context, definition, known: await lost.known() }) : null;
  if (decision?.kind === "found") {
    const { object } = decision;
    live.added(object);
    const warnings = [createdAlthoughRejected(definition, outcome.diagnostic, object.id)];
    return { kind: "done", id: object.id, returned: object.attributes, warnings, lost: { ...rejected, found: true } };
  }
  // Nothing else can have the value that the mark makes: an earlier attempt was carried out, and the list does not show it yet.
  const isSentBefore = rejected.mark !== undefined && (await lost.known()).some(({ mark }) => mark === rejected.mark);
  if (rejected.rejected?.conflict && isSentBefore)
    return { kind: "unsure", cause: outcome.diagnostic.detail, answered: true };
  lost.add(rejected);
  if (listing && rejected.rejected?.conflict) {
    const diagnostic = namingHolder(
      definition,
      { creation, diagnostic: outcome.diagnostic, index: indexLive(definition, listing.objects) },
      context,
    );
    return { ...outcome, diagnostic, lost: rejected };
  }
  const candidates = decision?.kind === "open" ? decision.candidates.map(({ id }) => id) : [];
  const diagnostic =
    listing && candidates.length === 0 ? outcome.diagnostic : maybeCreated(definition, outcome.diagnostic, candidates);
  return { ...outcome, diagnostic, lost: rejected };
}

/** The record of the create. Objects that existed before it, and managed ones, are not its outcome. */
async function rejectedCreate(
  definition: AnyResource,
  {
    creation,
    isConflict,
    listing,
  }: { readonly creation: Creation; readonly isConflict: boolean; readonly listing: LiveListing | null },
  { baseline, live, clock, isManaged }: WriteContext,
): Promise<LostCreate> {
  const { serverDate, before } = await baseline(NEVER_ABORTED);
  const planned = withoutUnknown(definition, creation.attributes);
  const key = keyIn(definition, planned);
  const lookalikes = (await live.duplicates(key, NEVER_ABORTED))
    .map(({ id }) => id)
    .filter((id) => before.ids.has(id) || isManaged(id));
  const areWhole = !before.partial && listing !== null && isWhole(definition, listing, []);
  return {
    type: definition.type,
    provider: creation.provider,
    address: creation.address,
    key,
    planned,
    // A list that was cut off may have hidden any of those that existed.
    preIds: [...new Set([...lookalikes, ...(areWhole ? [] : before.ids)])],
    sentAtMs: clock.now(),
    ...(creation.mark === undefined ? {} : { mark: creation.mark, serverDate }),
    rejected: { serverDate, ...(before.partial ? { partial: true } : {}), ...(isConflict ? { conflict: true } : {}) },
  };
}

/** The object of an earlier create that was rejected. */
export interface FoundEarlier {
  readonly object: LiveObject;
  readonly lost: LostCreate;
}

interface Evidence {
  readonly definition: AnyResource;
  readonly known: readonly LostCreate[];
  readonly isManaged: (id: string) => boolean;
  readonly listingDelayMs: ListingDelayMs;
}

/** Null after a conflict of a create without a mark: then no object is the outcome. */
function outcomeIn(
  listing: LiveListing,
  { rejected, preIds, ...intent }: LostCreate,
  { definition, known, isManaged, listingDelayMs }: Evidence,
): Decision | null {
  if (!rejected || (rejected.conflict && intent.mark === undefined)) return null;
  const create = {
    intent: { ...intent, serverDate: rejected.serverDate },
    before: { ids: new Set(preIds), partial: rejected.partial === true },
    problem: null,
    answered: true,
    lastAtMs: intent.sentAtMs,
  };
  const seen = bothLists(definition, { first: listing, second: listing, earlier: [] });
  const evidence = { definition, seen, isManaged, lostCreates: known, unlisted: () => [], listingDelayMs };
  return decideCreates([create], evidence)[0]?.decision ?? null;
}

/**
 * The service may have carried out an equal create that it rejected a moment ago: waits until the list must show the object, and
 * reads the list. Returns the outcome, if an object must have come from it.
 */
export async function settleEarlierRejection(
  definition: AnyResource,
  creation: Creation,
  context: WriteContext,
): Promise<FoundEarlier | null> {
  const { lost, live, clock, listingDelayMs, signal } = context;
  if (!definition.list) return null;
  const key = identityKey(definition, creation.attributes);
  const known = await lost.known();
  const waitMsOf = ({ sentAtMs }: LostCreate): number =>
    remainingListingDelayMs({ answered: true, lastAtMs: sentAtMs }, listingDelayMs, clock.now());
  const recent = known.filter(
    (one) =>
      one.type === definition.type &&
      one.rejected &&
      !one.found &&
      waitMsOf(one) > 0 &&
      identityKey(definition, one.key) === key,
  );
  if (recent.length === 0) return null;
  await waitForList(Math.max(...recent.map(waitMsOf)), context);
  const listing = await live.fresh(signal);
  const desired = desiredText(definition, {
    provider: creation.provider,
    planned: withoutUnknown(definition, creation.attributes),
  });
  const last = recent.findLast((one) => desiredText(definition, one) === desired);
  const decision = last && outcomeIn(listing, last, { ...context, definition, known });
  return last && decision?.kind === "found" ? { object: decision.object, lost: { ...last, found: true } } : null;
}
