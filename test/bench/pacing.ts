import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RateLimit } from "../../src/sandbox/rate-limit.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { buildSender, spawnSender } from "../service/spawn-senders.ts";
import type { Figure } from "./figure.ts";

const SERVICE_LIMIT = { limit: 20, windowMs: 2000 };
/** A first burst, and the five timed windows after it: from then on the pace is constant. */
const REQUESTS = 120;

interface Setting {
  readonly kind: RateLimit["kind"];
  readonly processes: number;
  readonly goal: number;
}

/** The share of the service's limit that processes at full speed use. A refused request is a failure. */
export async function measurePacing(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "pacing-"));
  const sender = path.join(folder, "sender.mjs");
  try {
    await buildSender(sender);
    const settings: readonly Setting[] = [
      { kind: "fixed", processes: 1, goal: 0.94 },
      { kind: "sliding", processes: 1, goal: 0.94 },
      { kind: "fixed", processes: 2, goal: 0.9 },
      { kind: "sliding", processes: 2, goal: 0.9 },
    ];
    return await Promise.all(settings.map((setting) => measure(setting, sender, path.join(folder, `${setting.kind}-${String(setting.processes)}`))));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure({ kind, processes, goal }: Setting, file: string, folder: string): Promise<Figure> {
  const sleep = (ms: number, signal = new AbortController().signal): Promise<void> => nodeClock.sleep(ms, signal);
  const sandbox = await startSandbox({ clock: { now: () => nodeClock.now(), sleep }, random: () => 0.5, rateLimit: { ...SERVICE_LIMIT, kind } });
  try {
    const sending = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good, folder, count: REQUESTS / processes, parallel: 4 };
    const senders = await Promise.all(Array.from({ length: processes }, () => spawnSender(file, sending)));
    for (const { start } of senders) start();
    await Promise.all(senders.map(({ report }) => report));
    const requests = sandbox.requests();
    const refused = requests.filter(({ status }) => status !== 200).length;
    const tookMs = (requests.at(-1)?.at ?? 0) - (requests[SERVICE_LIMIT.limit - 1]?.at ?? 0);
    const ratio = (requests.length - SERVICE_LIMIT.limit) / tookMs / (SERVICE_LIMIT.limit / SERVICE_LIMIT.windowMs);
    const incomplete = requests.length < REQUESTS ? `only ${String(requests.length)} requests came` : undefined;
    const broken = refused > 0 ? `${String(refused)} requests refused` : incomplete;
    return {
      name: `${processes === 1 ? "one process" : `${String(processes)} processes together`}, ${kind} window`,
      measured: `${(ratio * 10).toFixed(2)} of 10 requests a second, ${String(refused)} refused`,
      ratio,
      goal: { atLeast: goal },
      ...(broken === undefined ? {} : { broken }),
    };
  } finally {
    await sandbox.close();
  }
}
