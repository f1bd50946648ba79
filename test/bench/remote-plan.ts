import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "../core/state/pg/postgres-server.ts";
import { startSlowProxy } from "../core/state/pg/slow-proxy.ts";
import { startS3Server } from "../core/state/s3/s3-server.ts";
import { withExisting } from "./existing-plan.ts";
import { type Figure, median } from "./figure.ts";
import { PG_NAME, openPgStore } from "./pg-store.ts";

const WEBHOOKS = 10;
const RUNS = 5;
const ROUND_TRIP_MS = 100;
const KEY = "crm/production.json";

/** A store of this machine that holds a state, and answers after a round trip. */
interface RemoteStore {
  readonly environment: { readonly [name: string]: string };
  /** When each round trip began. Requests that are under way together are one. */
  readonly tripsAtMs: number[];
  close(): Promise<void>;
}

const STORES: { readonly [backend: string]: (state: Buffer) => Promise<RemoteStore> } = {
  s3: s3Store,
  pg: pgStateStore,
};

/** The round trips that `outreach plan` without changes waits for with each remote backend, until the plan is printed. With a state on the disk there are none. */
export function measureRemotePlans(): Promise<readonly Figure[]> {
  return withExisting(WEBHOOKS, async ({ recorded, plan }) => {
    const state = await readFile(recorded);
    const figures: Figure[] = [];
    for (const [backend, open] of Object.entries(STORES)) {
      const store = await open(state);
      try {
        const rounds: { readonly trips: number; readonly printed: number; readonly moreMs: number }[] = [];
        for (let run = 0; run < RUNS; run++) {
          const local = await plan();
          store.tripsAtMs.length = 0;
          const beganMs = performance.now();
          const { planMs, printedMs } = await plan(undefined, store.environment);
          const printed = store.tripsAtMs.filter((atMs) => atMs < beganMs + printedMs).length;
          rounds.push({ trips: store.tripsAtMs.length, printed, moreMs: planMs - local.planMs });
        }
        const [printed, trips, moreMs] = (["printed", "trips", "moreMs"] as const).map((of) =>
          median(rounds.map((round) => round[of])),
        );
        figures.push({
          name: `outreach plan with ${backend}: round trips to the store until it is printed`,
          measured: `${String(printed)}, and ${String(trips)} until it ends; ${(moreMs ?? 0).toFixed(0)} ms more than local, with ${String(ROUND_TRIP_MS)} ms a round trip`,
          ratio: printed ?? Number.NaN,
          goal: { atMost: 2 },
        });
      } finally {
        await store.close();
      }
    }
    return figures;
  });
}

async function s3Store(state: Buffer): Promise<RemoteStore> {
  const tripsAtMs: number[] = [];
  let underWay = 0;
  const answered = async (): Promise<void> => {
    if (underWay++ === 0) tripsAtMs.push(performance.now());
    await delay(ROUND_TRIP_MS);
    underWay--;
  };
  const server = await startS3Server({ fault: () => ({ kind: "held", until: answered() }) });
  server.objects.set(KEY, { body: state, etag: `"${createHash("md5").update(state).digest("hex")}"`, headers: {} });
  return {
    environment: {
      OUTREACH_STATE: `s3://${server.bucket}/${KEY}`,
      AWS_ENDPOINT_URL_S3: server.url,
      AWS_REGION: server.region,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    },
    tripsAtMs,
    close: () => server.close(),
  };
}

/** Connecting is not counted: with a password, it takes three round trips more, and TLS two. */
async function pgStateStore(state: Buffer): Promise<RemoteStore> {
  const server = await startPostgres();
  const proxy = await startSlowProxy(server.port, ROUND_TRIP_MS);
  const store = openPgStore(server.url);
  await store.write(state, null, new AbortController().signal);
  await store.close();
  return {
    environment: { OUTREACH_STATE: `${proxy.through(server.url)}?name=${PG_NAME}` },
    tripsAtMs: proxy.tripsAtMs,
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}
