import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { managedIds } from "../model/instance.ts";
import type { StateDocument, Tombstone } from "../state/document.ts";
import type { Intent } from "../state/journal-event.ts";
import { type LiveIndex, indexLive } from "./live-index.ts";
import { shellWord } from "../model/shell-word.ts";

/** How long a create whose answer was lost may still turn up. */
export const TOMBSTONE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What is left of a create whose answer was lost. `preIds` are those of objects that were there before. */
export function tombstoneOf({ type, provider, address, key, planned, sentAtMs }: Intent, preIds: readonly string[]): Tombstone {
  return { type, provider, address, key, planned: planned ?? {}, preIds, sentAtMs };
}

/** The ids of what a list could take for the outcome of a create, and of what it was to replace. */
export function alike({ key, id }: Pick<Intent, "key" | "id">, index: LiveIndex): readonly string[] {
  return [...new Set([...index.twins(key).map((twin) => twin.id), ...(id === null ? [] : [id])])];
}

/** The objects that may be the late outcome of a create. */
export function lateTwins({ key, preIds }: Tombstone, index: LiveIndex): readonly LiveObject[] {
  return index.twins(key).filter(({ id }) => !preIds.includes(id));
}

/**
 * Looks in every list for outcomes that have turned up late: each is reported, and never deleted by guess. A
 * tombstone ends when a complete list of a day later is without it.
 */
export function checkTombstones(
  document: StateDocument,
  { catalog, listings, nowMs }: { readonly catalog: Catalog; readonly listings: ReadonlyMap<string, LiveListing>; readonly nowMs: number },
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  if (document.tombstones.length === 0) return { document, diagnostics: [] };
  const managed = managedIds(document.instances);
  const indexes = new Map<string, LiveIndex>();
  const diagnostics: Diagnostic[] = [];
  const left = document.tombstones.filter((tombstone) => {
    const listing = listings.get(tombstone.type);
    if (!listing) return true;
    const definition = resourceOf(catalog, tombstone.type);
    const index = indexes.get(tombstone.type) ?? indexLive(definition, listing.objects);
    indexes.set(tombstone.type, index);
    const twins = lateTwins(tombstone, index).filter(({ id }) => !managed.has(id));
    diagnostics.push(...twins.map((twin) => lateTwin(definition, tombstone, twin)));
    return twins.length > 0 || !listing.complete || nowMs - tombstone.sentAtMs < TOMBSTONE_LIFETIME_MS;
  });
  return { document: left.length === document.tombstones.length ? document : { ...document, tombstones: left }, diagnostics };
}

function lateTwin({ noun }: AnyResource, { address, found }: Tombstone, { id }: LiveObject): Diagnostic {
  const where = shellWord(address ?? "ADDR");
  return {
    code: "late_twin",
    severity: "warning",
    summary: `A ${noun} has turned up late`,
    detail: `${id} is live and not managed, and may have come from an earlier create of ${address ?? `a ${noun}`} whose answer was lost${found ? "" : " and which was then given up"}. Each event may be delivered twice.`,
    hint: [
      `If it is yours, have the next apply delete it:  outreach resolve ${where} --adopt ${id}`,
      `If it is not, hear no more of it:               outreach resolve ${where} --forget`,
    ].join("\n"),
    ...(address === null ? {} : { address }),
  };
}
