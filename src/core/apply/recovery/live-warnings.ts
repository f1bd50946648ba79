import type { Catalog, LiveListing } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { managedIds } from "../../model/instance.ts";
import { duplicateFinder, standingDuplicates } from "../../plan/duplicates.ts";
import type { StateDocument } from "../../state/document.ts";
import { checkLostCreates } from "./lost-creates.ts";

/** The warnings of a plan about live objects that nothing manages, without a configuration: late outcomes, missing objects that have returned, and duplicates. */
export function liveWarnings(
  document: StateDocument,
  given: { readonly catalog: Catalog; readonly listings: ReadonlyMap<string, LiveListing>; readonly nowMs: number },
): readonly Diagnostic[] {
  const { catalog, listings } = given;
  const { diagnostics, reported } = checkLostCreates(document, given);
  const listed = new Set([...listings.values()].flatMap(({ objects }) => objects.map(({ id }) => id)));
  const standing = document.instances.filter(({ id }) => id !== null && listed.has(id));
  const findDuplicates = duplicateFinder(catalog, listings, managedIds(document.instances));
  return [...diagnostics, ...standingDuplicates(standing, { catalog, findDuplicates, reported })];
}
