import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Scratch, scratchCopy } from "./scratch.ts";
import { type Step, takenAway, testPath } from "./step.ts";
import { STEPS } from "./steps/steps.ts";
import { type Tester, type Verdict, openTester } from "./tester.ts";

/*
 * Takes each protective step of the product away in turn, and shows which test catches it.
 *
 *   npm run mutants                       every step
 *   npm run mutants -- --only NAME,NAME   those whose name contains one of these
 */

const LIMIT_MS = 300_000;
/** Run for a step of the core that none of its own tests misses. */
const WIDER = ["core/apply/crashes", "simulation/simulation", "core/apply/random-runs"];
/** These tests need what vitest prepares for all of them: the bundled command, the provider, PostgreSQL. */
const WIDE = /^(?:frontends|scenarios|core\/state\/(?:pg|store-contract))/;

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const wanted = values.only.split(",");
const steps = STEPS.filter(({ name }) => wanted.some((part) => name.includes(part)));

/** One process for tests that need preparation, one for the others. */
function openTesters(scratch: Scratch): { readonly of: (tests: readonly string[]) => Tester; close(): Promise<unknown> } {
  const [near, wide] = [false, true].map((isWide) => openTester(scratch.folder, { isWide })) as [Tester, Tester];
  return { of: (tests) => (tests.some((name) => WIDE.test(name)) ? wide : near), close: () => Promise.all([near.close(), wide.close()]) };
}

async function verdictOn(step: Step, { folder }: Scratch, of: (tests: readonly string[]) => Tester): Promise<Verdict> {
  const text = takenAway(step, readFileSync(path.join(folder, step.file), "utf8"));
  const wider = step.file.startsWith("src/core/") ? WIDER.filter((name) => !step.tests.includes(name) && existsSync(path.join(folder, testPath(name)))) : [];
  for (const tests of [step.tests, wider]) {
    const verdict = await of(tests).run({ file: step.file, text, tests: tests.map(testPath) }, LIMIT_MS);
    if (verdict.kind !== "survived") return verdict;
  }
  return { kind: "survived" };
}

function shown(verdict: Verdict): string {
  if (verdict.kind === "caught") return verdict.by;
  return verdict.kind === "hung" ? "(a test that never ended)" : "NO TEST";
}

async function main(): Promise<void> {
  const scratch = scratchCopy();
  const testers = openTesters(scratch);
  const survivors: string[] = [];
  try {
    process.stdout.write("| step | what it protects | caught by |\n|---|---|---|\n");
    for (const step of steps) {
      const verdict = await verdictOn(step, scratch, testers.of);
      if (verdict.kind === "survived") survivors.push(step.name);
      process.stdout.write(`| ${step.name} | ${step.protects} | ${shown(verdict).replaceAll("|", "\\|")} |\n`);
    }
  } finally {
    await testers.close();
    scratch.remove();
  }
  process.stdout.write(`\n${String(steps.length - survivors.length)} of ${String(steps.length)} caught\n`);
  if (survivors.length > 0) process.stdout.write(`not caught: ${survivors.join(", ")}\n`);
  process.exitCode = survivors.length === 0 && steps.length > 0 ? 0 : 1;
}

await main();
