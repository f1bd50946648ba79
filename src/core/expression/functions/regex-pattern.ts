import { type Match, type Pattern, PatternError, compilePattern } from "../../model/pattern.ts";
import type { Budget } from "../budget.ts";
import { invalidValue, tooLarge } from "../expression-failure.ts";
import { MAX_TEXT } from "../syntax/term.ts";

/** How long a pattern takes to compile depends on its characters. */
const UNITS_PER_CHARACTER = 200;
/** Most configurations use the same few patterns for every block. */
const MAX_COMPILED = 100;
const compiled = new Map<string, Pattern>();

/** Replaces every match of a regular expression. In `replacement`, `$1` and `${name}` refer to groups. */
export function replacePattern(
  whole: string,
  { pattern, replacement }: { readonly pattern: string; readonly replacement: string },
  budget: Budget,
): string {
  const { groups, matches } = usePattern(pattern, budget);
  let replaced = "";
  let at = 0;
  for (const match of matches(whole, (units) => budget.spend(units))) {
    replaced += whole.slice(at, match.begin) + expand(replacement, whole, { match, names: groups });
    at = match.end;
    if (replaced.length > MAX_TEXT) throw tooLarge(`A string here is longer than ${String(MAX_TEXT)} characters.`);
  }
  return replaced + whole.slice(at);
}

function usePattern(source: string, budget: Budget): Pattern {
  if (budget.isFirst(source)) budget.spend(Math.min(source.length, 1000) * UNITS_PER_CHARACTER);
  const before = compiled.get(source);
  if (before) return before;
  try {
    const pattern = compilePattern(source);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(source, pattern);
    return pattern;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw invalidValue(`The regular expression of replace is invalid: ${error.message}.`);
  }
}

/** `$name` takes the longest name of letters, digits and underscores, as in Go. */
const REFERENCE = /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

function expand(
  replacement: string,
  whole: string,
  { match, names }: { readonly match: Match; readonly names: Pattern["groups"] },
): string {
  return replacement.replaceAll(REFERENCE, (written: string, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced;
    if (name === undefined) return "$";
    const index = /^\d+$/.test(name) ? Number(name) : names.indexOf(name) + 1 || Infinity;
    return (index === 0 ? whole.slice(match.begin, match.end) : match.groups[index - 1]) ?? "";
  });
}
