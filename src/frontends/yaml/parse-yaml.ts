import {
  Composer,
  type Document,
  LineCounter,
  type Pair,
  type YAMLMap,
  YAMLParseError,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
} from "yaml";
import {
  type Diagnostic,
  MAX_MISTAKES,
  type Place,
  type Written,
  furtherMistakes,
  errorOf,
} from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { excerpts, pathInTree, secretRanges } from "./excerpts.ts";
import { CONFLICT, CONFLICT_MARKER, fileText } from "./file-text.ts";
import { DEPTH_HINT, plainValues } from "./plain-values.ts";
import { type Finding, OPEN_QUOTE, type ParserError, syntaxErrors } from "./syntax-errors.ts";
import { TooMuchYaml, limitedTokens } from "./yaml-limits.ts";

/** The plain values of a YAML file, and their places. The first place in a large text costs a second parse, so ask for one only to report something. */
export interface ParsedYaml {
  readonly value: unknown;
  /** The place of a value, or of a part of its text. For a map or a missing value, the place of its key. */
  readonly locate: (path: Path, written?: Written) => Place;
  readonly locateKey: (path: Path) => Place;
  /** Excerpts from now on do not show what is at these paths: nobody knows whether the value of an unknown key is a secret. */
  readonly hide: (paths: readonly Path[]) => void;
}

const MAX_BYTES = 5 * 1024 * 1024;
/** The longest text, in characters, whose document is kept for places. A document needs about 20 bytes a character. */
const MAX_KEPT = 500_000;
/** The characters of a text that was not parsed in which secrets are searched. */
const MAX_SEARCHED = 500_000;

interface YamlOptions {
  /** Keys of secrets, whose values excerpts never show. "all": no excerpt is shown. */
  readonly secretKeys: readonly string[] | "all";
}

/**
 * Parses one document. Refuses aliases, merge keys, tags, duplicate keys and keys that are not text, and documents that
 * are larger than 5 MB, deeper than 64 levels or have more than 200,000 nodes. `value` is undefined if there are errors.
 */
export function parseYaml(
  bytes: Uint8Array,
  file: string,
  options: YamlOptions,
): { readonly parsed: ParsedYaml; readonly diagnostics: readonly Diagnostic[] } {
  const nothing: ParsedYaml = {
    value: undefined,
    locate: () => ({ file }),
    locateKey: () => ({ file }),
    hide: () => undefined,
  };
  const whole = (summary: string, detail: string, hint: string): ReturnType<typeof parseYaml> => ({
    parsed: nothing,
    diagnostics: [errorOf("yaml_invalid", summary, { unknown: "everything", detail, hint, place: { file } })],
  });
  if (bytes.length > MAX_BYTES)
    return whole(
      "File too large",
      `${file} has ${String(bytes.length)} bytes; at most 5 MB are read.`,
      "Split it into several configurations.",
    );
  const read = fileText(bytes);
  if (!("text" in read)) return whole("Not a text file", read.detail.replace(/^The file/, file), read.hint);
  const { text } = read;
  // Positions cost more than everything else, and few runs need one: those parse a large text again.
  let known: Layout | null = null;
  let composed: Document.Parsed | null | undefined;
  const hidden = new Set<string>();
  const layout = (): Layout =>
    (known ??= layoutOf(text, file, {
      ...options,
      hidden,
      document: composed === undefined ? compose(text) : composed,
    }));
  const locate = (path: Path, key: boolean, written?: Written): Place => {
    const { offset, end } = rangeOf(layout(), path, key);
    const inner = written && end !== null ? offsetIn(text.slice(offset, end), written) : null;
    return layout().place(offset + (inner ?? 0));
  };
  try {
    const { value, findings, document } = readText(text);
    // A large valid document is dropped: it needs far more memory than its values.
    if (findings.length > 0 || text.length <= MAX_KEPT) composed = document;
    return {
      parsed: {
        value,
        locate: (path, written) => locate(path, false, written),
        locateKey: (path) => locate(path, true),
        hide: (paths) => {
          for (const path of paths) hidden.add(pathInTree(path));
          known = null;
        },
      },
      diagnostics: [
        ...findings.slice(0, MAX_MISTAKES).map(({ offset, ...said }) => ({ ...said, place: layout().place(offset) })),
        ...more(file, findings.length - MAX_MISTAKES),
      ],
    };
  } catch (error) {
    if (error instanceof TooMuchYaml) {
      composed = null;
      const { offset, ...said } = error.refused;
      const place = layout().place(offset);
      return {
        parsed: nothing,
        diagnostics: [errorOf("yaml_refused", said.summary, { ...said, unknown: "everything", place })],
      };
    }
    if (!(error instanceof RangeError)) throw error;
    return whole("Nested too deeply", `${file} is nested deeper than 64 levels.`, DEPTH_HINT);
  }
}

function more(file: string, count: number): readonly Diagnostic[] {
  return count <= 0 ? [] : [{ ...furtherMistakes(file, { severity: "error", count }), unknown: "everything" }];
}

/** Throws `TooMuchYaml`, and a `RangeError` for a text that is nested too deeply to parse. */
function compose(text: string): Document.Parsed {
  // The parser compares each key with every other key of its map. The walk finds duplicates faster.
  const composer = new Composer({ uniqueKeys: false, keepSourceTokens: false, merge: false, logLevel: "error" });
  const [document, next] = composer.compose(limitedTokens(text), true, text.length);
  if (!document) throw new Error("a text without a document");
  if (next)
    document.errors.push(
      new YAMLParseError(next.range.slice(0, 2) as [number, number], "MULTIPLE_DOCS", "Several documents"),
    );
  if (document.errors.some(({ message }) => message.includes("call stack"))) throw new RangeError("nested too deeply");
  return document;
}

interface Read {
  readonly value: unknown;
  readonly findings: readonly Finding[];
  readonly document: Document.Parsed;
}

/** The plain values of a text; undefined if there are findings. Syntax errors hide all other findings, and keep the order of the text. */
function readText(text: string): Read {
  const document = compose(text);
  const { value, refusals, duplicates } = plainValues(document);
  const mistakes = syntaxErrors(text, [
    ...document.errors.map(
      ({ code, message, pos }) => openQuote(document, message, pos[0]) ?? { code, message, offset: pos[0] },
    ),
    ...duplicates.map((offset) => ({ code: "DUPLICATE_KEY", message: "Map keys must be unique", offset })),
  ]);
  const findings =
    mistakes.length > 0
      ? (foreignText(text) ?? mistakes)
      : refusals.map((refusal): Finding => ({
          code: "yaml_refused",
          unknown: "everything",
          severity: "error",
          ...refusal,
        }));
  return { value: findings.length > 0 ? undefined : value, findings, document };
}

/** No other white space than the space indents in YAML, though it looks like one. */
const OTHER_SPACE = /^[ \t]*[\u00A0\u2000-\u200B\u202F\u3000]/m;

/** What other programs leave in a text that cannot be parsed, if there is any: it explains all mistakes. */
function foreignText(text: string): readonly Finding[] | null {
  const said = { code: "yaml_invalid", unknown: "everything", severity: "error", summary: "Invalid YAML" } as const;
  const conflict = CONFLICT_MARKER.exec(text);
  if (conflict) return [{ ...said, ...CONFLICT, offset: conflict.index }];
  const space = OTHER_SPACE.exec(text);
  if (!space) return null;
  return [
    {
      ...said,
      detail: "The line is indented with a non-breaking space, which looks like a space.",
      hint: "Replace it with spaces.",
      offset: space.index + space[0].length - 1,
    },
  ];
}

/** Where the text in quotes begins that the parser misses the end of at `end`. */
function openQuote(document: Document.Parsed, message: string, end: number): ParserError | null {
  if (!/^Missing closing ["']quote$/.test(message)) return null;
  let offset: number | null = null;
  visit(document, {
    Scalar: (_, { type, range }) => {
      if (type?.startsWith("QUOTE_") && range?.[1] === end) offset = range[0];
    },
  });
  return offset === null
    ? null
    : { code: OPEN_QUOTE, message: `The quotation mark ${message.at(-6) ?? ""} is not closed`, offset };
}

interface Layout {
  /** Null for a text that is too large to parse. */
  readonly document: Document.Parsed | null;
  readonly pairIn: (map: YAMLMap, key: unknown) => Pair | undefined;
  readonly place: (offset: number) => Place;
}

function layoutOf(
  text: string,
  file: string,
  { secretKeys, hidden, document }: YamlOptions & Pick<Layout, "document"> & { readonly hidden: ReadonlySet<string> },
): Layout {
  const lineCounter = new LineCounter();
  for (let start = 0; start >= 0; start = text.indexOf("\n", start) + 1 || -1) lineCounter.addNewLine(start);
  // A search for secrets in a text that is too large would take long as well.
  const isShown = secretKeys !== "all" && (document !== null || text.length <= MAX_SEARCHED);
  const show = isShown ? excerpts(text, secretRanges(document, text, { secretKeys, hidden })) : null;
  return {
    document,
    pairIn: pairSearch(),
    place: (offset) => {
      const { line, col } = lineCounter.linePos(offset);
      return { file, line, column: col, ...show?.(lineCounter.lineStarts[line - 1] ?? 0, col) };
    },
  };
}

/** Finds the first pair of a key, in an index made once for each map: linear searches for many places would be slow. */
function pairSearch(): (map: YAMLMap, key: unknown) => Pair | undefined {
  const known = new Map<YAMLMap, ReadonlyMap<unknown, Pair>>();
  return (map, key) => {
    const pairs =
      known.get(map) ??
      new Map(map.items.toReversed().map((pair) => [isScalar(pair.key) ? pair.key.value : pair, pair]));
    known.set(map, pairs);
    return pairs.get(key);
  };
}

interface NodeRange {
  readonly offset: number;
  /** Null for keys, and for values that are not plain. */
  readonly end: number | null;
}

function rangeOf({ document, pairIn }: Layout, path: Path, wantKey: boolean): NodeRange {
  let node: unknown = document?.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const pair = isMap(node) ? pairIn(node, step) : undefined;
    const next: unknown = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined;
    if (pair && isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
    if (next === undefined || next === null) return { offset, end: null };
    node = next;
    if (!pair && isNode(node)) offset = node.range?.[0] ?? offset;
  }
  if (wantKey || isMap(node) || isSeq(node) || path.length === 0) return { offset, end: null };
  const [start, end] = (isNode(node) && node.range) || [offset, null];
  return { offset: start, end };
}

/** Further into a text, a position is not looked up. */
const MAX_OFFSET = 20_000;
const NAME = /[\p{L}\p{N}_.-]+|\S/uy;

/**
 * The offset in the source of a YAML value that corresponds to a position in the value: the same occurrence of the same name.
 * Null where quoting changed the text, and far into a long text.
 */
function offsetIn(source: string, { text, offset }: Written): number | null {
  if (offset > MAX_OFFSET) return null;
  NAME.lastIndex = offset;
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) return null;
  let found = -1;
  const before = text.slice(0, offset + name.length);
  for (let at = before.indexOf(name); at >= 0 && at <= offset; at = before.indexOf(name, at + 1)) {
    found = source.indexOf(name, found + 1);
    if (found < 0) return null;
  }
  return found < 0 ? null : found;
}
