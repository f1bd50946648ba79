/** Measures all figures with goals, and prints each as soon as it is measured. Exits with 1 if one misses its goal or fails. */
import { measureApply, measurePacedApply } from "./apply.ts";
import { measureClient } from "./client.ts";
import { measureCommandStart } from "./command-start.ts";
import { measureConstructs } from "./constructs.ts";
import { figureLine, isMet } from "./figure.ts";
import { measureFleetProcesses } from "./fleet-processes.ts";
import { measureFleet } from "./fleet.ts";
import { measureHttpState } from "./http-state.ts";
import { measureLargeList } from "./large-list.ts";
import { measureLargePlan } from "./large-plan.ts";
import { measureManyTeams } from "./many-teams.ts";
import { measurePacing } from "./pacing.ts";
import { measureParseEvent } from "./parse-event.ts";
import { measurePgState } from "./pg-store.ts";
import { measureProviderPlan } from "./provider-plan.ts";
import { measureProviderStart } from "./provider-start.ts";
import { measureRemotePlans } from "./remote-plan.ts";
import { measureRotationGap } from "./rotation-gap.ts";
import { measureSandboxEvents } from "./sandbox-events.ts";
import { measureSandboxStart } from "./sandbox-start.ts";
import { measureSandboxThroughput } from "./sandbox-throughput.ts";
import { measureStackPlan } from "./stack-plan.ts";
import { measureTeamPlans } from "./team-plans.ts";
import { measureTerraformPlan } from "./terraform-plan.ts";

/** People wait for all of them. */
const MOST_SECONDS = 900;

/** In sequence, because they would slow each other down. */
const MEASURES = [
  measureParseEvent,
  measurePacing,
  measureClient,
  measureSandboxThroughput,
  measureSandboxEvents,
  measureSandboxStart,
  measureConstructs,
  measureProviderStart,
  measureCommandStart,
  measureLargePlan,
  measureLargeList,
  measureManyTeams,
  measureTeamPlans,
  measureFleet,
  measureFleetProcesses,
  measureRemotePlans,
  measureStackPlan,
  measureTerraformPlan,
  measureProviderPlan,
  measurePacedApply,
  measureRotationGap,
  measureHttpState,
  measurePgState,
  measureApply,
];

const startedMs = performance.now();
const counts = { met: 0, missed: 0, failed: 0 };
for (const measure of MEASURES) {
  const begunMs = performance.now();
  try {
    for (const figure of await measure()) {
      counts[isMet(figure) ? "met" : "missed"]++;
      process.stdout.write(`${figureLine(figure)}\n`);
    }
  } catch (error) {
    counts.failed++;
    process.stdout.write(`FAILED  ${measure.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  process.stdout.write(`        ${measure.name} took ${seconds(begunMs)} s\n`);
}
const { met, missed, failed } = counts;
const took = `${seconds(startedMs)} s, goal <= ${String(MOST_SECONDS)} s`;
process.stdout.write(
  `${String(met)} figures met, ${String(missed)} missed, ${String(failed)} measures failed; ${took}\n`,
);
if (missed + failed > 0 || Number(seconds(startedMs)) > MOST_SECONDS) process.exitCode = 1;

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(0);
}
