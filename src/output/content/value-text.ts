import { type Value, isSecretDigest, isUnknown } from "../../core/model/value.ts";
import { leadsTo } from "../../core/model/parse-url.ts";
import { visible } from "../../core/model/visible.ts";

const HIDDEN = "(sensitive value)";
/** Longer texts are shortened. In characters. */
const LONGEST = 240;
const LONGEST_NAME = 60;
/** How many characters a shortened text shows before the first difference. */
const BEFORE_DIFFERENCE = 60;

/** Hides emails in a text before it is cut. Absent in the text format, whose stream hides them later. */
type Mask = (text: string) => string;
const asItIs: Mask = (text) => text;

/** A value on one line, shortened when it is very long: behind `mask`, which finds only whole texts. The host of a URL is shown in full. */
export function valueText(value: Value, mask: Mask = asItIs): string {
  return cut(lettersOf(value, mask), 0, hostEnd(value)) + hostNote(value);
}

/** A value as a cell of a table in text: without quotes, on one line. */
export function cellText(value: Value): string {
  if (value === null) return "-";
  if (typeof value === "string") return visible(value.replaceAll(/[\n\t]+/g, " ")) + hostNote(value);
  const text = Array.isArray(value)
    ? value.map(String).join(",")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
  return visible(text.replaceAll(/[\n\t]+/g, " "));
}

/** A name that others gave, on one line and without quotes, shortened when it is long. */
export function nameText(name: string, mask: Mask = asItIs): string {
  const letters = [...visible(mask(name))];
  return letters.length <= LONGEST_NAME ? letters.join("") : `${letters.slice(0, LONGEST_NAME - 1).join("")}…`;
}

/** A value in full, as Terraform writes it: elements and members on their own lines, which begin with `indent`. */
export function wholeText(value: Value, indent = ""): string {
  if (typeof value !== "object" || value === null || isUnknown(value) || isSecretDigest(value)) return rendered(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = (value as readonly Value[]).map((item) => `${inner}${wholeText(item, inner)},\n`);
    return items.length === 0 ? "[]" : `[\n${items.join("")}${indent}]`;
  }
  const entries = Object.entries(value).map(
    ([name, item]) => `${inner}${visible(JSON.stringify(name))} = ${wholeText(item, inner)}\n`,
  );
  return entries.length === 0 ? "{}" : `{\n${entries.join("")}${indent}}`;
}

/** Two values, for `a -> b`: long ones are shortened to the part that differs. */
export function valueTexts(before: Value, after: Value, mask: Mask = asItIs): readonly [string, string] {
  const texts = [lettersOf(before, mask), lettersOf(after, mask)] as const;
  const from = texts.some(({ length }) => length > LONGEST)
    ? Math.max(0, firstDifference(...texts) - BEFORE_DIFFERENCE)
    : 0;
  return [
    cut(texts[0], from, hostEnd(before)) + hostNote(before),
    cut(texts[1], from, hostEnd(after)) + hostNote(after),
  ];
}

/** The text of a sensitive value. Null and unknown are shown, and the host of a URL. */
export function hiddenText(value: Value): string {
  if (value === null || isUnknown(value)) return rendered(value);
  const to = typeof value === "string" ? leadsTo(value) : null;
  return to === null ? HIDDEN : `${HIDDEN} (host ${to.host})`;
}

/** The text of a sensitive output, which hides the host of a URL, too. */
export function hiddenOutput(value: Value): string {
  return value === null || isUnknown(value) ? rendered(value) : HIDDEN;
}

/** Two sensitive values. Two known ones that look alike are one text. */
export function hiddenTexts(
  before: Value,
  after: Value,
  hidden: (value: Value) => string = hiddenText,
): readonly [string] | readonly [string, string] {
  const [had, has] = [hidden(before), hidden(after)];
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

/** ` (host evil.example)` behind a URL that is written in another way than its host is called; empty for every other value. */
function hostNote(value: Value): string {
  const to = typeof value === "string" ? leadsTo(value) : null;
  return to === null || to.end !== null ? "" : ` (host ${to.host})`;
}

/** How many letters of a rendered URL show its host; 0 for every other value. */
function hostEnd(value: Value): number {
  const end = typeof value === "string" ? leadsTo(value)?.end : null;
  return end === null || end === undefined ? 0 : end + 1;
}

function lettersOf(value: Value, mask: Mask): readonly string[] {
  return [...mask(rendered(value))];
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** `LONGEST` letters from `from` on, behind the first `kept` letters. */
function cut(letters: readonly string[], from: number, kept: number): string {
  if (letters.length <= LONGEST) return letters.join("");
  const begin = Math.max(from, kept);
  const start = begin === kept ? "" : "…";
  const end = Math.max(begin, from + LONGEST);
  return `${letters.slice(0, kept).join("")}${start}${letters.slice(begin, end).join("")}${end < letters.length ? "…" : ""}`;
}
