import { expect, test } from "vitest";
import { parse } from "yaml";
import { NOTHING_DECLARED } from "../../../src/core/config/block.ts";
import { yamlText } from "../../../src/frontends/generate/yaml-text.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

const WORDS =
  "y Y n N yes Yes YES no No NO on On off OFF true False null Null NULL ~ 12:30 -1:20:30 1_000 0x1F 0b11 017 0o17 1e3 1.5 .5 .inf -.inf .NaN 2026-11-03 2001-12-14T21:59:43.10-05:00 = << north offer none \u00a0nbsp \u201cquoted\u201d";

test("texts that readers of YAML 1.1 take for something else are in quotes, as values and as names", () => {
  const words = WORDS.split(" ");
  const text = yamlText(
    {
      ...NOTHING_DECLARED,
      variables: words.map((word) => ({ name: word, default: word, sensitive: false, locate: () => undefined })),
    },
    catalog,
  );
  for (const version of ["1.1", "1.2"] as const)
    expect((parse(text, { version }) as { readonly variables: unknown }).variables).toEqual(
      Object.fromEntries(words.map((word) => [word, { default: word }])),
    );
  expect(text).toContain('default: "\u00a0nbsp"');
  expect(text).toContain("default: north");
  expect(text).toContain('default: "no"');
});
