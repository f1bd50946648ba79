import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { type TestModule, type Vitest, createVitest } from "vitest/node";

/** One mutant: a changed file, and the test files to run, in this order, until one fails. */
export interface Job {
  readonly file: string;
  readonly text: string;
  readonly tests: readonly string[];
}

export interface Answer {
  readonly failed: string | null;
}

const [, , folder = ""] = process.argv;
let starting: Promise<Vitest> | null = null;

/** With the settings of the tree: they prepare what tests share. */
function start(): Promise<Vitest> {
  return createVitest("test", { root: folder, watch: false, bail: 1, maxWorkers: 1, reporters: [{}] });
}

process.on("disconnect", () => process.exit());
process.on("message", (job: Job) => {
  carryOut(job).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      process.stderr.write(`${String(error instanceof Error ? error.stack : error)}\n`);
      process.exit(1);
    },
  );
});

async function carryOut({ file, text, tests }: Job): Promise<Answer> {
  starting ??= start();
  const vitest = await starting;
  const changed = path.join(folder, file);
  const before = readFileSync(changed, "utf8");
  const put = (content: string): void => {
    // A new file: the old one may be open, or linked elsewhere.
    rmSync(changed);
    writeFileSync(changed, content);
    vitest.invalidateFile(changed);
  };
  put(text);
  try {
    for (const test of tests) {
      const failed = await firstFailure(vitest, test);
      if (failed !== null) return { failed };
    }
    return { failed: null };
  } finally {
    put(before);
  }
}

async function firstFailure(vitest: Vitest, test: string): Promise<string | null> {
  // What failed before would count as a failure of this run, and end it.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.state.errorsSet.clear();
  const specifications = [vitest.getRootProject().createSpecification(path.join(folder, test))];
  const { testModules, unhandledErrors } = await vitest.rerunTestSpecifications(specifications);
  const short = test.replaceAll(/^test\/|\.test\.ts$/g, "");
  if (testModules.length !== 1) throw new Error(`${test} was run ${String(testModules.length)} times`);
  for (const module of testModules) {
    const name = nameOfFailure(module);
    if (name !== null) return `${short}: ${name}`;
  }
  return unhandledErrors.length > 0 ? `${short}: an unhandled error` : null;
}

function nameOfFailure(module: TestModule): string | null {
  for (const test of module.children.allTests("failed")) return test.fullName;
  return module.ok() ? null : "a group or the file itself fails";
}
