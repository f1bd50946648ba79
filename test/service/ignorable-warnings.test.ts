import { readFile, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { PROTECTED_WARNINGS } from "../../src/core/model/ignored-warnings.ts";
import { catalog } from "../../src/service/resources/catalog.ts";

const SOURCES = new URL("../../src/", import.meta.url);
const { ignorable = [] } = catalog;
const IGNORABLE = ignorable.map(({ code }) => code);

test("every warning of the core and of the service's definitions can be silenced, or protects and says why", async () => {
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
  expect([...codes].filter((code) => !IGNORABLE.includes(code) && PROTECTED_WARNINGS[code] === undefined)).toEqual([]);
  expect(codes.size).toBeGreaterThan(10);
});

test("every code is that of a warning or a finding, once", async () => {
  const reference = await readFile(new URL("../docs/reference/diagnostics.md", SOURCES), "utf8");
  const guides = new URL("../docs/guides/", SOURCES);
  const findings = (
    await Promise.all((await readdir(guides)).map((name) => readFile(new URL(name, guides), "utf8")))
  ).join();
  const known = [...IGNORABLE, ...Object.keys(PROTECTED_WARNINGS)];
  const isWarning = (code: string): boolean => new RegExp(`\\b${code}\\b`).test(reference);
  expect(known.filter((code) => !isWarning(code) && !findings.includes(`\`${code}\``))).toEqual([]);
  expect(new Set(known).size).toBe(known.length);
});
