import type { Value } from "../../core/model/value.ts";
import { cellText } from "../content/value-text.ts";
import { columnsOf, padded } from "../content/width.ts";

/** A longer cell stands out of its column: one long value must not widen every row. */
const WIDEST = 300;

/** Rows of values as a table with a heading, columns two spaces apart. Line ends and tabs become spaces. */
export function tableText(columns: readonly string[], rows: readonly { readonly [column: string]: Value }[]): string {
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cellText(row[column] ?? null))),
  ];
  const widths = columns.map((_, index) =>
    lines.reduce((most, line) => Math.max(most, Math.min(WIDEST, columnsOf(line[index] ?? ""))), 0),
  );
  return lines
    .map(
      (line) =>
        `${line
          .map((text, index) => padded(text, widths[index] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
