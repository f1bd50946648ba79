import { expect, test } from "vitest";
import { SCENARIOS } from "./scenarios.ts";
import { tellStories } from "./seeds/seeds.ts";
import { STORES } from "./stores.ts";
import { type TaskFigures, runTask } from "./task.ts";

// Thousands of errors are thrown, and nobody reads their stacks.
Error.stackTraceLimit = 0;

/** Every single fault and every single death, and pairs of them where there are few. `npm run simulate` combines more. */
const PAIRS = ["create", "delete", "unsubscribe", "unsubscribe-approved"];
const SEEDS = 5000;

test("whatever goes wrong, nothing is lost, duplicated or believed without proof", { timeout: 900_000 }, async () => {
  const all: TaskFigures[] = [];
  for (const kind of STORES) {
    for (const scenario of SCENARIOS) {
      const troubles = kind.name === "pg" && PAIRS.includes(scenario.name) ? 2 : 1;
      all.push(await runTask({ scenario, kind }, { faults: 2, deaths: 2, troubles }));
    }
  }
  expect(all.flatMap(({ violations }) => violations)).toEqual([]);
  expect(all.reduce((sum, { schedules }) => sum + schedules, 0)).toBeGreaterThan(20_000);
});

test("stories by chance break no rule", { timeout: 900_000 }, async () => {
  const { seeds, violations } = await tellStories({ from: 0, to: SEEDS, operations: 4 });
  expect(violations).toEqual([]);
  expect(seeds).toBe(SEEDS);
});
