import { expect, test } from "vitest";
import { readYaml } from "../../../src/frontends/yaml/read-yaml.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

test.for([
  ["", undefined],
  ["service: { rate_share: 100% }", 1],
  ["service: { rate_share: 50% }", 0.5],
  ["service: { rate_share: 1% }", 0.01],
] as const)("%s uses that part of the rate limit", async ([line, share]) => {
  const { value, diagnostics } = readYaml(
    [{ file: "outreach.yaml", bytes: new TextEncoder().encode(`version: 1\n${line}\n`) }],
    {
      folder: ".",
      catalog,
    },
  );
  expect([value.service.rateShare, diagnostics]).toEqual([share, []]);
});
