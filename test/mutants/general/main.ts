import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { wholeNumber } from "../../whole-number.ts";
import { EQUIVALENTS, PARTS, type Part } from "./modules.ts";
import { mutated } from "./mutate.ts";
import { type NearTests, openNearTests } from "../near-tests.ts";
import { type Sampled, sample } from "./sample.ts";

/*
 * Changes the core, the platform's files and the client in small ways, and shows which changes no test notices.
 *
 *   npm run mutants:general                         a sample of every part
 *   npm run mutants:general -- --part core/state    of one
 *   ... --count 500 --seed other                    a larger one, or another one
 */

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LIMIT_MS = 900_000;
const LEAST = 0.9;

const { values } = parseArgs({
  options: { part: { type: "string", default: "" }, count: { type: "string", default: "120" }, seed: { type: "string", default: "1" } },
});

function isEquivalent({ file, text, kind }: Sampled): boolean {
  return EQUIVALENTS.some((one) => one.file === file && one.line === text && one.kind === kind);
}

/** Tests that fail without a mutant would catch every one. */
async function openSound(names: readonly string[], limitMs: number): Promise<NearTests> {
  const tests = await openNearTests(names, limitMs);
  const failure = await tests.firstFailure(null);
  if (failure !== null) throw new Error(`the tests fail without a mutant: ${failure}`);
  return tests;
}

async function report({ name, tests, wider }: Part): Promise<void> {
  const near = await openSound(tests, LIMIT_MS);
  const far = wider.length > 0 ? await openSound(wider, LIMIT_MS) : null;
  const drawn = sample(ROOT, name, { count: wholeNumber("--count", values.count), seed: values.seed }).filter((mutant) => !isEquivalent(mutant));
  if (drawn.length === 0) throw new Error(`no mutants of ${name}`);
  let [nearly, survivors] = [0, 0];
  for (const mutant of drawn) {
    const changed = { file: mutant.file, text: mutated(readFileSync(path.join(ROOT, mutant.file), "utf8"), mutant) };
    if ((await near.firstFailure(changed)) !== null) nearly++;
    else if (far === null || (await far.firstFailure(changed)) === null) {
      survivors++;
      process.stdout.write(`  ${mutant.file}:${String(mutant.line)} ${mutant.kind}: ${oneLine(mutant.before)} -> ${oneLine(mutant.after)}\n`);
    }
  }
  await near.close();
  await far?.close();
  const caught = drawn.length - survivors;
  const share = (count: number): string => `${String(count)} (${((100 * count) / drawn.length).toFixed(0)} %)`;
  process.stdout.write(`${name}: ${String(drawn.length)} mutants, caught by the nearest tests ${share(nearly)}, by any ${share(caught)}\n`);
  if (caught < LEAST * drawn.length) process.exitCode = 1;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

async function main(): Promise<void> {
  const parts = PARTS.filter(({ name }) => values.part === "" || name === values.part);
  if (parts.length === 0) throw new Error(`${values.part} is none of: ${PARTS.map(({ name }) => name).join(", ")}`);
  for (const part of parts) await report(part);
}

await main();
