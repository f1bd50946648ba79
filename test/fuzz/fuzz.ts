import { Worker } from "node:worker_threads";
import { type Outcome, replayLine } from "./run-target.ts";
import type { Work } from "./worker.ts";

export interface FuzzResult extends Outcome {
  readonly name: string;
}

/** Threads do not inherit the loader of TypeScript. */
const START = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(new URL("./worker.ts", import.meta.url).href)}); })`;
/** As in the main thread of the command: threads have four times as much, and recursion goes deeper in them. */
const STACK_MB = 1;
const LOOK_EVERY_MS = 500;
/** A case that has used so much CPU time does not end. */
const HANGS_MS = 20_000;
/** Cases wait for nothing but a few real files and sockets of this machine: after so much time, one waits for what never comes. */
const WAITS_MS = 240_000;

/** Runs cases in a thread of its own: one that never ends is found from outside, and ends the thread. */
export function fuzz(runs: Work["runs"], tell: (result: FuzzResult) => void): Promise<void> {
  const begun = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(START, {
    eval: true,
    workerData: { runs, begun } satisfies Work,
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  let running: string | null = null;
  let seen = { count: -1, name: null as string | null, cpu: process.cpuUsage(), atMs: performance.now() };
  return new Promise((resolve, reject) => {
    const look = setInterval(() => {
      const count = Atomics.load(begun, 1);
      if (count !== seen.count || running !== seen.name)
        seen = { count, name: running, cpu: process.cpuUsage(), atMs: performance.now() };
      const { user, system } = process.cpuUsage(seen.cpu);
      if (running === null || ((user + system) / 1000 < HANGS_MS && performance.now() - seen.atMs < WAITS_MS)) return;
      clearInterval(look);
      const cases = Atomics.load(begun, 0);
      const { seed = 0, path = null } = runs.find(({ name }) => name === running) ?? {};
      const failure = `${running}: a case, or what it shrinks to, does not end\n  ${replayLine(running, seed, path ?? String(cases - 1))}`;
      tell({ name: running, cases, accepted: 0, slowestMs: HANGS_MS, failure });
      void worker.terminate();
    }, LOOK_EVERY_MS);
    worker.on("message", ({ name, outcome }: { readonly name: string; readonly outcome?: Outcome }) => {
      running = name;
      if (outcome) tell({ name, ...outcome });
    });
    worker.on("error", reject);
    worker.on("exit", () => {
      clearInterval(look);
      resolve();
    });
  });
}
