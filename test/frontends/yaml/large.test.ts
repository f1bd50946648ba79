import { describe, expect, test } from "vitest";
import { parseYaml } from "../../../src/frontends/yaml/parse-yaml.ts";
import { checkConfiguration } from "./check-configuration.ts";

const webhooks = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `  hook-${String(index)}:
    target_url: https://crm.example.com/hooks/${String(index)}
    type: emailsReplied
    campaign_id: cam_${String(index)}
    secret: { env: CRM_SECRET }
`,
  ).join("");
const parse = (text: string) => parseYaml(new TextEncoder().encode(text), "a.yaml", { secretKeys: [] });
const said = (text: string) =>
  parse(text).diagnostics.map(({ summary, place }) => [place?.line, place?.column, summary]);

describe("a large configuration", () => {
  test("of 10,000 webhooks is below every limit", async () => {
    const { loaded, diagnostics } = await checkConfiguration(`version: 1\nwebhooks:\n${webhooks(10_000)}`);
    expect(diagnostics).toEqual([]);
    expect(loaded.configuration.blocks).toHaveLength(10_000);
  });

  test("has its mistakes where they stand, in the last line too", async () => {
    const { diagnostics } = await checkConfiguration(`version: 1\nwebhooks:\n${webhooks(1_000)}    typ: emailsSent\n`);
    expect(diagnostics.map(({ summary, place }) => [place?.line, place?.column, summary])).toEqual([
      [5_003, 5, "Unknown key"],
    ]);
  });

  test("finds a duplicate among very many keys of one map", () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${String(index)}: v\n`).join("");
    expect(said(`${keys}k0: v\n`)).toEqual([[20_001, 1, "Duplicate key"]]);
  });

  test("of more than 200,000 nodes is refused where they begin to be too many", () => {
    expect(said("- a\n".repeat(200_000))).toEqual([[200_000, 3, "Too many nodes"]]);
  });
});

describe("duplicate keys", () => {
  test("are told in every map that has them, together with what else cannot be read, in the order of the text", () => {
    expect(said("a:\n  b: 1\n  b: 2\nc: 'x\n y' z\na: 3\n")).toEqual([
      [3, 3, "Duplicate key"],
      [5, 5, "Invalid YAML"],
      [6, 1, "Duplicate key"],
    ]);
  });

  test.each([
    ["in braces", "{ a: 1, a: 2 }", [[1, 9, "Duplicate key"]]],
    [
      "three times",
      "a: 1\na: 2\na: 3\n",
      [
        [2, 1, "Duplicate key"],
        [3, 1, "Duplicate key"],
      ],
    ],
    ["quoted and not", 'a: 1\n"a": 2\n', [[2, 1, "Duplicate key"]]],
    ["as two maps of a list", "[{ a: 1 }, { a: 2 }]", []],
  ])("%s", (_name, text, expected) => {
    expect(said(text)).toEqual(expected);
  });
});
