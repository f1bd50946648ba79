import { describe, expect, test } from "vitest";
import { diagnosticText } from "../../../src/output/content/diagnostic-text.ts";
import { plain } from "../../../src/output/content/paint.ts";
import { evaluateHere } from "./evaluate-here.ts";

/** The marker ‸ in the texts is the position of the problem. */
const HERE = "‸";

describe("a problem in a template", () => {
  test.each([
    ["a misspelt variable", "${var.stage}/${‸var.stag}"],
    ["a value after characters of two code units", "😀𝐱${upper(‸null)}"],
    ["the operator on the third line", 'one 😀\ntwo ${var.stage}\n  𝐱${true ‸+ 1} "four"\nfive'],
    [
      "an argument inside an expression of many lines",
      '${join(",", [\n  for h in var.hooks :\n  format("%s-%d 😀", h.name, ‸h.nam)\n])}',
    ],
    ["a key in quotation marks after escaped characters", 'é\\n$${x} ${‸var.map["😀"]["y"]}'],
    ["an interpolation in a string in an expression", '😀\n${"𝐱 ${"😀${‸var.list}"}"}'],
    ["an index", "\r\n\t${var.list[‸7 - 2]}"],
    ["a value that cannot be part of a string", "x\n\n${‸var.hooks}"],
    ["an extra character", "😀\n${var.stage ‸)}"],
    ["an incomplete expression", "😀\n𝐱${1 +‸}"],
    ["a string without an end", '𝐱${upper(‸"abc)}'],
    ["an escape", '\n\n${"😀‸\\q"}'],
    ["a directive", "😀 \n ‸%{ if true }"],
    ["an unknown function", "𝐱\n${‸uper(var.stage)}"],
    ["a duplicate key", '😀${{for v in ["😀", "😀"] : ‸v => 1}}'],
    ["the condition of a for", "\n😀${[for v in var.list : v if ‸v]}"],
  ])("gets a caret at its position: %s", (_, marked) => {
    const text = marked.replace(HERE, "");
    expect(evaluateHere(text)).toMatchObject({ problems: [{ offset: marked.indexOf(HERE) }] });
  });
});

describe("the caret below a line", () => {
  test.each([["ab‸c"], ["\ta‸c"], ["𝐱𝐱‸c", "  ^"], ["e\u0301‸c", " ^"], ["😀‸c", "  ^"], ["日本‸c", "    ^"]])(
    "is below the character in a terminal: %s",
    (marked, expected = marked.replace(/[^\t]*‸.*/u, (line) => `${" ".repeat(line.indexOf(HERE))}^`)) => {
      const place = { file: "f", line: 1, column: marked.indexOf(HERE) + 1, text: marked.replace(HERE, "") };
      const lines = diagnosticText({ code: "c", severity: "error", summary: "s", detail: "d", place }, plain).split(
        "\n",
      );
      expect(lines[4]).toBe(`    | ${expected}`);
    },
  );

  test("accounts for the width of an attribute's name", () => {
    const place = { file: "f", construct: "app/c", column: 1, text: "abc", caret: 3 };
    const lines = diagnosticText(
      { code: "c", severity: "error", summary: "s", detail: "d", path: ["m", "日本\u0007"], place },
      plain,
    ).split("\n");
    expect(lines.slice(3, 5)).toEqual([`  m["日本\\u0007"] | abc`, "                  |   ^"]);
  });
});
