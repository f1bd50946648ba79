import { type Document, type Node, type YAMLMap, isMap, isNode, isPair, isScalar, isSeq, visit } from "yaml";
import { nearest } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";

/** The visible part of the line at the offset `start`, and the new position of its column `column`. */
type Excerpts = (start: number, column: number) => { readonly text: string; readonly caret?: number };

/** Offsets, the end exclusive. */
type Range = readonly [start: number, end: number];

export const MASK = "(sensitive value)";
const MAX_WIDTH = 300;
/** Characters kept before the column when a long line is cut. */
const LEAD = 100;
const USER_INFO = /(?<=:\/\/)[^\s/?#"'@]+(?=@)/g;

/** Lines of a text, cut to a readable width. `hidden` and the user info of URLs are masked. Each line is masked once. */
export function excerpts(text: string, hidden: readonly Range[]): Excerpts {
  const byStart = disjoint(hidden);
  const lines = new Map<number, MaskedLine>();
  const maskedLine = (start: number): MaskedLine => {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).replace(/\r$/, "");
    const ranges: Range[] = [];
    for (let index = before(byStart, start, ([, to]) => to); index < byStart.length; index++) {
      const [from, to] = byStart[index] ?? [end, end];
      if (from >= end) break;
      ranges.push([Math.max(0, from - start), Math.min(line.length, to - start)]);
    }
    return masked(line, disjoint([...ranges, ...userInfo(line)]));
  };
  return (start, column) => {
    const line = lines.get(start) ?? maskedLine(start);
    lines.set(start, line);
    const { text: shown, caret } = cut({ text: line.text, caret: caretIn(line, column) });
    return caret === column ? { text: shown } : { text: shown, caret };
  };
}

/** Sorted ranges of the same characters, without overlaps. */
function disjoint(ranges: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  let end = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (to <= end || from >= to) continue;
    found.push([Math.max(from, end), to]);
    end = to;
  }
  return found;
}

/** How many of the elements, sorted by `of`, are not beyond `limit`. */
function before<T>(sorted: readonly T[], limit: number, of: (one: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one !== undefined && of(one) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function userInfo(line: string): readonly Range[] {
  return [...line.matchAll(USER_INFO)].map((match): Range => [match.index, match.index + match[0].length]);
}

interface VisibleLine {
  readonly text: string;
  readonly caret: number;
}

/** A line with its masks, each with its range in the line and its offset in the text. */
interface MaskedLine {
  readonly text: string;
  readonly masks: readonly { readonly range: Range; readonly offset: number }[];
}

function masked(line: string, ranges: readonly Range[]): MaskedLine {
  const parts: string[] = [];
  let at = 0;
  let length = 0;
  const masks = ranges.map((range) => {
    const kept = line.slice(at, range[0]);
    parts.push(kept, MASK);
    const offset = length + kept.length;
    length = offset + MASK.length;
    at = range[1];
    return { range, offset };
  });
  return { text: `${parts.join("")}${line.slice(at)}`, masks };
}

/** Where the column is in the text of the line. Within a mask: at its start. */
function caretIn({ masks }: MaskedLine, column: number): number {
  const last = masks[before(masks, column - 1, ({ range }) => range[0]) - 1];
  if (!last) return column;
  const [, end] = last.range;
  return column - 1 < end ? last.offset + 1 : column - end + last.offset + MASK.length;
}

function cut({ text, caret }: VisibleLine): VisibleLine {
  if (text.length <= MAX_WIDTH) return { text, caret };
  const from = caret <= MAX_WIDTH - LEAD ? 0 : caret - LEAD;
  const part = text.slice(from, from + MAX_WIDTH);
  return {
    text: `${from > 0 ? "…" : ""}${part}${from + MAX_WIDTH < text.length ? "…" : ""}`,
    caret: from > 0 ? caret - from + 1 : caret,
  };
}

/**
 * Where secrets are written out below keys that hold secrets, or that are mistyped names of them. `ABOVE.KEY` holds one only
 * somewhere below ABOVE. References to secrets are
 * not hidden; everything at the paths of `hidden` is. In a text that is not valid YAML or not parsed, everything after such a key is hidden.
 */
export function secretRanges(
  document: Document.Parsed | null,
  text: string,
  { secretKeys, hidden }: { readonly secretKeys: readonly string[]; readonly hidden: ReadonlySet<string> },
): readonly Range[] {
  const isSecret = secretCheck(secretKeys);
  return !document || document.errors.length > 0
    ? rangesInText(text, (key) => isSecret(key, null))
    : rangesInTree(document, text, { isSecret, hidden });
}

/** A path without its places in lists. */
export function pathInTree(path: Path): string {
  return JSON.stringify(path.filter((step) => typeof step === "string" && !/^\d+$/.test(step)));
}

/** Whether a key holds a secret; `path` leads to it, null where that is not known. */
type SecretCheck = (key: string, path: readonly unknown[] | null) => boolean;

function secretCheck(secretKeys: readonly string[]): SecretCheck {
  const everywhere = secretKeys.filter((name) => !name.includes("."));
  const below = secretKeys.map((name) => name.split(".")).filter(({ length }) => length > 1);
  /** The keys above that make a key a secret; null where none is needed. */
  const known = new Map<string, readonly string[] | null>();
  const neededAbove = (key: string): readonly string[] | null => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const needed =
      nearest(key, everywhere) === null
        ? below.flatMap(([above = "", name = ""]) => (nearest(key, [name]) === null ? [] : [above]))
        : null;
    known.set(key, needed);
    return needed;
  };
  return (key, path) => {
    const needed = neededAbove(key);
    return (
      needed === null || (needed.length > 0 && (path === null || keysIn(path).some((above) => needed.includes(above))))
    );
  };
}

function rangesInTree(
  document: Document.Parsed,
  text: string,
  { isSecret, hidden }: { readonly isSecret: SecretCheck; readonly hidden: ReadonlySet<string> },
): readonly Range[] {
  const found: Range[] = [];
  /** How far each map in braces is hidden already. */
  const done = new Map<YAMLMap, number>();
  visit(document, {
    Pair: (index, { key, value }, path) => {
      if (!isScalar(key) || typeof key.value !== "string") return undefined;
      const isHidden = hidden.size > 0 && hidden.has(pathInTree([...keysIn(path), key.value]));
      if (!isHidden && !isSecret(key.value, path)) return undefined;
      const map = path.at(-1);
      if (isMap(map) && map.flow) done.set(map, hideRest(map, Math.max(Number(index) + 1, done.get(map) ?? 0), found));
      if (isMap(value) && !isHidden) hideMap(value, found);
      else if (isNode(value) && key.range) hide(startOfValue(text, key.range[1]), value, found);
      return visit.SKIP;
    },
  });
  return found;
}

/** The keys that lead to a node. */
function keysIn(path: readonly unknown[]): readonly string[] {
  return path.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
}

/** Hides the rest of a cut value: in braces, an unquoted comma cuts a value in two, and the rest looks like keys without values. Returns the index of the next other pair. */
function hideRest({ items }: YAMLMap, first: number, found: Range[]): number {
  let index = first;
  for (let pair = items[index]; pair && isEmpty(pair.value); pair = items[++index]) hide(undefined, pair.key, found);
  return index;
}

function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null);
}

/** Behind the colon, so that a tag or an anchor is hidden as well. */
function startOfValue(text: string, endOfKey: number): number {
  const colon = /\s*:[ \t]*/y;
  colon.lastIndex = endOfKey;
  return endOfKey + (colon.exec(text)?.[0].length ?? 0);
}

const SOURCES: readonly unknown[] = ["env", "file", "command"];

function hideMap({ items }: YAMLMap, found: Range[]): void {
  for (const { key, value } of items) {
    const source = isScalar(key) && SOURCES.includes(key.value) ? key.value : null;
    if (source === null) hide(undefined, key, found);
    if (source === null || !(isScalar(value) || (source === "command" && isSeq(value)))) hide(undefined, value, found);
  }
}

function hide(from: number | undefined, node: unknown, found: Range[]): void {
  const range = isNode(node) ? (node as Node).range : undefined;
  if (range) found.push([from ?? range[0], range[1]]);
}

/** Names of secrets are short: a longer text is searched in steps. */
const KEY = /["']?([\p{L}_][\p{L}\p{N}_-]{0,39})["']?\s*:(?=\s|$)[ \t]*/gu;

function rangesInText(text: string, isSecret: (key: string) => boolean): readonly Range[] {
  const found: Range[] = [];
  let start = 0;
  /** The column of the key that what follows may belong to. */
  let below: number | null = null;
  for (const line of text.split("\n")) {
    const keys = [...line.matchAll(KEY)];
    const [first] = keys;
    if (below !== null && first && first.index <= below && /^[\s-]*$/.test(line.slice(0, first.index))) below = null;
    const secret = keys.find(([, name = ""]) => isSecret(name));
    if (below !== null) found.push([start + (/^\s*/.exec(line)?.[0].length ?? 0), start + line.length]);
    else if (secret) {
      found.push([start + secret.index + secret[0].length, start + line.length]);
      below = secret.index;
    }
    start += line.length + 1;
  }
  return found;
}
