import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";

export type Tree = { readonly [key: string]: unknown };

const MAX_BYTES = 50 * 1024 * 1024;

/** Parses the whole stack, or returns a diagnostic. */
export function parseStack(bytes: Uint8Array, file: string): { readonly root: Tree } | Diagnostic {
  if (bytes.length > MAX_BYTES) return invalidStack(`${file} is larger than 50 MB.`, { file });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const root: unknown = JSON.parse(text);
    const mistake = firstMistake(text, COMMENT);
    if (mistake) return invalidStack(mistake.detail, { file, ...lineAt(text, mistake.offset) });
    return isTree(root) ? { root } : invalidStack(`${file} does not contain a JSON object.`, { file });
  } catch (error) {
    return invalidStack(`${file} is not JSON: ${withoutText((error as Error).message)}.`, { file });
  }
}

function lineAt(text: string, offset: number): Pick<Place, "line" | "column"> {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** The parser's message, without the part of the file that it quotes. */
function withoutText(message: string): string {
  return message.replace(/, (?:\.\.\.)?".*" is not valid JSON$/s, "");
}

export function invalidStack(detail: string, place: Place): Diagnostic {
  return errorOf("stack_invalid", "Not a synthesized stack", {
    unknown: "everything",
    detail,
    hint: "Run the synthesis again (cdktf synth).",
    place,
  });
}

/** One block of the stack: its labels, such as type and name of a resource, and its body. */
export interface Labelled {
  readonly labels: readonly string[];
  readonly body: Tree;
}

/** The blocks of a kind, with `depth` labels. As in Terraform's JSON, a list at any level contains several blocks. */
export function blocksIn(
  value: unknown,
  { depth, place }: { readonly depth: number; readonly place: Place },
): {
  readonly blocks: readonly Labelled[];
  readonly diagnostics: Diagnostic[];
} {
  const blocks: Labelled[] = [];
  const diagnostics: Diagnostic[] = [];
  const walk = (inner: unknown, labels: readonly string[]): void => {
    if (inner === undefined || inner === null) return;
    if (Array.isArray(inner)) for (const one of inner) walk(one, labels);
    else if (!isTree(inner))
      diagnostics.push(invalidStack(`${["This block", ...labels].join(" ")} is not a JSON object.`, place));
    else if (labels.length === depth) blocks.push({ labels, body: inner });
    else for (const [label, one] of Object.entries(inner)) if (label !== COMMENT) walk(one, [...labels, label]);
  };
  walk(value, []);
  return { blocks, diagnostics };
}

/** The body of the only block of a kind; empty if there is none, without checks. */
export function innerBlock(value: unknown): Tree {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isTree(only) ? only : {};
}

/** The body of the only block `lifecycle`; more than one, or another value, is an error. */
export function lifecycleBlock(value: unknown, place: Place): Result<Tree> {
  const { blocks, diagnostics } = blocksIn(value, { depth: 0, place });
  const [first, ...others] = blocks;
  const sole = first?.body ?? {};
  if (diagnostics.length > 0)
    return { value: sole, diagnostics: [invalidStack("lifecycle is not a JSON object.", place)] };
  return {
    value: sole,
    diagnostics: others.length === 0 ? [] : [invalidStack("lifecycle appears more than once.", place)],
  };
}

/** The key for the synthesis's metadata, which is not part of the block. */
export const COMMENT = "//";

/** The path of the construct that created a block. */
export function constructPath(body: Tree): string | null {
  const metadata = innerBlock(innerBlock(body[COMMENT])["metadata"]);
  return typeof metadata["path"] === "string" ? metadata["path"] : null;
}

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A problem in a JSON text that JSON.parse ignores silently: `detail` is a sentence, `offset` the position. */
interface JsonMistake {
  readonly detail: string;
  readonly offset: number;
}

/** Real stacks are not nested this deeply, and recursive readers need a limit. */
const MAX_DEPTH = 200;

/** An object or a list that is not closed yet. */
interface Open {
  /** The keys so far; null for a list. */
  readonly keys: Set<string> | null;
  /** The current key or index. */
  key: string | number;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
}

/**
 * Finds content that JSON.parse would lose silently: a duplicate key, of which only the last would count, and a whole
 * number with too many digits. The text must be valid JSON. Ignores the content of `comment` keys.
 */
function firstMistake(json: string, comment: string): JsonMistake | null {
  const open: Open[] = [];
  for (let at = 0; at < json.length; at++) {
    const inner = open.at(-1);
    const sign = json[at] ?? "";
    if (sign === " " || sign === "\n") continue;
    if (sign === '"') {
      const end = endOfText(json, at);
      if (inner?.keys && inner.awaitsKey) {
        const key = keyOf(json.slice(at, end));
        if (key !== comment && inner.keys.has(key)) return duplicateKey(open, key, at);
        inner.keys.add(key);
        [inner.key, inner.awaitsKey] = [key, false];
      }
      at = end - 1;
    } else if (sign === "{" || sign === "[") {
      if (open.length >= MAX_DEPTH && !open.some(({ key }) => key === comment)) return tooDeep(at);
      open.push(
        sign === "{" ? { keys: new Set(), key: "", awaitsKey: true } : { keys: null, key: 0, awaitsKey: false },
      );
    } else if (sign === "}" || sign === "]") open.pop();
    else if (sign === "," && inner) next(inner);
    else if (sign === "-" || (sign >= "0" && sign <= "9")) {
      const number = numberAt(json, at);
      if (isCut(number)) return tooManyDigits(number, at);
      at += number.length - 1;
    }
  }
  return null;
}

function next(open: Open): void {
  if (open.keys) open.awaitsKey = true;
  else open.key = Number(open.key) + 1;
}

/** The position after the closing quotation mark of the string that starts here. */
function endOfText(json: string, begin: number): number {
  for (let from = begin + 1; ;) {
    const end = json.indexOf('"', from);
    let escapes = 0;
    while (json[end - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** Equal-looking keys are equal. */
function keyOf(quoted: string): string {
  return quoted.includes("\\") ? (JSON.parse(quoted) as string).normalize("NFC") : quoted.slice(1, -1).normalize("NFC");
}

function numberAt(json: string, begin: number): string {
  let at = begin;
  while (/[-+.\deE]/.test(json[at] ?? "")) at++;
  return json.slice(begin, at);
}

function isCut(number: string): boolean {
  return /^-?\d{16,}$/.test(number) && BigInt(number) !== BigInt(Number(number));
}

function duplicateKey(open: readonly Open[], key: string, offset: number): JsonMistake {
  const path = open.slice(0, -1).map((one) => String(one.key));
  const where = path.length === 0 ? "" : ` in ${path.join(".")}`;
  return { detail: `${JSON.stringify(key)} appears twice${where}, and only one of the two would count.`, offset };
}

function tooManyDigits(number: string, offset: number): JsonMistake {
  return { detail: `${number} has more digits than a number can hold. Write it in double quotes.`, offset };
}

function tooDeep(offset: number): JsonMistake {
  return { detail: `This value is nested more than ${String(MAX_DEPTH)} levels deep.`, offset };
}
