import { firstFew } from "../../core/model/words.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";

/** The places that a diagnostic names. More are only counted. */
const MAX_PLACES = 3;

/** One diagnostic for each cause, at its first place: one missing variable is one mistake, however many blocks use it. */
export function onePerCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byCause = new Map<string, Diagnostic[]>();
  for (const { cause, ...one } of diagnostics) {
    if (cause === undefined) continue;
    const found = byCause.get(cause) ?? [];
    found.push(one);
    byCause.set(cause, found);
  }
  const reported = new Set<string>();
  return diagnostics.flatMap(({ cause, ...one }) => {
    if (cause === undefined) return [one];
    if (reported.has(cause)) return [];
    reported.add(cause);
    return [withPlaces(one, byCause.get(cause) ?? [])];
  });
}

function withPlaces(first: Diagnostic, all: readonly Diagnostic[]): Diagnostic {
  const places = [...new Set(all.map(placeText))];
  if (places.length < 2) return first;
  const shown = places.length > MAX_PLACES ? `${firstFew(places, MAX_PLACES)} places` : `${places.slice(0, -1).join(", ")} and ${places.at(-1) ?? ""}`;
  return { ...first, detail: `${first.detail}\nIt is used in ${shown}.` };
}

/** `outreach.yaml:4:17`, or the address where the file has no lines. */
function placeText({ place, address, path = [] }: Diagnostic): string {
  if (place?.line !== undefined) return [place.file, place.line, place.column ?? 1].join(":");
  return address === undefined ? (place?.construct ?? place?.file ?? "") : [address, ...path.slice(0, 1)].join(".");
}
