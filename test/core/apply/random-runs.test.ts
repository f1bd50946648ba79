import { expect, test } from "vitest";
import { tell } from "./random-story.ts";

const ONE = process.env["OUTREACH_SEED"];
const SEEDS = Number(process.env["OUTREACH_SEEDS"] ?? 200);
const FIRST = Number(process.env["OUTREACH_FIRST_SEED"] ?? 0);
const LONG_MS = 24 * 60 * 60 * 1000;

test("whatever happens to runs, nothing is lost, doubled or believed without proof", { timeout: LONG_MS }, async () => {
  if (ONE !== undefined) return tell(Number(ONE), { aloud: true });
  const failed: string[] = [];
  for (let seed = FIRST; seed < FIRST + SEEDS && failed.length < 5; seed++) {
    await tell(seed).catch((error: unknown) => failed.push(error instanceof Error ? error.message : String(error)));
  }
  expect(failed.join("\n\n")).toBe("");
});
