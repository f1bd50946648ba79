import { type Scanner, SyntaxFailure, accept, bracketed, expectToken, peek, skip, startsWith, take } from "./scan.ts";
import type { Expression } from "./syntax.ts";

const PLAIN = /[^$%]+/y;
const PLAIN_IN_QUOTES = /[^$%"\\\n]+/y;
const ESCAPE = /\\(?:[nrt"\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/y;
const ESCAPED: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const MAX_CODE_POINT = 0x10_ffff;

/**
 * Parses the parts of a template: to the end of the text, or, `quoted`, behind the closing quotation mark. `parse` parses
 * what stands in `${…}`. Neighbouring literal parts are joined, empty ones left out.
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
  const endLiteral = (strips: boolean): void => {
    const text = strips ? literal.trimEnd() : literal;
    if (text !== "") parts.push(text);
    literal = "";
  };
  for (;;) {
    if (stripsNext) {
      take(scanner, /\s+/y);
      stripsNext = false;
    }
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

function parseInterpolation(scanner: Scanner, parse: (scanner: Scanner) => Expression): { readonly expression: Expression; readonly strips: boolean } {
  if (!accept(scanner, "${~")) accept(scanner, "${");
  return bracketed(scanner, { lines: false }, () => {
    const expression = parse(scanner);
    skip(scanner);
    if (scanner.at >= scanner.text.length) throw new SyntaxFailure("This ${ has no closing }.", scanner.at);
    const strips = accept(scanner, "~");
    expectToken(scanner, "}");
    return { expression, strips };
  });
}

function parseLiteral(scanner: Scanner, quoted: boolean): string {
  const plain = take(scanner, quoted ? PLAIN_IN_QUOTES : PLAIN);
  if (plain !== null) return plain;
  if (accept(scanner, "$${")) return "${";
  if (accept(scanner, "%%{")) return "%{";
  if (startsWith(scanner, "%{")) throw new SyntaxFailure("Template directives (%{ … }) are not supported. Write %%{ for a literal %{.", scanner.at);
  if (startsWith(scanner, "\\")) return parseEscape(scanner);
  if (startsWith(scanner, "\n")) throw new SyntaxFailure("Text in quotation marks ends on its line. Write \\n for a new line.", scanner.at);
  return scanner.text[scanner.at++] ?? "";
}

function parseEscape(scanner: Scanner): string {
  const found = peek(scanner, ESCAPE);
  const code = found === null || found.length < 3 ? null : Number.parseInt(found.slice(2), 16);
  if (found === null || (code ?? 0) > MAX_CODE_POINT)
    throw new SyntaxFailure('After a backslash stands one of n, r, t, ", \\, u and four, or U and eight hexadecimal digits.', scanner.at);
  scanner.at += found.length;
  return code === null ? (ESCAPED[found.slice(1)] ?? "") : String.fromCodePoint(code);
}
