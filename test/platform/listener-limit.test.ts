import { setMaxListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { liftListenerLimit } from "../../src/platform/node-process.ts";

afterEach(() => {
  vi.restoreAllMocks();
  setMaxListeners(10);
});

test("many requests that listen to one signal cause no warning", () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  liftListenerLimit();
  const { signal } = new AbortController();
  for (let index = 0; index < 30; index++) signal.addEventListener("abort", () => index);
  expect(warned).not.toHaveBeenCalled();
});
