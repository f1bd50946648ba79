import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type RecordedInstance, managedIds } from "../model/instance.ts";
import { parsedTimeMs } from "../model/iso-time.ts";
import { canonicalJson } from "../model/value.ts";
import type { Tombstone } from "../state/document.ts";
import type { Intent, JournalEvent, PendingIntent } from "../state/journal-event.ts";
import { deposing, recordOf } from "./record.ts";
import { type Recovering, type Seen, leaveOpen, note } from "./recovering.ts";
import { lateTwins, tombstoneOf } from "./tombstones.ts";

/** What was there before a window of writes. */
interface Before {
  readonly ids: ReadonlySet<string>;
  readonly partial: boolean;
}

/** A create without an answer, and the objects that it may have made. */
interface OpenCreate {
  readonly pending: PendingIntent;
  readonly before: Before;
  readonly candidates: readonly LiveObject[];
}

/** Decides creates of one type from two lists: each is found or given up, and leaves a tombstone, or stays open. */
export function settleCreates(
  work: Recovering,
  creates: readonly PendingIntent[],
  { definition, seen, events }: { readonly definition: AnyResource; readonly seen: Seen; readonly events: readonly JournalEvent[] },
): void {
  const listed = new Map(
    events.flatMap((event) => (event.kind === "listed" ? [[event.seq, { ids: new Set(event.ids), partial: event.partial === true }]] : [])),
  );
  const managed = new Set([...managedIds([...work.instances.values()]), ...work.managedElsewhere]);
  const open: OpenCreate[] = [];
  for (const pending of creates) {
    const { intent } = pending;
    const before = intent.listed === null ? undefined : listed.get(intent.listed);
    const unmanaged = seen.index.twins(intent.key).filter(({ id }) => !managed.has(id));
    const candidates = unmanaged.filter(({ id }) => !before?.ids.has(id));
    const problem = whyOpen(pending, before, seen);
    if (problem !== null || !before) leaveOpen(work, pending, { why: problem ?? "", candidates });
    else open.push({ pending, before, candidates });
  }
  const givenUp = lateOutcomes(work.tombstones, definition, seen);
  for (const group of connected(open)) settleGroup(work, group, { definition, seen, givenUp });
}

/** The creates that were given up before, by the ids of what they may have made late. */
type GivenUp = ReadonlyMap<string, readonly Tombstone[]>;

function lateOutcomes(tombstones: readonly Tombstone[], { type }: AnyResource, { index }: Seen): GivenUp {
  const byId = new Map<string, Tombstone[]>();
  for (const tombstone of tombstones.filter((one) => one.type === type && !one.found)) {
    for (const { id } of lateTwins(tombstone, index)) byId.set(id, [...(byId.get(id) ?? []), tombstone]);
  }
  return byId;
}

interface Place {
  readonly definition: AnyResource;
  readonly seen: Seen;
  readonly givenUp: GivenUp;
}

function whyOpen({ intent }: PendingIntent, before: Before | undefined, seen: Seen): string | null {
  if (intent.restored) return "An older state was restored, so what came of it may have been forgotten";
  if (intent.address === null) return "It is not known where it was declared";
  if (!before) return "It is not known what was there before it";
  return seen.complete ? null : "The service's list may be cut off";
}

/** Creates that may have made the same objects belong together. */
function connected(creates: readonly OpenCreate[]): readonly (readonly OpenCreate[])[] {
  const groups = new Set<OpenCreate[]>();
  const groupOf = new Map<string, OpenCreate[]>();
  for (const create of creates) {
    const merged = [create];
    for (const { id } of create.candidates) {
      const other = groupOf.get(id);
      if (other && groups.delete(other)) merged.push(...other);
    }
    groups.add(merged);
    for (const { candidates } of merged) for (const { id } of candidates) groupOf.set(id, merged);
  }
  return [...groups];
}

function settleGroup(work: Recovering, group: readonly OpenCreate[], place: Place): void {
  const { definition, seen } = place;
  const candidates = [...new Map(group.flatMap((create) => create.candidates.map((object) => [object.id, object]))).values()];
  if (candidates.length === 0) return group.forEach((create) => giveUp(work, create, seen));
  const problem = whyNotOurs(group, candidates, place);
  if (problem !== null) return group.forEach(({ pending }) => leaveOpen(work, pending, { why: problem, candidates }));
  const found = candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const creates = group.toSorted((a, b) => (String(a.pending.intent.address) < String(b.pending.intent.address) ? -1 : 1));
  creates.forEach((create, index) => {
    const object = found[index];
    if (object) recordFound(work, create, { definition, seen, object });
  });
}

/** Null when the candidates are as many as the creates, each of which may have made any of them. */
function whyNotOurs(group: readonly OpenCreate[], candidates: readonly LiveObject[], { definition, givenUp }: Place): string | null {
  const [first] = group;
  if (!first) return null;
  const { intent } = first.pending;
  const alike = group.every(({ pending }) => sameWish(definition, pending.intent, intent));
  if (group.length !== candidates.length || !alike) {
    return `${String(group.length)} such ${group.length === 1 ? "create is" : "creates are"} open, and the list shows ${candidates.map(({ id }) => id).join(", ")}`;
  }
  const tooEarly = candidates.find((object) => group.some(({ pending, before }) => !isLater(definition, object, { intent: pending.intent, before })));
  if (tooEarly) return `${tooEarly.id} looks like it, but may have been there before`;
  const hasRival = candidates.some(({ id }) => givenUp.get(id)?.some((tombstone) => !sameWish(definition, tombstone, intent)));
  return hasRival ? `${candidates.map(({ id }) => id).join(", ")} may also have come from an earlier create that was given up` : null;
}

/** Whether two creates would make the same: then it does not matter which of them has made an object. */
function sameWish({ schema }: AnyResource, a: Pick<Intent, "provider" | "planned"> | Tombstone, b: Pick<Intent, "provider" | "planned">): boolean {
  const wish = ({ planned }: Pick<Intent, "planned">): string =>
    canonicalJson(
      Object.entries(schema).flatMap(([name, { mode, onChange }]) => (mode === "computed" || onChange === "record" ? [] : [planned?.[name] ?? null])),
    );
  return a.provider === b.provider && wish(a) === wish(b);
}

/** Created not before the intent, by the service's own clock; where that does not tell, what was there before is the proof. */
function isLater({ createdAt }: AnyResource, { attributes }: LiveObject, { intent, before }: { readonly intent: Intent; readonly before: Before }): boolean {
  const text = createdAt === undefined ? null : attributes[createdAt];
  const createdMs = typeof text === "string" ? parsedTimeMs(text) : null;
  const sinceMs = parsedTimeMs(intent.serverDate);
  if (createdMs === null || sinceMs === null) return !before.partial;
  return createdMs >= Math.floor(sinceMs / 1000) * 1000;
}

/** Not found: should it turn up all the same, it is told from what was there before. */
function giveUp(work: Recovering, { pending, before }: OpenCreate, seen: Seen): void {
  const { intent } = pending;
  work.tombstones.push(
    tombstoneOf(
      intent,
      alike(intent, seen).filter((id) => before.ids.has(id)),
    ),
  );
  work.settled.add(intent.seq);
  note(work, pending, "was not carried out: two lists are without it. Should it turn up all the same, it is reported");
}

/** The ids of what a list could take for the outcome of a create, and of what it was to replace. */
function alike({ key, id }: Intent, { index }: Seen): readonly string[] {
  return [...new Set([...index.twins(key).map((twin) => twin.id), ...(id === null ? [] : [id])])];
}

/** Somebody else may have made the same just then: should a second one turn up, that is told from what is there now. */
function recordFound(
  work: Recovering,
  { pending }: OpenCreate,
  { definition, seen, object }: { readonly definition: AnyResource; readonly seen: Seen; readonly object: LiveObject },
): void {
  const { intent } = pending;
  recordCreated(work.instances, intent, { definition, object, nowMs: work.nowMs, isLive: (id) => seen.index.byId.has(id) });
  work.tombstones.push({ ...tombstoneOf(intent, alike(intent, seen)), found: true });
  work.settled.add(intent.seq);
  note(work, pending, `was carried out: ${object.id} is recorded`);
}

/** Puts a created object where its intent wanted it. What it takes the place of, and is still live, becomes deposed. */
export function recordCreated(
  instances: Map<string, RecordedInstance>,
  intent: Intent,
  given: { readonly definition: AnyResource; readonly object: LiveObject; readonly nowMs: number; readonly isLive: (id: string) => boolean },
): void {
  const { definition, object, nowMs, isLive } = given;
  const replaced = intent.id === null ? undefined : [...instances.values()].find(({ id }) => id === intent.id);
  const before = replaced ?? instances.get(intent.address ?? "");
  const wanted = { ...intent, address: before?.address ?? intent.address, planned: intent.planned ?? {} };
  const deposed = before ? deposing(before).filter(({ id }) => isLive(id)) : [];
  const record = recordOf(definition, { ...wanted, deposed }, { id: object.id, returned: object.attributes, nowMs });
  instances.set(record.address, record);
}
