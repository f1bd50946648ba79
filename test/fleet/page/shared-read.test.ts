import { expect, test } from "vitest";
import { FleetUnavailable } from "../../../src/fleet/fleet-store.ts";
import { sharedRead } from "../../../src/fleet/page/shared-read.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";

interface Asked {
  readonly answer: (value: string) => void;
  readonly fail: (error: Error) => void;
}

/** A read whose answers the test gives. */
function pending(sleep = nodeClock.sleep) {
  const asked: Asked[] = [];
  const clock = { ms: 0, monotonicMs: () => clock.ms, sleep };
  const load = () => new Promise<string>((answer, fail) => void asked.push({ answer, fail }));
  return { asked, clock, read: sharedRead(load, 5000, clock) };
}

test("a reader during a read shares its answer, and a later reader reads again", async () => {
  const { asked, read } = pending();
  const readers = [read(0), read(0), read(5000)];
  expect(asked).toHaveLength(1);
  asked[0]?.answer("one");
  expect(await Promise.all(readers)).toEqual(["one", "one", "one"]);
  const later = read(0);
  asked[1]?.answer("two");
  expect(await later).toBe("two");
});

test("what was read counts its age from when it was asked for", async () => {
  const { asked, clock, read } = pending();
  const first = read(5000);
  clock.ms = 3000;
  asked[0]?.answer("one");
  await first;
  clock.ms = 4999;
  expect(await read(5000)).toBe("one");
  clock.ms = 5000;
  const again = read(5000);
  expect(asked).toHaveLength(2);
  asked[1]?.answer("two");
  expect(await again).toBe("two");
});

test("a failure is the answer only of those who wait for it", async () => {
  const { asked, read } = pending();
  const failing = read(5000);
  asked[0]?.fail(new FleetUnavailable("refused"));
  await expect(failing).rejects.toThrow("refused");
  const next = read(5000);
  asked[1]?.answer("two");
  expect(await next).toBe("two");
});

test("a database that never answers is given up on, and asked again only when the answer is late", async () => {
  const { asked, clock, read } = pending(() => Promise.resolve());
  await Promise.all([read(0), read(0)].map((reader) => expect(reader).rejects.toThrow(FleetUnavailable)));
  await expect(read(0)).rejects.toThrow("The database did not answer within 5 s.");
  expect(asked).toHaveLength(1);
  clock.ms = 5000;
  await expect(read(0)).rejects.toThrow(FleetUnavailable);
  expect(asked).toHaveLength(2);
  asked[1]?.answer("two");
  await Promise.resolve();
  expect(await read(5000)).toBe("two");
  asked[0]?.answer("one");
  await Promise.resolve();
  expect(await read(5000)).toBe("two");
});
