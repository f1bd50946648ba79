import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const HEAD = `import { afterAll, beforeAll, describe, test } from ${JSON.stringify(path.join(ROOT, "node_modules/vitest/dist/index.js"))};
const fail = () => { throw new Error("planted"); };
`;
/** Each fails once, and three of the tests around them pass. */
const PLANTED = [
  'test("planted", fail);',
  'test("planted", () => new Promise(() => undefined), 20);',
  'import "./missing.js";',
  'beforeAll(fail); test("t", () => undefined);',
  'afterAll(fail); test("passes", () => undefined);',
  'describe("g", () => { beforeAll(fail); test("t", () => undefined); });',
  'describe("g", () => { afterAll(fail); test("passes", () => undefined); });',
  'test("passes", async () => { setTimeout(fail, 1); await new Promise((done) => setTimeout(done, 20)); });',
];

/** The lines that a run of these files prints. */
function linesOf(files: readonly string[]): readonly string[] {
  const root = mkdtempSync(path.join(tmpdir(), "outreach-planted-"));
  for (const [index, text] of files.entries()) writeFileSync(path.join(root, `${String(index)}.test.js`), HEAD + text);
  const reporters = ["--reporter", "dot", "--reporter", path.join(ROOT, "test/counts-reporter.ts")];
  const words = [
    path.join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    root,
    "--no-isolate",
    "--maxWorkers",
    "1",
    ...reporters,
  ];
  const { stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  rmSync(root, { recursive: true, force: true });
  return stdout.trimEnd().split("\n");
}

test("whatever fails counts as failed: tests, hooks, files that cannot be loaded, and errors that nobody catches", () => {
  expect(linesOf(PLANTED).at(-1)).toBe(`3 passed, ${String(PLANTED.length)} failed`);
});

test("skips come before the last line, each with its reason", () => {
  const text = 'test("t", () => undefined);\ntest("s", (context) => context.skip("no such tool"));\n';
  expect(linesOf([text]).slice(-2)).toEqual(["skipped: s (no such tool)", "1 passed, 0 failed"]);
});
