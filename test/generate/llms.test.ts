import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
const text = readFileSync(path.join(DOCS, "llms.txt"), "utf8");
const items = text
  .split("\n## ")
  .slice(1)
  .flatMap((section) => section.split("\n").filter((line) => line.startsWith("- ")));

test("llms.txt has a title, a summary, and sections of links with a line each", () => {
  expect(text).toMatch(/^# outreach-as-code\n\n> [A-Z][^\n]+\.\n/);
  expect(items.length).toBeGreaterThan(30);
  for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\([^)]+\): \S[^[\]]{3,}$/);
});

test("llms.txt links to every page of the documentation, and to nothing that does not exist", () => {
  const linked = items.map((item) => path.join(DOCS, /\]\(([^)]+)\)/.exec(item)?.[1] ?? "nothing"));
  expect(linked.filter((file) => !existsSync(file))).toEqual([]);
  const pages = readdirSync(DOCS, { recursive: true, withFileTypes: true }).filter(
    ({ name, parentPath }) => name.endsWith(".md") && name !== "README.md" && !parentPath.includes("node_modules"),
  );
  expect(
    pages.map(({ parentPath, name }) => path.join(parentPath, name)).filter((file) => !linked.includes(file)),
  ).toEqual([]);
});
