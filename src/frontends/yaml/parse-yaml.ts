import { type Document, LineCounter, isMap, isNode, isScalar, isSeq, parseDocument } from "yaml";
import type { Diagnostic, Place } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { excerpts, secretRanges } from "./excerpts.ts";
import { DEPTH_HINT, plainValues } from "./plain-values.ts";
import { simpleYaml } from "./simple-yaml.ts";

/** The plain values of a YAML file, and their places. The first place costs a second parse, so ask for one only to report something. */
export interface ParsedYaml {
  readonly value: unknown;
  /** The place of a value. For a map or a missing value, the place of its key. */
  readonly locate: (path: Path) => Place;
  readonly locateKey: (path: Path) => Place;
}

const MAX_BYTES = 5 * 1024 * 1024;

export interface YamlOptions {
  /** Keys of secrets, whose values excerpts never show. "all": no excerpt is shown. */
  readonly secretKeys: readonly string[] | "all";
}

/**
 * Parses one document. Refuses aliases, merge keys, tags, duplicate keys and keys that are not text, and documents that
 * are larger than 5 MB, deeper than 64 levels or have more than 200,000 nodes. `value` is undefined if there are errors.
 */
export function parseYaml(bytes: Uint8Array, file: string, options: YamlOptions): { readonly parsed: ParsedYaml; readonly diagnostics: readonly Diagnostic[] } {
  const nothing: ParsedYaml = { value: undefined, locate: () => ({ file }), locateKey: () => ({ file }) };
  const whole = (summary: string, detail: string, hint: string): ReturnType<typeof parseYaml> => ({
    parsed: nothing,
    diagnostics: [{ code: "yaml_invalid", unknown: "everything", severity: "error", summary, detail, hint, place: { file } }],
  });
  if (bytes.length > MAX_BYTES)
    return whole("File too large", `${file} has ${String(bytes.length)} bytes; at most 5 MB are read.`, "Split it into several configurations.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return whole("Not a text file", `${file} is not UTF-8 text.`, "Save it as UTF-8.");
  }
  // Positions cost more than everything else, and few runs need one: those parse the text again.
  let known: Layout | null = null;
  const layout = (): Layout => (known ??= layoutOf(text, file, options));
  const locate = (path: Path, key: boolean): Place => layout().place(offsetOf(layout().document, path, key));
  try {
    const { value, findings } = readText(text);
    return {
      parsed: { value, locate: (path) => locate(path, false), locateKey: (path) => locate(path, true) },
      diagnostics: findings.map(({ offset, ...said }) => ({ ...said, place: layout().place(offset) })),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return whole("Nested too deeply", `${file} is nested deeper than 64 levels.`, DEPTH_HINT);
  }
}

/** Throws a `RangeError` for a text that is nested too deeply to parse. */
function compose(text: string, lineCounter?: LineCounter): Document.Parsed {
  // The parser compares each key with every other key of its map. The walk finds duplicates faster.
  const document = parseDocument(text, {
    ...(lineCounter ? { lineCounter } : {}),
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: false,
    merge: false,
    logLevel: "error",
  });
  if (document.errors.some(({ message }) => message.includes("call stack"))) throw new RangeError("nested too deeply");
  return document;
}

/** A problem and its offset. */
type Finding = Omit<Diagnostic, "place"> & { readonly offset: number };

/** The plain values of a text; undefined if there are findings. Syntax errors hide all other findings, and keep the order of the text. */
function readText(text: string): { readonly value: unknown; readonly findings: readonly Finding[] } {
  const simple = simpleYaml(text);
  if (simple !== undefined) return { value: simple, findings: [] };
  const document = compose(text);
  const { value, refusals, duplicates } = plainValues(document);
  const mistakes = [
    ...document.errors.map(({ code, message, pos }) => syntaxError(code, message, pos[0])),
    ...duplicates.map((offset) => syntaxError("DUPLICATE_KEY", "Map keys must be unique", offset)),
  ].toSorted((a, b) => a.offset - b.offset);
  const findings =
    mistakes.length > 0 ? mistakes : refusals.map((refusal): Finding => ({ code: "yaml_refused", unknown: "everything", severity: "error", ...refusal }));
  return { value: findings.length > 0 ? undefined : value, findings };
}

interface Layout {
  readonly document: Document.Parsed;
  readonly place: (offset: number) => Place;
}

function layoutOf(text: string, file: string, { secretKeys }: YamlOptions): Layout {
  const lineCounter = new LineCounter();
  const document = compose(text, lineCounter);
  const show = secretKeys === "all" ? null : excerpts(text, secretRanges(document, text, secretKeys));
  return {
    document,
    place: (offset) => {
      const { line, col } = lineCounter.linePos(offset);
      return { file, line, column: col, ...show?.(lineCounter.lineStarts[line - 1] ?? 0, col) };
    },
  };
}

const SYNTAX_HINTS: { readonly [code: string]: string } = {
  DUPLICATE_KEY: "Remove one of the two, or give it another name.",
  TAB_AS_INDENT: "Indent with spaces.",
  MULTIPLE_DOCS: "Keep one document a file: remove the --- line.",
  BAD_INDENT: "Check the indentation, and that every bracket and quote is closed.",
  MISSING_CHAR: "Check that every bracket and quote is closed, and that expressions inside [ ] and { } are in quotes.",
};
const SYNTAX_DETAILS: { readonly [code: string]: string } = {
  MULTIPLE_DOCS: "The file holds several documents.",
};

function syntaxError(code: string, message: string, offset: number): Finding {
  const hint = SYNTAX_HINTS[code];
  return {
    code: "yaml_invalid",
    unknown: "everything",
    severity: "error",
    summary: code === "DUPLICATE_KEY" ? "Duplicate key" : "Invalid YAML",
    detail: SYNTAX_DETAILS[code] ?? `${withoutQuote(message)}.`,
    offset,
    ...(hint ? { hint } : {}),
  };
}

/** The parser's message without its quotation, which may contain a secret. The excerpt shows what is safe to show. */
function withoutQuote(message: string): string {
  return message.replace(/(?<! or ): .*$/s, "").replace(/\.$/, "");
}

function offsetOf(document: Document.Parsed, path: Path, wantKey: boolean): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const next: unknown = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined;
    if (pair && isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
    if (next === undefined || next === null) return offset;
    node = next;
    if (!pair && isNode(node)) offset = node.range?.[0] ?? offset;
  }
  if (wantKey || isMap(node) || isSeq(node) || path.length === 0) return offset;
  return isNode(node) ? (node.range?.[0] ?? offset) : offset;
}
