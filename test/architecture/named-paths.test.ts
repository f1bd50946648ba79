import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
const QUOTED = /`([^`\n]+)`/g;
/** A path of at least one folder, or a file. Patterns and placeholders, as in `<name>.ts`, are none. */
const PATH = /^(?:[\w.-]+\/)+[\w.-]*$|^[\w-]+\.(?:ts|json|md)$/;

const existing = new Set(
  (await Promise.all(["src", "test", "docs", "examples", "schemas", ".ci"].map(contentOf))).flat(),
);
const fileNames = new Set([...existing].map((file) => path.posix.basename(file)));

/** The paths of a folder and of everything in it. */
async function contentOf(folder: string): Promise<readonly string[]> {
  return [
    folder,
    ...(await readdir(path.join(ROOT, folder), { recursive: true })).map(
      (name) => `${folder}/${name.replaceAll(path.sep, "/")}`,
    ),
  ];
}

/** Paths start at the root or in `src`. A file's name alone may be anywhere. */
function exists(named: string): boolean {
  const plain = named.replace(/\/$/, "");
  return plain.includes("/") || named.endsWith("/")
    ? existing.has(plain) || existing.has(`src/${plain}`)
    : fileNames.has(plain);
}

describe.each(["CONTRIBUTING.md", "src/README.md"])("the paths that %s names", (page) => {
  test("exist", async () => {
    const named = [...(await readFile(path.join(ROOT, page), "utf8")).matchAll(QUOTED)]
      .map(([, text = ""]) => text)
      .filter((text) => PATH.test(text));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((text) => !exists(text))).toEqual([]);
  });
});

test.each([
  ["src/import-table.json", /^ {4}"([\w/-]+\.ts)": \{/gm, (name: string) => `src/${name}`],
  ["vitest.config.ts", /^ {2}"([\w/.-]+\.deep)",$/gm, (name: string) => `test/${name}.test.ts`],
])("the files that %s names exist", async (file, names, pathOf) => {
  const named = [...(await readFile(path.join(ROOT, file), "utf8")).matchAll(names)].map(([, name = ""]) =>
    pathOf(name),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !existing.has(name)).map((name) => `${name} is gone: take it out of ${file}.`)).toEqual(
    [],
  );
});

test("a path that does not exist is found", () => {
  expect(["core/plan", "src/core/plan/", "make-plan.ts"].every(exists)).toBe(true);
  expect(["core/doors", "src/doors/", "no-such-file.ts"].some(exists)).toBe(false);
});
