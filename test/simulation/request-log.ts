import type { SharedLog } from "../../src/service/api/pacer.ts";
import type { World } from "./world.ts";

/** Longer than any request counts against the limit. */
const KEPT_MS = 10_000;

/** The log of requests that the processes of a user share, as part of the world. */
export function requestLog(world: World, participant: string): SharedLog {
  const others = (): { readonly sentMs: readonly number[]; readonly pausedUntilMs: number } => {
    const parts = [...world.requests].flatMap(([name, part]) => (name === participant ? [] : [part]));
    return {
      sentMs: parts.flatMap(({ sentMs }) => sentMs).toSorted((a, b) => a - b),
      pausedUntilMs: Math.max(0, ...parts.map(({ pausedUntilMs }) => pausedUntilMs)),
    };
  };
  return {
    exchange: (decide) => {
      const own = decide(others());
      const kept = [...world.requests].filter(([name, { sentMs }]) => name !== participant && (sentMs.at(-1) ?? 0) > world.nowMs - KEPT_MS);
      world.requests = new Map([...kept, [participant, own]]);
      return Promise.resolve();
    },
    peek: others,
  };
}
