import { expect, test } from "vitest";
import { SCENARIOS } from "./scenarios.ts";
import { STORES } from "./stores.ts";
import { runTask } from "./task.ts";

/** Every single fault and every single death. `npm run simulate` combines them. */
const BOUNDS = { faults: 1, deaths: 1, troubles: 1 };

test.each(STORES)(
  "on $name, whatever goes wrong once, nothing is lost, doubled or believed without proof",
  async (kind) => {
    const all = [];
    for (const scenario of SCENARIOS) all.push(await runTask({ scenario, kind }, BOUNDS));
    expect(all.flatMap(({ violations }) => violations)).toEqual([]);
    expect(all.reduce((sum, { schedules }) => sum + schedules, 0)).toBeGreaterThan(5000);
  },
  120_000,
);
