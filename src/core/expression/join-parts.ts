import { ExpressionFailure } from "./expression-failure.ts";
import type { Expression, Template } from "./syntax/syntax.ts";
import { type Marks, type Term, UNKNOWN_TERM, describe, joinMarks, marked, text } from "./syntax/term.ts";
import { convert } from "./values/convert-value.ts";

/** Joins terms and literal text. */
export function joinParts(parts: Template["parts"], values: readonly (string | Term)[]): Term {
  const [only] = values;
  if (values.length === 1 && typeof only === "object") return only;
  let joined = "";
  let unknown = false;
  const marks: Marks[] = [];
  for (const [index, value] of values.entries()) {
    const part = parts[index] ?? "";
    if (typeof value === "string" || typeof part === "string") joined += typeof value === "string" ? value : "";
    else {
      marks.push(value.marks);
      const printed = convert(value, "string");
      if (printed?.kind === "string") joined += printed.value;
      else if (value.kind === "unknown") unknown = true;
      else throw notText(value, part);
    }
  }
  return marked(unknown ? UNKNOWN_TERM : text(joined), joinMarks(marks));
}

function notText(value: Term, part: Expression): ExpressionFailure {
  const subject = part.kind === "reference" ? part.text : "This value";
  return new ExpressionFailure({
    code: "template_value",
    summary: "Invalid template value",
    detail: `${subject} is ${describe(value)}, which cannot be part of a string.`,
    offset: part.offset,
  });
}
