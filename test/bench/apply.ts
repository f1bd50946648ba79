import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { RateLimit } from "../../src/sandbox/rate-limit.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { type Figure, median, timeToExit } from "./figure.ts";
import { buildPosts, buildUnpacedCommand } from "./bench-builds.ts";
import { configuration } from "./webhooks.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const [FEW, MANY, RUNS] = [1000, 10_000, 3];
const SERVICE_LIMIT: RateLimit = { limit: 20, windowMs: 2000, kind: "fixed" };
const PACED = 200;

/** An apply without a rate limit, compared with a bare loop of as many POST requests; each in its own process, from start to end. */
export async function measureApply(): Promise<readonly Figure[]> {
  return inFolder(async (folder) => {
    const command = await buildUnpacedCommand(path.join(folder, "command"));
    const posts = await buildPosts(folder);
    const rounds: { readonly bareMs: number; readonly fewMs: number }[] = [];
    for (let run = 0; run < RUNS; run++)
      rounds.push({ bareMs: await timePosts(posts, FEW), fewMs: await timeApply(command, { folder, webhooks: FEW }) });
    const manyMs = await timeApply(command, { folder, webhooks: MANY });
    const [bareMs, fewMs] = [median(rounds.map((round) => round.bareMs)), median(rounds.map((round) => round.fewMs))];
    return [
      {
        name: "outreach apply, 1,000 creates without a limit",
        measured: `${fewMs.toFixed(0)} ms in 2 lists and ${String(FEW)} POST, bare loop: ${bareMs.toFixed(0)} ms`,
        ratio: median(rounds.map((round) => round.fewMs / round.bareMs)),
        goal: { atMost: 3 },
      },
      {
        name: "outreach apply, 10,000 creates against 1,000",
        measured: `${manyMs.toFixed(0)} ms, 1,000: ${fewMs.toFixed(0)} ms`,
        ratio: manyMs / fewMs,
        goal: { atMost: 12 },
      },
    ];
  });
}

/**
 * The share of the service's limit that an apply uses, in whole windows after the first one: the list and the creates are
 * one request more than ten windows allow. A refused request is a failure.
 */
export async function measurePacedApply(): Promise<readonly Figure[]> {
  return [await pacedApply("outreach apply, 200 creates under the limit", {})];
}

/** The same with other variables, such as those that choose a state. `requestsToState`: how many its server has got so far. */
export async function pacedApply(
  name: string,
  environment: NodeJS.ProcessEnv,
  requestsToState?: () => number,
): Promise<Figure> {
  return inFolder((folder) =>
    withSandbox(SERVICE_LIMIT, async (sandbox) => {
      await apply(COMMAND, { folder, webhooks: PACED, sandbox, environment });
      if (requestsToState?.() === 0) throw new Error("the apply did not use the state's server");
      const requests = sandbox.requests();
      const refused = requests.filter(({ status }) => status !== 200).length;
      const tookMs = (requests[PACED - 1]?.at ?? 0) - (requests[SERVICE_LIMIT.limit - 1]?.at ?? 0);
      const ratio = (PACED - SERVICE_LIMIT.limit) / tookMs / (SERVICE_LIMIT.limit / SERVICE_LIMIT.windowMs);
      return {
        name,
        measured: `${(ratio * 10).toFixed(2)} of 10 requests a second, ${String(refused)} refused`,
        ratio,
        goal: { atLeast: 0.94 },
        ...(refused === 0 ? {} : { broken: `${String(refused)} requests refused` }),
      };
    }),
  );
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "apply-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function withSandbox<T>(rateLimit: RateLimit | null, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sleep = (ms: number, signal = new AbortController().signal): Promise<void> => nodeClock.sleep(ms, signal);
  const sandbox = await startSandbox({ clock: { now: () => nodeClock.now(), sleep }, random: () => 0.5, rateLimit });
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

function timePosts(file: string, count: number): Promise<number> {
  return withSandbox(null, ({ baseUrl, keys }) =>
    timeToExit(process.execPath, [file, `${baseUrl}/hooks`, keys.good, String(count)]),
  );
}

function timeApply(
  command: string,
  { folder, webhooks }: { readonly folder: string; readonly webhooks: number },
): Promise<number> {
  return withSandbox(null, async (sandbox) => {
    const start = performance.now();
    await apply(command, { folder, webhooks, sandbox });
    const tookMs = performance.now() - start;
    expectRequests(sandbox, webhooks);
    return tookMs;
  });
}

/** The minimum: the list before the creates and the one behind them, and one request per create. A list begins without an offset. */
function expectRequests(sandbox: Sandbox, creates: number): void {
  const lists = sandbox
    .requests()
    .filter(({ method, target }) => method === "GET" && !target.includes("offset=")).length;
  const posts = sandbox.requests().filter(({ method }) => method === "POST").length;
  if (lists !== 2 || posts !== creates)
    throw new Error(`${String(lists)} lists and ${String(posts)} creates were sent`);
}

interface Applying {
  readonly folder: string;
  readonly webhooks: number;
  readonly sandbox: Sandbox;
  readonly environment?: NodeJS.ProcessEnv;
}

async function apply(command: string, { folder, webhooks, sandbox, environment = {} }: Applying): Promise<void> {
  const project = await mkdtemp(path.join(folder, "project-"));
  const file = path.join(project, "outreach.yaml");
  await writeFile(file, configuration(webhooks, { inCampaigns: false }));
  const env = {
    ...process.env,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    ...environment,
  };
  const text = await said([command, "apply", "--auto-approve", "-c", file], { env });
  if (!text.includes(`${String(webhooks)} added`)) throw new Error(`not everything was created: ${text.slice(-500)}`);
}

/** The output of a Node program. */
async function said(words: readonly string[], options: { readonly env: NodeJS.ProcessEnv }): Promise<string> {
  const child = spawn(process.execPath, words, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${String(code)}: ${text.slice(-500)}`);
  return text;
}
