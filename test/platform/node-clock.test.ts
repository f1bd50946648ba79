import { afterEach, expect, test, vi } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";

afterEach(() => vi.restoreAllMocks());

test("the monotonic clock counts the system's nanoseconds, in milliseconds", () => {
  vi.spyOn(process.hrtime, "bigint").mockReturnValue(86_400_000_500_000n);
  expect(nodeClock.monotonicMs()).toBe(86_400_000.5);
});

test.each(["before", "during"])("a sleep that is interrupted %s rejects with the signal's reason", async (when) => {
  const stop = new AbortController();
  const reason = new Error("interrupted");
  if (when === "before") stop.abort(reason);
  const sleeping = nodeClock.sleep(60_000, stop.signal);
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

test("a sleep of more than 25 days does not end at once", async () => {
  const stop = new AbortController();
  const sleeping = nodeClock.sleep(60 * 24 * 3_600_000, stop.signal).then(
    () => "over",
    () => "interrupted",
  );
  await nodeClock.sleep(50, stop.signal);
  stop.abort();
  expect(await sleeping).toBe("interrupted");
});
