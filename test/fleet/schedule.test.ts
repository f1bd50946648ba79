import { expect, test } from "vitest";
import { nextRun } from "../../src/fleet/schedule.ts";

const MINUTE_MS = 60_000;
const after = (outcome: Parameters<typeof nextRun>[0]["outcome"], failures = 1, chance = 0.5, undecided = 0) =>
  nextRun({ outcome }, { failures: failures - 1, undecided, busy: 0, intervalMs: 10 * MINUTE_MS }, chance);

test.each(["unchanged", "applied", "waiting"] as const)(
  "a team that is %s is looked at again after the interval, a little earlier or later",
  (outcome) => {
    expect(after(outcome)).toEqual({ afterMs: 10 * MINUTE_MS, trigger: "interval" });
    expect([after(outcome, 1, 0)?.afterMs, after(outcome, 1, 0.999)?.afterMs]).toEqual([9 * MINUTE_MS, 659_880]);
  },
);

test("a team that fails is looked at less and less often, but never less than once an hour, or than the interval", () => {
  expect([1, 2, 3, 4].map((failures) => after("failed", failures))).toEqual(
    [15_000, 30_000, 60_000, 120_000].map((afterMs) => ({ afterMs, trigger: "retry" })),
  );
  expect(after("failed", 12)?.afterMs).toBe(60 * MINUTE_MS);
  expect(after("failed", 10_000)?.afterMs).toBe(60 * MINUTE_MS);
  expect(
    nextRun({ outcome: "failed" }, { failures: 49, undecided: 0, busy: 0, intervalMs: 300 * MINUTE_MS }, 0.5)?.afterMs,
  ).toBe(300 * MINUTE_MS);
});

test("a team whose state is locked is looked at soon, and one whose plan is outdated or whose run was interrupted at once", () => {
  expect(after("busy")).toEqual({ afterMs: 15_000, trigger: "retry" });
  expect([after("outdated"), after("interrupted")]).toEqual([
    { afterMs: 0, trigger: "retry" },
    { afterMs: 0, trigger: "retry" },
  ]);
});

test("a team waits for somebody where the third run in a row finds the lock of a controller that may be gone, or where its state is older than one that was seen", () => {
  const next = (outcome: "busy" | "failed", busy: number, needsPerson: boolean) =>
    nextRun({ outcome, needsPerson }, { failures: 0, undecided: 0, busy, intervalMs: 10 * MINUTE_MS }, 0.5);
  expect([next("busy", 1, true), next("busy", 2, false)]).toEqual([
    { afterMs: 15_000, trigger: "retry" },
    { afterMs: 15_000, trigger: "retry" },
  ]);
  expect([next("busy", 2, true), next("failed", 0, true)]).toEqual([null, null]);
});

test("a team with an undecided outcome is looked at twice more, and then waits for somebody; other failures do not count", () => {
  expect([0, 1, 2].map((undecided) => after("undecided", undecided + 1, 0.5, undecided))).toEqual([
    { afterMs: 15_000, trigger: "retry" },
    { afterMs: 30_000, trigger: "retry" },
    null,
  ]);
  expect(after("undecided", 3)).toEqual({ afterMs: 60_000, trigger: "retry" });
});
