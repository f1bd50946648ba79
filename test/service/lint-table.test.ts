import { readFile, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { PROTECTED_WARNINGS } from "../../src/core/model/lint.ts";
import { lintTable } from "../../src/service/resources/lint-table.ts";

const SOURCES = new URL("../../src/", import.meta.url);
const OPTIONAL = [...lintTable.rules, ...lintTable.warnings].map(({ id }) => id);

test("every warning of the core and of the service's definitions can be turned off, or protects and says why", async () => {
  const files = await Promise.all(
    ["core/", "service/resources/"].map(async (folder) =>
      (await readdir(new URL(folder, SOURCES), { recursive: true })).map((name) => folder + name),
    ),
  );
  const texts = await Promise.all(
    files
      .flat()
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFile(new URL(name, SOURCES), "utf8")),
  );
  const codes = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bwarningOf\(\s*"(\w+)"/g)].map(([, code = ""]) => code)),
  );
  expect([...codes].filter((code) => !OPTIONAL.includes(code) && PROTECTED_WARNINGS[code] === undefined)).toEqual([]);
  expect(codes.size).toBeGreaterThan(15);
});

test("every id is the code of a warning, once", async () => {
  const reference = await readFile(new URL("../docs/reference/diagnostics.md", SOURCES), "utf8");
  const codes = [...reference.matchAll(/^\| `(\w+)` \| warning /gm)].map(([, id]) => id);
  const known = [...OPTIONAL, ...Object.keys(PROTECTED_WARNINGS)];
  expect(known.filter((id) => !codes.includes(id))).toEqual([]);
  expect(new Set(known).size).toBe(known.length);
});
