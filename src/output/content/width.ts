import { eastAsianWidth } from "get-east-asian-width";

const PLAIN = /^[ -~]*$/;
/** Narrower terminals are not served: words would not fit. */
const NARROWEST = 40;
/** Lines to copy whole: the command must stay one line. */
const COMMAND = /(?:^|: |&& )\s*(?:\S+ ){0,2}outreach [a-z]/;

/** How many columns a text takes on a terminal. It must have passed `visible`, which leaves no joined emoji. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** Spaces as wide as a text; tabs stay. */
export function blanksLike(text: string): string {
  return Array.from(text, (character) => (character === "\t" ? character : " ".repeat(widthOf(character)))).join("");
}

/** The text with spaces up to a number of columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** A text whose long lines are broken between words. Commands stay whole, and so do words that are longer than a line. */
export function wrapped(text: string, columns: number | null): string {
  if (columns === null || columns < NARROWEST) return text;
  return text
    .split("\n")
    .map((line) => (columnsOf(line) <= columns || COMMAND.test(line) ? line : brokenLine(line, columns)))
    .join("\n");
}

function brokenLine(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(" ")) {
    const longer = current === indent ? `${indent}${word}` : `${current} ${word}`;
    if (current !== indent && columnsOf(longer) > columns) {
      lines.push(current);
      current = `${indent}${word}`;
    } else current = longer;
  }
  return [...lines, current].join("\n");
}

function widthOf(character: string): number {
  return /\p{M}/u.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}
