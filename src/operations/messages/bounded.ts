import { cutText, shortText } from "../../core/model/words.ts";
import { type Diagnostic, MAX_MISTAKES, furtherMistakes } from "../../core/model/diagnostic.ts";

/** Of the errors about one file only the first, and a count of the others; the same for warnings and notes. */
export function firstOfEachFile(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, { readonly file: string; readonly severity: Diagnostic["severity"]; count: number }>();
  const shown = diagnostics.filter(({ severity, place, count, ways = [] }) => {
    if (place === undefined || count !== undefined || ways.some(({ kind }) => DECISIONS.includes(kind))) return true;
    const key = `${severity} ${place.file}`;
    const group = groups.get(key) ?? { file: place.file, severity, count: 0 };
    groups.set(key, group);
    return ++group.count <= MAX_MISTAKES;
  });
  const further = [...groups.values()].filter(({ count }) => count > MAX_MISTAKES);
  return [...shown, ...further.map(({ file, severity, count }) => furtherMistakes(file, { severity, count: count - MAX_MISTAKES }))];
}

/** What asks for a decision about one object is always shown. */
const DECISIONS: readonly string[] = ["retry", "forget", "dismiss"];

/** The diagnostic with long names and values cut: a text of the configuration can be as long as its file. */
export function shortened(diagnostic: Diagnostic): Diagnostic {
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
