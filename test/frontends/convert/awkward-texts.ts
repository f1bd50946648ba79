import * as fc from "fast-check";
import { parseTemplate } from "../../../src/core/expression/syntax/template.ts";

const SIGNS = [
  "$${",
  "%%{",
  "$",
  "%",
  "{",
  "}",
  '"',
  "'",
  "`",
  "\\",
  "\\n",
  "\\u0041",
  "#",
  ": ",
  "|",
  ">",
  "&a",
  "*a",
  "!x",
  "//",
  "~}",
];
const SPACES = [" ", "  ", "\t", "\n", "\n\n", "\n  ", "\r\n", "\r", "\u00a0", "\u0085", "\u2028", "\ufeff", "\u0007"];
const LINES = ["\nx: [ a ]\n", "\n  key: [ b, c ]\n", "- a", "[ a ]", "{ a: b }", "\n---\n", "\n...\n", "<<EOT"];
const WORDS = [
  "yes",
  "null",
  "~",
  "1e3",
  "0x1f",
  "1.0",
  "2026-11-21",
  "each.key",
  "word",
  "é",
  "ß",
  "🎉",
  "👩‍👩‍👧",
  "x".repeat(60),
];
const EXPRESSIONS = [
  "${var.text}",
  "${~ var.text ~}",
  "${ var.number }",
  "${upper(var.text)}",
  '${"x ${var.text} $${y}"}',
  '${var.flag\n ? "yes" # a comment\n : "no"}',
  '${join("\\n", [for one in [var.text, var.tiny] : one])}',
  '${{ a = 1, "b c" = var.text }["b c"]}',
  "${data.outreach_campaign.q3.id}",
  '${"$"}',
  '${"{"}',
  '${"  "}',
  '${""}',
  "${1 + 1}",
  "${~ 1 }",
];

/** Templates of characters that have a meaning in one of the forms; the same in every run. */
export function awkwardTexts(count: number): readonly string[] {
  const piece = fc.oneof(...[SIGNS, SPACES, LINES, WORDS, EXPRESSIONS].map((pieces) => fc.constantFrom(...pieces)));
  const text = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
  return fc.sample(
    text.filter((one) => !("detail" in parseTemplate(one))),
    { numRuns: count, seed: 20_261_121 },
  );
}
