import { type Document, LineCounter, type Node, type Pair, isCollection, isMap, isScalar, isSeq, parseDocument, visit } from "yaml";
import type { Diagnostic, Place } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { type Excerpts, excerpts, secretRanges } from "./excerpts.ts";

/** A YAML file as plain values, and where each of them stands. */
export interface ParsedYaml {
  readonly value: unknown;
  /** The place of a value; of a map, or of a value that is not there, the key that it belongs to. */
  readonly locate: (path: Path) => Place;
  readonly locateKey: (path: Path) => Place;
}

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_NODES = 200_000;
const RESERVED_NAMES = new Set(["__proto__", "constructor", "prototype"]);
/** The tags that say no more than the value itself does. */
const CORE_TAGS = new Set(["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`));

export interface YamlOptions {
  /** The keys whose values are secrets: excerpts never show what is written there. "all": excerpts show nothing. */
  readonly secretKeys: readonly string[] | "all";
}

/**
 * Parses one document. Aliases, merge keys, tags, duplicate keys and keys that are not text are refused, and so is what
 * is larger than 5 MB, deeper than 64 levels or has more than 200,000 nodes. `value` is undefined when there are errors.
 */
export function parseYaml(
  bytes: Uint8Array,
  file: string,
  { secretKeys }: YamlOptions,
): { readonly parsed: ParsedYaml; readonly diagnostics: readonly Diagnostic[] } {
  const nothing: ParsedYaml = { value: undefined, locate: () => ({ file }), locateKey: () => ({ file }) };
  const whole = (summary: string, detail: string, hint: string): ReturnType<typeof parseYaml> => ({
    parsed: nothing,
    diagnostics: [{ code: "yaml_invalid", severity: "error", summary, detail, hint, place: { file } }],
  });
  if (bytes.length > MAX_BYTES)
    return whole("File too large", `${file} has ${String(bytes.length)} bytes; at most 5 MB are read.`, "Split it into several configurations.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return whole("Not a text file", `${file} is not UTF-8 text.`, "Save it as UTF-8.");
  }
  const tooDeep = (): ReturnType<typeof parseYaml> => whole("Nested too deeply", `${file} is nested deeper than ${String(MAX_DEPTH)} levels.`, DEPTH_HINT);
  const lineCounter = new LineCounter();
  let document: Document.Parsed;
  let place: Placer;
  try {
    document = parseDocument(text, { lineCounter, prettyErrors: false, keepSourceTokens: false, merge: false, logLevel: "error" });
    if (document.errors.some(({ message }) => message.includes("call stack"))) return tooDeep();
    place = placer(file, lineCounter, secretKeys === "all" ? null : excerpts(text, secretRanges(document, text, secretKeys)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return tooDeep();
  }
  const diagnostics: Diagnostic[] = document.errors.map(({ message, pos, code }) => syntaxError(code, message, place(pos[0])));
  if (diagnostics.length === 0) diagnostics.push(...refusals(document, place));
  const locate = (path: Path, key: boolean): Place => place(offsetOf(document, path, key));
  const value: unknown = diagnostics.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
  return { parsed: { value, locate: (path) => locate(path, false), locateKey: (path) => locate(path, true) }, diagnostics };
}

type Placer = (offset: number) => Place;

function placer(file: string, lineCounter: LineCounter, show: Excerpts | null): Placer {
  return (offset) => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line, column: col, ...show?.(lineCounter.lineStarts[line - 1] ?? 0, col) };
  };
}

const DEPTH_HINT = "A configuration needs no more than ten.";

const SYNTAX_HINTS: { readonly [code: string]: string } = {
  DUPLICATE_KEY: "Remove one of the two, or give it another name.",
  TAB_AS_INDENT: "Indent with spaces.",
  MULTIPLE_DOCS: "Keep one document a file: remove the --- line.",
  BAD_INDENT: "Check the indentation, and that every bracket and quote is closed.",
  MISSING_CHAR: "Check that every bracket and quote is closed.",
};
const SYNTAX_DETAILS: { readonly [code: string]: string } = {
  MULTIPLE_DOCS: "The file holds several documents.",
};

function syntaxError(code: string, message: string, place: Place): Diagnostic {
  const hint = SYNTAX_HINTS[code];
  return {
    code: "yaml_invalid",
    severity: "error",
    summary: code === "DUPLICATE_KEY" ? "Duplicate key" : "Invalid YAML",
    detail: SYNTAX_DETAILS[code] ?? `${withoutQuote(message)}.`,
    place,
    ...(hint ? { hint } : {}),
  };
}

/** What the parser says without what it quotes, which may be part of a secret: the excerpt shows what may be shown. */
function withoutQuote(message: string): string {
  return message.replace(/: .*$/s, "").replace(/\.$/, "");
}

/** What YAML allows and a configuration does not. */
function refusals(document: Document.Parsed, place: Placer): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const aliases = new Set<string>();
  let nodes = 0;
  const refuse = (node: { readonly range?: readonly number[] | null }, summary: string, detail: string, hint: string): void =>
    void found.push({ code: "yaml_refused", severity: "error", summary, detail, hint, place: place(node.range?.[0] ?? 0) });
  const { version, explicit } = document.directives.yaml;
  if (explicit && version !== "1.2")
    refuse({ range: [0] }, "Not YAML 1.2", `The file says that it is YAML ${version}, which reads words such as yes and on as true.`, "Remove the %YAML line.");
  visit(document, {
    Alias: (_key, node) => {
      if (!aliases.has(node.source))
        refuse(node, "Aliases are not supported", "An alias repeats another part of the file.", "Write it out, so that a reader sees what is applied.");
      aliases.add(node.source);
    },
    Pair: (_key, pair) => refuseKey(pair, refuse),
    Node: (_key, node, path) => {
      nodes++;
      if (nodes === MAX_NODES + 1)
        refuse(node, "Too many nodes", `The file has more than ${String(MAX_NODES)} nodes.`, "Split it into several configurations.");
      if (nodes > MAX_NODES) return visit.BREAK;
      if (path.length > MAX_DEPTH && path.filter(isCollection).length > MAX_DEPTH) {
        refuse(node, "Nested too deeply", `The file is nested deeper than ${String(MAX_DEPTH)} levels.`, DEPTH_HINT);
        return visit.BREAK;
      }
      if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) refuse(node, "Tags are not supported", "A tag has no meaning here.", "Remove the tag.");
      return undefined;
    },
  });
  return found;
}

type Refuse = (node: Node, summary: string, detail: string, hint: string) => void;

function refuseKey({ key, value }: Pair, refuse: Refuse): void {
  if (!isScalar(key)) {
    const node = isNode(key) ? key : isNode(value) ? value : null;
    if (node) refuse(node, "A key that is not text", "A list, a map or nothing at all stands where a key belongs.", "Write a name.");
    return;
  }
  if (typeof key.value !== "string") {
    const kind = key.value === null ? "as empty" : `as a ${typeof key.value}`;
    refuse(key, "A key that is not text", `${key.source ?? String(key.value)} is read ${kind}, not as text.`, "Put it in quotes.");
  } else if (key.value === "<<")
    refuse(key, "Merge keys are not supported", "<< would copy another part of the file in here.", "Write it out, so that a reader sees what is applied.");
  else if (RESERVED_NAMES.has(key.value)) refuse(key, "Reserved name", `${key.value} cannot be used as a name.`, "Choose another name.");
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

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "range" in value;
}
