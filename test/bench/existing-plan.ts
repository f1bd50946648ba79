import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bareServer } from "./bare-http.ts";
import { configuration, listing, state } from "./webhooks.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
/** Prints the most memory that the process ever had, in kB, as Linux counts it. */
const PEAK = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from "node:fs";
process.on("exit", () => process.stderr.write(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]));`,
)}`;

/** Webhooks that are declared, recorded and live, in a folder of their own. */
export interface Existing {
  readonly folder: string;
  /** The configuration. */
  readonly file: string;
  /** Plans them in a process of its own, and throws when the plan is not empty. */
  plan(): Promise<{ readonly planMs: number; readonly megabytes: number }>;
}

export async function withExisting<T>(webhooks: number, work: (existing: Existing) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "existing-"));
  const server = await bareServer(listing(webhooks));
  try {
    const file = path.join(folder, "outreach.yaml");
    await writeFile(file, configuration(webhooks, { inCampaigns: true }));
    await writeFile(path.join(folder, "outreach.state.json"), state(webhooks, server.url));
    return await work({ folder, file, plan: () => timePlan(file, server.url) });
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function timePlan(file: string, baseUrl: string): Promise<{ readonly planMs: number; readonly megabytes: number }> {
  const env = { ...process.env, OUTREACH_BASE_URL: baseUrl, OUTREACH_API_KEY: "key" };
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", PEAK, COMMAND, "plan", "-c", file], { env, stdio: ["ignore", "pipe", "pipe"] });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
  await once(child, "close");
  const planMs = performance.now() - start;
  if (!text.out.startsWith("No changes.")) throw new Error(`the plan is not empty: ${text.out}${text.err}`);
  return { planMs, megabytes: Number(text.err) / 1024 };
}
