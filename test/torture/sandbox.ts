import { nodeClock } from "../../src/platform/node-clock.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";

const NEVER = new AbortController().signal;

/** For many kills. Its rate limit is the judge's. */
export function startTortureSandbox(): Promise<Sandbox> {
  const clock = {
    now: nodeClock.now,
    sleep: (durationMs: number, signal = NEVER) => nodeClock.sleep(durationMs, signal),
  };
  return startSandbox({ clock, random: () => 0.5, rateLimit: null });
}
