import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../../src/frontends/yaml/parse-yaml.ts";
import { simpleYaml } from "../../../src/frontends/yaml/simple-yaml.ts";
import { configuration } from "../../bench/webhooks.ts";

/** What the parser makes of a text: the tab in the comment keeps the simple reader out. */
function byTheParser(text: string) {
  const { parsed, diagnostics } = parseYaml(Buffer.from(`${text}\n#\t`), "outreach.yaml", { secretKeys: [] });
  return { value: parsed.value, problems: diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`) };
}

/** JSON tells the order of names, which decides the order of what is shown. */
function expectTheSame(text: string): void {
  const value = simpleYaml(text);
  if (value !== undefined)
    expect([text, JSON.stringify(value), []]).toEqual([
      text,
      JSON.stringify(byTheParser(text).value),
      byTheParser(text).problems,
    ]);
}

const VALUES = [
  "",
  " ",
  " value",
  " two words  ",
  " # a comment",
  " value # a comment",
  " value #",
  " a#b",
  "value",
  " 'single' ",
  ' "double" # comment',
  ' "a # b"',
  " 'it''s'",
  ' "\\n"',
  ' "open',
  " 1",
  " 007",
  " -1",
  " 1.0",
  " 1e3",
  " 0x10",
  " .5",
  " 30%",
  " true",
  " True",
  " false",
  " null",
  " ~",
  " yes",
  " NaN",
  " https://crm.example.com/hooks?a=b&c=d",
  " ${var.base}/x",
  " ${a ? b : c}",
  " a: b",
  " a:",
  " { env: NAME }",
  " {env: NAME, file: b}",
  " {env:NAME}",
  " { a: 1, a: 2 }",
  " { }",
  " []",
  " [a, b]",
  " [ 'a', \"b\", 1, true ]",
  " [a, ]",
  " [a b]",
  " [a, [b]]",
  " [a: b]",
  " [a",
  " |",
  " >-",
  " &anchor x",
  " *alias",
  " !tag x",
  " - x",
  " -",
  " @at",
  " `tick`",
  " %percent",
  " a, b]",
  " größe",
  " 'größe'",
  " \u1680",
  " value\u1680",
  " { env: NAME\u1680 }",
];
const NAMES = [
  "version",
  "webhooks",
  "a",
  "b",
  "crm-replies",
  "_x",
  "null",
  "True",
  "constructor",
  "__proto__",
  "1",
  "1a",
  "a.b",
  "<<",
  '"a"',
  "'b'",
  "?",
  "größe",
];
const STARTS = ["", "- ", "-", "--- ", "? ", "# ", "#", "{", "..."];

const line = fc
  .record({
    indent: fc.constantFrom(0, 0, 0, 1, 2, 2, 2, 4, 4, 6),
    start: fc.oneof(
      { weight: 9, arbitrary: fc.constant("") },
      { weight: 4, arbitrary: fc.constant("- ") },
      { weight: 1, arbitrary: fc.constantFrom(...STARTS) },
    ),
    name: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("a", "b", "c", "d").map((one) => `${one}:`) },
      fc.constantFrom(...NAMES).map((one) => `${one}:`),
      fc.constant(""),
    ),
    value: fc.oneof({ weight: 2, arbitrary: fc.constantFrom("", " value") }, fc.constantFrom(...VALUES)),
  })
  .map(({ indent, start, name, value }) => `${" ".repeat(indent)}${start}${name}${value}`);

/** The parser takes seconds for so many nodes, and several times as long on a busy machine. */
const LONG_MS = 120_000;

describe("texts that use little of YAML", () => {
  it("are read as the parser reads them, or are left to it", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), (lines) => expectTheSame(lines.join("\n"))),
      { numRuns: 4000 },
    );
  });

  it("are read as the parser reads them whatever stands behind a name, in a list and in brackets", () => {
    for (const value of VALUES) {
      for (const next of [
        "",
        "\nb: 1",
        "\n  b: 1",
        "\n  more",
        "\n- c",
        "\n  - c\n  - d",
        "\n  - c\n    d",
        "\n\n# comment\n",
      ]) {
        for (const before of ["a:", "a:\n  b:", "a:\n  - x\n  -", "a:\n -"]) expectTheSame(`${before}${value}${next}`);
      }
      expectTheSame(`a: [x,${value}]`);
      expectTheSame(`a: { b:${value}}`);
    }
    for (const name of NAMES)
      for (const form of [`${name}: 1`, `a:\n  ${name}:\n    b: 1`, `a: { ${name}: 1 }`, `${name}: 1\n${name}: 2`])
        expectTheSame(form);
  });

  it("are what configurations use", async () => {
    const quickStart = await readFile(new URL("../../../examples/quick-start/outreach.yaml", import.meta.url), "utf8");
    for (const text of [
      quickStart,
      configuration(3, { inCampaigns: true }),
      "a:\n  - x\n  - 'y'\nb: { env: NAME }\nc: [x, 1]\n",
    ]) {
      expect(simpleYaml(text)).toEqual(byTheParser(text).value);
      expect(simpleYaml(text)).toBeDefined();
    }
  });

  it.each([66_666, 66_667])(
    "have as many nodes as the parser counts: %i lists of one",
    { timeout: LONG_MS },
    (lists) => {
      const text = `a:\n${Array.from({ length: lists }, (_, index) => `  a${String(index)}: [x]\n`).join("")}`;
      const isAllowed = 1 + 2 + 3 * lists <= 200_000;
      expect(simpleYaml(text) !== undefined).toBe(isAllowed);
      if (!isAllowed)
        expect(byTheParser(text).problems).toEqual(["Too many nodes: The file has more than 200000 nodes."]);
    },
  );
});
