// The constructs for CDK users get a copy of this file, and of those that it imports.
import { type Cell, QUOTES_HINT, plainName, rowsOf, unguarded } from "./csv-rows.ts";
import { CONFLICT, CONFLICT_MARKER, fileText } from "./file-text.ts";

/** One address of a list, and where it stands: lines and columns count from 1. */
export interface ListedAddress {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** What its row says of it in the columns of `DETAILS`: printable, and bounded in length. */
  readonly details?: { readonly [name: string]: string };
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
  /** How many cells had the signs of a spreadsheet that keep a text from being a formula, as in `="ada@example.com"`. */
  readonly cleaned: number;
}

/** The columns that say why an address is on a list, who put it there, and when it was asked for. */
const DETAILS = ["reason", "source", "requested_at"] as const;
const MAX_DETAIL = 300;
/** What a column of addresses is called, without spaces and punctuation: `Email Address`, `E-mail`. */
const HEADER = /^e?mail(?:s|addr|address|adresse)?$/;
/** An address has at most 254 characters. */
const MAX_SHOWN = 300;
/** More bad rows than this are only counted. */
const MAX_TOLD = 50;

/**
 * Reads a list of addresses: one a line, or a CSV (RFC 4180) with a header, whose cells are separated by commas, semicolons or
 * tabs. The column is the one with the given name, else the one called `email` or like an email address. Upper and lower case
 * make no difference, and empty lines and cells count for nothing. Whether an address is one is left to the evaluation.
 * The columns `reason`, `source` and `requested_at` are read too.
 */
export function readAddressList(
  bytes: Uint8Array,
  { column: wanted }: { readonly column?: string | undefined } = {},
): AddressList {
  const read = fileText(bytes);
  if (!("text" in read)) return { addresses: [], mistakes: [read], cleaned: 0 };
  const addresses: ListedAddress[] = [];
  const bad: ListMistake[] = [];
  let cleaned = 0;
  let header: Header | null = null;
  for (const cells of rowsOf(read.text, (first) => columnsIn(first, wanted).length > 0)) {
    const [first] = cells;
    if (!first || cells.every(({ text, problem }) => text === "" && problem === undefined)) continue;
    if (CONFLICT_MARKER.test(first.text))
      return {
        addresses: [],
        mistakes: [mistake({ line: first.line, column: first.column }, CONFLICT.detail, CONFLICT.hint)],
        cleaned,
      };
    for (const cell of cells)
      if (cell.problem !== undefined) bad.push(mistake(shownOf(cell), cell.problem, QUOTES_HINT));
    if (header === null) {
      const found = headerOf(cells, first, wanted);
      if ("detail" in found) return { addresses: [], mistakes: [...bad, found], cleaned };
      header = found;
      if (header.width > 0) continue;
    }
    const cell = cells[header.column];
    if (cell?.problem !== undefined) continue;
    const wrong = rowProblem(cells, first, header);
    if (wrong) bad.push(wrong);
    else if (cell) {
      const text = unguarded(cell.text);
      if (text !== cell.text) cleaned++;
      const details = detailsIn(cells, header);
      addresses.push({ text, line: cell.line, column: cell.column, ...(details ? { details } : {}) });
    }
  }
  return { addresses, mistakes: capped(bad), cleaned };
}

/** Which cell of a row holds the address, which hold details, and how many cells the header has: 0 without a header. */
interface Header {
  readonly column: number;
  readonly details: readonly { readonly name: string; readonly column: number }[];
  readonly width: number;
}

function headerOf(cells: readonly Cell[], first: Cell, wanted: string | undefined): Header | ListMistake {
  const at = { line: first.line, column: first.column };
  const found = columnsIn(cells, wanted);
  if (found.length > 1)
    return mistake(
      at,
      "Several columns are called like an email address.",
      "Name one, as in emails_from: { file: leads.csv, column: Work Email }.",
    );
  const [column] = found;
  if (column !== undefined) return withDetails(cells, column);
  if (wanted !== undefined)
    return mistake(
      at,
      `No column is called ${JSON.stringify(wanted)}.`,
      "Correct column, which names a cell of the first line.",
    );
  if (cells.some(({ text }, index) => index > 0 && text !== ""))
    return mistake(at, "The first line has several columns, and none of them is called email.", HEADER_HINT);
  return first.text.includes("@")
    ? { column: 0, details: [], width: 0 }
    : mistake(at, "The first line is neither an address nor the header of a column called email.", HEADER_HINT);
}

function withDetails(cells: readonly Cell[], column: number): Header | ListMistake {
  const details: { readonly name: string; readonly column: number }[] = [];
  for (const name of DETAILS) {
    const [first, second] = cells.flatMap(({ text }, index) =>
      index !== column && plainName(text) === plainName(name) ? [index] : [],
    );
    const cell = second === undefined ? undefined : cells[second];
    if (cell)
      return mistake(
        { line: cell.line, column: cell.column },
        `Several columns are called ${name}.`,
        "Rename all of them but one.",
      );
    if (first !== undefined) details.push({ name, column: first });
  }
  return { column, details, width: cells.length };
}

function detailsIn(cells: readonly Cell[], { details }: Header): ListedAddress["details"] {
  let found: { [name: string]: string } | undefined;
  for (const { name, column } of details) {
    const text = printable(unguarded(cells[column]?.text ?? ""));
    if (text !== "") (found ??= {})[name] = text;
  }
  return found;
}

/** A text on one line, without the characters that a screen acts on or does not show. */
function printable(text: string): string {
  const line = isPlain(text)
    ? text
    : text
        .slice(0, 2 * MAX_DETAIL)
        .replaceAll(/[\s\p{C}]+/gu, " ")
        .trim();
  return line.length <= MAX_DETAIL
    ? line
    : Array.from(line.slice(0, 2 * MAX_DETAIL))
        .slice(0, MAX_DETAIL)
        .join("");
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** The cells of a header that name the column; `email` itself takes precedence over what is called like it. */
function columnsIn(cells: readonly Pick<Cell, "text">[], wanted: string | undefined): readonly number[] {
  const indexes = (isMeant: (name: string) => boolean): readonly number[] =>
    cells.flatMap(({ text }, index) => (isMeant(text.trim().toLowerCase()) ? [index] : []));
  if (wanted !== undefined) return indexes((name) => name === wanted.trim().toLowerCase());
  const exact = indexes((name) => name === "email");
  return exact.length > 0 ? exact : indexes((name) => HEADER.test(plainName(name)));
}

function rowProblem(cells: readonly Cell[], first: Cell, { column, width }: Header): ListMistake | null {
  const cell = cells[column];
  const surplus = cells.slice(Math.max(width, 1)).find(({ text }) => text !== "");
  if (surplus && width > 0)
    return mistake(
      shownOf(surplus),
      "The row has more cells than the header.",
      "Write one address a row, or quote a cell that contains a separator.",
    );
  if (surplus)
    return mistake(
      shownOf(surplus),
      "The line holds more than one address.",
      "Write one address a line, or begin the file with a header that has an email column.",
    );
  if (!cell || cell.text === "")
    return mistake(shownOf(cell ?? first), "The row has no email.", "Add the address, or remove the row.");
  return OTHER_SEPARATOR.test(cell.text)
    ? mistake({ line: cell.line, column: cell.column }, SEPARATED_OTHERWISE, SEPARATOR_HINT)
    : null;
}

/** Messages show only the address of a row. */
export function shownOf({ text, line, column }: ListedAddress): NonNullable<ListMistake["at"]> {
  const [first = ""] = text.split("\n", 1);
  return { line, column, text: first.length > MAX_SHOWN ? `${first.slice(0, MAX_SHOWN)}…` : first };
}

const OTHER_SEPARATOR = /[;\t]/;
const SEPARATED_OTHERWISE = "The line holds several values, separated by semicolons or tabs.";
const SEPARATOR_HINT = "Write one address a line, or begin the file with a header that has an email column.";

const HEADER_HINT =
  "Call the column with the addresses email in the first line, name it as in emails_from: { file: leads.csv, column: Contact }, or write one address a line.";

export function capped(found: readonly ListMistake[]): readonly ListMistake[] {
  const more = found[MAX_TOLD];
  if (!more) return found;
  const detail = `${String(found.length - MAX_TOLD)} more rows are wrong.`;
  return [...found.slice(0, MAX_TOLD), { ...more, detail, count: found.length - MAX_TOLD }];
}

function mistake(at: NonNullable<ListMistake["at"]>, detail: string, hint: string): ListMistake {
  return { detail, hint, at };
}
