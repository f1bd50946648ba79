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
const said = (text: string) => parse(text).diagnostics.map(({ summary, place }) => [place?.line, place?.column, summary]);

/** The parser takes seconds for a large file, and several times as long on a busy machine. */
const LONG_MS = 120_000;

describe("a large configuration", () => {
  test("of 10,000 webhooks is below every limit", async () => {
    const { loaded, diagnostics } = await checkConfiguration(`version: 1\nwebhooks:\n${webhooks(10_000)}`);
    expect(diagnostics).toEqual([]);
    expect(loaded.configuration.blocks).toHaveLength(10_000);
  });

  test("has its mistakes where they stand, in the last line too", async () => {
    const { diagnostics } = await checkConfiguration(`version: 1\nwebhooks:\n${webhooks(1_000)}    typ: emailsSent\n`);
    expect(diagnostics.map(({ summary, place }) => [place?.line, place?.column, summary])).toEqual([[5_003, 5, "Unknown key"]]);
  });

  test(
    "takes no longer for many keys in one map than for as many in several",
    () => {
      const keys = Array.from({ length: 90_000 }, (_, index) => `k${String(index)}: v\n`);
      expect(Object.keys(parse(keys.join("")).parsed.value as object)).toHaveLength(90_000);
      expect(said(`${keys.join("")}k0: v\n`)).toEqual([[90_001, 1, "Duplicate key"]]);
    },
    LONG_MS,
  );

  test(
    "of more than 200,000 nodes is refused where they begin to be too many",
    () => {
      const items = (count: number): string => Array.from({ length: count }, () => "- a\n").join("");
      expect(said(items(199_999))).toEqual([]);
      expect(said(items(200_000))).toEqual([[200_000, 3, "Too many nodes"]]);
    },
    LONG_MS,
  );
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
