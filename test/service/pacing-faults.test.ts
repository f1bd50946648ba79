import { constants } from "node:fs";
import { describe, expect, test } from "vitest";
import { slidingPacer } from "../../src/service/api/pacer.ts";
import { sharedCounts } from "../../src/service/api/request-counts.ts";
import { chanceOf } from "../core/apply/chance.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { FOLDER, type MemoryFiles, memoryFiles } from "./memory-files.ts";
import { EVEN, play } from "./pacing-world.ts";

const NEVER = new AbortController().signal;
const OPERATIONS = [
  "closeSync",
  "fstatSync",
  "linkSync",
  "lstatSync",
  "mkdirSync",
  "openSync",
  "readFileSync",
  "readdirSync",
  "renameSync",
  "unlinkSync",
  "writeFileSync",
] as const;
const CODES = ["ENOSPC", "EIO", "EACCES", "EROFS"] as const;

function failing(files: MemoryFiles, code: string, fails: (operation: string) => boolean): void {
  files.fault = (operation) => {
    if (fails(operation)) throw Object.assign(new Error(code), { code });
  };
}

const HURRIED = { ...EVEN, requests: 60 };

describe("a process whose shared log fails", () => {
  test.each(OPERATIONS.flatMap((operation) => CODES.map((code) => [operation, code] as const)))(
    "%s: %s, always: stays within the limit",
    async (operation, code) => {
      const { refused, arrivals } = await play({ ...HURRIED, shares: true }, (files) =>
        failing(files, code, (one) => one === operation),
      );
      expect(refused).toBe(0);
      expect(arrivals).toHaveLength(60);
      // One lock in two stays behind if files cannot be removed.
      expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeLessThan(60 * 400);
    },
  );

  test.each(OPERATIONS)("%s fails now and then: three processes stay within the limit", async (operation) => {
    for (let seed = 0; seed < 5; seed++) {
      const { percent, oneOf } = chanceOf(seed);
      const story = { ...HURRIED, processes: 3, requests: 30 };
      const { refused, arrivals } = await play(story, (files) =>
        failing(files, oneOf(CODES), (one) => one === operation && percent(5)),
      );
      expect(refused).toBe(0);
      expect(arrivals).toHaveLength(90);
    }
  });

  test("on a full disk two processes continue, each within the limit", async () => {
    const { arrivals } = await play({ ...HURRIED, processes: 2 }, (files) =>
      failing(files, "ENOSPC", (one) => one === "writeFileSync"),
    );
    expect(arrivals).toHaveLength(120);
  });
});

describe("an error that is no file's", () => {
  const wrong = (operations: readonly string[]) => {
    const clock = virtualClock();
    const files = memoryFiles(() => clock.now());
    files.fault = (operation) => {
      if (operation === operations.at(-1)) throw new TypeError(`no ${operation}`);
      if (operations.includes(operation)) throw Object.assign(new Error("EIO"), { code: "EIO" });
    };
    return slidingPacer(
      clock,
      1,
      sharedCounts(clock, { folder: FOLDER, owner: 0, name: "key", participant: "p" }, files),
    ).reserve(1, NEVER);
  };

  test.each([
    "closeSync",
    "fstatSync",
    "lstatSync",
    "mkdirSync",
    "openSync",
    "renameSync",
    "unlinkSync",
    "writeFileSync",
  ])("in %s is not hidden", async (name) => {
    await expect(wrong([name])).rejects.toThrow(`no ${name}`);
  });

  test.each([
    ["fstatSync", "unlinkSync"],
    ["writeFileSync", "unlinkSync"],
    ["renameSync", "writeFileSync"],
  ])("is not hidden after %s has failed, either, in %s", async (...operations) => {
    await expect(wrong(operations)).rejects.toThrow(`no ${String(operations.at(-1))}`);
  });
});

describe("a log from before a restart of the system that cannot be written any more", () => {
  const twenty = Array.from({ length: 20 }, () => 1e9);
  test.each([
    ["requests", { countedMs: twenty, held: 0, heldUntilMs: 0 }],
    ["held slots", { countedMs: [], held: 20, heldUntilMs: 1e9 }],
  ])("delays nobody for ever by its %s", async (_, content) => {
    const clock = virtualClock();
    const files = memoryFiles(() => clock.now());
    files.mkdirSync(FOLDER);
    const file = files.openSync(`${FOLDER}/key`, constants.O_CREAT | constants.O_WRONLY);
    files.writeFileSync(
      file,
      JSON.stringify({
        format: "outreach pacing 1",
        parts: [{ participant: "x", pausedUntilMs: 0, fastestMs: null, ...content }],
      }),
    );
    files.closeSync(file);
    failing(files, "ENOSPC", (operation) => operation === "writeFileSync");
    const late = new AbortController();
    void clock.sleep(60_000, NEVER).then(() => late.abort(new Error("it waits for ever")));
    const pacer = slidingPacer(
      clock,
      1,
      sharedCounts(clock, { folder: FOLDER, owner: 0, name: "key", participant: "p" }, files),
    );
    (await pacer.reserve(1, late.signal)).take();
    expect(clock.monotonicMs()).toBeLessThan(11_000);
  });
});

describe("a killed process that held the log's lock", () => {
  function locked(files: MemoryFiles): void {
    files.mkdirSync(FOLDER);
    files.closeSync(files.openSync(`${FOLDER}/key.lock`, constants.O_CREAT));
  }

  test.each([1, 2, 3])("%i others break it and stay within the limit", async (processes) => {
    const { refused, arrivals, files } = await play(
      { ...HURRIED, processes, shares: true, requests: 60 / processes },
      locked,
    );
    expect(refused).toBe(0);
    expect(arrivals).toHaveLength(60);
    expect(files.names()).toEqual([`${FOLDER}/key`]);
  });

  test("delays the first request by 300 ms, and no later one", async () => {
    const clock = virtualClock();
    const files = memoryFiles(() => clock.now());
    locked(files);
    const pacer = slidingPacer(
      clock,
      1,
      sharedCounts(clock, { folder: FOLDER, owner: 0, name: "key", participant: "p" }, files),
    );
    for (let index = 0; index < 5; index++) (await pacer.reserve(1, NEVER)).take();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(300);
    expect(clock.monotonicMs()).toBeLessThan(350);
  });

  test("delays a request by at most 0.8 s if its lock changes all the time", async () => {
    const clock = virtualClock();
    const files = memoryFiles(() => clock.now());
    locked(files);
    const live = {
      ...files,
      lstatSync: ((path: string) => ({
        ...files.lstatSync(path),
        mtimeMs: clock.monotonicMs(),
      })) as typeof files.lstatSync,
    };
    const pacer = slidingPacer(
      clock,
      1,
      sharedCounts(clock, { folder: FOLDER, owner: null, name: "key", participant: "p" }, live),
    );
    (await pacer.reserve(1, NEVER)).take();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(800);
    expect(clock.monotonicMs()).toBeLessThan(820);
  });
});
