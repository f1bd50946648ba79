import { MAX_NODES, type Tree } from "./plain-values.ts";

/** `NAME: VALUE` and `- VALUE`. The parser reads texts with any other line, except blank ones. */
const ENTRY = /^( *)([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: +(.*))?$/;
const ITEM = /^( *)- +(.+)$/;
const BLANK = /^ *(?:#.*)?$/;
/** Tabs, other line ends and other spaces have their own rules in YAML. */
const SIMPLE_TEXT = /^[\n\u0020-\u007e\u00a1-\u167f\u1681-\u1fff]*$/;
/** Words that are not text, and refused names. */
const NOT_A_NAME = /^(?:null|true|false|__proto__|constructor|prototype)$/i;

/** A text without spaces that YAML reads as text everywhere, also in braces and brackets. */
const WORD = /^[A-Za-z/_](?:[\w./@%+-]*[\w/])?$/;
/** A text that YAML reads as text up to the end of the line. A colon before a space and a number sign may mean something else. */
const LINE = /^[A-Za-z/_$](?:[\w./@%+\-$?&=~^!*,;<>()|{}[\]"'\\` ]|:(?=[^ ]))*$/;
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')$/;
const COUNT = /^(?:0|[1-9]\d{0,8})$/;
const SHARE = /^\d{1,3}%$/;
const FLOW_ENTRY = /^([A-Za-z_][A-Za-z0-9_-]{0,99}): +(\S.*)$/;
/** Configurations need less. */
const MAX_SIMPLE_DEPTH = 10;

/**
 * The plain values of a text in a simple part of YAML that most configurations keep to: indented maps, lists of single
 * values, words, quoted texts without escapes. Undefined for every other text, and for every text with a mistake: the parser
 * reads those, and takes about ten times as long.
 */
export function simpleYaml(text: string): unknown {
  if (!SIMPLE_TEXT.test(text)) return undefined;
  const reader: Reader = { lines: text.split("\n"), at: 0, nodes: 1 };
  try {
    const first = nextEntry(reader);
    if (first === null || first.indent !== 0) return undefined;
    const value = readMap(reader, first, 1);
    return reader.at === reader.lines.length && reader.nodes <= MAX_NODES ? value : undefined;
  } catch (error) {
    if (error === NOT_SIMPLE) return undefined;
    throw error;
  }
}

/** Thrown when the parser has to read the text. */
const NOT_SIMPLE = new Error("not a simple YAML");

interface Reader {
  readonly lines: readonly string[];
  /** The next line. */
  at: number;
  nodes: number;
}

interface Entry {
  readonly indent: number;
  readonly name: string;
  readonly value: string;
}

function skipBlank(reader: Reader): string | undefined {
  while (reader.at < reader.lines.length && BLANK.test(reader.lines[reader.at] ?? "")) reader.at++;
  return reader.lines[reader.at];
}

/** The entry of the next line that is not blank, without consuming it; null at the end. */
function nextEntry(reader: Reader): Entry | null {
  const line = skipBlank(reader);
  if (line === undefined) return null;
  const [, indent = "", name = "", value = ""] = ENTRY.exec(line) ?? notSimple();
  return { indent: indent.length, name, value: withoutComment(value) };
}

function notSimple(): never {
  throw NOT_SIMPLE;
}

function readMap(reader: Reader, first: Entry, depth: number): Tree {
  if (depth > MAX_SIMPLE_DEPTH) notSimple();
  const map: Record<string, unknown> = {};
  for (let entry: Entry | null = first; entry !== null && entry.indent >= first.indent; entry = nextEntry(reader)) {
    const { indent, name, value } = entry;
    if (indent > first.indent) notSimple();
    reader.at++;
    add(map, name, value === "" || value.startsWith("#") ? readBelow(reader, indent, depth) : readValue(reader, value));
    reader.nodes += 2;
  }
  return map;
}

function add(map: Record<string, unknown>, name: string, value: unknown): void {
  if (NOT_A_NAME.test(name) || Object.hasOwn(map, name)) notSimple();
  map[name] = value;
}

/** The value in the lines below a name: a map, a list, or null. */
function readBelow(reader: Reader, indent: number, depth: number): unknown {
  const line = skipBlank(reader);
  if (line === undefined) return null;
  const item = ITEM.exec(line);
  if (item !== null) return readList(reader, (item[1] ?? "").length > indent ? (item[1] ?? "").length : notSimple());
  const entry = nextEntry(reader);
  return entry !== null && entry.indent > indent ? readMap(reader, entry, depth + 1) : null;
}

function readList(reader: Reader, indent: number): readonly unknown[] {
  const items: unknown[] = [];
  for (let line = skipBlank(reader); line !== undefined; line = skipBlank(reader)) {
    const [, spaces = "", value = ""] = ITEM.exec(line) ?? [];
    if (value === "" || spaces.length !== indent) {
      return line.startsWith(" ".repeat(indent)) ? notSimple() : items;
    }
    reader.at++;
    reader.nodes++;
    items.push(readValue(reader, withoutComment(value)));
  }
  return items;
}

/** A number sign behind a space begins a comment. */
function withoutComment(value: string): string {
  const comment = value.indexOf(" #");
  return (comment < 0 ? value : value.slice(0, comment)).trimEnd();
}

/** A value on one line. */
function readValue(reader: Reader, written: string): unknown {
  const inside = written.slice(1, -1).trim();
  if (written.startsWith("{") && written.endsWith("}")) return readFlowMap(reader, inside);
  if (written.startsWith("[") && written.endsWith("]")) {
    const items = inside === "" ? [] : inside.split(",");
    reader.nodes += items.length;
    return items.map((item) => readScalar(item.trim(), WORD));
  }
  return readScalar(written, LINE);
}

function readFlowMap(reader: Reader, inside: string): Tree {
  const map: Record<string, unknown> = {};
  for (const part of inside === "" ? [] : inside.split(",")) {
    const [, name = "", value = ""] = FLOW_ENTRY.exec(part.trim()) ?? notSimple();
    reader.nodes += 2;
    add(map, name, readScalar(value, WORD));
  }
  return map;
}

function readScalar(written: string, plain: RegExp): unknown {
  if (written === "true") return true;
  if (written === "false") return false;
  if (COUNT.test(written)) return Number(written);
  const quoted = QUOTED.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (SHARE.test(written) || (plain.test(written) && !NOT_A_NAME.test(written))) return written;
  return notSimple();
}
