/** Measures what docs/explanation/fleets.md calculates with. `--declared NUMBER`: the teams of the large configuration. */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type BenchFleet, SCHEMA, cpuSeconds, megabytes, withBenchFleet } from "./bench-fleet.ts";
import { startFleetService } from "./fleet-service.ts";

/** Every 10 seconds, so 30 runs a second. */
const TEAMS = 300;
const INTERVAL_S = 10;
const MEASURED_S = 60;
/** PostgreSQL counts what a connection has done once that one is idle. */
const COUNTED_MS = 2000;

interface Counted {
  readonly runs: number;
  readonly transactions: number;
  readonly updated: number;
  readonly inserted: number;
  readonly deleted: number;
  readonly wal: number;
}

async function count({ query }: BenchFleet): Promise<Counted> {
  const [row] =
    await query<Counted>(`SELECT (SELECT last_value FROM ${SCHEMA}.run_id_seq)::float8 AS runs, xact_commit::float8 AS transactions,
      tup_updated::float8 AS updated, tup_inserted::float8 AS inserted, tup_deleted::float8 AS deleted, (pg_current_wal_lsn() - '0/0')::float8 AS wal
    FROM pg_stat_database WHERE datname = current_database()`);
  if (!row) throw new Error("the database counts nothing");
  return row;
}

/** Of teams without changes, as they come due. */
async function measureRun(fleet: BenchFleet): Promise<readonly (readonly [part: string, ofRun: string])[]> {
  const controller = await fleet.join();
  await fleet.round();
  await delay(INTERVAL_S * 1000);
  const [before, controllerBefore, postgresBefore] = [
    await count(fleet),
    cpuSeconds([controller.pid]),
    cpuSeconds([fleet.postgresPid]),
  ];
  await delay(MEASURED_S * 1000);
  const [controllerAfter, postgresAfter] = [cpuSeconds([controller.pid]), cpuSeconds([fleet.postgresPid])];
  await delay(COUNTED_MS);
  const after = await count(fleet);
  const timed = ((after.runs - before.runs) * MEASURED_S * 1000) / (MEASURED_S * 1000 + COUNTED_MS);
  const of = (name: keyof Counted): number => (after[name] - before[name]) / (after.runs - before.runs);
  return [
    ["runs a second", (timed / MEASURED_S).toFixed(1)],
    ["transactions in PostgreSQL", of("transactions").toFixed(1)],
    [
      "rows updated, inserted, deleted",
      [of("updated"), of("inserted"), of("deleted")].map((rows) => rows.toFixed(1)).join(", "),
    ],
    ["write-ahead log", `${(of("wal") / 1000).toFixed(1)} KB`],
    ["CPU time of the controller", `${(((controllerAfter - controllerBefore) / timed) * 1000).toFixed(1)} ms`],
    ["CPU time of PostgreSQL", `${(((postgresAfter - postgresBefore) / timed) * 1000).toFixed(1)} ms`],
    ["connections of the controller", String((await clientConnections(fleet)) - 1)],
    ["memory of the controller", `${megabytes(controller, "VmRSS").toFixed(0)} MB`],
  ];
}

async function clientConnections({ query }: BenchFleet): Promise<number> {
  const [row] = await query<{ readonly count: number }>(
    "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE backend_type = 'client backend'",
  );
  return row?.count ?? 0;
}

async function measureDeclared({ join }: BenchFleet): Promise<readonly (readonly [part: string, figure: string])[]> {
  const beganMs = performance.now();
  const controller = await join();
  const seconds = (performance.now() - beganMs) / 1000;
  const page = async (path: string): Promise<string> => {
    const sinceMs = performance.now();
    await (await fetch(controller.url + path)).text();
    return `${(performance.now() - sinceMs).toFixed(0)} ms`;
  };
  return [
    ["start until it is ready", `${seconds.toFixed(0)} s, ${cpuSeconds([controller.pid]).toFixed(0)} s of CPU time`],
    [
      "memory of the controller",
      `${megabytes(controller, "VmRSS").toFixed(0)} MB, at most ${megabytes(controller, "VmHWM").toFixed(0)} MB`,
    ],
    ["its page", await page("/")],
    ["/api/status", await page("/api/status")],
    ["/metrics", await page("/metrics")],
  ];
}

const { values } = parseArgs({ options: { declared: { type: "string", default: "50000" } } });
const service = await startFleetService();
try {
  const { baseUrl } = service;
  const run = await withBenchFleet({ teams: TEAMS, baseUrl, interval: `${String(INTERVAL_S)}s` }, measureRun);
  process.stdout.write(
    `One run of a team with three webhooks and no changes\n${run.map((row) => `| ${row.join(" | ")} |\n`).join("")}`,
  );
  const declared = await withBenchFleet(
    { teams: Number(values.declared), baseUrl, key: "the-key-of-all-teams" },
    measureDeclared,
  );
  process.stdout.write(
    `\n${values.declared} teams in the configuration\n${declared.map((row) => `| ${row.join(" | ")} |\n`).join("")}`,
  );
} finally {
  service.stop();
}
