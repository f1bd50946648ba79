import type { PlanCounts } from "../../../src/core/plan/plan.ts";
import {
  type EventStatus,
  type FleetSettings,
  FleetUnavailable,
  type PlanStatus,
  type ProcessStatus,
  type RunStatus,
  type TeamStatus,
} from "../../../src/fleet/fleet-store.ts";
import type { RemovedTeam } from "../../../src/fleet/team-work.ts";
import type { FleetStore } from "../../../src/fleet/database/pg-fleet-store.ts";
import { openFleetMetrics } from "../../../src/fleet/observe/fleet-metrics.ts";
import { type FleetServer, type FleetServerOptions, openFleetServer } from "../../../src/fleet/page/fleet-server.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import type { FleetSnapshot } from "../../../src/fleet/page/fleet-snapshot.ts";

export const NOW_MS = Date.UTC(2026, 10, 23, 12, 0, 0);
export const NO_COUNTS: PlanCounts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

export const SETTINGS: FleetSettings = {
  auto: "safe",
  intervalMs: 600_000,
  historyMs: 7_776_000_000,
  freeze: null,
};

export function teamOf(name: string, more: Partial<TeamStatus> = {}): TeamStatus {
  return {
    name,
    state: "unchanged",
    lastRunMs: NOW_MS - 125_000,
    lastDurationMs: 4000,
    nextRunMs: NOW_MS + 175_000,
    failures: 0,
    failingSinceMs: null,
    drifted: 0,
    counts: NO_COUNTS,
    plan: null,
    auto: null,
    shape: null,
    createsOnly: false,
    removals: [],
    cost: null,
    message: null,
    commit: null,
    removedMs: null,
    ...more,
  };
}

export function waitingTeam(name: string, plan: string): TeamStatus {
  return teamOf(name, { state: "waiting", plan, counts: { ...NO_COUNTS, add: 2, destroy: 1 }, drifted: 1 });
}

export function runOf(team: string, more: Partial<RunStatus> = {}): RunStatus {
  return {
    id: "run-1",
    team,
    trigger: "interval",
    outcome: "unchanged",
    beganMs: NOW_MS - 129_000,
    durationMs: 4000,
    counts: NO_COUNTS,
    drifted: 0,
    requests: 3,
    messages: [],
    commit: null,
    process: "process-1",
    plan: null,
    approvedBy: null,
    ...more,
  };
}

export const PROCESS: ProcessStatus = {
  id: "process-1",
  host: "node-7",
  pid: 4711,
  version: "0.1.0",
  startedMs: NOW_MS - 3_600_000,
  isCurrent: true,
};

export function fleetOf(teams: readonly TeamStatus[], more: Partial<FleetSnapshot> = {}): FleetSnapshot {
  return {
    teams,
    processes: [PROCESS],
    configuration: null,
    settings: SETTINGS,
    changes: [],
    events: [],
    removed: [],
    lagMs: 0,
    atMs: NOW_MS,
    ...more,
  };
}

/** 2,000 teams, of which some need a person. */
export function manyTeams(): readonly TeamStatus[] {
  return Array.from({ length: 2000 }, (_, index) => {
    const name = `team-${String(index).padStart(4, "0")}`;
    if (index % 400 === 7)
      return teamOf(name, {
        state: "parked",
        failures: 3,
        failingSinceMs: NOW_MS - 600_000,
        message: "The outcome of a create is not known.",
        nextRunMs: null,
      });
    if (index % 250 === 9)
      return teamOf(name, {
        state: "failed",
        failures: 3,
        failingSinceMs: NOW_MS - 7_200_000,
        message: "The API key was rejected: the service answered 401.",
      });
    if (index % 200 === 11) return waitingTeam(name, `plan-${String(index)}`);
    if (index % 500 === 13) return teamOf(name, { state: "paused", nextRunMs: null });
    if (index % 300 === 17) return teamOf(name, { state: "new", lastRunMs: null, lastDurationMs: null });
    if (index % 90 === 19) return teamOf(name, { state: "applied", counts: { ...NO_COUNTS, add: 3 } });
    return teamOf(name);
  });
}

export interface FleetDouble {
  readonly store: FleetStore;
  /** What was asked of the store, as in `pause acme`. */
  readonly asked: string[];
  readonly teams: TeamStatus[];
  readonly runs: RunStatus[];
  readonly plans: PlanStatus[];
  readonly events: EventStatus[];
  readonly removed: RemovedTeam[];
  settings: FleetSettings;
  /** How often the teams were read. */
  reads(): number;
  /** `away`: it says so. `hangs`: it never answers. */
  database: "here" | "away" | "hangs";
}

/** A fleet without a database, for what shows it. */
export function fleetDouble(teams: readonly TeamStatus[] = []): FleetDouble {
  let reads = 0;
  const asked: string[] = [];
  const double: FleetDouble = {
    store: {} as FleetStore,
    asked,
    teams: [...teams],
    runs: [],
    plans: [],
    events: [],
    removed: [],
    settings: SETTINGS,
    reads: () => reads,
    database: "here",
  };
  const answer = async <T>(value: () => T): Promise<T> => {
    if (double.database === "hangs") await new Promise(() => undefined);
    if (double.database === "away") throw new FleetUnavailable("connect ECONNREFUSED");
    return value();
  };
  const known = (team: string, what: string): boolean => {
    asked.push(`${what} ${team}`);
    return double.teams.some(({ name }) => name === team);
  };
  const unused = (): never => {
    throw new Error("The web server does not call this.");
  };
  const store: FleetStore = {
    register: unused,
    sweep: unused,
    adopt: unused,
    beginRuns: unused,
    endRun: unused,
    requestRun: (team) => answer(() => known(team, "run")),
    pause: (team) => answer(() => known(team, "pause")),
    resume: (team) =>
      answer(() => {
        if (!known(team, "resume")) return "unknown";
        return double.teams.some(({ name, state }) => name === team && ["paused", "parked"].includes(state))
          ? "resumed"
          : "active";
      }),
    sentNotices: unused,
    keepNotices: unused,
    removedTeams: unused,
    allRemoved: () => answer(() => double.removed),
    teamNames: unused,
    settle: unused,
    settings: () => answer(() => double.settings),
    change: unused,
    changeTeams: unused,
    approve: (team, plan, by, isAnyway) =>
      answer(() => {
        asked.push(`approve ${team} ${plan} by ${by}${isAnyway === true ? " anyway" : ""}`);
        const waiting = double.teams.find(({ name }) => name === team)?.plan ?? null;
        return waiting === plan ? { ok: true, by } : { ok: false, other: waiting };
      }),
    teams: () =>
      answer(() => {
        reads++;
        return double.teams;
      }),
    teamOrRemoved: (name) => answer(() => double.teams.find((team) => team.name === name) ?? null),
    team: (name) => answer(() => double.teams.find((team) => team.name === name) ?? null),
    runs: (team, count) => answer(() => double.runs.filter((run) => run.team === team).slice(0, count)),
    plan: (id) => answer(() => double.plans.find((plan) => plan.id === id) ?? null),
    processes: () => answer(() => [PROCESS]),
    configuration: () => answer(() => null),
    changes: (team, count) =>
      answer(() =>
        double.runs.filter((run) => run.plan !== null && (team === null || run.team === team)).slice(0, count),
      ),
    events: (team, count) =>
      answer(() => double.events.filter((event) => team === null || event.team === team).slice(0, count)),
    times: () => answer(() => ({ atMs: NOW_MS, lagMs: 0 })),
  };
  return Object.assign(double, { store });
}

/** Serves the page of a fleet on this machine, at `NOW_MS`. */
export function serveFleet(
  { store }: Pick<FleetDouble, "store">,
  more: Partial<FleetServerOptions> = {},
): Promise<FleetServer> {
  return openFleetServer({
    store,
    metrics: openFleetMetrics("0.1.0"),
    process: () => ({ isInForce: true, isStopping: false }),
    listen: { host: "127.0.0.1", port: 0 },
    allowedHosts: [],
    token: null,
    version: "0.1.0",
    clock: { ...nodeClock, now: () => NOW_MS },
    log: () => undefined,
    ...more,
  });
}
