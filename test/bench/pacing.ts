import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RateLimit } from "../../src/sandbox/rate-limit.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { buildSender, spawnSender } from "../service/spawn-senders.ts";
import type { Figure } from "./figure.ts";

const SERVICE_LIMIT = { limit: 20, windowMs: 2000 };
/** A first burst, and the nine timed windows after it. In the first of them, too little is measured to shorten the margin. */
const REQUESTS = 200;
const JITTER_MS = 50;
const AT_ONCE = 4;

interface Setting {
  readonly kind: RateLimit["kind"];
  readonly jitterMs: number;
  readonly inPairs: boolean;
}

/** The share of the service's limit that processes at full speed use. A refused request is a failure. */
export async function measurePacing(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "pacing-"));
  const sender = path.join(folder, "sender.mjs");
  try {
    await buildSender(sender);
    const settings = (["fixed", "sliding"] as const).flatMap((kind) =>
      [0, JITTER_MS].flatMap((jitterMs) => [false, true].map((inPairs) => ({ kind, jitterMs, inPairs }))),
    );
    const measured: Figure[] = [];
    // A few at a time: processes that wait for a processor measure that instead.
    for (let first = 0; first < settings.length; first += AT_ONCE)
      measured.push(
        ...(await Promise.all(settings.slice(first, first + AT_ONCE).map((setting) => measure(setting, sender)))),
      );
    return measured;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure({ kind, jitterMs, inPairs }: Setting, file: string): Promise<Figure> {
  const sleep = (ms: number, signal = new AbortController().signal): Promise<void> => nodeClock.sleep(ms, signal);
  const sandbox = await startSandbox({
    clock: { now: () => nodeClock.now(), sleep },
    random: () => 0.5,
    rateLimit: { ...SERVICE_LIMIT, kind },
  });
  try {
    const sending = {
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.good,
      count: REQUESTS,
      parallel: 4,
      jitterMs,
      inPairs,
    };
    const { start, report } = await spawnSender(file, sending);
    start();
    await report;
    const requests = sandbox.requests();
    const refused = requests.filter(({ status }) => status === 429).length;
    const tookMs = (requests.at(-1)?.at ?? 0) - (requests[SERVICE_LIMIT.limit - 1]?.at ?? 0);
    const ratio = (requests.length - SERVICE_LIMIT.limit) / tookMs / (SERVICE_LIMIT.limit / SERVICE_LIMIT.windowMs);
    const incomplete = requests.length < REQUESTS ? `only ${String(requests.length)} requests came` : undefined;
    const broken = refused > 0 ? `${String(refused)} requests refused` : incomplete;
    return {
      name: `one process${inPairs ? ", pairs" : ""}${jitterMs > 0 ? `, ${String(jitterMs)} ms jitter` : ""}, ${kind} window`,
      measured: `${(ratio * 10).toFixed(2)} of 10 requests a second, ${String(refused)} refused`,
      ratio,
      goal: { atLeast: jitterMs > 0 ? 0.94 : 0.97 },
      ...(broken === undefined ? {} : { broken }),
    };
  } finally {
    await sandbox.close();
  }
}
