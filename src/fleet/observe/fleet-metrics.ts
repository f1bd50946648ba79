import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type FleetSnapshot, STATES, summarize } from "../page/fleet-snapshot.ts";
import type { TeamResult } from "../team-work.ts";

/** The metrics of one process. None has a label for the team: a fleet has too many. */
export interface FleetMetrics {
  readonly contentType: string;
  runEnded(run: Pick<TeamResult, "outcome" | "requests"> & { readonly durationMs: number }): void;
  /** The metrics in Prometheus' text format. `fleet`: null while the database is not available; then the fleet's gauges are absent. */
  text(fleet: FleetSnapshot | null, isInForce: boolean): Promise<string>;
}

const OUTCOMES: readonly TeamResult["outcome"][] = [
  "unchanged",
  "applied",
  "waiting",
  "outdated",
  "busy",
  "failed",
  "undecided",
  "interrupted",
];
const BUCKETS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const EVERYWHERE = "Every process reports the same: aggregate with max.";

export function openFleetMetrics(version: string): FleetMetrics {
  const own = new Registry();
  const registers = [own];
  collectDefaultMetrics({ register: own });
  // Gauges of Node that are called like counters. The ones without the suffix have the same values by type.
  for (const name of ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"])
    own.removeSingleMetric(name);
  const runs = new Counter({
    name: "outreach_fleet_runs_total",
    help: "Runs of teams that this process has ended.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of OUTCOMES) runs.inc({ outcome }, 0);
  const durations = new Histogram({
    name: "outreach_fleet_run_duration_seconds",
    help: "How long runs of teams took.",
    buckets: BUCKETS_S,
    registers,
  });
  const requests = new Counter({
    name: "outreach_fleet_requests_total",
    help: "Requests that runs of this process sent to the service.",
    registers,
  });
  const database = new Gauge({
    name: "outreach_fleet_database_up",
    help: "Whether the database answers this process.",
    registers,
  });
  const inForce = new Gauge({
    name: "outreach_fleet_configuration_in_force",
    help: "Whether this process has the configuration in force.",
    registers,
  });
  new Gauge({
    name: "outreach_fleet_build_info",
    help: "The version of outreach.",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  const shared = new Registry();
  const setFleet = fleetGauges(shared);
  return {
    contentType: own.contentType,
    runEnded: (run) => {
      runs.inc({ outcome: run.outcome });
      durations.observe(run.durationMs / 1000);
      requests.inc(run.requests);
    },
    text: async (fleet, isInForce) => {
      database.set(fleet === null ? 0 : 1);
      inForce.set(isInForce ? 1 : 0);
      if (fleet !== null) setFleet(fleet);
      // Those of another time would look like those of now.
      const texts = await Promise.all((fleet === null ? [own] : [own, shared]).map((registry) => registry.metrics()));
      return texts.join("");
    },
  };
}

/** What the database knows of the fleet. */
function fleetGauges(registry: Registry): (fleet: FleetSnapshot) => void {
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `outreach_fleet_${name}`, help: `${help} ${EVERYWHERE}`, registers: [registry] });
  const teams = new Gauge({
    name: "outreach_fleet_teams",
    help: `Teams by state. ${EVERYWHERE}`,
    labelNames: ["state"],
    registers: [registry],
  });
  const drifted = gauge(
    "drifted_objects",
    "Objects that somebody else has changed or deleted, as the last run of each team saw them.",
  );
  const waiting = gauge("plans_waiting", "Plans that wait for approval.");
  const undecided = gauge("teams_undecided", "Parked teams: nothing happens until somebody resumes them.");
  const failing = gauge("teams_failing", "Teams whose last run has failed, whether or not they run now.");
  const lag = gauge("lag_seconds", "How long the team that is due the longest has waited.");
  return (fleet) => {
    const summary = summarize(fleet.teams);
    for (const state of STATES) teams.set({ state }, summary.states[state]);
    drifted.set(summary.drifted);
    waiting.set(summary.plansWaiting);
    failing.set(summary.failing);
    undecided.set(summary.states.parked);
    lag.set(fleet.lagMs / 1000);
  };
}
