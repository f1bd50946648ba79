import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type NearTests, openNearTests } from "./near-tests.ts";
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
const WIDER = ["core/apply/crashes", "simulation/simulation"];
/** These tests need what vitest prepares for all of them: the bundled command, the provider, PostgreSQL. */
const WIDE = /^(?:frontends|core\/state\/(?:pg|store-contract))/;
/** Of those folders, these do not. */
const NEAR = /^frontends\/(?:provider-journal|terraform\/journal\/(?:changes|own-creates|settings)|cli\/(?:lost-lock|unstored-state))/;
const isWide = (name: string): boolean => WIDE.test(name) && !NEAR.test(name);

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const wanted = values.only.split(",");
const steps = STEPS.filter(({ name }) => wanted.some((part) => name.includes(part)));

type Changed = Readonly<Record<"file" | "text", string>>;

/** Runs test files until one fails, those that can do without vitest first. Returns what fails, or null. */
interface Tests {
  firstFailure(names: readonly string[], changed: Changed): Promise<string | null>;
  close(): Promise<void>;
}

function openTests(): Tests {
  const near = new Map<string, NearTests>();
  let wide: { readonly scratch: Scratch; readonly tester: Tester } | null = null;
  async function openNear(name: string): Promise<NearTests> {
    const tests = near.get(name) ?? (await openSound(name));
    near.set(name, tests);
    return tests;
  }
  function openWide(): Tester {
    if (wide === null) {
      const scratch = scratchCopy();
      wide = { scratch, tester: openTester(scratch.folder) };
    }
    return wide.tester;
  }
  return {
    firstFailure: async (names, changed) => {
      for (const name of names.filter((one) => !isWide(one))) {
        const failure = await (await openNear(name)).firstFailure(changed);
        if (failure !== null) return `${name}: ${failure}`;
      }
      const left = names.filter(isWide);
      return left.length === 0 ? null : openWide().firstFailure({ ...changed, tests: left.map(testPath) }, LIMIT_MS);
    },
    close: async () => {
      for (const tests of near.values()) await tests.close();
      await wide?.tester.close();
      wide?.scratch.remove();
    },
  };
}

/** Tests that fail without a mutant would catch every one. */
async function openSound(name: string): Promise<NearTests> {
  const tests = await openNearTests([name], LIMIT_MS);
  const failure = await tests.firstFailure(null);
  if (failure !== null) throw new Error(`${name} fails without a mutant: ${failure}`);
  return tests;
}

async function caughtBy(step: Step, tests: Tests): Promise<string | null> {
  const changed = { file: step.file, text: takenAway(step, readFileSync(path.join(ROOT, step.file), "utf8")) };
  const wider = step.file.startsWith("src/core/") ? WIDER.filter((name) => !step.tests.includes(name)) : [];
  return tests.firstFailure([...step.tests, ...wider], changed);
}

async function main(): Promise<void> {
  const tests = openTests();
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
