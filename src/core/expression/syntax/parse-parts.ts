import { type Scanner, SyntaxFailure, accept, bracketed, expectToken, peek, skip, startsWith, take } from "./scan.ts";
import type { Expression } from "./syntax.ts";

const PLAIN = /[^$%]+/y;
const PLAIN_IN_QUOTES = /[^$%"\\\n]+/y;
const ESCAPE = /\\(?:[nrt"\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/y;
const ESCAPED: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const MAX_CODE_POINT = 0x10_ffff;
const SURROGATE = /[\ud800-\udfff]/u;

/**
 * Parses the parts of a template up to the end of the text, or, if `quoted`, past the closing quotation mark. `parse` parses
 * the content of `${…}`. Adjacent literal parts are joined. A literal that `~` strips completely stays in the list, because
 * with it the template is a string.
 */
export function parseParts(
  scanner: Scanner,
  { quoted }: { readonly quoted: boolean },
  parse: (scanner: Scanner) => Expression,
): readonly (string | Expression)[] {
  const start = scanner.at - (quoted ? 1 : 0);
  const parts: (string | Expression)[] = [];
  let literal = "";
  let stripsNext = false;
  const endLiteral = (stripsEnd: boolean): void => {
    const started = stripsNext ? stripStart(literal, quoted) : literal;
    if (literal !== "") parts.push(stripsEnd ? stripEnd(started, quoted) : started);
    literal = "";
  };
  for (;;) {
    if (scanner.at >= scanner.text.length) {
      if (quoted) throw new SyntaxFailure("This text has no closing quotation mark.", start);
      break;
    }
    if (quoted && accept(scanner, '"')) break;
    if (startsWith(scanner, "${")) {
      endLiteral(startsWith(scanner, "${~"));
      const { expression, strips } = parseInterpolation(scanner, parse);
      parts.push(expression);
      stripsNext = strips;
    } else literal += parseLiteral(scanner, quoted);
  }
  endLiteral(false);
  return parts;
}

const SPACE_AT_START = /^\p{White_Space}+/u;
const SPACE = /\p{White_Space}/u;

/** Outside quotation marks, Terraform strips only to the end of the line. */
function stripStart(literal: string, quoted: boolean): string {
  const newline = quoted ? -1 : literal.indexOf("\n");
  const end = newline < 0 ? literal.length : newline + 1;
  return literal.slice(0, end).replace(SPACE_AT_START, "") + literal.slice(end);
}

/** The stripped line may itself end with a line break. */
function stripEnd(literal: string, quoted: boolean): string {
  const start = quoted || literal.length < 2 ? 0 : literal.lastIndexOf("\n", literal.length - 2) + 1;
  let end = literal.length;
  while (end > start && SPACE.test(literal[end - 1] ?? "")) end--;
  return literal.slice(0, end);
}

function parseInterpolation(
  scanner: Scanner,
  parse: (scanner: Scanner) => Expression,
): { readonly expression: Expression; readonly strips: boolean } {
  if (!accept(scanner, "${~")) accept(scanner, "${");
  return bracketed(scanner, { lines: false }, () => {
    const expression = parse(scanner);
    skip(scanner);
    if (scanner.at >= scanner.text.length) throw new SyntaxFailure("This ${ has no closing }.", scanner.at);
    const strips = accept(scanner, "~}");
    if (!strips) expectToken(scanner, "}");
    return { expression, strips };
  });
}

function parseLiteral(scanner: Scanner, quoted: boolean): string {
  const plain = take(scanner, quoted ? PLAIN_IN_QUOTES : PLAIN);
  if (plain !== null) return plain;
  if (accept(scanner, "$${")) return "${";
  if (accept(scanner, "%%{")) return "%{";
  if (startsWith(scanner, "%{"))
    throw new SyntaxFailure("Template directives (%{ … }) are not supported. Write %%{ for a literal %{.", scanner.at);
  if (startsWith(scanner, "\\")) return parseEscape(scanner);
  if (startsWith(scanner, "\n"))
    throw new SyntaxFailure("A string in quotation marks cannot span lines. Write \\n for a line break.", scanner.at);
  return scanner.text[scanner.at++] ?? "";
}

function parseEscape(scanner: Scanner): string {
  const found = peek(scanner, ESCAPE);
  const code = found === null || found.length < 3 ? null : Number.parseInt(found.slice(2), 16);
  if (found === null || (code ?? 0) > MAX_CODE_POINT)
    throw new SyntaxFailure(
      'After a backslash, write one of n, r, t, ", \\, u with four or U with eight hexadecimal digits.',
      scanner.at,
    );
  if (code !== null && SURROGATE.test(String.fromCodePoint(code)))
    throw new SyntaxFailure(
      "This is half a character. Write \\U and eight hexadecimal digits for a character beyond \\uFFFF.",
      scanner.at,
    );
  scanner.at += found.length;
  return code === null ? (ESCAPED[found.slice(1)] ?? "") : String.fromCodePoint(code);
}
