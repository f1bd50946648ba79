import { chanceOf } from "../core/apply/chance.ts";
import type { Story, WindowKind } from "./pacing-world.ts";

export const WINDOWS = ["fixed", "fixed grid", "sliding"] as const satisfies readonly WindowKind[];

/** Travel times differ by up to 80 ms, which the margin covers; some requests and answers are much later, which it has to notice. */
export function storyOf(seed: number): Story {
  const { below, percent, oneOf } = chanceOf(seed);
  const upTo = (max: number): number => (below(1e6) / 1e6) * max;
  const [jitterMs, returnMs] = [oneOf([0, 0, 3, 20, 50, 80]), oneOf([0, 3, 50])];
  const [there, back] = [upTo(oneOf([1, 20, 150])), upTo(oneOf([1, 20, 150]))];
  const [late, openMs, holds, idles] = [
    oneOf([0, 0, 2, 10]),
    oneOf([0, 0, 300]),
    oneOf([0, 0, 0, 40, 3000]),
    oneOf([0, 0, 0, 100, 1500]),
  ];
  const coarseMs = oneOf([0, 1, 16]);
  const spike = (): number => (percent(late) ? upTo(1500) : 0);
  const jumpMs = oneOf([0, 0, 3.6e6, -3.6e6]);
  return {
    window: oneOf(WINDOWS),
    requests: 70,
    parallel: oneOf([1, 2, 4, 6]),
    each: oneOf([1, 1, 2]),
    heldMs: () => upTo(holds),
    idleMs: () => (percent(20) ? upTo(idles) : 0),
    thereMs: (index) => there + upTo(jitterMs) + (index < 4 ? openMs : 0) + spike(),
    backMs: () => back + upTo(returnMs) + spike(),
    timerMs: () => upTo(coarseMs),
    drift: 1 + upTo(0.001) - 0.0005,
    aheadMs: upTo(2000) - 1000,
    wallMs: (nowMs) => (nowMs > 3000 ? jumpMs : 0),
  };
}
