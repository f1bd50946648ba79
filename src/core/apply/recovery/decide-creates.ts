import type { ListingDelayMs } from "../live/listing-delay.ts";
import type { AnyResource, LiveListing, LiveObject } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { parsedTimeMs } from "../../model/iso-time.ts";
import { canonicalJson, compareText } from "../../model/value.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import type { Intent, JournalEvent, PendingIntent } from "../../state/journal-event.ts";
import { type Unlisted, createAbsence, isWhole, missingFrom, unlistedOf, whyUnknown } from "../../plan/missing.ts";
import { type LiveIndex, indexLive } from "../../plan/live-index.ts";
import type { LiveList } from "../live/live-list.ts";
import { alike, differingAttributes } from "../../plan/differing-attributes.ts";
import { lateDuplicates } from "./lost-creates.ts";
import { SECOND_MS, isProvenOwn, marked, olderByMs, oldestFirst, secondOf } from "./created-by.ts";

/** The objects that two lists of a type have shown, in either of them, and what both prove together. */
export interface TwoLists {
  readonly index: LiveIndex;
  /** The two lists. */
  readonly listings: readonly [LiveListing, LiveListing];
  /** Lists that the run has read before. */
  readonly earlier: readonly LiveListing[];
}

/** Reads a list twice, to find the outcomes of earlier creates. */
export async function seeTwice(definition: AnyResource, live: LiveList, signal: AbortSignal): Promise<TwoLists> {
  const earlier = live.earlier();
  return bothLists(definition, {
    first: await live.again(signal, { confirm: true }),
    second: await live.again(signal, { confirm: true }),
    earlier,
  });
}

/** What two lists show together. */
export function bothLists(
  definition: AnyResource,
  {
    first,
    second,
    earlier,
  }: { readonly first: LiveListing; readonly second: LiveListing; readonly earlier: readonly LiveListing[] },
): TwoLists {
  return { index: indexLive(definition, [...first.objects, ...second.objects]), listings: [first, second], earlier };
}

/** The objects that existed before a window of writes. */
export interface Before {
  readonly ids: ReadonlySet<string>;
  readonly partial: boolean;
}

/** The objects that existed before each window of a journal, by the number of its event. */
export function listedBefore(events: readonly JournalEvent[]): ReadonlyMap<number, Before> {
  return new Map(
    events.flatMap((event) =>
      event.kind === "listed"
        ? [[event.seq, { ids: new Set(event.ids), partial: event.partial === true }] as const]
        : [],
    ),
  );
}

/** A create whose outcome is undecided. */
export interface OpenCreate extends Pick<PendingIntent, "answered" | "lastAtMs"> {
  readonly intent: Pick<Intent, "key" | "planned" | "provider" | "serverDate" | "mark">;
  /** Undefined when it is not known. */
  readonly before: Before | undefined;
  /** Why no list can decide it. */
  readonly problem: string | null;
}

export type Decision =
  | {
      readonly kind: "found";
      readonly object: LiveObject;
      /** Others that the same create has made. */ readonly twins?: readonly LiveObject[];
    }
  /** It was not carried out: both lists lack it, and prove that, or only their length says that they are whole. */
  | { readonly kind: "none"; readonly proof: "proven" | "by-length" }
  | { readonly kind: "open"; readonly why: string; readonly candidates: readonly LiveObject[] };

export interface Evidence {
  readonly definition: AnyResource;
  readonly seen: TwoLists;
  readonly isManaged: (id: string) => boolean;
  /** Records of creates that were resolved before. */
  readonly lostCreates: readonly LostCreate[];
  /** The recorded objects that a list should show, and does not. */
  readonly unlisted: (listing: LiveListing) => readonly Unlisted[];
  readonly listingDelayMs: ListingDelayMs;
}

/** Decides all undecided creates of one type from two lists: by their marks, and without them by resemblance. */
export function decideCreates<C extends OpenCreate>(
  creates: readonly C[],
  evidence: Evidence,
): readonly { readonly create: C; readonly decision: Decision }[] {
  const byMark = creates.flatMap((create) =>
    create.intent.mark === undefined ? [] : [{ create, decision: decideMarked(create, create.intent.mark, evidence) }],
  );
  return [
    ...byMark,
    ...decideAlike(
      creates.filter(({ intent }) => intent.mark === undefined),
      evidence,
    ),
  ];
}

/** Only this create has sent its mark, so nothing that it has made lacks it. What carries it and shows another value is a copy that somebody has made. */
function decideMarked(create: OpenCreate, mark: string, evidence: Evidence): Decision {
  const { definition, seen, isManaged } = evidence;
  const { intent } = create;
  const made = marked(seen.index, mark).filter(({ id }) => !isManaged(id));
  const [other] = made;
  if (!other) return absenceDecision(create, evidence);
  const [object] = oldestFirst(definition, alike(definition, intent.planned ?? {}, made));
  if (!object) {
    const names = differingAttributes(definition, intent.planned ?? {}, other);
    return {
      kind: "open",
      why: `${other.id} carries its mark, but shows another ${names.join(" and ")}`,
      candidates: made,
    };
  }
  return { kind: "found", object, twins: made.filter((one) => one !== object && isProvenOwn(definition, one, intent)) };
}

/** Of interchangeable creates the first get the first ids. What carries a mark is none of theirs. */
function decideAlike<C extends OpenCreate>(
  creates: readonly C[],
  evidence: Evidence,
): readonly { readonly create: C; readonly decision: Decision }[] {
  const { definition, seen, isManaged, lostCreates } = evidence;
  const decided: { readonly create: C; readonly decision: Decision }[] = [];
  const looked: Candidates<C>[] = [];
  const givenUp = lateOutcomes(lostCreates, definition, seen);
  const similar = creates.map(({ before, intent }) => ({
    planned: intent.planned,
    objects: seen.index
      .duplicates(intent.key)
      .filter(
        (object) =>
          object.mark === undefined &&
          !isManaged(object.id) &&
          !before?.ids.has(object.id) &&
          !isAnothers(definition, object, { intent, givenUp }),
      ),
  }));
  const explained = explanations(definition, similar);
  for (const [index, create] of creates.entries()) {
    const { before, problem } = create;
    const candidates = explained[index] ?? [];
    const why = problem ?? (before ? null : "The objects that existed before it are not known");
    if (why !== null || !before) decided.push({ create, decision: { kind: "open", why: why ?? "", candidates } });
    else if (candidates.length === 0) decided.push({ create, decision: absenceDecision(create, evidence) });
    else looked.push({ create, before, candidates, place: looked.length });
  }
  for (const group of connected(looked)) decided.push(...decideGroup(group, { definition, givenUp }));
  return decided;
}

/**
 * The objects that each create may have created: those that show what it has sent. If there are none, an object that shows
 * something else may still come from it, as services may return other values, unless another create explains it.
 */
function explanations(
  definition: AnyResource,
  creates: readonly { readonly planned: Intent["planned"]; readonly objects: readonly LiveObject[] }[],
): readonly (readonly LiveObject[])[] {
  const exact = creates.map(({ planned, objects }) => alike(definition, planned ?? {}, objects));
  const ids = new Set(exact.flatMap((objects) => objects.map(({ id }) => id)));
  return exact.map((objects, index) =>
    objects.length > 0 ? objects : (creates[index]?.objects ?? []).filter(({ id }) => !ids.has(id)),
  );
}

/** A list that does not show a create decides where that proves that it was not carried out. */
function absenceDecision(create: OpenCreate, { definition, seen, unlisted, listingDelayMs }: Evidence): Decision {
  const { answered, lastAtMs } = create;
  const overAtMs = lastAtMs + (answered ? listingDelayMs.answered : listingDelayMs.unanswered);
  const fromMs = secondOf(create.intent.serverDate);
  const proofOf = (listing: LiveListing) =>
    createAbsence(definition, listing, {
      times: { fromMs, untilMs: serverTimeMs(listing, overAtMs) },
      unlisted: unlisted(listing),
    });
  const now = seen.listings.map(proofOf);
  const isProven =
    now.every((proof) => proof === "proven") ||
    seen.earlier.some((listing) => (listing.readAtMs ?? 0) >= overAtMs && proofOf(listing) === "proven");
  if (isProven) return { kind: "none", proof: "proven" };
  const [listing] = seen.listings;
  if (now.includes("unknown")) return { kind: "open", why: whyUnknown(definition, listing), candidates: [] };
  return { kind: "none", proof: "by-length" };
}

/** The recorded objects that a list should show, and does not: what was recorded after it does not count. */
export function unlistedAmong({ type }: AnyResource, recorded: readonly RecordedInstance[]): Evidence["unlisted"] {
  const found = new WeakMap<LiveListing, readonly RecordedInstance[]>();
  return (listing) => {
    const { objects, readAtMs = Number.POSITIVE_INFINITY } = listing;
    const unlisted =
      found.get(listing) ?? unlistedOf(type, objects, recorded).filter(({ recordedAtMs }) => recordedAtMs < readAtMs);
    found.set(listing, unlisted);
    return unlisted;
  };
}

/** Whether two lists show that a recorded object is gone. */
export function isGoneFrom(
  definition: AnyResource,
  { listings }: TwoLists,
  object: Unlisted,
  unlisted: Evidence["unlisted"],
): boolean {
  return listings.every((listing) => missingFrom(definition, listing, unlisted(listing))(object));
}

/** Whether both lists are whole. */
export function areWhole(definition: AnyResource, { listings }: TwoLists, unlisted: Evidence["unlisted"]): boolean {
  return listings.every((listing) => isWhole(definition, listing, unlisted(listing)));
}

/** The latest time of the service's clock at a moment of the local one; null where that is not known. */
function serverTimeMs({ serverDate, readAtMs }: LiveListing, atMs: number): number | null {
  const dateMs = parsedTimeMs(serverDate);
  return dateMs === null || readAtMs === undefined ? null : dateMs + SECOND_MS - (readAtMs - atMs);
}

/** A create, and the objects that it may have created. */
interface Candidates<C> {
  readonly create: C;
  readonly before: Before;
  readonly candidates: readonly LiveObject[];
  /** Its place among the others. */
  readonly place: number;
}

/** The creates that were given up before, by the ids of the objects that they may have created late. */
type GivenUp = ReadonlyMap<string, readonly LostCreate[]>;

function lateOutcomes(lostCreates: readonly LostCreate[], { type }: AnyResource, { index }: TwoLists): GivenUp {
  const byId = new Map<string, LostCreate[]>();
  for (const lostCreate of lostCreates.filter((one) => one.type === type && !one.found)) {
    for (const { id } of lateDuplicates(lostCreate, index)) byId.set(id, [...(byId.get(id) ?? []), lostCreate]);
  }
  return byId;
}

/** Recorded before for something else, or certainly older than the create and explained only by earlier creates of something else. */
function isAnothers(
  definition: AnyResource,
  object: LiveObject,
  { intent, givenUp }: { readonly intent: OpenCreate["intent"]; readonly givenUp: GivenUp },
): boolean {
  const earlier = givenUp.get(object.id) ?? [];
  const recorded = earlier.filter(({ id }) => id !== undefined);
  const explains = recorded.length > 0 ? recorded : earlier;
  const desired = desiredText(definition, intent);
  if (explains.length === 0 || explains.some((one) => isIncomplete(one) || desiredText(definition, one) === desired))
    return false;
  return recorded.length > 0 || (olderByMs(definition, object, intent) ?? 0) > CLOCK_DIFFERENCE_MS;
}

/** The clocks of the service's machines may differ so much, and times may have no seconds. */
const CLOCK_DIFFERENCE_MS = 120_000;

/** A record without a provider has only the key of what was to be created. */
function isIncomplete({ provider, id }: LostCreate): boolean {
  return provider === "" && id === undefined;
}

/** Creates that may have created the same objects belong together. */
function connected<C>(creates: readonly Candidates<C>[]): readonly (readonly Candidates<C>[])[] {
  const groups = new Set<Candidates<C>[]>();
  const groupOf = new Map<string, Candidates<C>[]>();
  for (const create of creates) {
    const merged = [create];
    for (const { id } of create.candidates) {
      const other = groupOf.get(id);
      if (other && groups.delete(other)) merged.push(...other);
    }
    groups.add(merged);
    for (const { candidates } of merged) for (const { id } of candidates) groupOf.set(id, merged);
  }
  return [...groups].map((group) => group.toSorted((a, b) => a.place - b.place));
}

function decideGroup<C extends OpenCreate>(
  group: readonly Candidates<C>[],
  place: { readonly definition: AnyResource; readonly givenUp: GivenUp },
): readonly { readonly create: C; readonly decision: Decision }[] {
  const candidates = [...new Map(group.flatMap((one) => one.candidates.map((object) => [object.id, object]))).values()];
  const why = whyNotOurs(group, candidates, place);
  const found = candidates.toSorted((a, b) => compareText(a.id, b.id));
  return group.map(({ create }, index) => {
    const object = found[index];
    return {
      create,
      decision: why === null && object ? { kind: "found", object } : { kind: "open", why: why ?? "", candidates },
    };
  });
}

/** Null when there are as many candidates as creates, each of which may have created any of them. */
function whyNotOurs(
  group: readonly Candidates<OpenCreate>[],
  candidates: readonly LiveObject[],
  { definition, givenUp }: { readonly definition: AnyResource; readonly givenUp: GivenUp },
): string | null {
  const desired = new Set(group.map(({ create }) => desiredText(definition, create.intent)));
  if (group.length !== candidates.length || desired.size > 1) {
    return `${String(group.length)} such ${group.length === 1 ? "create is" : "creates are"} undecided, and the list shows ${candidates.map(({ id }) => id).join(", ")}`;
  }
  for (const { create } of group) {
    for (const object of candidates) {
      const names = differingAttributes(definition, create.intent.planned ?? {}, object);
      if (names.length > 0) return `${object.id} matches it, but shows another ${names.join(" and ")}`;
    }
  }
  const tooEarly = candidates.find((object) =>
    group.some(({ create, before }) => isTooEarly(olderByMs(definition, object, create.intent), before)),
  );
  if (tooEarly) return `${tooEarly.id} matches it, but may have existed before`;
  const hasRival = candidates.some(({ id }) =>
    givenUp.get(id)?.some((lostCreate) => !desired.has(desiredText(definition, lostCreate))),
  );
  return hasRival
    ? `${candidates.map(({ id }) => id).join(", ")} may also have come from an earlier create that was given up`
    : null;
}

/** The proof where the time is not known: a complete list from before. */
function isTooEarly(olderMs: number | null, { partial }: Before): boolean {
  return olderMs === null ? partial : olderMs > 0;
}

/** A key that is equal for creates that would create identical objects: then it does not matter which of them created which. */
export function desiredText(
  { schema }: AnyResource,
  { provider, planned }: Pick<Intent, "provider" | "planned">,
): string {
  const sent = Object.entries(schema).filter(([, { mode, onChange }]) => mode !== "computed" && onChange !== "record");
  return canonicalJson([provider, ...sent.map(([name]) => planned?.[name] ?? null)]);
}
