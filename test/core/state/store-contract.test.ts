import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { encryptedStore } from "../../../src/core/state/encryption/encrypted-store.ts";
import { memoryPlace, memoryStore } from "./memory-store.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { virtualClock } from "../virtual-clock.ts";
import { KEYS, keyPorts } from "./encryption-fixtures.ts";
import { memoryFiles } from "./memory-files.ts";
import { countingRandom, processOf } from "./state-fixtures.ts";
import { stateStoreContract } from "./store-contract.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const clock = virtualClock();
const ports = { clock, random: countingRandom(), process: processOf() };

stateStoreContract({
  name: "in memory",
  journal: false,
  backup: true,
  isAtomic: true,
  clock,
  place: () => {
    const place = memoryPlace();
    return Promise.resolve(() => memoryStore(clock, place));
  },
});

stateStoreContract({
  name: "local, on this disk",
  journal: true,
  backup: true,
  isAtomic: false,
  clock,
  place: async () => {
    const folder = await mkdtemp(join(tmpdir(), "outreach-state-"));
    folders.push(folder);
    return () => localStore(join(folder, "outreach.state.json"), { ...ports, files: nodeFiles() });
  },
});

stateStoreContract({
  name: "local, on a disk in memory",
  journal: true,
  backup: true,
  isAtomic: false,
  clock,
  place: async () => {
    const files = memoryFiles();
    await files.makeFolder("work");
    return () => localStore("work/outreach.state.json", { ...ports, files });
  },
});

stateStoreContract({
  name: "encrypted, in memory",
  journal: false,
  backup: true,
  isAtomic: true,
  clock,
  place: () => {
    const place = memoryPlace();
    return Promise.resolve(() => encryptedStore(memoryStore(clock, place), KEYS.one, keyPorts()));
  },
});

stateStoreContract({
  name: "encrypted, local, on this disk",
  journal: true,
  backup: true,
  isAtomic: false,
  clock,
  place: async () => {
    const folder = await mkdtemp(join(tmpdir(), "outreach-state-"));
    folders.push(folder);
    return () =>
      encryptedStore(
        localStore(join(folder, "outreach.state.json"), { ...ports, files: nodeFiles() }),
        KEYS.one,
        keyPorts(),
      );
  },
});
