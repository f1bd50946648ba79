import type { Diagnostic, Place } from "../../core/model/diagnostic.ts";
import { formatPath } from "../../core/model/path.ts";
import type { Paint } from "./paint.ts";
import { visible, visibleLines } from "../../core/model/visible.ts";
import { blanksLike, wrapped } from "./width.ts";
import { firstFew } from "./first-few.ts";

const TITLES = { error: ["Error", "red"], warning: ["Warning", "yellow"], note: ["Note", "cyan"] } as const;

/**
 * A diagnostic for people: what failed, and the code, where (line and caret), why, and what to run.
 * `columns` is the width of the terminal, if there is one.
 */
export function diagnosticText(diagnostic: Diagnostic, paint: Paint, columns: number | null = null): string {
  const { code, severity, summary, detail, hint, address, path = [], place } = diagnostic;
  const [title, colour] = TITLES[severity];
  const lines = [`${paint(colour, paint("bold", `${title}: ${visible(summary)}`))} ${codeText(code, paint)}`];
  const where = [
    ...(place ? [visible(whereText(place))] : []),
    ...(address === undefined ? [] : [visible(place ? `in ${address}` : `with ${address}`)]),
  ];
  if (where.length > 0) lines.push("", `  ${place ? "on " : ""}${where.join(", ")}`);
  const label = place?.line === undefined ? formatPath(path) : String(place.line);
  if (place?.text !== undefined) lines.push(...excerpt(place, { label, text: place.text }, paint));
  lines.push("", wrapped(visibleLines(detail), columns));
  if (hint !== undefined) lines.push(wrapped(visibleLines(hint), columns));
  return `${lines.join("\n")}\n`;
}

function codeText(code: string, paint: Paint): string {
  return paint("dim", `[${visible(code)}]`);
}

/** `FILE:LINE:COLUMN`, as far as it is known. */
export function whereText({ file, line, column, construct }: Place): string {
  if (construct !== undefined) return `${file}, construct ${construct}`;
  return line === undefined ? file : `${file}:${String(line)}:${String(column ?? 1)}`;
}

/** `label` is the line number or the attribute. */
function excerpt(
  { column = 1, caret = column }: Place,
  { label, text }: { readonly label: string; readonly text: string },
  paint: Paint,
): readonly string[] {
  const indent = blanksLike(visible(text.slice(0, caret - 1)));
  return [
    `  ${paint("dim", `${visible(label)} |`)} ${visible(text)}`,
    `  ${paint("dim", `${blanksLike(visible(label))} |`)} ${indent}${paint("red", "^")}`,
  ];
}

/** Whether it asks for a decision about one object. */
function asksForDecision({ ways = [] }: Diagnostic): boolean {
  return ways.some(({ kind }) => kind === "retry" || kind === "forget" || kind === "dismiss");
}

/** Every error; of many warnings of one kind, the first few and a count. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  paint: Paint,
  columns: number | null = null,
): string {
  return firstFew(diagnostics, (one) => (one.severity === "error" || asksForDecision(one) ? null : one.summary))
    .map((few) =>
      "item" in few
        ? `${diagnosticText(few.item, paint, columns)}\n`
        : `${paint("bold", `… and ${String(few.more)} more: ${few.like.summary}`)} ${codeText(few.like.code, paint)}\n\n`,
    )
    .join("");
}

const ORDER = Object.keys(TITLES) as readonly Diagnostic["severity"][];

/** The diagnostics in the order of a report, which begins with what stops an apply. */
export function errorsFirst(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return ORDER.flatMap((severity) => diagnostics.filter((one) => one.severity === severity));
}
