import { expect, test } from "vitest";
import { useSlices } from "./use-slices.ts";

const SEEDS = 100;
const slice = useSlices();

test("no single fault or death of an apply that creates, replaces and deletes loses or duplicates anything", async () => {
  const { count, violations } = await slice("main");
  expect(violations).toEqual([]);
  expect(count).toBeGreaterThan(2000);
});

test("stories by chance break no rule", async () => {
  expect(await slice("stories", String(SEEDS))).toEqual({ count: SEEDS, violations: [] });
});
