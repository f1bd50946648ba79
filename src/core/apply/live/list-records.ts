import type { LiveListing } from "../../model/definition.ts";
import type { ListRecord, SeenLength, StateDocument } from "../../state/document.ts";

/** What earlier runs have learnt of the list of one type. */
export interface PastLists {
  /** The length of the longest answer that still counts; 0 for none. */
  readonly longestSeen: number;
  readonly absent: ReadonlySet<string>;
}

export const NO_PAST_LISTS: PastLists = { longestSeen: 0, absent: new Set() };

/**
 * How long a seen length counts. It proves that a list is whole only while the service's cap stays where it was, and a service
 * may introduce a cap with any release. A month keeps the evidence between two ordinary applies and bounds that risk.
 */
const LENGTH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** An unchanged length is stored again only after this time: states are often kept in version control. */
const RENEWAL_MS = 7 * 24 * 60 * 60 * 1000;
/** The shortest list that can be truncated has 10 objects, so no shorter one than this proves anything. */
const SHORTEST_USEFUL = 11;

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

/** The service that a list belongs to, as the state names it. Another key may be another team's, with another list. */
type ServiceKey = NonNullable<StateDocument["service"]>;

export function pastLists({ lists = [] }: StateDocument, service: ServiceKey, { type, nowMs }: { readonly type: string; readonly nowMs: number }): PastLists {
  const record = lists.find((one) => isOf(one, service, type));
  return record ? { longestSeen: countingLength(record.longest, nowMs), absent: new Set(record.absent) } : NO_PAST_LISTS;
}

/** The document with the longest answers of a run, by type; the same document if nothing changes. */
export function withLengths(
  document: StateDocument,
  service: ServiceKey,
  { lengths, nowMs }: { readonly lengths: ReadonlyMap<string, number>; readonly nowMs: number },
): StateDocument {
  return [...lengths].reduce((now, [type, length]) => {
    const before = now.lists?.find((one) => isOf(one, service, type));
    const longest = remembered(before?.longest, length, nowMs);
    return longest === before?.longest || !longest ? now : withRecord(now, { ...before, ...service, type, longest });
  }, document);
}

/** The document without the absence of what a list shows again: it had lacked that only for a time. */
export function withoutListed(document: StateDocument, service: ServiceKey, listings: ReadonlyMap<string, Pick<LiveListing, "objects">>): StateDocument {
  return [...listings].reduce((now, [type, { objects }]) => {
    const record = now.lists?.find((one) => isOf(one, service, type));
    const listed = new Set(objects.map(({ id }) => id));
    return record?.absent?.some((id) => listed.has(id)) ? withRecord(now, { ...record, absent: record.absent.filter((id) => !listed.has(id)) }) : now;
  }, document);
}

/** The document with a record in place of the one of the same service, key and type. Ids that are no longer recorded are dropped. */
export function withRecord(document: StateDocument, record: ListRecord): StateDocument {
  const { absent = [], ...rest } = record;
  const recorded = new Set(document.instances.map(({ id }) => id));
  const left = absent.filter((id) => recorded.has(id));
  const others = (document.lists ?? []).filter((one) => !isOf(one, record, record.type));
  return { ...document, lists: [...others, left.length > 0 ? { ...rest, absent: left } : rest] };
}

export function isOf(record: ListRecord, { baseUrl, keyFingerprint }: ServiceKey, type: string): boolean {
  return record.baseUrl === baseUrl && record.keyFingerprint === keyFingerprint && record.type === type;
}
