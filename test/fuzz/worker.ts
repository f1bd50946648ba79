import { parentPort, workerData } from "node:worker_threads";
import { type Chosen, runTarget } from "./run-target.ts";
import { TARGETS } from "./targets.ts";

/** What the worker is given, and how it says what it is doing: the number of begun cases, and of their runs, which change also while it computes. */
export interface Work {
  readonly runs: readonly (Chosen & { readonly name: string })[];
  readonly begun: Int32Array;
}

// eslint-disable-next-line unicorn/require-post-message-target-origin -- as only windows have
const tell = (message: object): void => parentPort?.postMessage(message);

const { runs, begun } = workerData as Work;
for (const chosen of runs) {
  const target = TARGETS.find(({ name }) => name === chosen.name);
  if (!target)
    throw new Error(`There is no target ${chosen.name}. There are: ${TARGETS.map(({ name }) => name).join(", ")}.`);
  tell({ name: chosen.name });
  Atomics.store(begun, 0, 0);
  const outcome = await runTarget(target, chosen, (cases) => {
    Atomics.store(begun, 0, cases);
    Atomics.add(begun, 1, 1);
  });
  tell({ name: chosen.name, outcome });
}
