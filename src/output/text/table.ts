import type { Value } from "../../core/model/value.ts";
import { columnsOf, padded } from "./width.ts";

/** Rows of values as a table with a heading, columns two spaces apart. Control characters become spaces. */
export function tableText(columns: readonly string[], rows: readonly { readonly [column: string]: Value }[]): string {
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => columns.map((column) => cell(row[column] ?? null)))];
  const widths = columns.map((_, index) => lines.reduce((most, line) => Math.max(most, columnsOf(line[index] ?? "")), 0));
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

function cell(value: Value): string {
  if (value === null) return "-";
  const text = Array.isArray(value) ? value.map(String).join(",") : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
