import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { managedIds } from "../../model/instance.ts";
import type { StateDocument, LostCreate } from "../../state/document.ts";
import type { Intent } from "../../state/journal-event.ts";
import { type LiveIndex, indexLive } from "../../plan/live-index.ts";
import { shellWord } from "../../model/shell-word.ts";

/** How long a create whose answer was lost may still turn up. */
export const LOST_CREATE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What is left of a create whose answer was lost. `preIds` are those of objects that were there before. */
export function lostCreateOf({ type, provider, address, key, planned, sentAtMs }: Intent, preIds: readonly string[]): LostCreate {
  return { type, provider, address, key, planned: planned ?? {}, preIds, sentAtMs };
}

/** The ids of what a list could take for the outcome of a create, and of what it was to replace. */
export function lookalikes({ key, id }: Pick<Intent, "key" | "id">, index: LiveIndex): readonly string[] {
  return [...new Set([...index.duplicates(key).map((duplicate) => duplicate.id), ...(id === null ? [] : [id])])];
}

/** The objects that may be the late outcome of a create. */
export function lateDuplicates({ key, preIds }: LostCreate, index: LiveIndex): readonly LiveObject[] {
  return index.duplicates(key).filter(({ id }) => !preIds.includes(id));
}

/**
 * Looks in every list for outcomes that have turned up late: each is reported, and never deleted by guess. A
 * lostCreate ends when a complete list of a day later is without it.
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

function lateDuplicate({ noun }: AnyResource, { address, found }: LostCreate, { id }: LiveObject): Diagnostic {
  const where = shellWord(address ?? "ADDR");
  return {
    code: "late_duplicate",
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
