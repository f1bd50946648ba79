import { type AnyResource, type Catalog, type LiveObject, resourceOf } from "../../model/definition.ts";
import { type RecordedInstance, managedIds } from "../../model/instance.ts";
import { indexLive } from "../../plan/live-index.ts";
import { isUnconfirmed } from "../../plan/irreversible-records.ts";
import type { StateDocument } from "../../state/document.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import {
  type Intent,
  type PendingIntent,
  mayCreate,
  openRequest,
  pendingIntents,
  withoutIntents,
} from "../../state/journal-event.ts";
import { recordCreated } from "./recover-creates.ts";
import { lookalikes, lostCreateOf, lostCreateOfPending, withLate } from "./lost-creates.ts";
import { byAddress } from "../../model/address.ts";

/** The undecided writes of an address, for a user to resolve. */
export interface OpenAt {
  readonly address: string;
  readonly pending: readonly PendingIntent[];
  /** An irreversible write that is recorded as unconfirmed. */
  readonly unconfirmed: RecordedInstance | null;
  readonly lostCreates: readonly LostCreate[];
}

export function openAt(document: StateDocument, address: string, catalog: Catalog): OpenAt {
  const instance = document.instances.find((one) => one.address === address);
  return {
    address,
    pending: pendingIntents(document.pending).filter(({ intent }) => intent.address === address),
    unconfirmed: instance && isUnconfirmed(resourceOf(catalog, instance.type), instance) ? instance : null,
    lostCreates: document.lostCreates.filter((lostCreate) => lostCreate.address === address),
  };
}

/** Takes undecided writes as not carried out. If the outcome of a create appears later, its lost-create record reports it. */
export function takenAsNotDone(document: StateDocument, { pending }: OpenAt, catalog: Catalog): StateDocument {
  const creates = pending.filter((one) => mayCreate(one) && resourceOf(catalog, one.intent.type).list);
  const lostCreates = creates.map((one) => {
    const before = document.pending.find(({ seq }) => seq === one.intent.listed);
    return lostCreateOfPending(one, before?.kind === "listed" ? before.ids : []);
  });
  return { ...withoutPending(document, pending), lostCreates: [...document.lostCreates, ...lostCreates] };
}

/** Forgets the undecided writes there. An unconfirmed write stays unconfirmed, and no plan retries it. */
export function givenUp(
  document: StateDocument,
  { address, pending, unconfirmed, lostCreates }: OpenAt,
): StateDocument {
  const resolved = (instance: RecordedInstance): RecordedInstance =>
    unconfirmed && instance.address === address ? { ...instance, settled: true } : instance;
  return {
    ...withoutPending(document, pending),
    instances: document.instances.map(resolved),
    lostCreates: document.lostCreates.filter((lostCreate) => !lostCreates.includes(lostCreate)),
  };
}

export type Adoption =
  | { readonly kind: "current" | "deposed"; readonly document: StateDocument }
  | { readonly kind: "nothing-to-adopt" | "not-live" | "managed" | "unlike" };

/** Records a live object as the outcome of an undecided create, or of one that was given up. */
export function adopted(
  document: StateDocument,
  at: OpenAt,
  {
    catalog,
    id,
    objects,
    nowMs,
  }: {
    readonly catalog: Catalog;
    readonly id: string;
    readonly objects: readonly LiveObject[];
    readonly nowMs: number;
  },
): Adoption {
  const open = [
    ...at.pending.filter((one) => openRequest(one).half === "create").map((one) => ({ ...one, desired: one.intent })),
    ...at.lostCreates.map((desired) => ({ desired })),
  ];
  const [first] = open;
  if (!first) return { kind: "nothing-to-adopt" };
  const definition = resourceOf(catalog, first.desired.type);
  const index = indexLive(definition, objects);
  const object = index.byId.get(id);
  if (!object) return { kind: "not-live" };
  if (managedIds(document.instances).has(id)) return { kind: "managed" };
  const made =
    open.find(({ desired }) => isKnownAs(desired, id)) ??
    open.find(({ desired }) => index.duplicates(desired.key).includes(object));
  if (!made) return { kind: "unlike" };
  if (!("intent" in made)) return adoptedLate(document, { definition, lostCreate: made.desired, object, nowMs });
  const instances = new Map(document.instances.map((instance) => [instance.address, instance]));
  recordCreated(instances, made.intent, { definition, object, nowMs, isLive: (one) => index.byId.has(one) });
  const lostCreates = [
    ...document.lostCreates,
    { ...lostCreateOf(made.intent, lookalikes(made.intent, index)), found: true as const },
  ];
  return { kind: "current", document: { ...withInstances(withoutPending(document, [made]), instances), lostCreates } };
}

/** Whether it is the record of this very object. */
function isKnownAs(desired: Intent | LostCreate, id: string): boolean {
  return !("kind" in desired) && desired.id === id;
}

interface Late {
  readonly definition: AnyResource;
  readonly lostCreate: LostCreate;
  readonly object: LiveObject;
  readonly nowMs: number;
}

/**
 * What has turned up late steps behind the current object of its address, to be deleted; where there is none it is that
 * itself. The outcome of a lost create may be somebody else's, so that record stays.
 */
function adoptedLate(document: StateDocument, { definition, lostCreate, object, nowMs }: Late): Adoption {
  const instances = new Map(document.instances.map((instance) => [instance.address, instance]));
  const current = instances.get(lostCreate.address ?? "");
  instances.set(lostCreate.address ?? "", withLate(current, definition, { lostCreate, object, nowMs }));
  const lostCreates = document.lostCreates.filter((one) => one !== lostCreate || !isKnownAs(one, object.id));
  return { kind: current ? "deposed" : "current", document: { ...withInstances(document, instances), lostCreates } };
}

function withInstances(document: StateDocument, instances: ReadonlyMap<string, RecordedInstance>): StateDocument {
  return { ...document, instances: [...instances.values()].toSorted(byAddress) };
}

function withoutPending(document: StateDocument, pending: readonly Pick<PendingIntent, "intent">[]): StateDocument {
  return { ...document, pending: withoutIntents(document.pending, new Set(pending.map(({ intent }) => intent.seq))) };
}
