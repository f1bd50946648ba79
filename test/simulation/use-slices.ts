import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

const SLICE = fileURLToPath(new URL("slice.ts", import.meta.url));
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

export interface SliceFigures {
  readonly count: number;
  readonly violations: readonly unknown[];
}

/**
 * Gives the tests of a file the simulation, in a process of its own: its time waits for nothing that other tests may have left behind. The words
 * are those of `slice.ts`.
 */
export function useSlices(): (...words: readonly string[]) => Promise<SliceFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-simulation-"));
  const bundle = path.join(folder, "slice.mjs");
  beforeAll(async () => {
    // It takes a seventh less time than with tsx, which names every function that it makes.
    await build({
      entryPoints: [SLICE],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      banner: { js: REQUIRE },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (...words) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bundle, ...words]);
    return JSON.parse(stdout) as SliceFigures;
  };
}
