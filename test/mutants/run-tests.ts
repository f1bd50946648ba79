/** Runs the tests of one module in this process. Prints the name of the first that fails, and ends with 1 then. */
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type Task, type VitestRunner, startTests } from "@vitest/runner";

const [, , bundle = ""] = process.argv;
/** These measure time, with thousands of objects. */
const SLOW = /^(?:(?!thousand|200 creates).)*$/;
const NO_LIMIT_MS = 600_000;

Object.assign(globalThis, { __vitest_worker__: { config: { expect: {}, snapshotOptions: {} }, ctx: {}, durations: {}, rpc: {} } });

function end(failure: string): never {
  process.stdout.write(failure);
  process.exit(1);
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
  onAfterRunTask: (task: Task) => {
    if (task.result?.state === "fail") end(`${task.fullTestName}: ${task.result.errors?.[0]?.message ?? ""}`);
  },
};

process.on("unhandledRejection", (error) => end(`an unhandled rejection: ${String(error)}`));
process.on("uncaughtException", (error) => end(`an uncaught exception: ${String(error)}`));

const [file] = await startTests([{ filepath: bundle, fileTags: [], testLocations: undefined }], runner);
if (file?.result?.state !== "pass") end(file?.result?.errors?.[0]?.message ?? "no test was run");
process.exit(0);
