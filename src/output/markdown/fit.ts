import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { diagnosticText, errorsFirst } from "../content/diagnostic-text.ts";
import { plain } from "../content/paint.ts";
import { codeBlock } from "./escape.ts";

/** What a comment of a forge can hold, with room for words of the forge. In characters. */
export const MOST_MARKDOWN = 60_000;

/** A row of a table in two lengths, both whole lines. */
export interface Row {
  readonly full: string;
  readonly short: string;
  /** How many things it stands for. */
  readonly count: number;
}

/** A table that may be shown in part. */
export interface Section {
  /** What the rows are, behind their number. */
  readonly title: string;
  /** The two first lines of the table. */
  readonly head: string;
  readonly rows: readonly Row[];
  /** Never folded, and gets its room before those that are not. */
  readonly isImportant: boolean;
}

/** More rows are folded. */
const MOST_UNFOLDED = 10;

/** The sections in at most `room` characters, with whole rows only. `isWhole`: nothing was left out or shortened. */
export function fitted(
  sections: readonly Section[],
  room: number,
): { readonly text: string; readonly isWhole: boolean } {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  let left = room - shown.reduce((sum, section) => sum + layout(section, [""], total(section.rows)).length, 0);
  const chosen = new Map<Section, readonly (string | null)[]>();
  for (const group of [
    shown.filter(({ isImportant }) => isImportant),
    ...shown.filter(({ isImportant }) => !isImportant).map((section) => [section]),
  ]) {
    const lengths = group.map(({ rows }) => rows.map(() => 0));
    for (const length of ["short", "full"] as const) {
      for (const [at, { rows }] of group.entries()) left = fill(rows, lengths[at] ?? [], { length, left });
    }
    for (const [at, section] of group.entries())
      chosen.set(
        section,
        section.rows.map((row, index) => lineOf(row, lengths[at]?.[index] ?? 0)),
      );
  }
  const isWhole = shown.every((section) =>
    section.rows.every(({ full }, index) => chosen.get(section)?.[index] === full),
  );
  const texts = shown.map((section) => {
    const lines = chosen.get(section) ?? [];
    const missing = section.rows.filter((_, index) => (lines[index] ?? null) === null);
    return layout(
      section,
      lines.filter((line) => line !== null),
      total(missing),
    );
  });
  return { text: texts.join(""), isWhole };
}

/** Makes rows as long as there is room for, in their order. `lengths` holds what each takes so far; returns the room that is left. */
function fill(
  rows: readonly Row[],
  lengths: number[],
  { length, left }: { readonly length: "short" | "full"; readonly left: number },
): number {
  let rest = left;
  for (const [index, row] of rows.entries()) {
    const taken = lengths[index] ?? 0;
    const more = row[length].length - taken;
    if ((length === "full" && taken === 0) || more > rest) continue;
    lengths[index] = row[length].length;
    rest -= more;
  }
  return rest;
}

function lineOf({ full, short }: Row, length: number): string | null {
  if (length === 0) return null;
  return length === full.length ? full : short;
}

function layout(section: Section, lines: readonly string[], missing: number): string {
  const { title, head, rows, isImportant } = section;
  const name = `${String(total(rows))} ${title}`;
  const table = lines.length === 0 ? "" : `${head}${lines.join("")}\n`;
  const rest =
    missing === 0
      ? ""
      : `${lines.length === 0 ? "" : "… and "}${String(missing)}${lines.length === 0 ? " not shown here." : " more, not shown here."}\n\n`;
  if (isImportant || rows.length <= MOST_UNFOLDED) return `#### ${name}\n\n${table}${rest}`;
  return `<details><summary>${name}</summary>\n\n${table}${rest}</details>\n\n`;
}

function total(rows: readonly Row[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

const COLUMNS = 100;

/** Messages as blocks of code, the errors first: as many whole ones as `room` characters can hold, and the number of the others. */
export function diagnosticsMarkdown(
  diagnostics: readonly Diagnostic[],
  mask: (text: string) => string,
  room: number,
): string {
  const ordered = errorsFirst(diagnostics);
  const blocks: string[] = [];
  let left = room - moreText(ordered.length).length;
  for (const diagnostic of ordered) {
    const block = `${codeBlock(mask(diagnosticText(diagnostic, plain, COLUMNS)))}\n\n`;
    if (block.length > left) continue;
    blocks.push(block);
    left -= block.length;
  }
  return `${blocks.join("")}${moreText(ordered.length - blocks.length)}`;
}

function moreText(count: number): string {
  return count === 0 ? "" : `${String(count)} more ${count === 1 ? "message is" : "messages are"} not shown here.\n\n`;
}
