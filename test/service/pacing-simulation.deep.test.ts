import { describe, expect, test } from "vitest";
import { chanceOf } from "../core/apply/chance.ts";
import { WINDOWS, storyOf } from "./pacing-stories.ts";
import { EVEN, play, shareOfLimit } from "./pacing-world.ts";

const SEEDS = Number(process.env["OUTREACH_SEEDS"] ?? 400);

describe("pacing in virtual time", () => {
  test(`nothing is refused in ${String(SEEDS)} stories of latencies, jitter, late requests and drifting clocks`, async () => {
    const refusing: string[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { refused } = await play(storyOf(seed));
      if (refused > 0) refusing.push(`seed ${String(seed)}: ${String(refused)} refused`);
    }
    expect(refusing).toEqual([]);
  }, 120_000);

  const settings = WINDOWS.flatMap((window) => ([1, 2] as const).map((each) => ({ window, each })));
  test.each(settings)(
    "97 % of the limit without jitter, 94 % with 50 ms: $window window, $each in a reservation",
    async (setting) => {
      const { below } = chanceOf(1);
      const even = await play({ ...EVEN, ...setting, requests: 600 });
      expect(even.refused).toBe(0);
      expect(shareOfLimit(even.arrivals)).toBeGreaterThan(0.97);
      const uneven = await play({
        ...EVEN,
        ...setting,
        requests: 600,
        thereMs: () => below(50_000) / 1000,
      });
      expect(uneven.refused).toBe(0);
      expect(shareOfLimit(uneven.arrivals)).toBeGreaterThan(0.94);
    },
  );
});
