import type { ListSize, LiveListing } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { canonicalJson } from "../../model/value.ts";
import type { ListKnowledge, ListRecord, SeenLength, StateDocument, UnchangedLength } from "../../state/document.ts";

/** What earlier runs have learnt of the list of one type. */
export interface PastLists {
  /** The length of the longest answer that still counts; 0 for none. */
  readonly longestSeen: number;
  readonly unchanged: UnchangedLength | null;
  readonly paging: string | null;
  /** When a list last lacked what it must have shown; null for never. */
  readonly contradictedAtMs: number | null;
}

export const NO_PAST_LISTS: PastLists = { longestSeen: 0, unchanged: null, paging: null, contradictedAtMs: null };

/** What the lists of one run have shown, with what earlier runs have learnt and they have not refuted. */
export interface ListFindings {
  /** How many different objects the longest answer of the run held, without paging, since the last contradiction; 0 before the first. */
  readonly longest: number;
  /** How many the last one held; null before the first. */
  readonly last: number | null;
  /** The ids in the last list, further pages included; null before the first. */
  readonly listed: ReadonlySet<string> | null;
  /** Null where the last list is of another length than the one before. */
  readonly unchanged: UnchangedLength | null;
  /** How the list is paged, where a page has shown something new. */
  readonly paging: string | null;
  readonly contradictedAtMs: number | null;
}

/** The findings before the first list of a run. */
export function findingsBefore({ unchanged, paging, contradictedAtMs }: PastLists, found?: ListFindings): ListFindings {
  const contradicted = found?.contradictedAtMs ?? contradictedAtMs;
  return {
    longest: 0,
    last: unchanged?.length ?? null,
    listed: null,
    unchanged,
    paging,
    contradictedAtMs: contradicted,
  };
}

/** The findings with one more list, before which `by` more objects were created than deleted. */
export function findingsAfter(
  before: ListFindings,
  { objects, firstAnswer, paging = null, readAtMs = 0 }: LiveListing,
  by: number,
): ListFindings {
  const listed = new Set(objects.map(({ id }) => id));
  if (!firstAnswer) return { ...before, listed };
  const length = new Set(firstAnswer).size;
  const more = (before.unchanged?.by ?? 0) + by;
  const atMs = by > 0 ? readAtMs : (before.unchanged?.atMs ?? readAtMs);
  return {
    ...before,
    longest: Math.max(before.longest, length),
    last: length,
    listed,
    unchanged: before.last === length && more > 0 ? { length, by: more, atMs } : null,
    paging: paging ?? before.paging,
  };
}

/**
 * How long a seen length counts. It proves that a list is whole only while the service's cap stays where it was, and a service
 * may introduce a cap with any release. A month keeps the evidence between two ordinary applies and bounds that risk.
 */
const LENGTH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** An unchanged length is stored again only after this time: states are often kept in version control. */
const RENEWAL_MS = 7 * 24 * 60 * 60 * 1000;
/** The shortest list that can be truncated has 10 objects, so no shorter one than this proves anything. */
const SHORTEST_USEFUL = 11;

/** The size of a list, with what is known of its pages: the plain answer of a longer list is one, and so is the longest answer that was seen of a paged one. */
export function listSize({ objects, firstAnswer = [], evidence }: LiveListing, { paging }: ListFindings): ListSize {
  const seen =
    evidence && !evidence.isContradicted && evidence.longestSeen >= SHORTEST_USEFUL ? evidence.longestSeen : null;
  return { records: objects.length, page: objects.length > firstAnswer.length ? firstAnswer.length : seen, paging };
}

/** A length counts in both directions of time: the clocks of two machines may differ. */
export function countingLength(seen: SeenLength | undefined, nowMs: number): number {
  return seen && Math.abs(nowMs - seen.atMs) < LENGTH_LIFETIME_MS ? seen.length : 0;
}

/** The length to remember after an answer of `length` different objects: `before` itself if nothing changes. */
export function remembered(before: SeenLength | undefined, length: number, nowMs: number): SeenLength | undefined {
  const known = countingLength(before, nowMs);
  const isRenewal = before !== undefined && length === known && nowMs - before.atMs > RENEWAL_MS;
  return length >= SHORTEST_USEFUL && (length > known || isRenewal) ? { length, atMs: nowMs } : before;
}

export function pastOf(known: ListKnowledge | undefined, nowMs: number): PastLists {
  if (!known) return NO_PAST_LISTS;
  const { longest, unchanged = null, paging = null, contradictedAtMs = null } = known;
  return { longestSeen: countingLength(longest, nowMs), unchanged, paging, contradictedAtMs };
}

/** The knowledge with what the lists of a run have shown; the same if nothing changes. */
export function learnt<K extends ListKnowledge>(before: K, findings: ListFindings, nowMs: number): K {
  if (findings.listed === null) return before;
  const { longest: known, unchanged: _, paging: __, contradictedAtMs: since = null, ...rest } = before;
  const { unchanged, paging, contradictedAtMs } = findings;
  const longest = remembered(contradictedAtMs === since ? known : undefined, findings.longest, nowMs);
  const now = {
    ...rest,
    ...(longest ? { longest } : {}),
    ...(unchanged ? { unchanged } : {}),
    ...(paging === null ? {} : { paging }),
    ...(contradictedAtMs === null ? {} : { contradictedAtMs }),
  } as K;
  return canonicalJson(now) === canonicalJson(before) ? before : now;
}

/** The service that a list belongs to, as the state names it. Another key may be another team's, with another list. */
type ServiceKey = NonNullable<StateDocument["service"]>;

export function pastLists(
  { lists = [] }: StateDocument,
  service: ServiceKey,
  { type, nowMs }: { readonly type: string; readonly nowMs: number },
): PastLists {
  return pastOf(
    lists.find((one) => isOf(one, service, type)),
    nowMs,
  );
}

/** The document with what the lists of a run have shown, by type; the same document if nothing changes. */
export function withFindings(
  document: StateDocument,
  service: ServiceKey,
  { findings, nowMs }: { readonly findings: ReadonlyMap<string, ListFindings>; readonly nowMs: number },
): StateDocument {
  return [...findings].reduce(
    (now, [type, found]) => {
      const before = now.lists?.find((one) => isOf(one, service, type)) ?? { ...service, type };
      const after = learnt(before, found, nowMs);
      return after === before ? now : withRecord(now, after);
    },
    withListed(document, findings),
  );
}

/**
 * Whether the records of `now` tell more than those of `before`. A contradiction by an unchanged length is no news: each run
 * finds it out again while the length stays, so that a run without changes need not store it.
 */
export function hasNewEvidence(before: StateDocument, now: StateDocument): boolean {
  return (now.lists ?? []).some((record) => {
    const known = before.lists?.find((one) => isOf(one, record, record.type));
    return record !== known && (record.contradictedAtMs === known?.contradictedAtMs || known?.unchanged === undefined);
  });
}

/** The document without the marks of objects that a list has shown by now. */
function withListed(document: StateDocument, findings: ReadonlyMap<string, ListFindings>): StateDocument {
  const isShown = ({ unlisted, type, id }: RecordedInstance): boolean =>
    unlisted === true && id !== null && findings.get(type)?.listed?.has(id) === true;
  if (!document.instances.some(isShown)) return document;
  const instances = document.instances.map((instance) => {
    const { unlisted: _, ...listed } = instance;
    return isShown(instance) ? listed : instance;
  });
  return { ...document, instances };
}

/**
 * Whether a list lacks what it must have shown: an object of ours that no list has ever shown, long enough after its create;
 * or it is as long as before although more objects were created than deleted since. `missing` are the recorded objects that
 * it does not show. What was noted once is not noted again.
 */
export function isContradicted(
  { unchanged, last, contradictedAtMs }: ListFindings,
  {
    missing,
    listingDelayMs,
    nowMs,
  }: {
    readonly missing: readonly Pick<RecordedInstance, "unlisted" | "recordedAtMs">[];
    readonly listingDelayMs: number;
    readonly nowMs: number;
  },
): boolean {
  const isNews = (atMs: number): boolean =>
    nowMs - atMs >= listingDelayMs && (contradictedAtMs === null || atMs > contradictedAtMs);
  const isHidden = missing.some(({ unlisted, recordedAtMs }) => unlisted === true && isNews(recordedAtMs));
  return isHidden || (unchanged !== null && unchanged.length === last && isNews(unchanged.atMs));
}

/** The document with a record in place of the one of the same service, key and type. */
export function withRecord(document: StateDocument, record: ListRecord): StateDocument {
  const others = (document.lists ?? []).filter((one) => !isOf(one, record, record.type));
  return { ...document, lists: [...others, record] };
}

export function isOf(record: ListRecord, { baseUrl, keyFingerprint }: ServiceKey, type: string): boolean {
  return record.baseUrl === baseUrl && record.keyFingerprint === keyFingerprint && record.type === type;
}
