import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasReferences, parseTemplate } from "../../../src/core/expression/template.ts";

/** Literal parts as they are, references as their steps. */
function parts(text: string): unknown {
  const template = parseTemplate(text);
  return "detail" in template ? template : template.parts.map((part) => (typeof part === "string" ? part : part.steps));
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
    ['${data.t.n["\\"${"]}', [["data", "t", "n", '"${']]],
    ["${var.größe}", [["var", "größe"]]],
    ["$${var.x}", ["${var.x}"]],
    ["$$${var.x}", ["$${var.x}"]],
    ["%%{if}", ["%{if}"]],
    ["$${${var.x}}", ["${", ["var", "x"], "}"]],
  ])("%j", (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  test.each([
    ["${", 2, "A reference is expected"],
    ["a${}", 3, "A reference is expected"],
    ["${1}", 2, "A reference is expected"],
    ["${var.x", 7, "no closing }"],
    ["${var.x + 1}", 8, "Only references"],
    ["${upper(var.x)}", 7, "Only references"],
    ['${"text"}', 2, "A reference is expected"],
    ["${var.x ? 1 : 2}", 8, "Only references"],
    ["${var[*]}", 5, "Only references"],
    ["a%{ if x }", 1, "directives"],
    ['${var["\\q"]}', 5, ""],
    ['${var["\n"]}', 5, ""],
  ])("%j is a problem at %i: %s", (text, offset, detail) => {
    expect(parts(text)).toEqual({ offset, detail: expect.stringContaining(detail) });
  });

  test("of literal text, escaped, is that text again", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "%", "{", "}", "a", "é", "\n", ".") }), (text) => {
        const escaped = text.replaceAll(/[$%](?=\{)/g, (mark) => mark + mark);
        expect(parts(escaped)).toEqual(text === "" ? [] : [text]);
        expect(hasReferences(escaped)).toBe(false);
      }),
    );
  });

  test("of any text is parsed or refused, with a place inside it, and never throws", () => {
    const unit = fc.constantFrom("${", "}", "$", "%{", "var", ".x", "[0]", '["k"]', '["\\', '"', "]", " ", "a");
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
    ["${var.x}", true],
    ["${", true],
  ])("%j has references: %s", (text, expected) => {
    expect(hasReferences(text)).toBe(expected);
  });
});
