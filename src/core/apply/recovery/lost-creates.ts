import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { managedIds } from "../../model/instance.ts";
import type { StateDocument, LostCreate } from "../../state/document.ts";
import type { Intent } from "../../state/journal-event.ts";
import { type LiveIndex, indexLive } from "../../plan/live-index.ts";

/** How long the outcome of a create whose answer was lost may still appear. */
export const LOST_CREATE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The record of a create whose answer was lost. `preIds` are those of objects that existed before. */
export function lostCreateOf({ type, provider, address, key, planned, sentAtMs }: Intent, preIds: readonly string[]): LostCreate {
  return { type, provider, address, key, planned: planned ?? {}, preIds, sentAtMs };
}

/** The ids of the objects that could be the outcome of a create, and of the object that it was to replace. */
export function lookalikes({ key, id }: Pick<Intent, "key" | "id">, index: LiveIndex): readonly string[] {
  return [...new Set([...index.duplicates(key).map((duplicate) => duplicate.id), ...(id === null ? [] : [id])])];
}

/** The objects that may be the late outcome of a create. */
export function lateDuplicates({ key, preIds }: LostCreate, index: LiveIndex): readonly LiveObject[] {
  return index.duplicates(key).filter(({ id }) => !preIds.includes(id));
}

/**
 * Looks in every list for outcomes that appear late: each is reported, and never deleted by guess. The record of a lost
 * create ends when a complete list lacks its outcome a day later.
 */
export function checkLostCreates(
  document: StateDocument,
  { catalog, listings, nowMs }: { readonly catalog: Catalog; readonly listings: ReadonlyMap<string, LiveListing>; readonly nowMs: number },
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  if (document.lostCreates.length === 0) return { document, diagnostics: [] };
  const managed = managedIds(document.instances);
  const indexes = new Map<string, LiveIndex>();
  const diagnostics: Diagnostic[] = [];
  const left = document.lostCreates.filter((lostCreate) => {
    const listing = listings.get(lostCreate.type);
    if (!listing) return true;
    const definition = resourceOf(catalog, lostCreate.type);
    const index = indexes.get(lostCreate.type) ?? indexLive(definition, listing.objects);
    indexes.set(lostCreate.type, index);
    const duplicates = lateDuplicates(lostCreate, index).filter(({ id }) => !managed.has(id));
    diagnostics.push(...duplicates.map((duplicate) => lateDuplicate(definition, lostCreate, duplicate)));
    return duplicates.length > 0 || !listing.complete || nowMs - lostCreate.sentAtMs < LOST_CREATE_LIFETIME_MS;
  });
  return { document: left.length === document.lostCreates.length ? document : { ...document, lostCreates: left }, diagnostics };
}

function lateDuplicate({ noun, effects }: AnyResource, { address, found }: LostCreate, { id }: LiveObject): Diagnostic {
  return {
    code: "late_duplicate",
    severity: "warning",
    summary: `A ${noun} has appeared late`,
    detail: `${id} is live and not managed, and may have come from an earlier create of ${address ?? `a ${noun}`} whose answer was lost${found ? "" : " and which was then given up"}.${effects ? ` If it is a duplicate, ${effects.duplicate}.` : ""}`,
    ways: [
      { kind: "delete-late", address, id },
      { kind: "dismiss", address },
    ],
    ...(address === null ? {} : { address }),
  };
}
