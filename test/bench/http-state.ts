import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type HttpStateServer, startHttpStateServer } from "../core/state/http/http-state-server.ts";
import { inFolder, pacedApply, withSandbox } from "./apply.ts";
import { type Figure, median } from "./figure.ts";
import { configuration } from "./webhooks.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const [LATENCY_MS, RUNS] = [50, 5];

/** What a state on a server costs, when each of its answers takes 50 ms. */
export async function measureHttpState(): Promise<readonly Figure[]> {
  return [
    await planFigure(),
    await withServer((server) =>
      pacedApply(
        "outreach apply, 200 creates under the limit, state on http",
        stateOn(server),
        () => server.requests.length,
      ),
    ),
  ];
}

async function withServer<T>(work: (server: HttpStateServer) => Promise<T>): Promise<T> {
  const server = await startHttpStateServer("gitlab");
  server.latencyMs = LATENCY_MS;
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

function stateOn(server: HttpStateServer): NodeJS.ProcessEnv {
  const { TF_HTTP_ADDRESS: address, ...others } = server.environment();
  return { ...others, OUTREACH_STATE: address };
}

/** How many answers of the state's server a plan without changes waits for until it is shown. It releases the lock afterwards. */
async function planFigure(): Promise<Figure> {
  return withServer((server) =>
    inFolder((folder) =>
      withSandbox(null, async (sandbox) => {
        await writeFile(path.join(folder, "outreach.yaml"), configuration(1, { inCampaigns: false }));
        const env = { ...process.env, OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.keys.good };
        const run = (words: readonly string[], state: NodeJS.ProcessEnv) =>
          timeToText(words, { cwd: folder, env: { ...env, ...state } }, () => server.requests.length);
        const remote = stateOn(server);
        await run(["apply", "--auto-approve"], remote);
        await writeFile(path.join(folder, "local.json"), server.state() ?? "");
        const plans = { local: [] as Shown[], remote: [] as Shown[] };
        const sentBefore = server.requests.length;
        for (let turn = 0; turn < RUNS; turn++) {
          plans.remote.push(await run(["plan"], remote));
          plans.local.push(await run(["plan"], { OUTREACH_STATE: "local.json" }));
        }
        const [waited, all] = [
          (plans.remote[0]?.requests ?? 0) - sentBefore,
          (server.requests.length - sentBefore) / RUNS,
        ];
        const [localMs, remoteMs, endMs] = [
          plans.local.map(({ shownMs }) => shownMs),
          plans.remote.map(({ shownMs }) => shownMs),
          plans.remote.map((plan) => plan.endMs),
        ].map(median);
        const ms = (duration = Number.NaN): string => `${duration.toFixed(0)} ms`;
        return {
          name: "outreach plan without changes, state on http: round trips until it is shown",
          measured: `${String(waited)} of ${String(all)}: after ${ms(remoteMs)} with ${ms(LATENCY_MS)} each, ended after ${ms(endMs)}; local: ${ms(localMs)}`,
          ratio: waited,
          goal: { atMost: 2 },
        };
      }),
    ),
  );
}

interface Shown {
  readonly shownMs: number;
  readonly endMs: number;
  /** What `count` gave when the output began. */
  readonly requests: number;
}

async function timeToText(
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  count: () => number,
): Promise<Shown> {
  const start = performance.now();
  const child = spawn(process.execPath, [COMMAND, ...words], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  let shown: Omit<Shown, "endMs"> | null = null;
  child.stdout.on("data", () => (shown ??= { shownMs: performance.now() - start, requests: count() }));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0 || !shown) throw new Error(`${words.join(" ")} ended with ${String(code)}`);
  return { ...(shown as Omit<Shown, "endMs">), endMs: performance.now() - start };
}
