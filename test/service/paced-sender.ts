// A process that sends as fast as the pace allows, with several requests in flight. Its options are one JSON argument. It
// prints "ready" when it can start, starts at the first line of input, and prints one line of JSON at its end.
import { redactor } from "../../src/core/secrets/redactor.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type CallerOptions, read } from "../../src/service/api/caller.ts";
import { reserveWrites } from "../../src/service/api/client.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { slidingPacer } from "../../src/service/api/pacer.ts";

export interface SenderOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly count: number;
  readonly parallel: number;
  /** Requests travel up to this much longer than others. */
  readonly jitterMs?: number;
  /** Sends deletes, two in each reservation, instead of reads. */
  readonly inPairs?: boolean;
}

const {
  baseUrl,
  apiKey,
  count,
  parallel,
  jitterMs = 0,
  inPairs = false,
} = JSON.parse(process.argv[2] ?? "") as SenderOptions;
const transport = nodeExchange(nodeClock);
const options: CallerOptions = {
  baseUrl,
  apiKey,
  transport: {
    ...transport,
    send: async (request, signal) => {
      if (jitterMs > 0) await nodeClock.sleep(Math.random() * jitterMs, signal);
      return transport.send(request, signal);
    },
  },
  pacer: slidingPacer(nodeClock),
  clock: nodeClock,
  timeoutMs: 10_000,
  userAgent: "test",
  jitter: () => 0,
  redactor: redactor(),
};

process.stdout.write("ready\n");
process.stdin.once("data", () => void send());

async function send(): Promise<void> {
  const { signal } = new AbortController();
  const startedMs = nodeClock.monotonicMs();
  const each = inPairs ? 2 : 1;
  let left = count;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (left -= each; left >= 0; left -= each) await sendOne(signal);
    }),
  );
  options.transport.close();
  process.stdout.write(
    `${JSON.stringify({ tookMs: nodeClock.monotonicMs() - startedMs, cpuMs: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 })}\n`,
  );
  process.stdin.destroy();
}

async function sendOne(signal: AbortSignal): Promise<unknown> {
  if (!inPairs) return read(options, { method: "GET", segments: ["hooks"], statuses: {} }, signal);
  const { client, release } = await reserveWrites(options, 2, signal);
  await client.deleteWebhook("hoo_absent1", signal);
  await client.deleteWebhook("hoo_absent2", signal);
  return release();
}
