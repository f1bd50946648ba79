import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SLICE = fileURLToPath(new URL("slice.ts", import.meta.url));
const SEEDS = 2000;

/** In a process of its own: the time of a simulation waits for nothing that other tests may have left behind. */
async function slice(...words: readonly string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", SLICE, ...words]);
  return JSON.parse(stdout) as { readonly count: number; readonly violations: readonly unknown[] };
}

test("whatever goes wrong, nothing is lost, duplicated or believed without proof", { timeout: 900_000 }, async () => {
  const { count, violations } = await slice();
  expect(violations).toEqual([]);
  expect(count).toBeGreaterThan(20_000);
});

test("stories by chance break no rule", { timeout: 900_000 }, async () => {
  expect(await slice(String(SEEDS))).toEqual({ count: SEEDS, violations: [] });
});
