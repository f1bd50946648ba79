import { parseExpression } from "../../core/expression/parse-expression.ts";
import { type Scanner, accept, skip, startsWith } from "../../core/expression/scan.ts";

/** A part of a template as it is written: text with its escapes, or an expression without the signs around it. */
export type Segment = { readonly kind: "text"; readonly text: string } | { readonly kind: "expression"; readonly text: string; readonly strips: boolean };

/** The parts of a template, which must be one that can be parsed. */
export function segmentsOf(template: string): readonly Segment[] {
  const scanner: Scanner = { text: template, at: 0, depth: 0, lines: false };
  const segments: Segment[] = [];
  let from = 0;
  while (scanner.at < template.length) {
    if (accept(scanner, "$${") || accept(scanner, "%%{")) continue;
    if (!startsWith(scanner, "${")) {
      scanner.at++;
      continue;
    }
    if (scanner.at > from) segments.push({ kind: "text", text: template.slice(from, scanner.at) });
    segments.push(readExpression(scanner));
    from = scanner.at;
  }
  return from < template.length ? [...segments, { kind: "text", text: template.slice(from) }] : segments;
}

function readExpression(scanner: Scanner): Segment {
  const stripsBefore = accept(scanner, "${~") || !accept(scanner, "${");
  const start = scanner.at;
  parseExpression(scanner);
  skip(scanner);
  const written = scanner.text.slice(start, scanner.at);
  // A comment in it goes to the end of its line.
  const text = written.includes("\n") ? written : written.trim();
  const stripsBehind = accept(scanner, "~");
  skip(scanner);
  accept(scanner, "}");
  return { kind: "expression", text: `${stripsBefore ? "~ " : ""}${text}${stripsBehind ? " ~" : ""}`, strips: stripsBefore || stripsBehind };
}

/** The expression that a template is nothing but; null when there is more to it. */
export function soleExpression(template: string): string | null {
  const [only, ...others] = segmentsOf(template);
  return only?.kind === "expression" && !only.strips && others.length === 0 ? only.text : null;
}

/** Text as it is written in a template. */
export function escapedText(text: string): string {
  return text.replaceAll(/[$%](?=\{)/g, "$&$&");
}
