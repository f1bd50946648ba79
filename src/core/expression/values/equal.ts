import { numberText } from "./decimal.ts";
import { type Term, isMapping, isSequence } from "../syntax/term.ts";

/** A text that is equal for equal values of the same type. The value must be known. */
export function identityOf(term: Term): string {
  if (isSequence(term)) return `${term.kind}[${term.items.map(identityOf).join(",")}]`;
  if (isMapping(term))
    return `${term.kind}{${[...term.entries].map(([key, value]) => `${JSON.stringify(key)}:${identityOf(value)}`).join(",")}}`;
  if (term.kind === "number") return numberText(term.value);
  if (term.kind === "digest") return `secret ${JSON.stringify(term.value.$secret)}`;
  return "value" in term ? JSON.stringify(term.value) : term.kind;
}

/** Whether both are the same value of the same type; null if that depends on unknown values. */
export function sameTerms(a: Term, b: Term): boolean | null {
  if (a.kind === "unknown" || b.kind === "unknown") return null;
  if (isSequence(a) && isSequence(b)) {
    const others = b.items;
    if (a.kind !== b.kind || a.items.length !== others.length) return false;
    return every(a.items.map((item, index) => [item, others[index]]));
  }
  if (isMapping(a) && isMapping(b)) {
    const others = b.entries;
    if (a.kind !== b.kind || a.entries.size !== others.size) return false;
    return every([...a.entries].map(([key, value]) => [value, others.get(key)]));
  }
  return identityOf(a) === identityOf(b);
}

function every(pairs: readonly (readonly [Term, Term | undefined])[]): boolean | null {
  let all: boolean | null = true;
  for (const [a, b] of pairs) {
    const same = b === undefined ? false : sameTerms(a, b);
    if (same === false) return false;
    all = same === null ? null : all;
  }
  return all;
}
