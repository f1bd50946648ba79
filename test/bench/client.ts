import * as http from "node:http";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type CallerOptions, read } from "../../src/service/api/caller.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { bareRequest, bareServer } from "./bare-http.ts";
import { type Figure, median } from "./figure.ts";
import { slidingPacer } from "./unpaced.ts";

const ROUNDS = 9;
const REQUESTS = 1000;
const LISTED = Array.from({ length: 10 }, (_, index) => ({
  _id: `hoo_${String(index)}`,
  targetUrl: `https://crm.example.com/${String(index)}`,
  type: "emailsReplied",
}));

/** 1,000 sequential requests of the client, compared with a bare loop over one connection; server and clients share this event loop. */
export async function measureClient(): Promise<readonly Figure[]> {
  const server = await bareServer(JSON.stringify(LISTED));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const transport = nodeExchange(nodeClock);
  const options: CallerOptions = {
    baseUrl: server.url,
    apiKey: "key",
    transport,
    pacer: slidingPacer(nodeClock),
    clock: nodeClock,
    timeoutMs: 30_000,
    userAgent: "bench",
    jitter: () => 0,
    redactor: redactor(),
  };
  const headers = { authorization: "Basic OmtleQ==", accept: "application/json", "user-agent": "bench" };
  const { signal } = new AbortController();
  const timed = async (request: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    for (let index = 0; index < REQUESTS; index++) await request();
    return performance.now() - start;
  };
  try {
    const rounds: { readonly bareMs: number; readonly clientMs: number }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const bareMs = await timed(
        async () => JSON.parse(await bareRequest(`${server.url}/hooks`, agent, headers)) as unknown,
      );
      const clientMs = await timed(() => read(options, { method: "GET", segments: ["hooks"], statuses: {} }, signal));
      // The first round is a warm-up.
      if (round >= 0) rounds.push({ bareMs, clientMs });
    }
    return [
      {
        name: "client, 1,000 requests in sequence",
        measured: `${median(rounds.map(({ clientMs }) => clientMs)).toFixed(0)} ms, bare loop: ${median(rounds.map(({ bareMs }) => bareMs)).toFixed(0)} ms`,
        ratio: median(rounds.map(({ bareMs, clientMs }) => clientMs / bareMs)),
        goal: { atMost: 1.5 },
      },
    ];
  } finally {
    agent.destroy();
    transport.close();
    server.close();
  }
}
