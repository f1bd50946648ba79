import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { COMMAND } from "./command.ts";

const ENTRY = fileURLToPath(new URL("run-in-process.ts", import.meta.url));

/** Runs once for all test files, in vitest's own process. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-bundle-"));
  // What is in a folder of this name is loaded by Node itself. Vitest would rewrite it first.
  const outfile = path.join(folder, "node_modules/command.mjs");
  const make = async (): Promise<void> => {
    await build({
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
  };
  await make();
  project.provide("bundledCommand", outfile);
  project.provide("commandFile", COMMAND);
  project.onTestsRerun(make);
  return () => rmSync(folder, { recursive: true, force: true });
}
