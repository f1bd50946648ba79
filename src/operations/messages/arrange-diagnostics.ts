import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Hints, Masks } from "../context.ts";
import { hidingEmails } from "../personal-data.ts";
import { firstOfEachFile, shortened } from "./bounded.ts";
import { onePerCause } from "./one-per-cause.ts";
import { wayOutText } from "./way-out-text.ts";

/** Diagnostics in the order of the file, without repeats, and with their ways out in this command's syntax. Many of one file are counted. */
export function arrangedDiagnostics(
  { asCalled, given, form, personal }: Hints & Pick<Masks, "personal">,
  diagnostics: readonly Diagnostic[],
  { hidesEmails }: { readonly hidesEmails: boolean },
): readonly Diagnostic[] {
  const arranged = firstOfEachFile(onePerCause(byPlace(diagnostics))).map((found) => {
    const diagnostic = shortened(hidesEmails ? hidingEmails(found, personal) : found);
    const { hint, ways = [] } = diagnostic;
    const lines = [hint, wayOutText(ways, { given, isStack: form.isStack })].filter((line) => typeof line === "string");
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
  return ranked.toSorted((a, b) => a.rank - b.rank || a.line - b.line || a.column - b.column).map(({ diagnostic }) => diagnostic);
}
