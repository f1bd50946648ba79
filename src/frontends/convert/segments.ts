import { parseExpression } from "../../core/expression/syntax/parse-expression.ts";
import type { Expression } from "../../core/expression/syntax/syntax.ts";
import { parseTemplate } from "../../core/expression/syntax/template.ts";
import { type Scanner, accept, skip, startsWith } from "../../core/expression/syntax/scan.ts";

/** A part of a template's source: text with its escapes, or an expression without its delimiters. */
export interface Segment {
  readonly kind: "text" | "expression";
  readonly text: string;
}

/** The parts of a template, which must be one that can be parsed. What `~` strips is gone already: in quotation marks it would strip more. */
export function segmentsOf(template: string): readonly Segment[] {
  const scanner: Scanner = { text: template, at: 0, depth: 0, lines: false };
  const segments: Segment[] = [];
  let from = 0;
  let strips = false;
  while (scanner.at < template.length) {
    if (accept(scanner, "$${") || accept(scanner, "%%{")) continue;
    if (!startsWith(scanner, "${")) {
      scanner.at++;
      continue;
    }
    if (scanner.at > from) segments.push({ kind: "text", text: template.slice(from, scanner.at) });
    const { text, isStripping } = readExpression(scanner);
    segments.push({ kind: "expression", text });
    strips ||= isStripping;
    from = scanner.at;
  }
  if (from < template.length) segments.push({ kind: "text", text: template.slice(from) });
  return strips ? stripped(segments, template) : segments;
}

function readExpression(scanner: Scanner): { readonly text: string; readonly isStripping: boolean } {
  const stripsBefore = accept(scanner, "${~") || !accept(scanner, "${");
  const start = scanner.at;
  parseExpression(scanner);
  skip(scanner);
  const written = scanner.text.slice(start, scanner.at);
  const stripsBehind = accept(scanner, "~");
  skip(scanner);
  accept(scanner, "}");
  // A comment in it needs its line break.
  return { text: written.includes("\n") ? written : written.trim(), isStripping: stripsBefore || stripsBehind };
}

function stripped(segments: readonly Segment[], template: string): readonly Segment[] {
  const parsed = parseTemplate(template);
  if ("detail" in parsed) throw new Error(`a template that cannot be parsed: ${parsed.detail}`);
  const left = segments
    .map((segment, index) => {
      const part = parsed.parts[index];
      return typeof part === "string" ? { ...segment, text: escapedText(part) } : segment;
    })
    .filter(({ text }) => text !== "");
  // An added empty string keeps the template a string.
  return left.length === 1 && segments.length > 1 ? [...left, { kind: "expression", text: '""' }] : left;
}

/** The only expression of a template; null if it has other parts. */
export function soleExpression(template: string): string | null {
  const [only, ...others] = segmentsOf(template);
  return only?.kind === "expression" && others.length === 0 ? only.text : null;
}

/** Literal text, escaped for a template. */
export function escapedText(text: string): string {
  return text.replaceAll(/[$%](?=\{)/g, "$&$&");
}

/** The tree of a template that is one expression; null for any other one. */
export function expressionIn(template: string): Expression | null {
  const parsed = parseTemplate(template);
  const [only, ...others] = "detail" in parsed ? [] : parsed.parts;
  return typeof only === "object" && others.length === 0 ? only : null;
}

/** The text that an expression writes out; null for any other expression. */
export function writtenText(expression: Expression): string | null {
  const [value, ...others] =
    expression.kind === "template" ? expression.parts : expression.kind === "literal" ? [expression.value] : [];
  return typeof value === "string" && others.length === 0 ? value : null;
}

/** The name, or the name with the first number from 2 on that is not taken; takes it. */
export function uniqueName(name: string, taken: Set<string>, separator = "-"): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number++) unique = `${name}${separator}${String(number)}`;
  taken.add(unique);
  return unique;
}
