// This file imports nothing: the constructs for CDK users get a copy of it.

const SEPARATORS = [",", ";", "\t"] as const;
export const QUOTES_HINT = "Write quotes around the whole cell, and double each quote in it.";

/** A cell, and where it stands: lines and columns count from 1. */
export interface Cell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly problem?: string;
}

/** Whether these cells are a header. */
type IsHeader = (cells: readonly Pick<Cell, "text">[]) => boolean;

interface Cursor {
  at: number;
  line: number;
  lineStart: number;
  readonly separator: string;
}

/** The rows of a CSV (RFC 4180), whose cells are separated by commas, semicolons or tabs. */
export function* rowsOf(text: string, isHeader: IsHeader): Generator<readonly Cell[]> {
  // What a spreadsheet writes for itself.
  const [said = "", named] = /^sep=([,;\t])(?:\r?\n|$)/i.exec(text) ?? [];
  const separator = named ?? separatorIn(text, isHeader);
  const cursor: Cursor = { at: said.length, line: said === "" ? 1 : 2, lineStart: said.length, separator };
  while (cursor.at < text.length) {
    const cells = [readCell(text, cursor)];
    while (text[cursor.at] === separator) {
      cursor.at++;
      cells.push(readCell(text, cursor));
    }
    yield cells;
    cursor.at += text.startsWith("\r\n", cursor.at) ? 2 : 1;
    cursor.line++;
    cursor.lineStart = cursor.at;
  }
}

const HEAD = 10_000;

/** The separator with which the first line is a header, else the one that it has most of. */
function separatorIn(text: string, isHeader: IsHeader): string {
  const [line = ""] = text.slice(0, HEAD).trimStart().split(/\r?\n/, 1);
  const counted = SEPARATORS.map((separator) => {
    const cells = line.split(separator).map((cell) => ({ text: cell.trim().replace(/^"(.*)"$/, "$1") }));
    return { separator, rank: (isHeader(cells) ? HEAD : 0) + cells.length };
  });
  return counted.reduce((best, one) => (one.rank > best.rank ? one : best)).separator;
}

/** Reads a cell without the white space around it, and leaves the cursor at the comma or the end of the line behind it. */
function readCell(text: string, cursor: Cursor): Cell {
  while (text[cursor.at] === " " || (text[cursor.at] === "\t" && cursor.separator !== "\t")) cursor.at++;
  const { line } = cursor;
  const column = cursor.at - cursor.lineStart + 1;
  const start = cursor.at;
  const quoted = text[start] === '"' ? readQuoted(text, start) : null;
  if (quoted) {
    // Only the cell is searched: a row can have very many.
    const cell = text.slice(start, quoted.end);
    for (let newline = cell.indexOf("\n"); newline >= 0; newline = cell.indexOf("\n", newline + 1)) {
      cursor.line++;
      cursor.lineStart = start + newline + 1;
    }
  }
  const behind = quoted?.end ?? start;
  cursor.at = endOfCell(text, behind, cursor.separator);
  const rest = text.slice(behind, cursor.at).trim();
  if (!quoted) return { text: rest, line, column };
  const wrong = quoted.problem ?? (rest === "" ? undefined : "Something follows the closing quote of a cell.");
  return { text: quoted.text.trim(), line, column, ...(wrong === undefined ? {} : { problem: wrong }) };
}

const ENDS: { readonly [separator: string]: RegExp } = { ",": /[,\r\n]/g, ";": /[;\r\n]/g, "\t": /[\t\r\n]/g };

function endOfCell(text: string, from: number, separator: string): number {
  const end = ENDS[separator] ?? /[\r\n]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

function readQuoted(
  text: string,
  start: number,
): { readonly text: string; readonly end: number; readonly problem?: string } {
  let inner = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { text: inner + text.slice(at), end: text.length, problem: "A quoted cell is not closed." };
    inner += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { text: inner, end: quote + 1 };
    inner += '"';
    at = quote + 2;
  }
}

/** A text without the signs of a spreadsheet that keep it from being a formula: `="a@b"` and `'a@b`. */
export function unguarded(text: string): string {
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text.replace(/^'(?=[^'\s]+$)/, "");
}

/** A header without spaces, punctuation and capitals. */
export function plainName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}@]/gu, "");
}
