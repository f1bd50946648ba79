import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { openCommand } from "./command.ts";

const ENTRY = fileURLToPath(new URL("run-in-process.ts", import.meta.url));

/** Runs once for all test files, in vitest's own process. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-bundle-"));
  // What is in a folder of this name is loaded by Node itself. Vitest would rewrite it first.
  const outfile = path.join(folder, "node_modules/command.mjs");
  const make = () =>
    build({
      entryPoints: [ENTRY],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
      banner: {
        js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
      },
    });
  let [command] = await Promise.all([openCommand(), make()]);
  project.provide("bundledCommand", outfile);
  project.provide("commandFile", command.file);
  project.onTestsRerun(async () => {
    command.close();
    [command] = await Promise.all([openCommand(), make()]);
    project.provide("commandFile", command.file);
  });
  return () => {
    command.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
