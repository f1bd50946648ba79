// This file imports nothing: the constructs for CDK users get a copy of it.

/** One address of a file, and where it stands: lines and columns count from 1. */
export interface ListedAddress {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The problem with a file or a row. */
export interface ListMistake {
  readonly detail: string;
  readonly hint: string;
  /** How many mistakes it stands for, if it only counts them. */
  readonly count?: number;
  /** Where, unless it is the file as a whole; of the row only what may be shown. */
  readonly at?: { readonly line: number; readonly column: number; readonly text?: string };
}

/** What could be read of a file: where there are mistakes, not all of its addresses. */
export interface AddressList {
  readonly addresses: readonly ListedAddress[];
  readonly mistakes: readonly ListMistake[];
}

const HEADER = "email";
/** An address has at most 254 characters. */
const MAX_SHOWN = 300;
/** More bad rows than this are only counted. */
const MAX_TOLD = 50;

/**
 * Reads a list of addresses: one a line, or a CSV (RFC 4180) whose header has an `email` column, in whatever case. Empty
 * lines count for nothing. Whether an address is one is left to the evaluation.
 */
export function readAddressList(bytes: Uint8Array): AddressList {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { addresses: [], mistakes: [{ detail: "The file is not UTF-8 text.", hint: "Save it as UTF-8." }] };
  }
  const addresses: ListedAddress[] = [];
  const bad: ListMistake[] = [];
  /** Which cell of a row holds the address; null before the first row. */
  let column: number | null = null;
  let isCsv = false;
  /** The cells of the header. */
  let width = 0;
  for (const cells of rowsOf(text)) {
    const [first] = cells;
    if (!first || (cells.length === 1 && first.text === "" && first.problem === undefined)) continue;
    for (const cell of cells) if (cell.problem !== undefined) bad.push(mistake(shownOf(cell), cell.problem, QUOTES_HINT));
    if (column === null) {
      column = cells.findIndex((cell) => cell.text.toLowerCase() === HEADER);
      isCsv = column >= 0;
      width = cells.length;
      if (isCsv) continue;
      const unread = unreadable(cells, first);
      if (unread) return { addresses: [], mistakes: [...bad, unread] };
      column = 0;
    }
    const cell = cells[column];
    if (cell?.problem !== undefined) continue;
    const surplus = isCsv ? cells.slice(width).find(({ text: one }) => one !== "") : cells[1];
    if (surplus && isCsv)
      bad.push(mistake(shownOf(surplus), "The row has more cells than the header.", "Write one address a row, or quote a cell that contains a comma."));
    else if (surplus)
      bad.push(
        mistake(
          shownOf(surplus),
          "The line holds more than one address.",
          "Write one address a line, or begin the file with a header that has an email column.",
        ),
      );
    else if (!cell || cell.text === "") bad.push(mistake(shownOf(cell ?? first), "The row has no email.", "Add the address, or remove the row."));
    else if (OTHER_SEPARATOR.test(cell.text)) bad.push(mistake({ line: cell.line, column: cell.column }, SEPARATED_OTHERWISE, SEPARATOR_HINT));
    else addresses.push({ text: cell.text, line: cell.line, column: cell.column });
  }
  return { addresses, mistakes: capped(bad) };
}

/** Of a row only the address is shown: the rest is none of a message's business. */
export function shownOf({ text, line, column }: ListedAddress): NonNullable<ListMistake["at"]> {
  const [first = ""] = text.split("\n", 1);
  return { line, column, text: first.length > MAX_SHOWN ? `${first.slice(0, MAX_SHOWN)}…` : first };
}

const QUOTES_HINT = "Write quotes around the whole cell, and double each quote in it.";

interface Cell extends ListedAddress {
  readonly problem?: string;
}

interface Cursor {
  at: number;
  line: number;
  lineStart: number;
}

function* rowsOf(text: string): Generator<readonly Cell[]> {
  const cursor: Cursor = { at: 0, line: 1, lineStart: 0 };
  while (cursor.at < text.length) {
    const cells = [readCell(text, cursor)];
    while (text[cursor.at] === ",") {
      cursor.at++;
      cells.push(readCell(text, cursor));
    }
    yield cells;
    cursor.at += text.startsWith("\r\n", cursor.at) ? 2 : 1;
    cursor.line++;
    cursor.lineStart = cursor.at;
  }
}

/** Reads a cell without the white space around it, and leaves the cursor at the comma or the end of the line behind it. */
function readCell(text: string, cursor: Cursor): Cell {
  while (text[cursor.at] === " " || text[cursor.at] === "\t") cursor.at++;
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
  cursor.at = endOfCell(text, behind);
  const rest = text.slice(behind, cursor.at).trim();
  if (!quoted) return { text: rest, line, column };
  const wrong = quoted.problem ?? (rest === "" ? undefined : "Something follows the closing quote of a cell.");
  return { text: quoted.text.trim(), line, column, ...(wrong === undefined ? {} : { problem: wrong }) };
}

function endOfCell(text: string, from: number): number {
  const end = /[,\r\n]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

function readQuoted(text: string, start: number): { readonly text: string; readonly end: number; readonly problem?: string } {
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

const OTHER_SEPARATOR = /[;\t]/;
const SEPARATED_OTHERWISE = "The cells of this line are separated by semicolons or tabs.";
const SEPARATOR_HINT = "Save the file with commas between the cells, or write one address a line.";

/** The problem with a first line that is not a header. It may be the header of another file. Its words are not shown because they may be personal data. */
function unreadable(cells: readonly Cell[], { text, line, column }: Cell): ListMistake | null {
  const at = { line, column };
  if (OTHER_SEPARATOR.test(text)) return mistake(at, SEPARATED_OTHERWISE, SEPARATOR_HINT);
  if (cells.length > 1) return mistake(at, "The file has several columns, and none of them is called email.", HEADER_HINT);
  return text.includes("@") ? null : mistake(at, "The first line is neither an address nor the header of a column called email.", HEADER_HINT);
}

const HEADER_HINT = "Call the column with the addresses email in the first line, or write one address a line.";

function capped(found: readonly ListMistake[]): readonly ListMistake[] {
  const more = found[MAX_TOLD];
  if (!more) return found;
  const detail = `${String(found.length - MAX_TOLD)} more rows are wrong.`;
  return [...found.slice(0, MAX_TOLD), { ...more, detail, count: found.length - MAX_TOLD }];
}

function mistake(at: NonNullable<ListMistake["at"]>, detail: string, hint: string): ListMistake {
  return { detail, hint, at };
}
