import { type Diagnostic, furtherMistakes, MAX_MISTAKES } from "../../core/model/diagnostic.ts";
import type { OperationContext } from "../context.ts";
import { hidingEmails } from "../personal-data.ts";
import { wayOutText } from "./way-out-text.ts";
import { cutText, firstFew, shortText } from "../../core/model/words.ts";

/** Diagnostics in the order of the file, without repeats, and with their ways out in this command's syntax. Many of one file are counted. */
export function arrangedDiagnostics(
  { asCalled, given, configurations: { isStack }, personal }: OperationContext,
  diagnostics: readonly Diagnostic[],
  { hidesEmails }: { readonly hidesEmails: boolean },
): readonly Diagnostic[] {
  const arranged = firstOfEachFile(onePerCause(byPlace(diagnostics))).map((found) => {
    const diagnostic = shortened(hidesEmails ? hidingEmails(found, personal) : found);
    const { hint, ways = [] } = diagnostic;
    const lines = [hint, wayOutText(ways, { given, isStack })].filter((line) => typeof line === "string");
    return lines.length === 0 ? diagnostic : { ...diagnostic, hint: asCalled(lines.join("\n")) };
  });
  return [...new Map(arranged.map((diagnostic) => [shownParts(diagnostic), diagnostic])).values()];
}

/** What people see of a diagnostic. */
function shownParts({ severity, summary, detail, hint, address, path, place }: Diagnostic): string {
  return JSON.stringify([severity, summary, detail, hint, address, place?.text === undefined ? null : path, place]);
}

/** Those of one file together, in its order. Diagnostics without a place stay where they are. */
function byPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const firstOf = new Map<string, number>();
  const ranked = diagnostics.map((diagnostic, index) => {
    const { file, line = null, column = 0 } = diagnostic.place ?? { file: "" };
    if (line === null) return { diagnostic, rank: index, line: 0, column: 0 };
    const rank = firstOf.get(file) ?? index;
    firstOf.set(file, rank);
    return { diagnostic, rank, line, column };
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.line - b.line || a.column - b.column)
    .map(({ diagnostic }) => diagnostic);
}

/** The first errors about each file, and a count of the others; so for warnings and notes. */
function firstOfEachFile(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, { readonly file: string; readonly severity: Diagnostic["severity"]; count: number }>();
  const shown = diagnostics.filter(({ severity, place, count, ways = [] }) => {
    if (place === undefined || count !== undefined || ways.some(({ kind }) => DECISIONS.includes(kind))) return true;
    const key = `${severity} ${place.file}`;
    const group = groups.get(key) ?? { file: place.file, severity, count: 0 };
    groups.set(key, group);
    return ++group.count <= MAX_MISTAKES;
  });
  const further = [...groups.values()].filter(({ count }) => count > MAX_MISTAKES);
  return [
    ...shown,
    ...further.map(({ file, severity, count }) => furtherMistakes(file, { severity, count: count - MAX_MISTAKES })),
  ];
}

/** What asks for a decision about one object is always shown. */
const DECISIONS: readonly string[] = ["retry", "forget", "dismiss"];

/** The diagnostic with long names and values cut: a text of the configuration can be as long as its file. */
function shortened(diagnostic: Diagnostic): Diagnostic {
  const { summary, detail, hint, address, path, place } = diagnostic;
  return {
    ...diagnostic,
    summary: shortText(summary),
    detail: shortText(detail),
    ...(hint === undefined ? {} : { hint: cutText(hint) }),
    ...(address === undefined ? {} : { address: shortText(address) }),
    ...(path ? { path: path.map((step) => (typeof step === "string" ? shortText(step) : step)) } : {}),
    ...(place?.construct === undefined ? {} : { place: { ...place, construct: shortText(place.construct) } }),
  };
}

/** The places that a diagnostic names. More are only counted. */
const MAX_PLACES = 3;

/** One diagnostic for each cause, at its first place: one missing variable is one mistake, however many blocks use it. */
function onePerCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
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
  const shown =
    places.length > MAX_PLACES
      ? `${firstFew(places, MAX_PLACES)} places`
      : `${places.slice(0, -1).join(", ")} and ${places.at(-1) ?? ""}`;
  return { ...first, detail: `${first.detail}\nIt is used in ${shown}.` };
}

/** `outreach.yaml:4:17`, or the address where the file has no lines. */
function placeText({ place, address, path = [] }: Diagnostic): string {
  if (place?.line !== undefined) return [place.file, place.line, place.column ?? 1].join(":");
  return address === undefined ? (place?.construct ?? place?.file ?? "") : [address, ...path.slice(0, 1)].join(".");
}
