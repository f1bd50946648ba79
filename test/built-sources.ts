import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Runs once, before all test files: the sources import what is built from definitions. */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../build.mjs", import.meta.url)), "--sources"], {
    stdio: "inherit",
  });
}
