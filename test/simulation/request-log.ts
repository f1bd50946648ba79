import type { RequestCounts } from "../../src/service/api/pacer.ts";
import type { World } from "./world.ts";

/** Longer than a request counts against the limit, or holds a place. */
const KEPT_MS = 60_000;

/** The log of requests that the processes of a user share, as part of the world. */
export function requestLog(world: World, participant: string): RequestCounts {
  const others = () => [...world.requests].flatMap(([name, { part }]) => (name === participant ? [] : [part]));
  return {
    exchange: (decide) => {
      const part = decide(others());
      const kept = [...world.requests].filter(
        ([name, { atMs }]) => name !== participant && atMs > world.nowMs - KEPT_MS,
      );
      world.requests = new Map([...kept, [participant, { part, atMs: world.nowMs }]]);
      return Promise.resolve();
    },
    peek: others,
  };
}
