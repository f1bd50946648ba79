import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { wholeNumber } from "../../whole-number.ts";
import { type NearTests, openNearTests } from "../near-tests.ts";
import { type Scratch, scratchCopy } from "../scratch.ts";
import { EQUIVALENTS, PARTS, type Part } from "./modules.ts";
import { mutated } from "./mutate.ts";
import { type Reach, reachOf } from "./reach.ts";
import { type Sampled, sample } from "./sample.ts";

/*
 * Changes the core, the platform's files and the client in small ways, and shows which changes no test notices.
 *
 *   npm run mutants:general                         a sample of every part
 *   npm run mutants:general -- --part core/state    of one
 *   ... --count 500 --seed other                    a larger one, or another one
 *   ... --near                                      without the tests that take long, which may catch more
 *   ... --verbose                                   with what catches each
 *
 * Each mutant meets the tests that reach it, the quickest first.
 */

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LIMIT_MS = 900_000;
const LEAST = 0.9;
/** A mutant may also wait forever. Its tests get this long, and ten times what they took without it. */
const LEAST_LIMIT_MS = 60_000;

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "" },
    count: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    near: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

function isEquivalent({ file, text, kind, after }: Sampled): boolean {
  return EQUIVALENTS.some((one) => one.file === file && one.line === text && one.kind === kind && one.after === after);
}

interface Found {
  readonly by: "near" | "far" | null;
  readonly how: string;
}

async function report({ name, tests, wider }: Part, copy: Scratch): Promise<void> {
  const all = sample(ROOT, name, { count: wholeNumber("--count", values.count), seed: values.seed });
  const drawn = all.filter((mutant) => !isEquivalent(mutant));
  if (drawn.length === 0) throw new Error(`no mutants of ${name}`);
  const near = await openNearTests(copy, tests, LIMIT_MS);
  const far = wider.length > 0 && !values.near ? await openNearTests(copy, wider, LIMIT_MS) : null;
  const counts = { near: 0, far: 0 };
  try {
    const reach = await reachOf(copy.folder, drawn, near);
    const farReach = far && (await reachOf(copy.folder, drawn, far));
    for (const [index, mutant] of drawn.entries()) {
      const { by, how } = await found({ index, mutant }, { near, reach, far, farReach });
      if (by !== null) counts[by]++;
      if (by === null || values.verbose)
        process.stdout.write(`  ${described(mutant)}${by === null ? ` (${how})` : ` caught: ${oneLine(how)}`}\n`);
    }
  } finally {
    await near.close();
    await far?.close();
  }
  const caught = counts.near + counts.far;
  const share = (count: number): string => `${String(count)} (${((100 * count) / drawn.length).toFixed(0)} %)`;
  const skipped = all.length - drawn.length;
  process.stdout.write(
    `${name}, seed ${values.seed}: ${String(drawn.length)} mutants (and ${String(skipped)} equivalent), caught by the nearest tests ${share(counts.near)}, by any ${share(caught)}\n`,
  );
  if (caught < LEAST * drawn.length) process.exitCode = 1;
}

interface Levels {
  readonly near: NearTests;
  readonly reach: Reach;
  readonly far: NearTests | null;
  readonly farReach: Reach | null;
}

async function found(
  { index, mutant }: { readonly index: number; readonly mutant: Sampled },
  { near, reach, far, farReach }: Levels,
): Promise<Found> {
  const changed = { file: mutant.file, text: mutated(readFileSync(path.join(ROOT, mutant.file), "utf8"), mutant) };
  const levels = [
    { by: "near", tests: near, reaching: reach.testsOf(index) },
    ...(far && farReach ? [{ by: "far", tests: far, reaching: farReach.testsOf(index) } as const] : []),
  ] as const;
  for (const { by, tests, reaching } of levels) {
    if (reaching.length === 0) continue;
    const [files, ids] = [[...new Set(reaching.map(({ file }) => file))], reaching.map(({ id }) => id)];
    const tookMs = reaching.reduce((sum, one) => sum + one.tookMs, 0);
    const cpuS = reaching.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000;
    const { failure } = await tests.run([changed], {
      files,
      ids,
      cpuSeconds: Math.ceil(5 + 3 * cpuS),
      limitMs: LEAST_LIMIT_MS + 10 * tookMs,
    });
    if (failure !== null) return { by, how: failure };
  }
  return { by: null, how: `${String(levels.reduce((sum, { reaching }) => sum + reaching.length, 0))} tests reach it` };
}

function described({ file, line, kind, before, after }: Sampled): string {
  return `${file}:${String(line)} ${kind}: ${oneLine(before)} -> ${oneLine(after)}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

async function main(): Promise<void> {
  const parts = PARTS.filter(({ name }) => values.part === "" || name === values.part);
  if (parts.length === 0) throw new Error(`${values.part} is none of: ${PARTS.map(({ name }) => name).join(", ")}`);
  const copy = await scratchCopy();
  try {
    for (const part of parts) await report(part, copy);
  } finally {
    await copy.remove();
  }
}

await main();
