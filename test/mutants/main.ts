import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Changed, type NearTests, openNearTests } from "./near-tests.ts";
import { type Scratch, scratchCopy } from "./scratch.ts";
import { type Step, takenAway, testPath } from "./step.ts";
import { STEPS } from "./steps/steps.ts";
import { type Tester, openTester } from "./tester.ts";

/*
 * Takes each protective step of the product away in turn, and shows which test catches it.
 *
 *   npm run mutants                       every step
 *   npm run mutants -- --only NAME,NAME   those whose name contains one of these
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LIMIT_MS = 600_000;
/** Run for a step of the core that its own tests miss. */
const WIDER = ["core/apply/crashes", "simulation/simulation.deep"];
/** These tests need what vitest prepares for all of them: the bundled command, the provider. */
const WIDE = /^frontends/;
/** Of that folder, these do not. */
const NEAR =
  /^frontends\/(?:provider-journal|terraform\/journal\/(?:changes|own-creates|recovery|settings)|cli\/(?:lost-lock|unstored-state))/;
const isWide = (name: string): boolean => WIDE.test(name) && !NEAR.test(name);

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const wanted = values.only.split(",");
const steps = STEPS.filter(({ name }) => wanted.some((part) => name.includes(part)));

/** Runs test files until one fails, those that can do without vitest first. Returns what fails, or null. */
interface Tests {
  firstFailure(names: readonly string[], changed: Changed): Promise<string | null>;
  close(): Promise<void>;
}

async function openTests(): Promise<Tests> {
  const copy = await scratchCopy();
  const near = new Map<string, NearTests>();
  let wide: Tester | null = null;
  async function openNear(name: string): Promise<NearTests> {
    const tests = near.get(name) ?? (await openSound(copy, name));
    near.set(name, tests);
    return tests;
  }
  return {
    firstFailure: async (names, changed) => {
      for (const name of names.filter((one) => !isWide(one))) {
        const { failure } = await (await openNear(name)).run([changed]);
        if (failure !== null) return `${name}: ${failure}`;
      }
      const left = names.filter(isWide);
      if (left.length === 0) return null;
      wide ??= openTester(copy.folder);
      return wide.firstFailure({ ...changed, tests: left.map(testPath) }, LIMIT_MS);
    },
    close: async () => {
      for (const tests of near.values()) await tests.close();
      await wide?.close();
      await copy.remove();
    },
  };
}

/** Tests that fail without a mutant would catch every one. */
async function openSound(copy: Scratch, name: string): Promise<NearTests> {
  const tests = await openNearTests(copy, [name], LIMIT_MS);
  const { failure } = await tests.run([]);
  if (failure !== null) throw new Error(`${name} fails without a mutant: ${failure}`);
  return tests;
}

async function caughtBy(step: Step, tests: Tests): Promise<string | null> {
  const changed = { file: step.file, text: takenAway(step, readFileSync(path.join(ROOT, step.file), "utf8")) };
  const failure = await tests.firstFailure(step.tests, changed);
  if (failure !== null || !step.file.startsWith("src/core/")) return failure;
  return tests.firstFailure(
    WIDER.filter((name) => !step.tests.includes(name)),
    changed,
  );
}

async function main(): Promise<void> {
  const tests = await openTests();
  const survivors: string[] = [];
  try {
    process.stdout.write("| step | what it protects | caught by |\n|---|---|---|\n");
    for (const step of steps) {
      const by = await caughtBy(step, tests);
      if (by === null) survivors.push(step.name);
      process.stdout.write(`| ${step.name} | ${step.protects} | ${shortened(by ?? "NO TEST")} |\n`);
    }
  } finally {
    await tests.close();
  }
  process.stdout.write(`\n${String(steps.length - survivors.length)} of ${String(steps.length)} caught\n`);
  if (survivors.length > 0) process.stdout.write(`not caught: ${survivors.join(", ")}\n`);
  process.exitCode = survivors.length === 0 && steps.length > 0 ? 0 : 1;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}

await main();
