import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startPostgres } from "../core/state/pg/postgres-server.ts";
import { type Controller, startController } from "../torture/fleet/controllers.ts";

/** Controllers of the built command, as processes of their own, over a PostgreSQL that flushes to the disk. */
export interface BenchFleet {
  readonly controllers: readonly Controller[];
  /** Of the process of PostgreSQL that starts all others. */
  readonly postgresPid: number;
  query<Row extends object>(text: string): Promise<readonly Row[]>;
  /** Starts a controller. */
  join(): Promise<Controller>;
  /** Makes all teams due. */
  begin(): Promise<void>;
  /** Reconciles each team once. How many there are a second, without the first and the last tenth of them. */
  round(): Promise<number>;
  /** The same while all other controllers stand still. */
  roundOf(controller: Controller): Promise<number>;
}

export interface BenchFleetOptions {
  readonly teams: number;
  readonly baseUrl: string;
  /** That all teams use. By default, each has a key of its own. */
  readonly key?: string;
  /** By default, two of the three webhooks of a team have a secret. */
  readonly webhooks?: string;
  /** By default longer than the bench: the teams are due only when it says so. */
  readonly interval?: string;
}

export const SCHEMA = "outreach_fleet";
const WEBHOOKS = `  replies: { target_url: "https://crm.example.com/\${team.name}/replies", type: emailsReplied, secret: { env: HOOK_SECRET } }
  bounces: { target_url: "https://crm.example.com/\${team.name}/bounces", type: emailsBounced, secret: { env: HOOK_SECRET } }
  all: { target_url: "https://crm.example.com/\${team.name}/all" }
`;
const POLL_MS = 100;
/** Longer than a round of the most teams takes: a fleet that cannot work fails. */
const PATIENCE_MS = 300_000;
/** Of the CPU times that Linux tells. */
const TICKS_A_SECOND = 100;
const HURRY = `UPDATE ${SCHEMA}.team SET next_run = now() WHERE NOT running AND removed IS NULL`;

export async function withBenchFleet<T>(
  options: BenchFleetOptions,
  work: (fleet: BenchFleet) => Promise<T>,
): Promise<T> {
  const { teams: count, baseUrl, key, webhooks = WEBHOOKS, interval = "10h" } = options;
  const server = await startPostgres({ isDurable: true });
  const folder = await mkdtemp(path.join(tmpdir(), "bench-fleet-"));
  const client = new pg.Client({ connectionString: server.url });
  const controllers: Controller[] = [];
  const teams = Array.from({ length: count }, (_, index) => `t${String(index).padStart(5, "0")}`);
  const environment = {
    OUTREACH_DATABASE: server.url,
    PG_CONN_STR: server.url,
    OUTREACH_BASE_URL: baseUrl,
    OUTREACH_SETTLE: "0s",
    HOOK_SECRET: "secret-of-webhooks",
    // As in the image and the unit of examples/fleet.
    MALLOC_MMAP_THRESHOLD_: "4194304",
    ...(key === undefined ? Object.fromEntries(teams.map((team) => [`KEY_${team}`, `key-of-${team}`])) : { KEY: key }),
  };
  const query = async <Row extends object>(text: string): Promise<readonly Row[]> =>
    (await client.query<Row>(text)).rows;
  const begin = async (): Promise<void> => void (await query(HURRY));
  const round = async (): Promise<number> => {
    const [last] = await query<{ readonly id: string }>(`SELECT coalesce(max(id), 0) AS id FROM ${SCHEMA}.run`);
    await begin();
    for (const endsMs = performance.now() + PATIENCE_MS; ;) {
      const [ended] = await query<{
        readonly teams: number;
        readonly seconds: number;
      }>(`SELECT count(DISTINCT team)::integer AS teams,
          extract(epoch FROM percentile_disc(0.9) WITHIN GROUP (ORDER BY ended) - percentile_disc(0.1) WITHIN GROUP (ORDER BY ended))::float8 AS seconds
        FROM ${SCHEMA}.run WHERE id > ${last?.id ?? "0"} AND outcome IN ('applied', 'unchanged')`);
      if (ended?.teams === count) return (count * 0.8) / ended.seconds;
      if (performance.now() > endsMs)
        throw new Error(`only ${String(ended?.teams)} of ${String(count)} teams were reconciled`);
      await delay(POLL_MS);
    }
  };
  const roundOf = async (controller: Controller): Promise<number> => {
    const others = controllers.filter((one) => one !== controller && !one.isEnded());
    for (const { signal } of others) signal("SIGSTOP");
    try {
      return await round();
    } finally {
      for (const { signal } of others) signal("SIGCONT");
    }
  };
  const join = async (): Promise<Controller> => {
    const home = path.join(folder, `home-${String(controllers.length)}`);
    const joined = await startController({
      folder,
      home,
      environment,
      words: ["--auto", "all", "--interval", interval],
    });
    controllers.push(joined);
    for (const endsMs = performance.now() + PATIENCE_MS; (await fetch(`${joined.url}/readyz`)).status !== 200;) {
      if (performance.now() > endsMs) throw new Error("a controller does not become ready");
      await delay(POLL_MS);
    }
    return joined;
  };
  try {
    await client.connect();
    await writeFile(
      path.join(folder, "outreach.yaml"),
      configuration(teams, key === undefined ? "KEY_${team.name}" : "KEY", webhooks),
    );
    return await work({ controllers, postgresPid: server.pid, query, join, begin, round, roundOf });
  } finally {
    for (const { signal } of controllers) signal("SIGKILL");
    await Promise.all(controllers.map(({ ended }) => ended));
    await client.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function configuration(teams: readonly string[], key: string, webhooks: string): string {
  return `version: 1
service: { api_key: { env: "${key}" } }
state: { backend: pg, schema: states, name: "\${team.name}" }
teams:
${teams.map((team) => `  ${team}:\n`).join("")}webhooks:
${webhooks}`;
}

/** A figure of a process's memory in megabytes, from Linux. */
export function megabytes({ pid }: Pick<Controller, "pid">, of: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`${of}:\\s*(\\d+)`).exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1]) / 1024;
}

/** The seconds of CPU time of processes and of all that they have started, from Linux. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + [pid, ...childrenOf(pid)].reduce((ticks, one) => ticks + ticksOf(one), 0) / TICKS_A_SECOND,
    0,
  );
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
}

/** Its own, and those of the children that have ended. */
function ticksOf(pid: number): number {
  try {
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, "utf8")
        .split(") ")[1]
        ?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // It has just ended.
    return 0;
  }
}
