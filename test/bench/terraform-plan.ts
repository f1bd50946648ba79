import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { withExisting } from "./existing-plan.ts";
import { type Figure, median, timeToExit } from "./figure.ts";
import { terraformData } from "./terraform-projects.ts";

const SIZES = [
  { resources: 1000, atMost: 0.3 },
  { resources: 5000, atMost: 0.05 },
] as const;
const RUNS = 3;
/** Terraform is waited for a little longer than the goal asks, and no longer than this: the ratio is then at most what is printed. */
const [PATIENCE, MOST_PATIENCE_MS] = [1.2, 100_000];

/**
 * `outreach plan` that changes nothing against `terraform plan` of as many existing instances of Terraform's own resource,
 * which asks no service.
 */
export async function measureTerraformPlan(): Promise<readonly Figure[]> {
  if (spawnSync("terraform", ["version"]).status !== 0) throw new Error("there is no terraform on the PATH");
  const figures: Figure[] = [];
  for (const size of SIZES) figures.push(await measure(size));
  return figures;
}

function measure({ resources, atMost }: (typeof SIZES)[number]): Promise<Figure> {
  return withExisting(resources, async ({ folder, plan }) => {
    const project = path.join(folder, "terraform");
    await mkdir(project);
    const { configuration, state } = terraformData(resources);
    await writeFile(path.join(project, "main.tf"), configuration);
    await writeFile(path.join(project, "terraform.tfstate"), JSON.stringify(state));
    await timeToExit("terraform", ["init", "-input=false"], { cwd: project });
    const plans: number[] = [];
    for (let run = 0; run < RUNS; run++) plans.push((await plan()).planMs);
    const { ms, isOver } = await timeTerraform(
      project,
      Math.min((median(plans) / atMost) * PATIENCE, MOST_PATIENCE_MS),
    );
    return {
      name: `outreach plan without changes, ${resources.toLocaleString("en")} webhooks`,
      measured: `${median(plans).toFixed(0)} ms, terraform plan: ${isOver ? "" : "more than "}${ms.toFixed(0)} ms`,
      ratio: median(plans) / ms,
      goal: { atMost },
    };
  });
}

/** Milliseconds of a plan that must be empty, or how long it was waited for. */
async function timeTerraform(
  project: string,
  patienceMs: number,
): Promise<{ readonly ms: number; readonly isOver: boolean }> {
  const start = performance.now();
  const words = ["plan", "-input=false", "-detailed-exitcode"];
  const child = spawn("terraform", words, {
    cwd: project,
    stdio: "ignore",
    timeout: Math.ceil(patienceMs),
    killSignal: "SIGKILL",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== null && code !== 0) throw new Error(`terraform plan ended with ${String(code)}`);
  return { ms: performance.now() - start, isOver: code === 0 };
}
