import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs once, before all test files: the sources import what is built from definitions, and some tests run the built command, provider and
 * libraries. Builds only what is missing or older than the sources.
 */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../build.mjs", import.meta.url)), "--if-missing"], {
    stdio: "inherit",
  });
}
