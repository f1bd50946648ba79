import { expect, test } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";

test.each(["before", "during"])("a sleep that is interrupted %s rejects with the signal's reason", async (when) => {
  const stop = new AbortController();
  const reason = new Error("interrupted");
  if (when === "before") stop.abort(reason);
  const sleeping = nodeClock.sleep(60_000, stop.signal);
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
