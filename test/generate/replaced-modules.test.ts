import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { type Replacement, replaceModules } from "../../src/release/replace-modules.ts";
import { buildUnpacedCommand } from "../bench/bench-builds.ts";

const folder = mkdtempSync(path.join(tmpdir(), "outreach-replaced-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(path.join(folder, "main.ts"), 'import { word } from "./renamed.ts"; console.log(word);');
writeFileSync(path.join(folder, "renamed.ts"), 'export const word = "as it is";');

async function bundled(replacement: Replacement): Promise<string> {
  const plugins = [replaceModules("words", [replacement])];
  const entryPoints = [path.join(folder, "main.ts")];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins,
  });
  return outputFiles[0]?.text ?? "";
}

const by = { contents: 'export const word = "replaced";' };

test("a module is replaced by its file name", async () => {
  expect(await bundled({ module: /\/renamed\.ts$/, importer: null, by })).toContain("replaced");
});

test("the build fails if nothing imports the module any more", async () => {
  await expect(bundled({ module: /\/before\.ts$/, importer: null, by })).rejects.toThrow(
    "words replaces /\\/before\\.ts$/, which nothing imports any more",
  );
  await expect(bundled({ module: /\/before\.ts$/, importer: /\/main\.ts$/, by })).rejects.toThrow(
    "which nothing imports any more",
  );
});

test("a library that is not in the bundle needs no replacement", async () => {
  expect(await bundled({ module: /^native$/, importer: /[/\\]node_modules[/\\]library[/\\]/, by })).toContain(
    "as it is",
  );
});

test("the command of the benches has no pacer", async () => {
  expect(await buildUnpacedCommand(folder)).toBe(path.join(folder, "outreach.mjs"));
});
