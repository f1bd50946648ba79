import { afterAll, expect } from "vitest";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import type { StateStore } from "../../../../src/core/state/state-store.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { type HttpStateServer, SERVER_PASSWORD, startHttpStateServer } from "./http-state-server.ts";
import { memoryFiles } from "../memory-files.ts";
import { countingRandom, processOf, storePorts } from "../state-fixtures.ts";
import { stateStoreContract } from "../store-contract.ts";

const servers: HttpStateServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

const random = countingRandom();
const ports = storePorts(
  { files: memoryFiles(), clock: nodeClock, random, process: processOf() },
  { PASSWORD: SERVER_PASSWORD },
);

for (const dialect of ["plain", "gitlab"] as const) {
  stateStoreContract({
    name: `http, ${dialect}`,
    journal: false,
    backup: false,
    isAtomic: false,
    clock: nodeClock,
    place: async () => {
      const server = await startHttpStateServer(dialect);
      servers.push(server);
      const { value: open, diagnostics } = chooseStore(
        { backend: "http", settings: { ...server.settings(), password: { env: "PASSWORD" } } },
        {},
      );
      if (!open) throw new Error(JSON.stringify(diagnostics));
      const stores = await Promise.all(Array.from({ length: 10 }, () => open(ports)));
      return () => {
        const store = stores.pop() ?? expect.fail("more stores than this place has");
        return dialect === "plain" ? store : inDocuments(store);
      };
    },
  });
}

let serial = 0;

/** GitLab takes only documents with a new serial. */
function inDocuments(store: StateStore): StateStore {
  return {
    ...store,
    write: (bytes, expected, signal) =>
      store.write(
        Buffer.from(JSON.stringify({ serial: ++serial, bytes: Buffer.from(bytes).toString("base64") })),
        expected,
        signal,
      ),
    read: async (signal) => {
      const stored = await store.read(signal);
      if (!stored) return null;
      const { bytes } = JSON.parse(Buffer.from(stored.bytes).toString()) as { readonly bytes: string };
      return { ...stored, bytes: Buffer.from(bytes, "base64") };
    },
  };
}
