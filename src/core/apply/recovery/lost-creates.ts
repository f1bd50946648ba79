import {
  type AnyResource,
  type Catalog,
  type LiveListing,
  type LiveObject,
  resourceOf,
} from "../../model/definition.ts";
import { type Diagnostic, noteOf, warningOf } from "../../model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../../model/instance.ts";
import type { StateDocument } from "../../state/document.ts";
import { type LostCreate, withRecorded } from "../../state/lost-create.ts";
import { type Intent, type PendingIntent, openRequest } from "../../state/journal-event.ts";
import { type LiveIndex, indexLive } from "../../plan/live-index.ts";
import { isWhole, unlistedOf } from "../../plan/missing.ts";
import type { Step } from "../../plan/plan.ts";
import { byAddress } from "../../model/address.ts";
import { recordOf } from "../write/record.ts";
import { isProvenOwn, marked } from "./created-by.ts";

/** How long the outcome of a create whose answer was lost may still appear. */
export const LOST_CREATE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The record of a create whose answer was lost. `preIds` are those of objects that existed before. */
export function lostCreateOf(
  { type, provider, address, key, planned, sentAtMs, mark, serverDate }: Intent,
  preIds: readonly string[],
): LostCreate {
  return {
    type,
    provider,
    address,
    key,
    planned: planned ?? {},
    preIds,
    sentAtMs,
    ...(mark === undefined ? {} : { mark, serverDate }),
  };
}

/** The record of a create of the state's journal, which may have been sent. */
export function lostCreateOfPending(pending: PendingIntent, preIds: readonly string[]): LostCreate {
  const { intent } = pending;
  const replaces = openRequest(pending).half === "delete" ? intent.id : null;
  return { ...lostCreateOf(intent, preIds), ...(replaces === null ? {} : { replaces }) };
}

/** A managed object whose record is given up because a list lacks it. */
export type MissingObject = Pick<RecordedInstance, "type" | "provider" | "attributes" | "mark"> & {
  readonly address: string | null;
  readonly id: string;
};

/** The record of a missing object: the list may be stale, and show it again after another was created in its place. */
export function missingObjectRecord({ identity }: AnyResource, missing: MissingObject, nowMs: number): LostCreate {
  const { type, provider, address, id, attributes, mark } = missing;
  const key = Object.fromEntries(identity.map((name) => [name, attributes[name] ?? null]));
  return {
    type,
    id,
    provider,
    address,
    key,
    planned: attributes,
    preIds: [],
    sentAtMs: nowMs,
    ...(mark === undefined ? {} : { mark }),
  };
}

/** The document with a record of each of these objects. */
export function withMissingObjects(
  document: StateDocument,
  missing: readonly MissingObject[],
  { catalog, nowMs }: { readonly catalog: Catalog; readonly nowMs: number },
): StateDocument {
  if (missing.length === 0) return document;
  const ids = new Set(missing.map(({ id }) => id));
  const others = document.lostCreates.filter(({ id }) => id === undefined || !ids.has(id));
  const added = missing.map((object) => missingObjectRecord(resourceOf(catalog, object.type), object, nowMs));
  return { ...document, lostCreates: [...others, ...added] };
}

/** The recorded objects that the lists do not show, and whose records the steps give up, under their new addresses. */
export function givenUpBy(
  steps: readonly Step[],
  {
    instances,
    listings,
  }: { readonly instances: readonly RecordedInstance[]; readonly listings: ReadonlyMap<string, LiveListing> },
): readonly MissingObject[] {
  const listed = new Map([...listings].map(([type, { objects }]) => [type, new Set(objects.map(({ id }) => id))]));
  const unlisted = instances.filter(({ type, id }) => id !== null && listed.get(type)?.has(id) === false);
  if (unlisted.length === 0) return [];
  const byRecord = new Map(steps.filter((step) => givesUp(step)).map((step) => [step.movedFrom ?? step.address, step]));
  return unlisted.flatMap(({ address, type, provider, id, attributes, mark }) => {
    const step = byRecord.get(address);
    return step?.type === type && id !== null
      ? [{ address: step.address, type, provider, id, attributes, ...(mark === undefined ? {} : { mark }) }]
      : [];
  });
}

/** What the configuration releases stays live, and is not missed. */
function givesUp(step: Step): boolean {
  return step.action === "create" || step.action === "adopt" || (step.action === "forget" && !step.released);
}

/** The objects of `before`, older ones included, that `after` no longer records. */
export function objectsLeft(
  before: readonly RecordedInstance[],
  after: readonly RecordedInstance[],
): readonly MissingObject[] {
  const kept = managedIds(after);
  return before.flatMap(({ type, provider, address, id, attributes, deposed = [] }) =>
    [{ id, attributes }, ...deposed].flatMap((object) =>
      object.id === null || kept.has(object.id)
        ? []
        : [{ type, provider, address, id: object.id, attributes: object.attributes }],
    ),
  );
}

/** The ids of the objects that could be the outcome of a create, and of the object that it was to replace. */
export function lookalikes({ key, id }: Pick<Intent, "key" | "id">, index: LiveIndex): readonly string[] {
  return [...new Set([...index.duplicates(key).map((duplicate) => duplicate.id), ...(id === null ? [] : [id])])];
}

/** The objects that may be the late outcome of a create, or the missing object itself. */
export function lateDuplicates({ id: known, key, preIds, mark }: LostCreate, index: LiveIndex): readonly LiveObject[] {
  if (known === undefined && mark !== undefined) return marked(index, mark).filter(({ id }) => !preIds.includes(id));
  if (known === undefined)
    return index.duplicates(key).filter((object) => object.mark === undefined && !preIds.includes(object.id));
  const object = index.byId.get(known);
  return object ? [object] : [];
}

export interface CheckedLostCreates {
  readonly document: StateDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** The ids that the diagnostics name. */
  readonly reported: ReadonlySet<string>;
  /** Whether objects that prove to be ours have been added to the records. */
  readonly found: boolean;
}

/**
 * Looks in every list for outcomes that appear late, and for missing objects that appear again: each is reported, and never
 * deleted by guess. What its mark proves to be ours is recorded. A record ends when a complete list lacks its object a day later.
 */
export function checkLostCreates(
  document: StateDocument,
  {
    catalog,
    listings,
    nowMs,
  }: { readonly catalog: Catalog; readonly listings: ReadonlyMap<string, LiveListing>; readonly nowMs: number },
): CheckedLostCreates {
  if (document.lostCreates.length === 0) return { document, diagnostics: [], reported: new Set(), found: false };
  const managed = managedIds(document.instances);
  const indexes = new Map<string, LiveIndex>();
  const late = new Map<string, Diagnostic>();
  const instances = new Map(document.instances.map((instance) => [instance.address, instance]));
  const taken: Pick<RecordedInstance, "id" | "mark">[] = [...document.instances];
  const left = withRecorded(document.lostCreates, taken).filter((lostCreate) => {
    const listing = listings.get(lostCreate.type);
    if (!listing) return true;
    const definition = resourceOf(catalog, lostCreate.type);
    const index = indexes.get(lostCreate.type) ?? indexLive(definition, listing.objects);
    indexes.set(lostCreate.type, index);
    const shown = lateDuplicates(lostCreate, index);
    for (const object of shown) {
      const { address } = lostCreate;
      if (managed.has(object.id) || address === null || !isOwn(definition, object, lostCreate)) continue;
      const record = withLate(instances.get(address), definition, { lostCreate, object, nowMs });
      instances.set(address, record);
      managed.add(object.id);
      taken.push(object);
      late.set(object.id, ownDuplicate(definition, { address, id: object.id, isCurrent: record.id === object.id }));
    }
    const duplicates = shown.filter(({ id }) => !managed.has(id));
    for (const { id } of duplicates)
      if (lostCreate.id !== undefined || !late.has(id)) late.set(id, lateDuplicate(definition, lostCreate, id));
    // A missing object that was not given up after all has returned.
    if (lostCreate.id !== undefined && shown.length > duplicates.length) return false;
    if (duplicates.length > 0 || nowMs - lostCreate.sentAtMs < LOST_CREATE_LIFETIME_MS) return true;
    return !isWhole(definition, listing, unlistedOf(definition.type, listing.objects, document.instances));
  });
  const found = taken.length > document.instances.length;
  const records = found ? { instances: [...instances.values()].toSorted(byAddress) } : {};
  return {
    document: { ...document, ...records, lostCreates: withRecorded(left, taken) },
    diagnostics: [...late.values()],
    reported: new Set(late.keys()),
    found,
  };
}

/** Whether a mark proves that an object comes from this create, or is the very object that was given up. */
function isOwn(
  definition: AnyResource,
  object: LiveObject,
  { id, mark, planned, serverDate = "" }: LostCreate,
): boolean {
  if (mark === undefined || object.mark !== mark) return false;
  return id === object.id || isProvenOwn(definition, object, { planned, serverDate });
}

/** The record of an address with an object of a given up create: behind the current object, to be deleted; where there is none, it is that itself. */
export function withLate(
  current: RecordedInstance | undefined,
  definition: AnyResource,
  {
    lostCreate,
    object,
    nowMs,
  }: { readonly lostCreate: LostCreate; readonly object: LiveObject; readonly nowMs: number },
): RecordedInstance {
  const record = recordOf(definition, lostCreate, { id: object.id, returned: object.attributes, nowMs });
  if (!current) return record;
  const { attributes, returned } = record;
  return { ...current, deposed: [...(current.deposed ?? []), { id: object.id, attributes, returned }] };
}

function ownDuplicate(
  { noun }: AnyResource,
  { address, id, isCurrent }: { readonly address: string; readonly id: string; readonly isCurrent: boolean },
): Diagnostic {
  return noteOf("late_duplicate_found", `A ${noun} has appeared late`, {
    detail: `${id} carries the mark of an earlier create of ${address}, so it is ours. It will be ${isCurrent ? `recorded at ${address}` : "deleted, because another one was created in its place"}.`,
    address,
  });
}

function lateDuplicate(
  { noun, effects }: AnyResource,
  { address, found, rejected, id: known }: LostCreate,
  id: string,
): Diagnostic {
  const lost = `whose answer was lost${found ? "" : " and which was then given up"}`;
  const from = `${id} is live and not managed, and may have come from an earlier create of ${address ?? `a ${noun}`} ${rejected ? "that the service rejected" : lost}.`;
  const returned = `${id} is live again and not managed: it was recorded${address === null ? "" : ` at ${address}`}, and given up when the service's list did not show it.`;
  return warningOf(
    "late_duplicate",
    known === undefined ? `A ${noun} has appeared late` : `A missing ${noun} has returned`,
    {
      detail: `${known === undefined ? from : returned}${effects ? ` If it is a duplicate, ${effects.duplicate}.` : ""}`,
      ways: [
        { kind: "delete-late", address, id },
        { kind: "dismiss", address },
      ],
      ...(address === null ? {} : { address }),
    },
  );
}
