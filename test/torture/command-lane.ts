import { startTortureSandbox } from "./sandbox.ts";
import type { runInProcess } from "../frontends/cli/run-in-process.ts";
import { prepareCommand } from "./command-target.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STORES, type Store, openStore } from "./stores.ts";
import type { Lane } from "./target.ts";

/** Each scenario on each store: `command/local/create`. */
export const COMMAND_IDS: readonly string[] = STORES.flatMap((store) =>
  SCENARIOS.map(({ name }) => `command/${store}/${name}`),
);

export interface CommandLaneOptions {
  readonly runInProcess: typeof runInProcess;
  readonly recoversInProcess: boolean;
  /** A PostgreSQL server: started when it is needed. */
  readonly postgres: () => Promise<string>;
}

/** A sandbox and stores for many kills of the command. */
export async function openCommandLane({
  runInProcess,
  recoversInProcess,
  postgres,
}: CommandLaneOptions): Promise<Lane> {
  const sandbox = await startTortureSandbox();
  const stores = new Map<string, Store>();
  return {
    prepare: async (id) => {
      const [, storeName, scenarioName] = id.split("/");
      const name = STORES.find((one) => one === storeName);
      const scenario = SCENARIOS.find((one) => one.name === scenarioName);
      if (!name || !scenario) throw new Error(`${id} does not exist`);
      const store = stores.get(name) ?? (await openStore(name, postgres));
      stores.set(name, store);
      return prepareCommand(scenario, { sandbox, store, runInProcess, recoversInProcess });
    },
    close: async () => {
      for (const store of stores.values()) await store.close();
      await sandbox.close();
    },
  };
}
