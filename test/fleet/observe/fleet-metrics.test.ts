import { expect, test } from "vitest";
import { type FleetMetrics, openFleetMetrics } from "../../../src/fleet/observe/fleet-metrics.ts";
import { fleetOf, manyTeams } from "../page/fleet-double.ts";

/** The samples of Prometheus' text format, by name and labels. Throws for a line that is none, and for a metric without a type or with two. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  const types = new Set<string>();
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const type = /^# TYPE (\w+) (?:counter|gauge|histogram|summary)$/.exec(line)?.[1];
    if (type !== undefined) {
      if (types.has(type)) throw new Error(`twice: ${line}`);
      types.add(type);
    }
    if (line.startsWith("#")) continue;
    const [, name = "", labels = "", value] = /^([a-z_]\w*)(\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? (\S+)$/.exec(line) ?? [];
    if (!types.has(name) && !types.has(name.replace(/_(?:bucket|sum|count)$/, ""))) throw new Error(`no type: ${line}`);
    samples.set(name + labels, Number(value));
  }
  return samples;
}

async function scrape(
  metrics: FleetMetrics,
  fleet = fleetOf(manyTeams(), { lagMs: 2500 }),
): Promise<ReadonlyMap<string, number>> {
  return samplesIn(await metrics.text(fleet, true));
}

test("a scrape has the fleet's gauges, without a label for the team", async () => {
  const samples = await scrape(openFleetMetrics("0.1.0"));
  const ofFleet = [...samples].filter(
    ([name]) => name.startsWith("outreach_fleet_") && !/run_duration|runs_total/.test(name),
  );
  expect(Object.fromEntries(ofFleet)).toEqual({
    outreach_fleet_requests_total: 0,
    outreach_fleet_database_up: 1,
    outreach_fleet_configuration_in_force: 1,
    'outreach_fleet_build_info{version="0.1.0"}': 1,
    'outreach_fleet_teams{state="parked"}': 5,
    'outreach_fleet_teams{state="failed"}': 8,
    'outreach_fleet_teams{state="locked"}': 0,
    'outreach_fleet_teams{state="waiting"}': 10,
    'outreach_fleet_teams{state="paused"}': 4,
    'outreach_fleet_teams{state="running"}': 0,
    'outreach_fleet_teams{state="new"}': 7,
    'outreach_fleet_teams{state="applied"}': 22,
    'outreach_fleet_teams{state="unchanged"}': 1944,
    outreach_fleet_drifted_objects: 10,
    outreach_fleet_plans_waiting: 10,
    outreach_fleet_teams_undecided: 5,
    outreach_fleet_teams_failing: 13,
    outreach_fleet_lag_seconds: 2.5,
  });
  expect([...samples.keys()].filter((name) => name.includes("team-"))).toEqual([]);
  expect(samples.get("process_cpu_seconds_total")).toBeGreaterThan(0);
});

test("a gauge is not called like a counter", async () => {
  const text = await openFleetMetrics("0.1.0").text(fleetOf([]), true);
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({ name, type }));
  expect(types.filter(({ type }) => type === "counter").length).toBeGreaterThan(3);
  expect(types.filter(({ name, type }) => name.endsWith("_total") !== (type === "counter"))).toEqual([]);
});

test("runs count by outcome, with their durations and requests; outcomes that have not happened are 0", async () => {
  const metrics = openFleetMetrics("0.1.0");
  metrics.runEnded({ outcome: "applied", requests: 3, durationMs: 400 });
  metrics.runEnded({ outcome: "applied", requests: 4, durationMs: 40_000 });
  metrics.runEnded({ outcome: "failed", requests: 0, durationMs: 20 });
  const samples = await scrape(metrics);
  const runs = ["unchanged", "applied", "waiting", "outdated", "busy", "failed", "undecided"].map((outcome) =>
    samples.get(`outreach_fleet_runs_total{outcome="${outcome}"}`),
  );
  expect(runs).toEqual([0, 2, 0, 0, 0, 1, 0]);
  expect(samples.get("outreach_fleet_requests_total")).toBe(7);
  expect(samples.get("outreach_fleet_run_duration_seconds_count")).toBe(3);
  expect(samples.get("outreach_fleet_run_duration_seconds_sum")).toBeCloseTo(40.42);
  expect(samples.get('outreach_fleet_run_duration_seconds_bucket{le="0.5"}')).toBe(2);
});

test("while the database is away, the fleet's gauges are absent, not those of before", async () => {
  const metrics = openFleetMetrics("0.1.0");
  expect((await scrape(metrics)).get("outreach_fleet_plans_waiting")).toBe(10);
  const away = samplesIn(await metrics.text(null, false));
  const names = [...away.keys()].filter((name) => /^outreach_fleet_(?!run)/.test(name));
  expect(names.toSorted()).toEqual([
    'outreach_fleet_build_info{version="0.1.0"}',
    "outreach_fleet_configuration_in_force",
    "outreach_fleet_database_up",
    "outreach_fleet_requests_total",
  ]);
  expect([away.get("outreach_fleet_database_up"), away.get("outreach_fleet_configuration_in_force")]).toEqual([0, 0]);
});
