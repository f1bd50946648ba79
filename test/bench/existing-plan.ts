import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bareServer } from "./bare-http.ts";
import { configuration, listing, state, synthesised } from "./webhooks.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
/** Prints the process's peak memory in kB, from Linux. */
const PEAK = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from "node:fs";
process.on("exit", () => process.stderr.write(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]));`,
)}`;

/** Webhooks that are declared, recorded and live, in a separate folder. */
export interface Existing {
  readonly folder: string;
  /** The configuration. */
  readonly file: string;
  /** The same as a synthesised stack, with an expression for each address. */
  readonly stack: string;
  /** The recorded state, as a file. */
  readonly recorded: string;
  /** Plans one of the two in a separate process, with another state if `environment` names it. Throws if the plan is not empty. */
  plan(of?: string, environment?: Environment): Promise<TimedPlan>;
}

interface Environment {
  readonly [name: string]: string;
}

interface TimedPlan {
  readonly planMs: number;
  /** Until the plan is printed. */
  readonly printedMs: number;
  readonly megabytes: number;
}

export async function withExisting<T>(webhooks: number, work: (existing: Existing) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "existing-"));
  const server = await bareServer(listing(webhooks));
  try {
    const file = path.join(folder, "outreach.yaml");
    await writeFile(file, configuration(webhooks, { inCampaigns: true }));
    const stack = path.join(folder, "stack/cdk.tf.json");
    await mkdir(path.dirname(stack));
    await writeFile(stack, synthesised(webhooks));
    const recorded = path.join(folder, "outreach.state.json");
    await writeFile(recorded, state(webhooks, server.url));
    const plan: Existing["plan"] = (of = file, environment = {}) =>
      timePlan(of, { OUTREACH_BASE_URL: server.url, OUTREACH_STATE: recorded, ...environment });
    return await work({ folder, file, stack, recorded, plan });
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function timePlan(configuration: string, environment: Environment): Promise<TimedPlan> {
  const env = { ...process.env, OUTREACH_API_KEY: "key", ...environment };
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", PEAK, COMMAND, "plan", "-c", configuration], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", err: "" };
  let printedMs = Number.NaN;
  child.stdout.once("data", () => (printedMs = performance.now() - start));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
  await once(child, "close");
  const planMs = performance.now() - start;
  if (!text.out.startsWith("No changes.")) throw new Error(`the plan is not empty: ${text.out}${text.err}`);
  return { planMs, printedMs, megabytes: Number(text.err) / 1024 };
}
