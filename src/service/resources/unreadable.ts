import type { Diagnostic } from "../../core/model/diagnostic.ts";

/** A warning about fields of an answer whose values cannot be read; none without such fields. `means` is how they count instead. */
export function unreadableValues(
  what: string,
  fields: Iterable<string>,
  means = "Their values are null here.",
): readonly Diagnostic[] {
  const names = [...fields];
  if (names.length === 0) return [];
  return [
    {
      code: "value_unreadable",
      severity: "warning",
      summary: "The service returned values that cannot be read",
      detail: `${what} has values of an unknown form in ${names.join(", ")}. ${means}`,
      hint: "The service may have changed. A newer version of this tool may read them.",
    },
  ];
}
