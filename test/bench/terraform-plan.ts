import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { withExisting } from "./existing-plan.ts";
import { type Figure, median, timeToExit } from "./figure.ts";

const SIZES = [
  { resources: 1000, atMost: 0.3 },
  { resources: 5000, atMost: 0.05 },
] as const;
const RUNS = 3;
/** Terraform is not waited for longer: the ratio is then at most what is printed. */
const PATIENCE_MS = 100_000;

/**
 * `outreach plan` that changes nothing against `terraform plan` of as many existing instances of Terraform's own resource,
 * which asks no service. They are declared as Terraform's users declare many of a kind: with a map and `for_each`.
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
    await writeFile(path.join(project, "main.tf"), configuration(resources));
    await writeFile(path.join(project, "terraform.tfstate"), JSON.stringify(state(resources)));
    await timeToExit("terraform", ["init", "-input=false"], { cwd: project });
    const plans: number[] = [];
    for (let run = 0; run < RUNS; run++) plans.push((await plan()).planMs);
    const { ms, isOver } = await timeTerraform(project);
    return {
      name: `outreach plan without changes, ${resources.toLocaleString("en")} webhooks`,
      measured: `${median(plans).toFixed(0)} ms, terraform plan: ${isOver ? "" : "more than "}${ms.toFixed(0)} ms`,
      ratio: median(plans) / ms,
      goal: { atMost },
    };
  });
}

/** Milliseconds of a plan that must be empty, or how long it was waited for. */
async function timeTerraform(project: string): Promise<{ readonly ms: number; readonly isOver: boolean }> {
  const start = performance.now();
  const words = ["plan", "-input=false", "-detailed-exitcode"];
  const child = spawn("terraform", words, { cwd: project, stdio: "ignore", timeout: PATIENCE_MS, killSignal: "SIGKILL" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== null && code !== 0) throw new Error(`terraform plan ended with ${String(code)}`);
  return { ms: performance.now() - start, isOver: code === 0 };
}

const nameOf = (index: number): string => `hook-${String(index).padStart(6, "0")}`;
const inputOf = (index: number): string => `https://crm.example.com/hooks/${String(index)}`;

function configuration(resources: number): string {
  const entries = Array.from({ length: resources }, (_, index) => `    "${nameOf(index)}" = "${inputOf(index)}"\n`);
  return `locals {\n  hooks = {\n${entries.join("")}  }\n}\n\nresource "terraform_data" "hook" {\n  for_each = local.hooks\n  input    = each.value\n}\n`;
}

function state(resources: number): object {
  const instances = Array.from({ length: resources }, (_, index) => ({ index_key: nameOf(index), schema_version: 0, attributes: attributes(index) }));
  const provider = 'provider["terraform.io/builtin/terraform"]';
  return {
    version: 4,
    terraform_version: "1.0.0",
    serial: 1,
    lineage: "0f8b9a52-6d2b-4f2e-9d5c-3a1f0c5e7b11",
    outputs: {},
    resources: [{ mode: "managed", type: "terraform_data", name: "hook", provider, instances }],
  };
}

function attributes(index: number): object {
  const value = { value: inputOf(index), type: "string" };
  return { id: `0f8b9a52-6d2b-4f2e-9d5c-${String(index).padStart(12, "0")}`, input: value, output: value, triggers_replace: null };
}
