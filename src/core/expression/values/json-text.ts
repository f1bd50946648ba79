import { numberText } from "./decimal.ts";
import { invalidValue } from "../expression-failure.ts";
import { type Term, isMapping, isSequence } from "../syntax/term.ts";

/** JSON as Terraform writes it: sorted keys, no white space, HTML characters escaped. The value must be known. */
export function jsonText(term: Term): string {
  if (isSequence(term)) return `[${term.items.map(jsonText).join(",")}]`;
  if (isMapping(term))
    return `{${[...term.entries].map(([key, value]) => `${quoted(key)}:${jsonText(value)}`).join(",")}}`;
  switch (term.kind) {
    case "null":
      return "null";
    case "bool":
      return String(term.value);
    case "number":
      return numberText(term.value);
    case "string":
      return quoted(term.value);
    case "digest":
    case "unknown":
      throw invalidValue("A secret cannot be written as JSON: only its fingerprint is known.");
  }
}

export function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
