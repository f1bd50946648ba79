import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { REASON_CODES } from "../../src/core/plan/decision-reasons.ts";
import { STATUSES } from "../../src/service/receiver/handle-delivery.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const CODE = /(?<=")[a-z][a-z0-9_]*(?=")/g;

/** The codes that a source compares with: directly, in a list or set, or as the keys of a table. System codes have capitals. */
function comparedIn(source: string): readonly string[] {
  const direct = [...source.matchAll(/(?<!typeof |get\()\bcode\)? [!=]== ("(?!string")\w*")/g)];
  const lists = [...source.matchAll(/(\[[^\][]*\])\.includes\((?:\w+\.)*code\)/g)];
  const named = [...source.matchAll(/\b([A-Z][A-Z_]+)(?:\.has\((?:\w+\.)*code\)|\[(?:\w+\.)*code\])/g)];
  const tables = named.map(([, name = ""]) => {
    const [, content = ""] = new RegExp(`\\bconst ${name}\\b[^]*?(?<!=)=(?![=>])([^]*?);\n`).exec(source) ?? [];
    return content.includes("new Set") ? content : content.replaceAll(/^ {2}(\w+):|.*/gm, '"$1"');
  });
  return [...[...direct, ...lists].map(([, text = ""]) => text), ...tables].flatMap((text) => text.match(CODE) ?? []);
}

/** The codes that a page or a workflow names: at the end of a message, or as what a configuration ignores. */
function namedIn(page: string): readonly string[] {
  const messages = [...page.matchAll(/\b(?:Error|Warning|Note): .*\[(\w+)\]/g)].map(([, code = ""]) => code);
  const ignored = [...page.matchAll(/\bignore: \[(.*?)\]/g)].flatMap(([, codes = ""]) => codes.split(/, */));
  return [...messages, ...ignored];
}

function codesIn(folders: readonly string[], endings: RegExp, find: (text: string) => readonly string[]) {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  );
  return files
    .filter((file) => endings.test(file) && !/node_modules|[\\/](?:generated|dist)[\\/]/.test(file))
    .flatMap((file) => find(readFileSync(path.join(ROOT, file), "utf8")).map((code) => ({ file, code })));
}

/** The codes of all diagnostics, which `npm run generate` reads from the sources. */
const MADE = new Set(
  [...readFileSync(path.join(ROOT, "docs/reference/diagnostics.md"), "utf8").matchAll(/^\| `(\w+)`/gm)].map(
    ([, code = ""]) => code,
  ),
);

test("a diagnostic is made with every code that the sources compare with", () => {
  const compared = codesIn(["src"], /\.ts$/, comparedIn);
  expect(compared.length).toBeGreaterThan(40);
  // Codes that are no diagnostic's: why a plan decides, and why a request is no event.
  const others = [...REASON_CODES, ...Object.keys(STATUSES)];
  expect(compared.filter(({ code }) => !MADE.has(code) && !others.includes(code))).toEqual([]);
});

test("a diagnostic is made with every code that docs and examples name", () => {
  const named = codesIn(["docs", "examples"], /\.(?:md|ya?ml)$/, namedIn);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ code }) => !MADE.has(code))).toEqual([]);
});

test.each([
  ['if (one.code === "a_code") return;'],
  ['some(({ code }) => code !== "a_code")'],
  ['["another", "a_code"].includes(one.code)'],
  ['const SOME: ReadonlySet<string> = new Set([\n  "another",\n  "a_code",\n]);\nSOME.has(one.code);'],
  ['const SOME: { readonly [code: string]: () => string } = {\n  a_code: "words",\n};\nSOME[code];'],
])("%j compares with a code", (source) => {
  expect(comparedIn(source)).toContain("a_code");
});
