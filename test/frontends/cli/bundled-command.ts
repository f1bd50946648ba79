import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import type { runInProcess } from "./run-in-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The command's sources as one module, to be run within tests. */
    readonly bundledCommand: string;
  }
}

export interface BundledCommand {
  readonly runInProcess: typeof runInProcess;
}

const ENTRY = fileURLToPath(new URL("run-in-process.ts", import.meta.url));

/** Runs once for all test files, in vitest's own process. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-bundle-"));
  const outfile = path.join(folder, "command.mjs");
  const make = () =>
    build({
      entryPoints: [ENTRY],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
  await make();
  project.provide("bundledCommand", outfile);
  project.onTestsRerun(async () => void (await make()));
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Node's own loader takes it at once; vitest's would ask for each module of it, in each test file. */
export async function bundledCommand(): Promise<BundledCommand> {
  return (await import(/* @vite-ignore */ pathToFileURL(inject("bundledCommand")).href)) as BundledCommand;
}
