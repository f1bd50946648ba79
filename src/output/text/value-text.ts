import { type Value, isSecretDigest, isUnknown } from "../../core/model/value.ts";
import { visible } from "./visible.ts";

const HIDDEN = "(sensitive value)";
/** Longer texts are shortened. In characters. */
const LONGEST = 240;
/** How many characters a shortened text shows before the first difference. */
const BEFORE_DIFFERENCE = 60;

type Mask = (text: string) => string;
const asItIs: Mask = (text) => text;

/** A value on one line, shortened when it is very long: behind `mask`, which finds only whole texts. */
export function valueText(value: Value, mask: Mask = asItIs): string {
  return cut([...mask(rendered(value))], 0);
}

/** A value in full, as Terraform writes it: elements and members on their own lines, which begin with `indent`. */
export function wholeText(value: Value, indent = ""): string {
  if (typeof value !== "object" || value === null || isUnknown(value) || isSecretDigest(value)) return rendered(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = (value as readonly Value[]).map((item) => `${inner}${wholeText(item, inner)},\n`);
    return items.length === 0 ? "[]" : `[\n${items.join("")}${indent}]`;
  }
  const entries = Object.entries(value).map(([name, item]) => `${inner}${visible(JSON.stringify(name))} = ${wholeText(item, inner)}\n`);
  return entries.length === 0 ? "{}" : `{\n${entries.join("")}${indent}}`;
}

/** Two values, for `a -> b`: long ones are shortened to the part that differs. */
export function valueTexts(before: Value, after: Value, mask: Mask = asItIs): readonly [string, string] {
  const texts = [[...mask(rendered(before))], [...mask(rendered(after))]] as const;
  const from = texts.some(({ length }) => length > LONGEST) ? Math.max(0, firstDifference(...texts) - BEFORE_DIFFERENCE) : 0;
  return [cut(texts[0], from), cut(texts[1], from)];
}

/** The text of a sensitive value. Null and unknown are shown. */
export function hiddenText(value: Value): string {
  return value === null || isUnknown(value) ? rendered(value) : HIDDEN;
}

/** Two sensitive values. Two known ones look alike, and are one text. */
export function hiddenTexts(before: Value, after: Value): readonly [string] | readonly [string, string] {
  const [had, has] = [hiddenText(before), hiddenText(after)];
  return had === has ? [has] : [had, has];
}

/** JSON with placeholders for unknown and secret parts. */
function rendered(value: Value): string {
  if (isUnknown(value)) return "(known after apply)";
  if (isSecretDigest(value)) return HIDDEN;
  if (Array.isArray(value)) return `[${value.map(rendered).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as { readonly [name: string]: Value });
    return `{${entries.map(([name, inner]) => `${visible(JSON.stringify(name))}: ${rendered(inner)}`).join(", ")}}`;
  }
  return visible(JSON.stringify(value));
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function cut(letters: readonly string[], from: number): string {
  if (letters.length <= LONGEST) return letters.join("");
  const start = from === 0 ? "" : "…";
  const end = from + LONGEST < letters.length ? "…" : "";
  return `${start}${letters.slice(from, from + LONGEST).join("")}${end}`;
}
