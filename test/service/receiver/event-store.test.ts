import { expect, test } from "vitest";
import { memoryStore } from "../../../src/service/receiver/index.ts";

/** Whether a promise is still open when everything that is due has run. */
async function isWaiting(promise: unknown): Promise<boolean> {
  const open = Symbol("open");
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, open))])) === open;
}

test("an event that was handled is done, and one that failed can be claimed again", async () => {
  const store = memoryStore();
  expect(await store.claim("a", "1")).toBe("claimed");
  await store.complete("a");
  expect(await store.claim("a", "2")).toBe("done");
  expect(await store.claim("b", "3")).toBe("claimed");
  await store.release("b", "3");
  expect(await store.claim("b", "4")).toBe("claimed");
});

test("of several claims at the same time one is given, and the others wait for its end", async () => {
  const store = memoryStore();
  const [first, second, third] = [store.claim("a", "1"), store.claim("a", "2"), store.claim("a", "3")];
  expect(await first).toBe("claimed");
  expect(await isWaiting(second)).toBe(true);
  await store.release("a", "1");
  expect(await second).toBe("claimed");
  expect(await isWaiting(third)).toBe(true);
  await store.complete("a");
  expect(await third).toBe("done");
});

test("the oldest events are forgotten, and those that are being handled are not", async () => {
  const store = memoryStore({ limit: 2 });
  expect(await store.claim("running", "1")).toBe("claimed");
  for (const key of ["a", "b", "c"]) {
    await store.claim(key, "2");
    await store.complete(key);
  }
  expect(await store.claim("c", "3")).toBe("done");
  expect(await store.claim("b", "3")).toBe("done");
  expect(await store.claim("a", "3")).toBe("claimed");
  const again = store.claim("running", "1");
  expect(await isWaiting(again)).toBe(true);
  await store.complete("running");
  expect(await again).toBe("done");
});

test("forgetting the oldest costs the same, however many are remembered", { timeout: 20_000 }, async () => {
  const limit = 200_000;
  const store = memoryStore({ limit });
  // Takes a minute if each step passes over those that were forgotten.
  for (let index = 0; index < 3 * limit; index++) store.complete(String(index));
  expect(await store.claim(String(2 * limit), "3")).toBe("done");
  expect(await store.claim(String(2 * limit - 1), "3")).toBe("claimed");
});

test("a claim that never ends expires", async () => {
  let now = 0;
  const store = memoryStore({ claimMs: 1000, now: () => now });
  expect(await store.claim("a", "3")).toBe("claimed");
  now = 999;
  const waiting = store.claim("a", "3");
  expect(await isWaiting(waiting)).toBe(true);
  now = 1000;
  expect(await store.claim("a", "3")).toBe("claimed");
  expect(await isWaiting(waiting)).toBe(true);
  await store.complete("a");
  expect(await waiting).toBe("done");
});

test("a delivery whose claim has expired frees no claim of another one, and what it has handled stays handled", async () => {
  let now = 0;
  const store = memoryStore({ claimMs: 1000, now: () => now });
  expect(await store.claim("a", "slow")).toBe("claimed");
  now = 1000;
  expect(await store.claim("a", "second")).toBe("claimed");
  await store.release("a", "slow");
  const third = store.claim("a", "third");
  expect(await isWaiting(third)).toBe(true);
  await store.release("a", "second");
  expect(await third).toBe("claimed");
  // The slow one succeeds after all, and then the third one fails.
  await store.complete("a");
  await store.release("a", "third");
  expect(await store.claim("a", "fourth")).toBe("done");
});

test.for([0, -1, Number.NaN])("the limit %d is a TypeError", (limit) => {
  expect(() => memoryStore({ limit })).toThrow(TypeError);
});

test("a claim expires by the clock of the machine too", async () => {
  const store = memoryStore({ claimMs: 1 });
  const start = Date.now();
  expect(await store.claim("a", "3")).toBe("claimed");
  await expect.poll(() => Date.now() - start, { interval: 2 }).toBeGreaterThan(2);
  expect(await store.claim("a", "3")).toBe("claimed");
});
