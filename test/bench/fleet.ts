import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pgServer } from "../../src/core/state/pg/pg-server.ts";
import type { Fingerprinter } from "../../src/core/secrets/fingerprint.ts";
import { sharedBudget } from "../../src/fleet/budget.ts";
import { budgetRows } from "../../src/fleet/database/budget-rows.ts";
import { type FleetDatabase, openFleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { migrateFleet } from "../../src/fleet/database/fleet-schema.ts";
import { growHeapSlowly } from "../../src/platform/heap-growth.ts";
import { liftListenerLimit } from "../../src/platform/listener-limit.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";
import { nodeRandom } from "../../src/platform/node-random.ts";
import { startPostgres } from "../core/state/pg/postgres-server.ts";
import { teamWorkInProcess } from "../frontends/cli/run-in-process.ts";
import { type Figure, median } from "./figure.ts";

const [FEW, MANY] = [500, 5000] as const;
/** Those that are reconciled, of either fleet. */
const TEAMS = 300;
const AT_ONCE = 16;
const RUNS = 5;
const TEAMS_A_SECOND = 100;
const never = (): AbortSignal => new AbortController().signal;

/** A service that answers after 5 ms, with a list for each key. */
const SERVICE = `const lists = new Map();
let made = 0;
const server = require("node:http").createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part)).on("end", () => setTimeout(() => {
    const key = request.headers.authorization;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    if (request.method === "POST") list.push({ _id: "hoo_" + ++made, ...JSON.parse(body) });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.method === "POST" ? list.at(-1) : list));
  }, 5));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));`;

/** Instead of 40 ms: what is measured takes each fingerprint from before. */
const quick: Fingerprinter = (salt) => (secret) =>
  Promise.resolve(
    createHash("sha256")
      .update(salt + secret)
      .digest("hex")
      .slice(0, 32),
  );

/** How many teams without changes one process reconciles, and whether a team of a large fleet takes longer. */
export async function measureFleet(): Promise<readonly Figure[]> {
  liftListenerLimit();
  const folder = await mkdtemp(path.join(tmpdir(), "fleet-"));
  const server = await startPostgres();
  const database = await openDatabase(server.url);
  const service = spawn(process.execPath, ["-e", SERVICE], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  try {
    const baseUrl = `http://127.0.0.1:${String(await portOf(service))}`;
    const fleets = await Promise.all([FEW, MANY].map((count) => openFleet({ folder, count, url: server.url, database, baseUrl })));
    const took = fleets.map((): number[] => []);
    await fleets[0]?.round("applied");
    for (let run = 0; run < RUNS; run++) for (const [index, { round }] of fleets.entries()) took[index]?.push(await round("unchanged"));
    await Promise.all(fleets.map(({ close }) => close()));
    const [few = 0, many = 0] = took.map(median);
    const perSecond = (TEAMS / many) * 1000;
    return [
      {
        name: `controller, teams without changes a second in one process, of ${String(MANY)}`,
        measured: `${perSecond.toFixed(0)} a second`,
        ratio: perSecond / TEAMS_A_SECOND,
        goal: { atLeast: 1 },
      },
      {
        name: `controller, time a team: ${String(MANY)} teams compared with ${String(FEW)}`,
        measured: `${(many / TEAMS).toFixed(2)} ms, ${(few / TEAMS).toFixed(2)} ms`,
        ratio: many / few,
        goal: { atMost: 1.2 },
      },
    ];
  } finally {
    service.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function portOf(service: ChildProcess): Promise<number> {
  const [port] = (await once(service, "message")) as [number];
  return port;
}

async function openDatabase(url: string): Promise<FleetDatabase> {
  const { value } = pgServer(url, {});
  if (!value) throw new Error("this is no URL of a server");
  const database = await openFleetDatabase(value, { files: nodeFiles() });
  await migrateFleet(database);
  return database;
}

interface FleetOptions {
  readonly folder: string;
  readonly count: number;
  readonly url: string;
  readonly database: FleetDatabase;
  readonly baseUrl: string;
}

async function openFleet({ folder, count, url, database, baseUrl }: FleetOptions) {
  const config = `${String(count)}.yaml`;
  await writeFile(path.join(folder, config), configuration(count, baseUrl));
  const keys = Array.from({ length: count }, (_, index) => [`KEY_${String(index)}`, `key-${String(index)}`] as const);
  const environment = { ...Object.fromEntries(keys), PG_CONN_STR: url, SECRET: "secret-of-webhooks", OUTREACH_SETTLE: "0s", XDG_RUNTIME_DIR: folder };
  const rows = budgetRows(database, nodeClock);
  const requestLog = (key: string) => sharedBudget(nodeClock, rows, { key, participant: nodeRandom.uuid() });
  const more = { fingerprinter: quick, random: nodeRandom, saveMemory: growHeapSlowly, requestLog };
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
  const declared = Array.from({ length: teams }, (_, index) => `  team-${String(index)}: { api_key: { env: KEY_${String(index)} } }\n`).join("");
  const webhooks = ["one", "two", "three"].map(
    (name) => `  ${name}: { target_url: "https://crm.example.com/\${team.name}/${name}", secret: { env: SECRET } }\n`,
  );
  const state = 'state: { backend: pg, schema: states, name: "${team.name}" }\n';
  return `version: 1\nservice: { base_url: "${baseUrl}" }\nteams:\n${declared}${state}webhooks:\n${webhooks.join("")}`;
}
