import { expect, test } from "vitest";
import { useSlices } from "./use-slices.ts";

const SEEDS = 2000;
const slice = useSlices();

test("whatever goes wrong, nothing is lost, duplicated or believed without proof", { timeout: 900_000 }, async () => {
  const { count, violations } = await slice("every");
  expect(violations).toEqual([]);
  expect(count).toBeGreaterThan(20_000);
});

test("stories by chance break no rule", { timeout: 900_000 }, async () => {
  expect(await slice("stories", String(SEEDS))).toEqual({ count: SEEDS, violations: [] });
});
