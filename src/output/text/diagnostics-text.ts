import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { firstFew } from "./first-few.ts";
import type { Paint } from "./paint.ts";

/** Each of these asks for a decision about one object. */
const SHOWN_EACH = new Set(["late_duplicate", "outcome_unconfirmed"]);

/** Every error; of many warnings of one kind, the first few and a count. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
  return firstFew(diagnostics, ({ severity, code }) => (severity === "error" || SHOWN_EACH.has(code) ? null : code))
    .map((few) => ("item" in few ? `${diagnosticText(few.item, paint)}\n` : `${paint("bold", `… and ${String(few.more)} more: ${few.like.summary}`)}\n\n`))
    .join("");
}
