import { type Diagnostic, type Place, countOf } from "../../core/model/diagnostic.ts";
import { whereText } from "../content/diagnostic-text.ts";
import type { JsonObject } from "./escaped-json.ts";

/**
 * A diagnostic as Terraform prints it in JSON, with its code. The hint follows the detail after an empty line. Where a place has a line,
 * `range` and `snippet` show it: one character wide, and without `byte`, since only the start is known, in lines and columns.
 */
export function diagnosticJson({ severity, code, summary, detail, hint, address, place }: Diagnostic): JsonObject {
  const where = place !== undefined && place.line === undefined ? [`In ${whereText(place)}.`] : [];
  return {
    severity,
    code,
    summary,
    detail: [detail, ...(hint === undefined ? [] : [hint]), ...where].join("\n\n"),
    ...(address === undefined ? {} : { address }),
    ...(place?.line === undefined ? {} : rangeJson(place, place.line)),
  };
}

function rangeJson({ file, column = 1, caret = column, text }: Place, line: number): JsonObject {
  return {
    range: { filename: file, start: { line, column }, end: { line, column: column + 1 } },
    ...(text === undefined
      ? {}
      : {
          snippet: {
            context: null,
            code: text,
            start_line: line,
            highlight_start_offset: Math.min(caret - 1, text.length),
            highlight_end_offset: Math.min(caret, text.length),
            values: [],
          },
        }),
  };
}

/** What `validate --json` prints: Terraform's object (format 1.0). It knows errors and warnings; notes are left out. */
export function validationJson(diagnostics: readonly Diagnostic[]): JsonObject {
  const said = diagnostics.filter(({ severity }) => severity !== "note");
  const errors = countOf(said, "error");
  return {
    format_version: "1.0",
    valid: errors === 0,
    error_count: errors,
    warning_count: countOf(said, "warning"),
    diagnostics: said.map(diagnosticJson),
  };
}
