import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasReferences, parseTemplate } from "../../../src/core/expression/syntax/template.ts";

/** Literal parts unchanged, references as their steps, other expressions as their kind. */
function parts(text: string): unknown {
  const template = parseTemplate(text);
  return "detail" in template
    ? template
    : template.parts.map((part) =>
        typeof part === "string" ? part : part.kind === "reference" ? part.steps : part.kind,
      );
}

describe("a template", () => {
  test.each<readonly [string, readonly unknown[]]>([
    ["", []],
    ["plain", ["plain"]],
    ["$ { } % $x %x $", ["$ { } % $x %x $"]],
    ["${var.x}", [["var", "x"]]],
    ["a${var.x}b${var.y}", ["a", ["var", "x"], "b", ["var", "y"]]],
    [
      "${var.x}${var.y}",
      [
        ["var", "x"],
        ["var", "y"],
      ],
    ],
    ["${ var . x }", [["var", "x"]]],
    ["${data.outreach_campaign.q3-launch.id}", [["data", "outreach_campaign", "q3-launch", "id"]]],
    ["${data.t.n.list[0].name}", [["data", "t", "n", "list", 0, "name"]]],
    ["${data.t.n.list.0.name}", [["data", "t", "n", "list", 0, "name"]]],
    ['${data.t.n["a key"]}', [["data", "t", "n", "a key"]]],
    ['${data.t.n["}"]}!', [["data", "t", "n", "}"], "!"]],
    ['${data.t.n["\\"$${"]}', [["data", "t", "n", '"${']]],
    ['${var["a-${"b"}"]}', ["index"]],
    ["${var.x[0].y[1]}", [["var", "x", 0, "y", 1]]],
    ["${var.x-1}", [["var", "x-1"]]],
    ["${var.x - 1}", ["binary"]],
    ["${var.x[-1]}", ["index"]],
    ["${var.x[var.y].z}", ["attribute"]],
    ["${/* why */ var.x # so\n}", [["var", "x"]]],
    ["${var[*]}", ["splat"]],
    ["${upper(var.x)}", ["call"]],
    ["${1}", ["literal"]],
    ["a ${~ var.x ~} b", ["a", ["var", "x"], "b"]],
    ["a\\nb", ["a\\nb"]],
    ["${var.größe}", [["var", "größe"]]],
    ["$${var.x}", ["${var.x}"]],
    ["$$${var.x}", ["$${var.x}"]],
    ["%%{if}", ["%{if}"]],
    ["$${${var.x}}", ["${", ["var", "x"], "}"]],
  ])("%j", (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  test.each([
    ["${", 2, "Expected an expression"],
    ["a${}", 3, "Expected an expression"],
    ["${var.x", 7, "no closing }"],
    ["${var.x y}", 8, "Expected }"],
    ["${var.x ~ }", 8, "Expected }"],
    ["${var.x}${1 +}", 13, "Expected an expression"],
    ["${var.}", 6, "name of an attribute"],
    ["${var.x[0}", 9, "Expected ]"],
    ["${upper(var.x}", 13, "Expected )"],
    ["${upper(var.x, }", 15, "Expected an expression"],
    ['${"text}', 2, "no closing quotation mark"],
    ['${"a\nb"}', 4, "cannot span lines"],
    ["${'text'}", 2, "double quotation marks"],
    ["${var.x = 1}", 8, "write =="],
    ["${true & false}", 7, "write &&"],
    ["${true | false}", 7, "write ||"],
    ["${<<EOT}", 2, "Heredocs"],
    ["${provider::outreach::event_types()}", 10, "Provider functions"],
    ["${[1 2]}", 5, "Expected a comma or ]"],
    ["${{a = 1 b = 2}}", 9, "Expected a comma, a new line or }"],
    ["${{a}}", 4, "Expected ="],
    ["${[for v in var.x v]}", 18, "Expected :"],
    ["${[for v, w, x in y : v]}", 11, "the word in"],
    ["${[for v in x : v...]}", 17, "Expected ]"],
    ["${{for v in x : v}}", 17, "Expected =>"],
    ["${true ? 1}", 10, "Expected :"],
    ["${9007199254740993}", 2, "too large"],
    ["${1e999}", 2, "too large"],
    ["${var.x.0.1}", 8, "Write [0][1]"],
    ["${1.5.5}", 2, "This is not a number"],
    ["${1e1e1}", 2, "This is not a number"],
    ['${"\\ud83d\\ude00"}', 3, "half a character"],
    ["${.5}", 2, "Expected an expression"],
    ["${/* x}", 2, "no closing */"],
    ["a%{ if x }", 1, "directives"],
    ['${"%{ if x }"}', 3, "directives"],
    ['${var["\\q"]}', 7, "After a backslash"],
    ['${"\\UFFFFFFFF"}', 3, "After a backslash"],
  ])("%j is a problem at %i: %s", (text, offset, detail) => {
    expect(parts(text)).toEqual({ offset, detail: expect.stringContaining(detail) });
  });

  test.each([
    ["parentheses", `\${${"(".repeat(100)}1${")".repeat(100)}}`, 66, "more than 64 levels"],
    ["endless lists", `\${${"[".repeat(100)}`, 66, "more than 64 levels"],
    ["texts in texts", `\${${'"${'.repeat(100)}`, 194, "more than 64 levels"],
    ["negations", `\${${"!".repeat(100)}true}`, 66, "more than 64 levels"],
    ["conditionals", `\${${"true ? 1 : ".repeat(100)}1}`, 701, "more than 64 levels"],
    ["sums", `\${1${" + 1".repeat(300)}}`, 1028, "more than 256 chained steps"],
    ["attributes", `\${var.x[*]${".a".repeat(300)}}`, 522, "more than 256 chained steps"],
    [
      "sums in parentheses",
      `\${${`(${"1 + ".repeat(200)}`.repeat(60)}1${")".repeat(60)}}`,
      48_119,
      "more than 256 chained steps",
    ],
  ])("of too many %s is a problem", (_, text, offset, detail) => {
    expect(parts(text)).toEqual({ offset, detail: expect.stringContaining(detail) });
  });

  test("of escaped literal text is the original text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "%", "{", "}", "a", "é", "\n", ".") }), (text) => {
        const escaped = text.replaceAll(/[$%](?=\{)/g, (mark) => mark + mark);
        expect(parts(escaped)).toEqual(text === "" ? [] : [text]);
        expect(hasReferences(escaped)).toBe(false);
      }),
    );
  });

  test("of any text is parsed, or refused at a position inside it, and never throws", () => {
    const unit = fc.constantFrom(
      ...'${|}|$|%{|var|.x|.0|[0]|["k"]|["\\|"|]|[| |a|(|)|{|=|=>|:|,|?|!|-|+|==|&&|for v in |for k, v in | if |...|[*]|.*|\n|#|/*|*/|1|1.5e3|null|é'.split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(unit), (pieces) => {
        const text = pieces.join("");
        const template = parseTemplate(text);
        if ("detail" in template) expect(template.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["plain", false],
    ["$${var.x}", false],
    ['${upper("x")}', false],
    ["${[for v in [1] : v]}", false],
    ["${[for v in [1] : var.x]}", true],
    ["${{for k, v in {} : k => v if v == each.key}}", true],
    ['${"a${var.x}"}', true],
    ["${var.x}", true],
    ["${", true],
  ])("%j has references: %s", (text, expected) => {
    expect(hasReferences(text)).toBe(expected);
  });
});
