import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { firstMistake } from "./scan-json.ts";

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
    else if (!isTree(inner)) diagnostics.push(invalidStack(`${["This block", ...labels].join(" ")} is not a JSON object.`, place));
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

/** The body of the only block of a kind; more than one block, or another value, is an error. */
export function soleBlock(value: unknown, { called, place }: { readonly called: string; readonly place: Place }): Result<Tree> {
  const { blocks, diagnostics } = blocksIn(value, { depth: 0, place });
  const [first, ...others] = blocks;
  const sole = first?.body ?? {};
  if (diagnostics.length > 0) return { value: sole, diagnostics: [invalidStack(`${called} is not a JSON object.`, place)] };
  return { value: sole, diagnostics: others.length === 0 ? [] : [invalidStack(`${called} appears more than once.`, place)] };
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
