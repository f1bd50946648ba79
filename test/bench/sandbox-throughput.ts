import * as http from "node:http";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { bareRequest, bareServer } from "./bare-http.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 9;
const REQUESTS = 2000;
const PARALLEL = 8;

/** Requests a second of the sandbox without a limit, against a bare server with the same answer; both on this event loop. */
export async function measureSandboxThroughput(): Promise<readonly Figure[]> {
  const { signal: never } = new AbortController();
  const sandbox = await startSandbox({
    clock: { now: () => nodeClock.now(), sleep: (ms, signal = never) => nodeClock.sleep(ms, signal) },
    random: () => 0.5,
    rateLimit: null,
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });
  const headers = { authorization: `Basic ${Buffer.from(`:${sandbox.keys.good}`).toString("base64")}` };
  const hooks = `${sandbox.baseUrl}/hooks`;
  const bare = await bareServer(await bareRequest(hooks, agent, headers));
  const perSecond = async (url: string): Promise<number> => {
    let left = REQUESTS;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        while (left-- > 0) await bareRequest(url, agent, headers);
      }),
    );
    return (REQUESTS / (performance.now() - start)) * 1000;
  };
  try {
    const rounds: { readonly own: number; readonly plain: number }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const figures = { plain: await perSecond(bare.url), own: await perSecond(hooks) };
      // The first is for the compiler.
      if (round >= 0) rounds.push(figures);
    }
    return [
      {
        name: "sandbox, throughput without a limit",
        measured: `${median(rounds.map(({ own }) => own)).toFixed(0)} requests a second, bare node:http: ${median(rounds.map(({ plain }) => plain)).toFixed(0)}`,
        ratio: median(rounds.map(({ own, plain }) => own / plain)),
        goal: { atLeast: 0.5 },
      },
    ];
  } finally {
    agent.destroy();
    bare.close();
    await sandbox.close();
  }
}
