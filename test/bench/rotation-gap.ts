import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { inFolder } from "./apply.ts";
import { type Figure, median } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const [LATENCY_MS, ROTATIONS] = [20, 9];

const CONFIGURATION = `version: 1
webhooks:
  crm:
    target_url: https://crm.example.com/hooks
    type: emailsReplied
    secret: { env: CRM_HOOK_SECRET }
`;

/**
 * How long the service has no webhook while a rotation deletes first. On a service that takes 20 ms, that is compared with one
 * round trip of the same apply. On one that answers at once, a round trip is little more than a system call, so it is compared
 * with a whole create of the same apply: a request and its record. The gap that apply prints is an upper bound, and has two
 * round trips in it.
 */
export async function measureRotationGap(): Promise<readonly Figure[]> {
  const [near, far] = [await rotations(0), await rotations(LATENCY_MS)];
  const latency = `${String(LATENCY_MS)} ms latency`;
  return [
    figure(near, "time without the webhook, no latency", { of: "serviceMs", to: "createMs", called: "one create" }),
    figure(far, `time without the webhook, ${latency}`, {
      of: "serviceMs",
      to: "roundTripMs",
      called: "one round trip",
    }),
    figure(far, `printed gap, ${latency}`, { of: "printedMs", to: "bothMs", called: "its two round trips" }),
  ];
}

interface Comparison {
  readonly of: keyof Rotation;
  readonly to: keyof Rotation;
  readonly called: string;
}

function figure(all: readonly Rotation[], what: string, { of, to, called }: Comparison): Figure {
  return {
    name: `outreach apply, rotation: ${what}`,
    measured: `${medianMs(all, of)}, ${called}: ${medianMs(all, to)}`,
    ratio: median(all.map((one) => one[of] / one[to])),
    goal: { atMost: 2 },
  };
}

function medianMs(all: readonly Rotation[], name: keyof Rotation): string {
  return `${median(all.map((one) => one[name])).toFixed(1)} ms`;
}

function rotations(latencyMs: number): Promise<readonly Rotation[]> {
  return inFolder((folder) =>
    withSandbox(latencyMs, async (sandbox) => {
      await writeFile(path.join(folder, "outreach.yaml"), CONFIGURATION);
      await apply(sandbox, folder, 0);
      const all: Rotation[] = [];
      for (let round = 1; round <= ROTATIONS; round++) all.push(rotation(sandbox, await apply(sandbox, folder, round)));
      return all;
    }),
  );
}

async function withSandbox<T>(latencyMs: number, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sleep = (ms: number, signal = new AbortController().signal): Promise<void> => nodeClock.sleep(ms, signal);
  // With fractions of milliseconds.
  const now = (): number => performance.timeOrigin + performance.now();
  const sandbox = await startSandbox({
    clock: { now, sleep },
    random: () => 0.5,
    rateLimit: null,
    latency: { minMs: latencyMs, maxMs: latencyMs },
  });
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

interface Printed {
  readonly out: string;
  readonly err: string;
}

/** Rotates to the secret of a round. */
async function apply({ baseUrl, keys }: Sandbox, cwd: string, round: number): Promise<Printed> {
  const settings = {
    OUTREACH_BASE_URL: baseUrl,
    OUTREACH_API_KEY: keys.good,
    OUTREACH_LOG: "debug",
    CRM_HOOK_SECRET: `the-secret-of-round-${String(round)}`,
  };
  const child = spawn(process.execPath, [COMMAND, "apply", "--auto-approve", "--json"], {
    cwd,
    env: { ...process.env, ...settings },
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`outreach apply ended with ${String(code)}: ${out.slice(-500)}${err.slice(-500)}`);
  return { out, err };
}

interface Rotation {
  /** The upper bound that apply prints. */
  readonly printedMs: number;
  /** From the line that announces the create to the line that confirms it. */
  readonly createMs: number;
  /** From the arrival of the delete to the arrival of the create: the sandbox carries out both on arrival. */
  readonly serviceMs: number;
  /** The delete and the create, by the log of the same apply. */
  readonly bothMs: number;
  /** The mean of both. */
  readonly roundTripMs: number;
}

function rotation(sandbox: Sandbox, { out, err }: Printed): Rotation {
  const requests = sandbox.requests();
  const [deleted, created] = requests.slice(requests.findLastIndex(({ method }) => method === "DELETE"));
  if (deleted?.method !== "DELETE" || created?.method !== "POST")
    throw new Error("the apply did not send a delete, and right behind it a create");
  const lines = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
  const [begun, done] = ["apply_start", "apply_complete"].map((type) =>
    lines.find((line) => line.type === type && line.hook?.action === "create"),
  );
  const tookMs = [...err.matchAll(/(?:DELETE|POST) .*: 200, (\d+) ms/g)].map(([, ms]) => Number(ms));
  if (!begun || !done || done.hook?.gap_ms === undefined || tookMs.length !== 2)
    throw new Error(`not a rotation: ${out}${err}`);
  const bothMs = tookMs.reduce((sum, ms) => sum + ms, 0);
  return {
    printedMs: done.hook.gap_ms,
    createMs: Date.parse(done["@timestamp"]) - Date.parse(begun["@timestamp"]),
    serviceMs: created.at - deleted.at,
    bothMs,
    roundTripMs: bothMs / 2,
  };
}

interface Line {
  readonly type: string;
  readonly "@timestamp": string;
  readonly hook?: { readonly action?: string; readonly gap_ms?: number };
}
