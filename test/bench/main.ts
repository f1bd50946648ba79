/** Measures all figures with goals. Exits with 1 if one misses its goal or fails. */
import { measureApply, measurePacedApply } from "./apply.ts";
import { measureClient } from "./client.ts";
import { measureCommandStart } from "./command-start.ts";
import { measureConstructs } from "./constructs.ts";
import { type Figure, figureTable, isMet } from "./figure.ts";
import { measureFleetProcesses } from "./fleet-processes.ts";
import { measureFleet } from "./fleet.ts";
import { measureHttpState } from "./http-state.ts";
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
import { measureTerraformPlan } from "./terraform-plan.ts";

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
  measureManyTeams,
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

const figures: Figure[] = [];
for (const measure of MEASURES) {
  try {
    figures.push(...(await measure()));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${measure.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
process.stdout.write(`${figureTable(figures)}\n`);
if (!figures.every(isMet)) process.exitCode = 1;
