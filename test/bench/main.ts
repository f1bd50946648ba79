/** Figures that have a goal. A missed goal is said, and is no failure: the machine has its say in it. */
import { measureClient } from "./client.ts";
import { measureCommandStart } from "./command-start.ts";
import { type Figure, figureTable } from "./figure.ts";
import { measureLargePlan } from "./large-plan.ts";
import { measurePacing } from "./pacing.ts";
import { measureProviderStart } from "./provider-start.ts";
import { measureSandboxStart } from "./sandbox-start.ts";
import { measureSandboxThroughput } from "./sandbox-throughput.ts";

/** One after the other: they would slow each other down. */
const MEASURES = [measurePacing, measureClient, measureSandboxThroughput, measureSandboxStart, measureProviderStart, measureCommandStart, measureLargePlan];

const figures: Figure[] = [];
for (const measure of MEASURES) {
  try {
    figures.push(...(await measure()));
  } catch (error) {
    process.stderr.write(`${measure.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
process.stdout.write(`${figureTable(figures)}\n`);
