import { type Diagnostic, errorOf } from "../../core/model/diagnostic.ts";

/** A problem and its offset. */
export type Finding = Omit<Diagnostic, "place"> & { readonly offset: number };

/** An error of the parser. */
export interface ParserError {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

/** A quotation mark that nothing closes, at its own offset; the parser reports it at the end of the text. */
export const OPEN_QUOTE = "OPEN_QUOTE";

const SYNTAX_HINTS: { readonly [code: string]: string } = {
  DUPLICATE_KEY: "Remove one of the two, or give it another name.",
  TAB_AS_INDENT: "Indent with spaces.",
  MULTIPLE_DOCS: "Keep one document a file: remove the --- line.",
  BAD_INDENT: "Check the indentation, and that every bracket and quote is closed.",
  MULTILINE_IMPLICIT_KEY: "Write KEY: VALUE. Indent a line that continues a value further than its key.",
  BLOCK_AS_IMPLICIT_KEY: "Write one KEY: VALUE a line. Put a value with a colon and a space in quotes.",
  UNEXPECTED_TOKEN: "Put the whole value in quotes, or remove the text.",
  MISSING_CHAR: "Check that every bracket and quote is closed, and that expressions inside [ ] and { } are in quotes.",
  [OPEN_QUOTE]: "Close it, or remove it.",
};
const SYNTAX_DETAILS: { readonly [code: string]: string } = {
  MULTIPLE_DOCS: "The file holds several documents.",
  DUPLICATE_KEY: "This map has the same key twice.",
  TAB_AS_INDENT: "The line is indented with a tab.",
  BLOCK_AS_IMPLICIT_KEY: "The line has two keys, or a colon in a value without quotes.",
  MULTILINE_IMPLICIT_KEY: "The line has no colon after its key, or does not belong to the value above it.",
  BAD_INDENT: "The indentation of this line fits no line above it.",
  UNEXPECTED_TOKEN: "The text here belongs to nothing.",
};

const UNCLOSED = "A bracket is not closed, or a line within brackets is not indented.";

function syntaxError({ code, message, offset }: ParserError): Finding {
  const hasNoColon = message.startsWith("Implicit map keys");
  const hint = hasNoColon ? "Write KEY: VALUE." : SYNTAX_HINTS[code];
  const words = withoutQuote(message);
  const detail =
    (message.startsWith("Flow")
      ? UNCLOSED
      : hasNoColon
        ? "The line has no colon after its key."
        : SYNTAX_DETAILS[code]) ?? (words.length > 4 ? `${words}.` : "The text here is not valid YAML.");
  return {
    ...errorOf("yaml_invalid", code === "DUPLICATE_KEY" ? "Duplicate key" : "Invalid YAML", {
      unknown: "everything",
      detail,
      hint,
    }),
    offset,
  };
}

/** The parser's message without its quotation, which may contain a secret. The excerpt shows what is safe to show. */
function withoutQuote(message: string): string {
  return message.replace(/(?<! or ): .*$/s, "").replace(/\.$/, "");
}

/** The syntax errors in the order of the text, one a line: the parser reports several for most mistakes. */
export function syntaxErrors(text: string, errors: readonly ParserError[]): readonly Finding[] {
  const found: Finding[] = [];
  let end = -1;
  const sorted = errors.toSorted((a, b) => a.offset - b.offset);
  for (const [index, error] of sorted.entries()) {
    if (error.offset <= end) continue;
    const newline = text.indexOf("\n", error.offset);
    // An open quotation mark takes in the rest of the text.
    end = newline < 0 || error.code === OPEN_QUOTE ? text.length : newline;
    const both = [error.code, sorted[index + 1]?.code];
    const isContinued = sorted[index + 1]?.offset === error.offset && CONTINUED.every((code) => both.includes(code));
    found.push(
      expressionInBrackets(text, { from: error.offset, end }) ??
        (isContinued ? continuedValue(error) : syntaxError(error)),
    );
  }
  return found;
}

/** What the parser reports where a line that is indented too far continues the value above it. */
const CONTINUED = ["BLOCK_AS_IMPLICIT_KEY", "MULTILINE_IMPLICIT_KEY"];

function continuedValue({ offset }: ParserError): Finding {
  return {
    ...INVALID,
    detail: "The next line is indented further than this one, so it continues this value.",
    hint: "Indent both lines equally.",
    offset,
  };
}

const INVALID = { code: "yaml_invalid", unknown: "everything", severity: "error", summary: "Invalid YAML" } as const;
const QUOTED = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
/** A line of a configuration is shorter. */
const MAX_LINE = 10_000;

const SECRETS: readonly string[] = ["secret", "api_key"];

/** `{ env: ${NAME} }`: in brackets, a `{` without quotes begins a map. */
function expressionInBrackets(
  text: string,
  { from, end }: { readonly from: number; readonly end: number },
): Finding | null {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  if (end - start > MAX_LINE) return null;
  const line = text.slice(start, end).replace(QUOTED, (quoted) => "x".repeat(quoted.length));
  const at = line.indexOf("${");
  if (at < 0 || start + at > from || !/[{[]/.test(line.slice(0, at))) return null;
  const [, key = "", name] =
    /(\w+): *\$\{(\w+)\}/.exec(line.slice(Math.max(line.lastIndexOf(" ", line.lastIndexOf(":", at)), 0))) ?? [];
  const source =
    key === "env" ? `env: ${String(name)}` : SECRETS.includes(key) ? `${key}: { env: ${String(name)} }` : null;
  return {
    ...INVALID,
    detail: "Between brackets, an expression must be in quotes.",
    hint: source === null ? 'Put the whole value in quotes, as in "${var.stage}".' : `Write ${source}.`,
    offset: start + at,
  };
}
