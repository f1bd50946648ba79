import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { localStore } from "../../src/core/state/local/local-store.ts";
import { pgServer } from "../../src/core/state/pg/pg-server.ts";
import { pgStore } from "../../src/core/state/pg/pg-store.ts";
import type { StateStore } from "../../src/core/state/state-store.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";
import { nodeProcess } from "../../src/platform/node-process.ts";
import { nodeRandom } from "../../src/platform/node-random.ts";
import { startPostgres } from "../core/state/pg/postgres-server.ts";
import { storePorts } from "../core/state/state-fixtures.ts";
import { startSlowProxy } from "../core/state/pg/slow-proxy.ts";
import { pacedApply } from "./apply.ts";
import { type Figure, median } from "./figure.ts";
import { state } from "./webhooks.ts";

const WEBHOOKS = 10_000;
const RUNS = 9;
const ROUND_TRIP_MS = 50;
const NEVER = new AbortController().signal;
const LOCAL_PORTS = { clock: nodeClock, files: nodeFiles(), random: nodeRandom, process: nodeProcess };
/** Of the states that the bench writes. */
export const PG_NAME = "bench";

/** The store of a state named `PG_NAME`, in the default schema. */
export function openPgStore(url: string): StateStore {
  const { value: server } = pgServer(url, {});
  if (server === null) throw new Error("this is no URL of a server");
  return pgStore(server, { schema: "outreach", name: PG_NAME }, storePorts(LOCAL_PORTS));
}

/** A write of a large state, and an apply whose database is far away. */
export async function measurePgState(): Promise<readonly Figure[]> {
  return [await measureWrite(), await measurePacedApply()];
}

async function measurePacedApply(): Promise<Figure> {
  const server = await startPostgres();
  const proxy = await startSlowProxy(server.port, ROUND_TRIP_MS);
  try {
    const name = `outreach apply, 200 creates under the limit, state in pg with ${String(ROUND_TRIP_MS)} ms a round trip`;
    return await pacedApply(name, { OUTREACH_STATE: proxy.through(server.url) }, () => proxy.tripsAtMs.length);
  } finally {
    await proxy.close();
    await server.stop();
  }
}

/** On a server that flushes it to the disk, compared with a write to a file. */
async function measureWrite(): Promise<Figure> {
  const bytes = state(WEBHOOKS, "https://api.example.com/api");
  const folder = await mkdtemp(path.join(tmpdir(), "pg-write-"));
  const server = await startPostgres({ isDurable: true });
  const pg = openPgStore(server.url);
  try {
    const [local, remote] = [
      await writes(localStore(path.join(folder, "outreach.state.json"), LOCAL_PORTS), bytes),
      await writes(pg, bytes),
    ];
    return {
      name: "state of 10,000 webhooks: a write to pg against one to a file",
      measured: `${median(remote).toFixed(0)} ms, file: ${median(local).toFixed(0)} ms, ${(bytes.length / 1e6).toFixed(1)} MB`,
      ratio: median(remote) / median(local),
      goal: { atMost: 3 },
    };
  } finally {
    await pg.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** The milliseconds of each write under the lock, after a first one. */
async function writes(store: StateStore, bytes: Uint8Array): Promise<readonly number[]> {
  const { who, host, bootId, pidNamespace, pid, startedAt } = nodeProcess;
  const lock = await store.lock(
    { operation: "bench", who, host, bootId, pidNamespace, pid, startedAt, since: new Date().toISOString() },
    0,
    NEVER,
  );
  const tookMs: number[] = [];
  let version = await store.write(bytes, null, NEVER);
  for (let run = 0; run < RUNS; run++) {
    const beganMs = performance.now();
    version = await store.write(bytes, version, NEVER);
    tookMs.push(performance.now() - beganMs);
  }
  await lock.release();
  return tookMs;
}
