import { afterAll } from "vitest";
import { pgServer } from "../../../../src/core/state/pg/pg-server.ts";
import { pgStore } from "../../../../src/core/state/pg/pg-store.ts";
import type { StateStore, StorePorts } from "../../../../src/core/state/state-store.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { nodeRandom } from "../../../../src/platform/node-random.ts";
import { processOf, storePorts } from "../state-fixtures.ts";

const PORTS = storePorts({ clock: nodeClock, files: nodeFiles(), random: nodeRandom, process: processOf() });

export interface PgStoreOptions extends Partial<Pick<StorePorts, "timeoutMs">> {
  readonly schema?: string;
  readonly name?: string;
}

/** Opens stores as processes do, and closes them after the last test. */
export function usePgStores(): (url: string, options?: PgStoreOptions) => StateStore {
  const open: StateStore[] = [];
  afterAll(async () => {
    await Promise.all(open.map((store) => store.close()));
  });
  return (url, { schema = "states", name = "default", timeoutMs = PORTS.timeoutMs } = {}) => {
    const { value: server, diagnostics } = pgServer(url, {});
    if (!server) throw new Error(JSON.stringify(diagnostics));
    const store = pgStore(server, { schema, name }, { ...PORTS, timeoutMs });
    open.push(store);
    return store;
  };
}
