import { setMaxListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { NEVER_ABORTED } from "../../src/core/model/async.ts";
import { liftListenerLimit } from "../../src/platform/node-process.ts";

afterEach(() => {
  vi.restoreAllMocks();
  setMaxListeners(10);
});

test.each([
  ["a new signal", () => new AbortController().signal],
  ["the signal that is never aborted, which is older than the limit", () => NEVER_ABORTED],
])("many requests that listen to %s cause no warning", (_, made) => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  liftListenerLimit();
  const signal = made();
  for (let index = 0; index < 30; index++) signal.addEventListener("abort", () => index);
  expect(warned).not.toHaveBeenCalled();
});
