import { expect, test } from "vitest";
import { type FuzzResult, fuzz } from "./fuzz.ts";
import { sharesOf } from "./shares.ts";

/** The same cases in every run; `npm run fuzz` takes other ones each time. */
const SEED = 20_261_123;
const CASES = 400;

test("no hostile input crashes or blocks a command, changes a path on the wire, or reaches a terminal raw", async () => {
  const results: FuzzResult[] = [];
  await fuzz(sharesOf({ cases: CASES, seed: SEED, path: null, target: null }), (result) => void results.push(result));
  expect(results.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(results.reduce((sum, { cases }) => sum + cases, 0)).toBeGreaterThanOrEqual(CASES);
}, 300_000);
