import { type LiveIndex, indexLive } from "../../../core/plan/live-index.ts";
import { type AnyResource, type LiveListing, resourceOf } from "../../../core/model/definition.ts";
import { hasUnknown } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { isWhole, unlistedOf } from "../../../core/plan/missing.ts";
import type { PlanNotes } from "../../provider-journal/ledger.ts";
import type { NotedObjects } from "./list-notes.ts";
import type { Services } from "../services.ts";
import type { TerraformObjects } from "../terraform-objects.ts";
import type { TypeSession } from "../type-session.ts";
import type { CreateJournal } from "./create-journal.ts";
import { type KnownCreate, madeIds, nameOf } from "./known-creates.ts";
import { lateIn } from "../unmanaged.ts";
import { isReturnedWithoutId } from "./creates-without-id.ts";

/** The objects and lists that this process has seen. */
export interface Evidence {
  readonly types: ReadonlyMap<string, TypeSession>;
  readonly objects: TerraformObjects;
}

/** The last list of a type. */
interface LastList {
  readonly listing: LiveListing;
  readonly index: () => LiveIndex;
  /** When it was requested. */
  readonly atMs: number;
}

/** The lists as they are known. The end of a process sends no request. */
async function lastLists({ catalog }: Services, { types }: Evidence): Promise<ReadonlyMap<string, LastList>> {
  const lists = new Map<string, LastList>();
  for (const [type, { live, listedAtMs }] of types) {
    const atMs = listedAtMs();
    const listing = atMs === null ? null : await live.known().catch(() => null);
    if (listing === null || atMs === null) continue;
    let index: LiveIndex | null = null;
    lists.set(type, { listing, atMs, index: () => (index ??= indexLive(resourceOf(catalog, type), listing.objects)) });
  }
  return lists;
}

/**
 * Notes which managed objects look the same in the list as a planned create or a lost create: Terraform
 * does not tell the applying process about unchanged objects. An unmanaged object that looks like a lost create appeared late.
 */
export async function notesOfPlan(
  services: Services,
  { journal, noted }: { readonly journal: CreateJournal; readonly noted: NotedObjects },
  evidence: Evidence,
): Promise<PlanNotes | null> {
  const { recorded, managed, creates, kept, replaced } = evidence.objects;
  const ledger = await journal.known();
  const { lostCreates } = ledger;
  if (creates.size === 0 && lostCreates.length === 0) return null;
  const lists = await lastLists(services, evidence);
  const lookalikes = new Set(replaced);
  for (const [type, wanted] of creates) {
    const definition = resourceOf(services.catalog, type);
    const list = lists.get(type);
    if (!list) for (const id of managed.get(type) ?? []) if (!kept.has(id)) lookalikes.add(id);
    for (const attributes of wanted) {
      if (definition.identity.some((name) => hasUnknown(attributes[name] ?? null))) continue;
      const key = identityKey(definition, attributes);
      for (const { id } of list?.index().duplicates(attributes) ?? []) {
        const name = nameOf(definition, { id });
        // Terraform replaces a tainted object without asking the provider to plan it.
        if (recorded.has(name) && (recorded.get(name) !== key || !kept.has(id))) lookalikes.add(id);
      }
    }
  }
  const stillManaged: string[] = [];
  const late: PlanNotes["late"][number][] = [];
  const made = madeIds(ledger);
  for (const [type, { index }] of lists) {
    const ofType = lostCreates.filter((lost) => lost.type === type);
    for (const { id, wasManaged, isMade } of ofType.length > 0 ? lateIn(index(), ofType, made) : []) {
      const isKnown = recorded.has(nameOf(resourceOf(services.catalog, type), { id }));
      if (isKnown) lookalikes.add(id);
      // Terraform does not show unchanged objects to a process that applies, or that sees only a part of the state.
      if (isKnown || (await noted.isKept(id))) stillManaged.push(id);
      else if (!isMade) late.push({ type, id, ...(wasManaged ? { wasManaged } : {}) });
    }
  }
  const found = ledger.creates.flatMap((create) =>
    create.outcome.kind === "made" && isReturnedWithoutId(create, journal) ? [String(create.outcome.record.id)] : [],
  );
  return { atMs: services.clock.now(), lookalikes: [...lookalikes], kept: stillManaged, found, late };
}

/** Decides which creates can be forgotten, from what Terraform and the service showed this process. */
export async function finishedCreates(
  services: Services,
  journal: CreateJournal,
  evidence: Evidence,
): Promise<(create: KnownCreate) => boolean> {
  const { catalog, listingDelayMs } = services;
  const { recorded } = evidence.objects;
  const lists = await lastLists(services, evidence);
  const ledger = await journal.known();
  const made = madeIds(ledger);
  const records = ledger.creates.flatMap(({ outcome }) => (outcome.kind === "made" ? [outcome.record] : []));
  return (create) => {
    const definition = resourceOf(catalog, create.intent.type);
    const list = lists.get(create.intent.type);
    const { outcome } = create;
    if (outcome.kind === "made") {
      if (isReturnedWithoutId(create, journal)) return false;
      const { id, attributes, recordedAtMs } = outcome.record;
      if (recorded.has(nameOf(definition, { ...attributes, id }))) return true;
      if (id === null || !list || list.atMs < recordedAtMs + listingDelayMs.answered || list.index().byId.has(id))
        return false;
      return isWhole(definition, list.listing, unlistedOf(definition.type, list.listing.objects, records));
    }
    return outcome.kind === "open" && isTaken(definition, create, { list, recorded, made });
  };
}

/** Whether Terraform has the object that the create may have made: imported, or recorded without an answer. */
function isTaken(
  definition: AnyResource,
  { intent, before }: KnownCreate,
  {
    list,
    recorded,
    made,
  }: {
    readonly list: LastList | undefined;
    readonly recorded: TerraformObjects["recorded"];
    readonly made: ReadonlySet<string>;
  },
): boolean {
  if (definition.irreversible) return recorded.has(nameOf(definition, intent.key));
  const key = identityKey(definition, intent.key);
  return (list?.index().duplicates(intent.key) ?? []).some(({ id }) => {
    const other = recorded.get(nameOf(definition, { id }));
    return !before?.ids.has(id) && !made.has(id) && (other === null || other === key);
  });
}
