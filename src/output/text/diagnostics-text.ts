import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { firstFew } from "./first-few.ts";
import type { Paint } from "./paint.ts";

/** Whether it asks for a decision about one object. */
function asksForDecision({ ways = [] }: Diagnostic): boolean {
  return ways.some(({ kind }) => kind === "retry" || kind === "forget" || kind === "dismiss");
}

/** Every error; of many warnings of one kind, the first few and a count. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], paint: Paint, columns: number | null = null): string {
  return firstFew(diagnostics, (one) => (one.severity === "error" || asksForDecision(one) ? null : one.summary))
    .map((few) =>
      "item" in few ? `${diagnosticText(few.item, paint, columns)}\n` : `${paint("bold", `… and ${String(few.more)} more: ${few.like.summary}`)}\n\n`,
    )
    .join("");
}
