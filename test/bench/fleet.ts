import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Fingerprinter } from "../../src/core/secrets/fingerprint.ts";
import { growHeapSlowly, liftListenerLimit } from "../../src/platform/node-process.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeRandom } from "../../src/platform/node-random.ts";
import { startPostgres } from "../core/state/pg/postgres-server.ts";
import { teamWorkInProcess } from "../frontends/cli/run-in-process.ts";
import { type Figure, median } from "./figure.ts";
import { startFleetService } from "./fleet-service.ts";

const [FEW, MANY] = [500, 5000] as const;
/** Those that are reconciled, of either fleet. */
const TEAMS = 300;
const AT_ONCE = 16;
const RUNS = 3;
const never = (): AbortSignal => new AbortController().signal;

/** Instead of 40 ms: what is measured takes each fingerprint from before. */
const quick: Fingerprinter = (salt) => (secret) =>
  Promise.resolve(
    createHash("sha256")
      .update(salt + secret)
      .digest("hex")
      .slice(0, 32),
  );

/** Whether a team without changes takes longer in a large fleet. */
export async function measureFleet(): Promise<readonly Figure[]> {
  liftListenerLimit();
  const folder = await mkdtemp(path.join(tmpdir(), "fleet-"));
  const server = await startPostgres();
  const service = await startFleetService();
  try {
    const { baseUrl } = service;
    const fleets = await Promise.all(
      [FEW, MANY].map((count) => openFleet({ folder, count, url: server.url, baseUrl })),
    );
    const took = fleets.map((): number[] => []);
    await fleets[0]?.round("applied");
    for (let run = 0; run < RUNS; run++)
      for (const [index, { round }] of fleets.entries()) took[index]?.push(await round("unchanged"));
    await Promise.all(fleets.map(({ close }) => close()));
    const [few = 0, many = 0] = took.map(median);
    return [
      {
        name: `controller, time a team: ${String(MANY)} teams compared with ${String(FEW)}`,
        measured: `${(many / TEAMS).toFixed(2)} ms, ${(few / TEAMS).toFixed(2)} ms`,
        ratio: many / few,
        goal: { atMost: 1.2 },
      },
    ];
  } finally {
    service.stop();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

interface FleetOptions {
  readonly folder: string;
  readonly count: number;
  readonly url: string;
  readonly baseUrl: string;
}

async function openFleet({ folder, count, url, baseUrl }: FleetOptions) {
  const config = `${String(count)}.yaml`;
  await writeFile(path.join(folder, config), configuration(count, baseUrl));
  const keys = Array.from({ length: count }, (_, index) => [`KEY_${String(index)}`, `key-${String(index)}`] as const);
  const environment = {
    ...Object.fromEntries(keys),
    PG_CONN_STR: url,
    SECRET: "secret-of-webhooks",
    OUTREACH_SETTLE: "0s",
  };
  const more = { fingerprinter: quick, random: nodeRandom, saveMemory: growHeapSlowly };
  const work = teamWorkInProcess({ folder, environment, clock: nodeClock, providerFolder: folder }, { config }, more);
  await work.read(never());
  return {
    close: work.close,
    /** The milliseconds of one run of each team. */
    round: async (expected: string): Promise<number> => {
      const start = performance.now();
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < TEAMS) {
          const result = await work.reconcile(`team-${String(next++)}`, "safe", never());
          if (result.outcome !== expected) throw new Error(`a team is ${JSON.stringify(result)}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return performance.now() - start;
    },
  };
}

function configuration(teams: number, baseUrl: string): string {
  const declared = Array.from(
    { length: teams },
    (_, index) => `  team-${String(index)}: { api_key: { env: KEY_${String(index)} } }\n`,
  ).join("");
  const webhooks = ["one", "two", "three"].map(
    (name) => `  ${name}: { target_url: "https://crm.example.com/\${team.name}/${name}", secret: { env: SECRET } }\n`,
  );
  const state = 'state: { backend: pg, schema: states, name: "${team.name}" }\n';
  return `version: 1\nservice: { base_url: "${baseUrl}" }\nteams:\n${declared}${state}webhooks:\n${webhooks.join("")}`;
}
