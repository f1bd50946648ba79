import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type BenchFleet, SCHEMA, cpuSeconds, withBenchFleet } from "./bench-fleet.ts";
import { type Figure, median } from "./figure.ts";
import { type FleetService, startFleetService } from "./fleet-service.ts";

const FEW = 300;
const PROCESSES = 3;
const ROUNDS = 5;
const TEAMS_A_SECOND = 100;
const TAKEN_OVER_S = 15;
const ONE_WEBHOOK = '  crm: { target_url: "https://crm.example.com/${team.name}" }\n';
const POLL_MS = 50;
const HANGING = 60;
const [INTERVAL_S, INTERVALS] = [60, 2];

/** Processes of the built command. They share the machine with PostgreSQL and the service, which each need a part of its processors. */
export async function measureFleetProcesses(): Promise<readonly Figure[]> {
  const service = await startFleetService();
  try {
    const { baseUrl } = service;
    return [
      ...(await withBenchFleet({ teams: FEW, baseUrl }, async (fleet) => [
        ...(await measureRates(fleet, service)),
        await measureTakeOver(fleet),
      ])),
      await measureHanging(),
    ];
  } finally {
    service.stop();
  }
}

/** After each process has computed the fingerprints of the secrets. In turns, because the machine is never the same. Leaves three controllers. */
async function measureRates(
  { controllers, postgresPid, join, round, roundOf }: BenchFleet,
  service: FleetService,
): Promise<readonly Figure[]> {
  for (let process = 0; process < PROCESSES; process++) await roundOf(await join());
  const [first] = controllers;
  if (!first) throw new Error("there is no controller");
  const pids = [...controllers.map(({ pid }) => pid), postgresPid, service.pid];
  const before = cpuSeconds(pids);
  const [alone, together]: [number[], number[]] = [[], []];
  for (let one = 0; one < ROUNDS; one++) {
    alone.push(await roundOf(first));
    together.push(await round());
  }
  const [one, three] = [median(alone), median(together)];
  const most = (cpus().length * 2 * ROUNDS * FEW) / (cpuSeconds(pids) - before);
  return [
    {
      name: "controller, teams without changes a second, one process",
      measured: `${one.toFixed(0)} a second`,
      ratio: one / TEAMS_A_SECOND,
      goal: { atLeast: 1 },
    },
    {
      // All of them together cannot be faster than the processors: that is the third figure.
      name: "controller, three processes compared with one; with PostgreSQL and the service, the processors allow",
      measured: `${three.toFixed(0)}, ${one.toFixed(0)}; at most ${most.toFixed(0)} a second`,
      ratio: three / one,
      goal: { atLeast: 1.5 },
    },
  ];
}

/** From the kill of a process to the moment when the last team that it worked on is reconciled by another. */
async function measureTakeOver({ controllers, query, begin }: BenchFleet): Promise<Figure> {
  const [killed] = controllers;
  if (!killed) throw new Error("there is no controller");
  const ofKilled = `process = (SELECT id FROM ${SCHEMA}.process WHERE pid = ${String(killed.pid)}) AND outcome = 'running'`;
  await begin();
  let runs: readonly { readonly id: string }[] = [];
  while (runs.length === 0) {
    runs = await query(`SELECT id FROM ${SCHEMA}.run WHERE ${ofKilled}`);
    if (runs.length === 0) await delay(POLL_MS);
  }
  killed.signal("SIGKILL");
  const killedMs = Date.now();
  const left = await query<{ readonly id: string; readonly team: string }>(
    `SELECT id, team FROM ${SCHEMA}.run WHERE ${ofKilled}`,
  );
  const values = left.map(({ id, team }) => `(${id}, '${team}')`).join(", ");
  const waiting = `SELECT FROM (VALUES ${values}) AS l (id, team) WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.run r WHERE r.team = l.team AND r.id > l.id)`;
  while (left.length > 0 && (await query(waiting)).length > 0) await delay(POLL_MS);
  const seconds = (Date.now() - killedMs) / 1000;
  return {
    name: "controller, the teams of a killed process are taken over",
    measured: `${seconds.toFixed(1)} s, ${String(left.length)} teams`,
    ratio: seconds / TAKEN_OVER_S,
    goal: { atMost: 1 },
    ...(left.length === 0 ? { broken: "it worked on no team" } : {}),
  };
}

/** How late teams come because others hang: a process with 10 workers, over two intervals. */
async function measureHanging(): Promise<Figure> {
  const service = await startFleetService(HANGING);
  const options = {
    teams: FEW,
    baseUrl: service.baseUrl,
    webhooks: ONE_WEBHOOK,
    interval: `${String(INTERVAL_S)}s`,
  };
  try {
    return await withBenchFleet(options, async ({ join, query }) => {
      await join();
      await delay(INTERVALS * INTERVAL_S * 1000);
      const isHanging = `team < 't${String(HANGING).padStart(5, "0")}'`;
      const [hung] = await query<{ readonly runs: number }>(
        `SELECT count(*)::integer AS runs FROM ${SCHEMA}.run WHERE ${isHanging} AND outcome = 'failed'`,
      );
      const [late] = await query<{
        readonly seconds: number;
        readonly teams: number;
      }>(`SELECT count(DISTINCT team)::integer AS teams,
          max(extract(epoch FROM began - before))::float8 - ${String(INTERVAL_S)} AS seconds
        FROM (SELECT team, began, coalesce(lag(began) OVER (PARTITION BY team ORDER BY id), (SELECT min(started) FROM ${SCHEMA}.process)) AS before
          FROM ${SCHEMA}.run WHERE NOT ${isHanging}) AS runs`);
      const [runs, seconds, teams] = [hung?.runs ?? 0, late?.seconds ?? Infinity, late?.teams ?? 0];
      const broken =
        runs === 0
          ? "no team has hung"
          : teams < FEW - HANGING
            ? `${String(FEW - HANGING - teams)} teams never came`
            : null;
      return {
        name: `controller, ${String(HANGING)} of ${String(FEW)} teams hang, the others come later`,
        measured: `by ${Math.max(0, seconds).toFixed(1)} s at most, with an interval of ${String(INTERVAL_S)} s; ${String(runs)} runs hung`,
        ratio: Math.max(0, seconds) / INTERVAL_S,
        goal: { atMost: 1 },
        ...(broken === null ? {} : { broken }),
      };
    });
  } finally {
    service.stop();
  }
}
