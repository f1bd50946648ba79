import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { RecordedInstance } from "../../src/core/model/instance.ts";
import { encodeState } from "../../src/core/state/document.ts";
import { bareServer } from "./bare-http.ts";
import { type Figure, median, timeToExit } from "./figure.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMMAND = path.join(ROOT, "dist/bin/outreach.js");
const WEBHOOKS = 10_000;
const RUNS = 5;
const MAX_MEGABYTES = 250;
/** Prints the most memory that the process ever had, in kB, as Linux counts it. */
const PEAK = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from "node:fs";
process.on("exit", () => process.stderr.write(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]));`,
)}`;

/** `outreach plan` of 10,000 webhooks that are declared, recorded and live, against what the yaml package alone takes to parse the file; each in a process of its own. */
export async function measureLargePlan(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "large-plan-"));
  // One more than declared: a list of whole hundreds would be asked for its next page.
  const server = await bareServer(JSON.stringify(Array.from({ length: WEBHOOKS + 1 }, (_, index) => liveWebhook(index))));
  try {
    const file = path.join(folder, "outreach.yaml");
    await writeFile(file, configuration());
    await writeFile(path.join(folder, "outreach.state.json"), state(server.url));
    const parse = `require("yaml").parse(require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8"))`;
    const rounds: { readonly yamlMs: number; readonly planMs: number; readonly megabytes: number }[] = [];
    for (let run = 0; run < RUNS; run++) {
      const yamlMs = await timeToExit(process.execPath, ["-e", parse], { cwd: ROOT });
      rounds.push({ yamlMs, ...(await timePlan(file, server.url)) });
    }
    const planMs = median(rounds.map((round) => round.planMs));
    const yamlMs = median(rounds.map((round) => round.yamlMs));
    const megabytes = median(rounds.map((round) => round.megabytes));
    return [
      {
        name: "outreach plan, 10,000 webhooks that exist",
        measured: `${planMs.toFixed(0)} ms and ${megabytes.toFixed(0)} MB, yaml alone: ${yamlMs.toFixed(0)} ms`,
        ratio: planMs / yamlMs,
        goal: { atMost: 1.5 },
        ...(megabytes <= MAX_MEGABYTES ? {} : { broken: `more than ${String(MAX_MEGABYTES)} MB` }),
      },
    ];
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

const numbered = (index: number): string => String(index).padStart(6, "0");
const urlOf = (index: number): string => `https://crm.example.com/hooks/${numbered(index)}`;
const campaignOf = (index: number): string => `cam_${numbered(index)}`;

function configuration(): string {
  const blocks = Array.from(
    { length: WEBHOOKS },
    (_, index) =>
      `  hook-${numbered(index)}:\n    target_url: ${urlOf(index)}\n    type: emailsReplied\n    campaign_id: ${campaignOf(index)}\n    is_first: true\n`,
  );
  return `version: 1\nwebhooks:\n${blocks.join("")}`;
}

function liveWebhook(index: number) {
  const createdAt = "2025-01-01T00:00:00.000Z";
  return { _id: `hoo_${numbered(index)}`, targetUrl: urlOf(index), type: "emailsReplied", campaignId: campaignOf(index), createdAt };
}

function state(baseUrl: string): Uint8Array {
  const instances = Array.from({ length: WEBHOOKS }, (_, index): RecordedInstance => {
    const { _id: id, targetUrl, type, campaignId, createdAt } = liveWebhook(index);
    const returned = { id, target_url: targetUrl, type, campaign_id: campaignId, created_at: createdAt };
    return {
      address: `outreach_webhook.hook-${numbered(index)}`,
      type: "outreach_webhook",
      provider: "outreach",
      schemaVersion: 1,
      id,
      attributes: { ...returned, is_first: true },
      returned,
      unobserved: [],
      assumed: [],
      recordedAtMs: 1_735_689_600_000,
    };
  });
  return encodeState({
    format: 2,
    lineage: "0f8b9a52-6d2b-4f2e-9d5c-3a1f0c5e7b11",
    serial: 1,
    salt: "00112233445566778899aabbccddeeff",
    service: { baseUrl, keyFingerprint: "0" },
    instances,
    outputs: [],
    tombstones: [],
    pending: [],
    journalSeq: 0,
  });
}
