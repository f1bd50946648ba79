import { expect, test } from "vitest";
import { evaluateTemplate } from "../../../src/core/expression/evaluate-template.ts";
import { parseTemplate } from "../../../src/core/expression/syntax/template.ts";
import { UNKNOWN_TERM } from "../../../src/core/expression/syntax/term.ts";
import { evaluateHere } from "./evaluate-here.ts";

const many = (text: string, count: number): string => `"${text.repeat(count)}"`;
const rounds = (expression: string): string => `[for round in range(1000): ${expression}]`;

test.each([
  ["a pattern that backtracking would try for years", `replace(${many("a", 20_000)}, "/(a+)+$/", "") == ""`],
  ["a text with white space in its middle", `trimspace("x${" ".repeat(200_000)}x") != "x"`],
  ["a long text with few visible characters", `length("e${"\\u0301".repeat(100_000)}") == 1`],
  ["a long text", `length(${many("é", 100_000)}) == 100000`],
  ["a reference of many steps", `try(var${".a".repeat(1_000_000)}, true)`],
])("%s takes little time", (_name, expression) => {
  expect(evaluateHere(`\${${expression}}`)).toEqual({ value: true });
});

test.each([
  ["a search that starts again behind every match", `replace(${many("a", 100_000)}, "/a*b|/", "")`],
  ["a large pattern in a long text", `replace(${many("a", 2000)}, "/(a?){500}a{500}/", "")`],
  ["many different patterns", rounds(`replace("a", "/(?i)${String.raw`\\pL`.repeat(200)}\${round}/", "")`)],
  ["loops in loops", rounds("[for x in range(1000): [for y in range(1000): x * y]]")],
  ["many names", 'merge([for a in range(1000): {for b in range(300): "k${a}-${b}" => b}]...)'],
  ["a map of many groups", "length({for x in flatten([for a in range(1000): range(124)]): x => x...})"],
  ["many long texts", rounds(`upper(${many("é", 50_000)})`)],
])("%s is too large", (_name, expression) => {
  expect(evaluateHere(`\${${expression}}`)).toMatchObject({
    problems: [{ code: "expression_limit", detail: "This expression takes more than 1000000 steps." }],
  });
});

test.each([
  ["long", `replace("a", "/${"a".repeat(1001)}/", "")`, "it is longer than 1000 characters"],
  ["large", `replace("a", "/${"a{1000}".repeat(100)}/", "")`, "its repetitions make it too large"],
])("a pattern that is too %s is refused", (_name, expression, reason) => {
  expect(evaluateHere(`\${${expression}}`)).toMatchObject({
    problems: [{ detail: `The regular expression of replace is invalid: ${reason}.` }],
  });
});

test.each([
  ["take long", "[for i in range(100): i * 3 if i > 3]"],
  ["fail and catch it", "[for i in range(10): try(!3, i)]"],
  ["build a large value", "length([for x in range(9): range(99)])"],
])("many expressions that each %s are too much together", (_name, expression) => {
  const template = parseTemplate(`\${${expression}}`);
  if ("detail" in template) throw new Error(template.detail);
  const steps = { left: 1000 };
  const problems = Array.from({ length: 5 }, () =>
    evaluateTemplate(template, () => UNKNOWN_TERM, steps).problems.map(({ detail }) => detail),
  );
  expect(problems[0]).toEqual([]);
  expect(problems.at(-1)).toEqual(["The expressions of this configuration take more than 2000000 steps together."]);
});
