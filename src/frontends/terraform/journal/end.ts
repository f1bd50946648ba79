import { type LiveIndex, indexLive } from "../../../core/plan/live-index.ts";
import { type AnyResource, type LiveListing, resourceOf } from "../../../core/model/definition.ts";
import { type Attributes, hasUnknown } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { isWhole, unlistedOf } from "../../../core/plan/missing.ts";
import type { PlanNotes, SeenInList } from "../plan-notes.ts";
import type { Services } from "../services.ts";
import type { TypeSession } from "../type-session.ts";
import type { CreateJournal } from "./create-journal.ts";
import { type KnownCreate, madeIds, nameOf } from "./known-creates.ts";
import { lateIn } from "./late-duplicates.ts";
import { isIdGiven } from "./without-id.ts";

/** What Terraform showed this process. */
export interface Shown {
  readonly types: ReadonlyMap<string, TypeSession>;
  /** The objects in its state, by `nameOf`: the key of the identity, null if part of that is unknown. */
  readonly known: ReadonlyMap<string, string | null>;
  /** Planned creates, by type. */
  readonly planned: ReadonlyMap<string, readonly Attributes[]>;
  /** The ids of the objects in its state, by type. */
  readonly managed: ReadonlyMap<string, ReadonlySet<string>>;
  /** The ids that it planned to keep (`asked`), and those that it replaces although it planned that (`replaced`). */
  readonly asked: ReadonlySet<string>;
  readonly replaced: ReadonlySet<string>;
}

/** The last list of a type. */
interface LastList {
  readonly listing: LiveListing;
  readonly index: () => LiveIndex;
  /** When it was requested. */
  readonly atMs: number;
}

/** The lists as they are known. The end of a process sends no request. */
async function lastLists({ catalog }: Pick<Services, "catalog">, { types }: Pick<Shown, "types">): Promise<ReadonlyMap<string, LastList>> {
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
 * Stores in the plan notes which managed objects look the same in the list as a planned create or a lost create: Terraform
 * does not tell the applying process about unchanged objects. An unmanaged object that looks like a lost create appeared late.
 */
export async function noteDuplicates(
  services: Pick<Services, "catalog">,
  { journal, seen }: { readonly journal: CreateJournal; readonly seen: PlanNotes },
  shown: Shown,
): Promise<void> {
  const { known, managed, planned, asked, replaced } = shown;
  const ledger = await journal.known();
  const { lostCreates } = ledger;
  if (planned.size === 0 && lostCreates.length === 0) return;
  const lists = await lastLists(services, shown);
  const lookalikes = new Set(replaced);
  for (const [type, wanted] of planned) {
    const definition = resourceOf(services.catalog, type);
    const list = lists.get(type);
    if (!list) for (const id of managed.get(type) ?? []) if (!asked.has(id)) lookalikes.add(id);
    for (const attributes of wanted) {
      if (definition.identity.some((name) => hasUnknown(attributes[name] ?? null))) continue;
      const key = identityKey(definition, attributes);
      for (const { id } of list?.index().duplicates(attributes) ?? []) {
        const name = nameOf(definition, { id });
        // Terraform replaces a tainted object without asking the provider to plan it.
        if (known.has(name) && (known.get(name) !== key || !asked.has(id))) lookalikes.add(id);
      }
    }
  }
  const kept: string[] = [];
  const late: SeenInList["late"][number][] = [];
  const made = madeIds(ledger);
  for (const [type, { index }] of lists) {
    const ofType = lostCreates.filter((lost) => lost.type === type);
    for (const { id, wasManaged, isMade } of ofType.length > 0 ? lateIn(index(), ofType, made) : []) {
      const isKnown = known.has(nameOf(resourceOf(services.catalog, type), { id }));
      if (isKnown) lookalikes.add(id);
      // Terraform does not show unchanged objects to a process that applies, or that sees only a part of the state.
      if (isKnown || (await seen.isKept(id))) kept.push(id);
      else if (!isMade) late.push({ type, id, ...(wasManaged ? { wasManaged } : {}) });
    }
  }
  const found = ledger.creates.flatMap((create) => (create.outcome.kind === "made" && isIdGiven(create, journal) ? [String(create.outcome.record.id)] : []));
  await seen.store({ lookalikes: [...lookalikes], kept, found, late });
}

/** Decides which creates can be forgotten, from what Terraform and the service showed this process. */
export async function whatIsOver(
  services: Pick<Services, "catalog" | "listingDelayMs">,
  journal: CreateJournal,
  shown: Pick<Shown, "types" | "known">,
): Promise<(create: KnownCreate) => boolean> {
  const { catalog, listingDelayMs } = services;
  const { known } = shown;
  const lists = await lastLists(services, shown);
  const ledger = await journal.known();
  const made = madeIds(ledger);
  const recorded = ledger.creates.flatMap(({ outcome }) => (outcome.kind === "made" ? [outcome.record] : []));
  return (create) => {
    const definition = resourceOf(catalog, create.intent.type);
    const list = lists.get(create.intent.type);
    const { outcome } = create;
    if (outcome.kind === "made") {
      if (isIdGiven(create, journal)) return false;
      const { id, attributes, recordedAtMs } = outcome.record;
      if (known.has(nameOf(definition, { ...attributes, id }))) return true;
      if (id === null || !list || list.atMs < recordedAtMs + listingDelayMs.answered || list.index().byId.has(id)) return false;
      return isWhole(definition, list.listing, unlistedOf(definition.type, list.listing.objects, recorded));
    }
    return outcome.kind === "open" && isTaken(definition, create, { list, known, made });
  };
}

/** Whether Terraform has the object that the create may have made: imported, or recorded without an answer. */
function isTaken(
  definition: AnyResource,
  { intent, before }: KnownCreate,
  { list, known, made }: { readonly list: LastList | undefined; readonly known: Shown["known"]; readonly made: ReadonlySet<string> },
): boolean {
  if (definition.irreversible) return known.has(nameOf(definition, intent.key));
  const key = identityKey(definition, intent.key);
  return (list?.index().duplicates(intent.key) ?? []).some(({ id }) => {
    const other = known.get(nameOf(definition, { id }));
    return !before?.ids.has(id) && !made.has(id) && (other === null || other === key);
  });
}
