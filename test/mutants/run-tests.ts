/** Runs tests in this process, and writes what fails first, how long each took, and which places of the sources it reached. */
import childProcess from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { type File, type Task, type Test, type VitestRunner, startTests } from "@vitest/runner";
import type { ProvidedContext } from "vitest";

export interface Settings {
  /** Bundles of test files, in this order. */
  readonly files: readonly string[];
  /** Tests of these ids only, unless null. */
  readonly ids: readonly string[] | null;
  readonly provided: Partial<ProvidedContext> & Pick<ProvidedContext, "commandFile">;
  /** Goes on after a test that fails. */
  readonly goesOn?: boolean;
}

export interface Told {
  readonly failure: string | null;
  /** That passed. */
  readonly tests: readonly Ran[];
  /** That failed, and did not end the run. */
  readonly failed: readonly string[];
  /** Places that were reached outside of any test. */
  readonly always: readonly number[];
}

export interface Ran {
  readonly file: string;
  readonly id: string;
  readonly name: string;
  readonly tookMs: number;
  /** Of the processor's time. */
  readonly cpuMs: number;
  readonly reached: readonly number[];
  /** Processes that it started may have reached more. */
  readonly isMore: boolean;
}

const [, , written = "", told = ""] = process.argv;
const { files, ids, provided, goesOn = false } = JSON.parse(readFileSync(written, "utf8")) as Settings;
/** These measure time, with thousands of objects. */
const SLOW = /^(?:(?!thousand|200 creates).)*$/;
const NO_LIMIT_MS = 600_000;

const tests: Ran[] = [];
const failed: string[] = [];
const always = new Set<number>();
const reached = new Set<number>();
let isMore = false;
let before = process.cpuUsage();
/** Processes may be started in these ways, of which the others make use. The built command has no mutant. */
for (const [holder, name] of [
  [childProcess.ChildProcess.prototype, "spawn"],
  [childProcess, "spawnSync"],
  [childProcess, "execFileSync"],
] as const) {
  const start = Object.getOwnPropertyDescriptor(holder, name)?.value as (...words: unknown[]) => unknown;
  Object.assign(holder, {
    [name](this: unknown, ...words: unknown[]) {
      isMore ||= !inspect(words, { depth: null, maxStringLength: null, maxArrayLength: null }).includes(
        provided.commandFile,
      );
      return start.apply(this, words);
    },
  });
}
syncBuiltinESMExports();
Object.assign(globalThis, {
  __vitest_worker__: {
    config: { expect: {}, snapshotOptions: {} },
    ctx: {},
    durations: {},
    rpc: {},
    providedContext: provided,
  },
  reachedPlace: (place: number) => void reached.add(place),
});

function end(failure: string | null): never {
  writeFileSync(told, JSON.stringify({ failure, tests, failed, always: [...always] } satisfies Told));
  process.exit(failure === null ? 0 : 1);
}

const runner: VitestRunner = {
  config: {
    root: process.cwd(),
    setupFiles: [],
    passWithNoTests: false,
    allowOnly: true,
    sequence: { shuffle: false, concurrent: false, seed: 1, hooks: "stack", setupFiles: "list" },
    maxConcurrency: 5,
    testTimeout: NO_LIMIT_MS,
    hookTimeout: NO_LIMIT_MS,
    testNamePattern: SLOW,
    retry: 0,
    includeTaskLocation: false,
    diffOptions: undefined,
    chaiConfig: undefined,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  } as unknown as VitestRunner["config"],
  importFile: (file) => import(pathToFileURL(file).href) as Promise<unknown>,
  onBeforeRunTask: () => {
    for (const place of reached) always.add(place);
    reached.clear();
    isMore = false;
    before = process.cpuUsage();
  },
  onAfterRunTask: (task: Test) => {
    const failure = failureOf(task);
    if (failure !== null && !goesOn) end(failure);
    if (failure !== null) failed.push(failure);
    if (task.result?.state === "pass") {
      const { user, system } = process.cpuUsage(before);
      const cpuMs = (user + system) / 1000;
      const tookMs = task.result.duration ?? 0;
      tests.push({
        file: task.file.filepath,
        id: task.id,
        name: task.fullTestName,
        tookMs,
        cpuMs,
        reached: [...reached],
        isMore,
      });
    }
    reached.clear();
  },
  onAfterRunSuite: (suite) => {
    const failure = failureOf(suite);
    if (failure !== null && !goesOn) end(failure);
  },
};

function failureOf(task: Task): string | null {
  return task.result?.state === "fail"
    ? `${"fullTestName" in task ? task.fullTestName : task.name}: ${task.result.errors?.[0]?.message ?? ""}`
    : null;
}

process.on("unhandledRejection", (error) => end(`an unhandled rejection: ${String(error)}`));
process.on("uncaughtException", (error) => end(`an uncaught exception: ${String(error)}`));

const ran: readonly File[] = await startTests(
  files.map((filepath) => ({
    filepath,
    fileTags: [],
    testLocations: undefined,
    ...(ids === null ? {} : { testIds: [...ids] }),
  })),
  runner,
);
const first = goesOn ? null : (ran.map(failureOf).find((failure) => failure !== null) ?? null);
end(first ?? (tests.length === 0 ? "no test was run" : null));
