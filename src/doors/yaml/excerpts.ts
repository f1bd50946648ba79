import { type Document, type Node, isMap, isNode, isScalar, isSeq, visit } from "yaml";
import { nearest } from "../../core/model/diagnostic.ts";

/** What may be shown of the line that begins at the offset `start`, and where its column `column` then stands. */
export type Excerpts = (start: number, column: number) => { readonly text: string; readonly caret?: number };

/** Offsets, the end exclusive. */
type Range = readonly [start: number, end: number];

const MASK = "(sensitive value)";
const MAX_WIDTH = 300;
/** What stays to be seen before the column when a long line is cut. */
const LEAD = 100;
const USER_INFO = /(?<=:\/\/)[^\s/?#"'@]+(?=@)/g;

/** Lines of a text with `hidden` and the user info of URLs masked, cut to a width that can be read. */
export function excerpts(text: string, hidden: readonly Range[]): Excerpts {
  return (start, column) => {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).replace(/\r$/, "");
    const ranges = [...hidden.map(([from, to]): Range => [Math.max(0, from - start), Math.min(line.length, to - start)]), ...userInfo(line)];
    const masked = mask(line, ranges.filter(([from, to]) => from < to).toSorted(([a], [b]) => a - b), column);
    const { text: shown, caret } = cut(masked);
    return caret === column ? { text: shown } : { text: shown, caret };
  };
}

function userInfo(line: string): readonly Range[] {
  return [...line.matchAll(USER_INFO)].map((match): Range => [match.index, match.index + match[0].length]);
}

interface Shown {
  readonly text: string;
  readonly caret: number;
}

function mask(line: string, ranges: readonly Range[], column: number): Shown {
  let text = "";
  let at = 0;
  let caret = column;
  for (const [from, to] of ranges) {
    if (to <= at) continue;
    text += `${line.slice(at, Math.max(at, from))}${MASK}`;
    at = to;
    if (column - 1 >= to) caret = column + text.length - to;
    else if (column - 1 >= from) caret = text.length - MASK.length + 1;
  }
  return { text: text + line.slice(at), caret };
}

function cut({ text, caret }: Shown): Shown {
  if (text.length <= MAX_WIDTH) return { text, caret };
  const from = caret <= MAX_WIDTH - LEAD ? 0 : caret - LEAD;
  const part = text.slice(from, from + MAX_WIDTH);
  return { text: `${from > 0 ? "…" : ""}${part}${from + MAX_WIDTH < text.length ? "…" : ""}`, caret: from > 0 ? caret - from + 1 : caret };
}

/** Where secrets are written out below keys that hold secrets, or that are mistyped names of them. References to secrets are not hidden. */
export function secretRanges(document: Document.Parsed, secretKeys: readonly string[]): readonly Range[] {
  const found: Range[] = [];
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isScalar(key) || typeof key.value !== "string" || nearest(key.value, secretKeys) === null) return undefined;
      hide(value, found);
      return visit.SKIP;
    },
  });
  return found;
}

const SOURCES = ["env", "file", "command"];

function hide(value: unknown, found: Range[]): void {
  if (!isMap(value)) return hideNode(value, found);
  for (const { key, value: inner } of value.items) {
    const source = isScalar(key) && typeof key.value === "string" && SOURCES.includes(key.value);
    if (!source) hideNode(key, found);
    if (!source || !(isScalar(inner) || isSeq(inner))) hideNode(inner, found);
  }
}

function hideNode(node: unknown, found: Range[]): void {
  const range = isNode(node) ? (node as Node).range : undefined;
  if (range) found.push([range[0], range[1]]);
}
