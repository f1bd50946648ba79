import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keyName } from "../../src/core/secrets/key-name.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { RESERVED_MS } from "../../src/service/api/pace.ts";
import { type Pacer, type PacingClock, slidingPacer } from "../../src/service/api/pacer.ts";
import { sharedCounts } from "../../src/service/api/request-counts.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { type Sender, buildSender, spawnSender } from "./spawn-senders.ts";

const { signal } = new AbortController();
const owner = process.getuid?.() ?? null;
let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "pacing-"));
  folder = path.join(parent, "user");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

let participants = 0;
function pacer(clock: PacingClock, { share = 1, name = "key" } = {}): Pacer {
  return slidingPacer(
    clock,
    share,
    sharedCounts(clock, { folder, owner, name, participant: `p${String(participants++)}` }),
  );
}

/** Sends `count` requests as soon as `one` allows, and returns their times. */
async function send(clock: PacingClock, one: Pacer, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const slot = await one.reserve(1, signal);
    slot.take()({ status: 200, headers: {} });
    slot.release();
    times.push(clock.monotonicMs());
  }
  return times;
}

function mostInAnyWindow(times: readonly number[]): number {
  return Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at < start + 2000).length));
}

describe("pacers that share a file", () => {
  test("together use the limit without exceeding it", async () => {
    const clock = virtualClock();
    const times = (await Promise.all([1, 2, 3].map(() => send(clock, pacer(clock), 60)))).flat();
    expect(mostInAnyWindow(times)).toBe(20);
    expect(clock.monotonicMs()).toBeLessThan(8 * 2100 + 500);
  });

  test("know the requests of a process that has ended", async () => {
    const clock = virtualClock();
    await send(clock, pacer(clock), 20);
    await send(clock, pacer(clock), 1);
    expect(clock.monotonicMs()).toBe(2015);
  });

  test("count each other's reservations", async () => {
    const clock = virtualClock();
    const held = await pacer(clock).reserve(19, signal);
    const other = pacer(clock);
    await send(clock, other, 1);
    const waiting = other.reserve(1, signal);
    await clock.sleep(1000, signal);
    held.release();
    await waiting;
    expect(clock.monotonicMs()).toBeGreaterThan(1000);
  });

  test("all wait when the service asks one of them to", async () => {
    const clock = virtualClock();
    const asked = pacer(clock);
    asked.pause(7000);
    await clock.sleep(10, signal);
    await pacer(clock).reserve(1, signal);
    expect(clock.monotonicMs()).toBeCloseTo(7000, -1);
  });

  test("have a separate limit for each key", async () => {
    const clock = virtualClock();
    await send(clock, pacer(clock, { name: "one" }), 20);
    await send(clock, pacer(clock, { name: "other" }), 20);
    expect(clock.monotonicMs()).toBe(0);
  });

  test("follow their own shares", async () => {
    const clock = virtualClock();
    await send(clock, pacer(clock), 10);
    await send(clock, pacer(clock), 10);
    await send(clock, pacer(clock, { share: 0.5 }), 1);
    expect(clock.monotonicMs()).toBeCloseTo(2100, -1);
  });

  test("keep the file small, private, and without the key", async () => {
    const clock = virtualClock();
    const name = keyName({ baseUrl: "https://api.example.com/api", apiKey: "the-key" });
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect(name).not.toBe(keyName({ baseUrl: "https://api.example.com/api", apiKey: "another" }));
    expect(name).not.toBe(keyName({ baseUrl: "https://other.example.com/api", apiKey: "the-key" }));
    expect(name).toBe(keyName({ baseUrl: "https://api.example.com/api/", apiKey: "the-key" }));
    for (let process = 0; process < 200; process++) await send(clock, pacer(clock, { name }), 2);
    expect(readdirSync(folder)).toEqual([name]);
    expect(statSync(path.join(folder, name)).size).toBeLessThan(128 * 1024);
    expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("remove only files that nobody has used for a while", async () => {
    mkdirSync(folder, { mode: 0o700 });
    for (const name of ["old", "new"]) writeFileSync(path.join(folder, name), "");
    utimesSync(path.join(folder, "old"), Date.now() / 1000 - 4000, Date.now() / 1000 - 4000);
    await send(nodeClock, pacer(nodeClock), 1);
    expect(readdirSync(folder).toSorted()).toEqual(["key", "new"]);
  });
});

describe("pacing continues without the shared log", () => {
  const trouble: readonly (readonly [string, () => void])[] = [
    ["if the folder cannot be created", () => (folder = path.join(parent, "absent", "user"))],
    ["if the folder is a file", () => writeFileSync(folder, "")],
    [
      "if the folder is a link",
      () => {
        mkdirSync(path.join(parent, "elsewhere"), { mode: 0o700 });
        symlinkSync(path.join(parent, "elsewhere"), folder);
      },
    ],
    [
      "if others can write into the folder",
      () => {
        mkdirSync(folder);
        chmodSync(folder, 0o777);
      },
    ],
    [
      "if the file is a link",
      () => {
        mkdirSync(folder, { mode: 0o700 });
        writeFileSync(path.join(parent, "target"), "kept");
        symlinkSync(path.join(parent, "target"), path.join(folder, "key"));
      },
    ],
    [
      "if the temporary file is a link",
      () => {
        mkdirSync(folder, { mode: 0o700 });
        writeFileSync(path.join(parent, "target"), "kept");
        symlinkSync(path.join(parent, "target"), path.join(folder, "key.new"));
      },
    ],
    ["if the file is a folder", () => mkdirSync(path.join(folder, "key"), { recursive: true, mode: 0o700 })],
    ["if the lock is a folder", () => mkdirSync(path.join(folder, "key.lock"), { recursive: true, mode: 0o700 })],
  ];
  test.each(trouble)("%s", async (_, prepare) => {
    prepare();
    const clock = virtualClock();
    const times = await send(clock, pacer(clock), 60);
    expect(mostInAnyWindow(times)).toBe(20);
    expect(clock.monotonicMs()).toBeLessThan(2 * 2100 + 2500);
    if (existsSync(path.join(parent, "target"))) expect(readFileSync(path.join(parent, "target"), "utf8")).toBe("kept");
    if (existsSync(path.join(parent, "elsewhere"))) expect(readdirSync(path.join(parent, "elsewhere"))).toEqual([]);
  });

  test("for a user who does not own the folder", async () => {
    mkdirSync(folder, { mode: 0o700 });
    const log = sharedCounts(nodeClock, { folder, owner: 4_000_000, name: "key", participant: "p" });
    (await slidingPacer(nodeClock, 1, log).reserve(1, signal)).take();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the content of the file is not trusted", () => {
  const part = (countedMs: unknown, more: { readonly [name: string]: unknown } = {}): string =>
    JSON.stringify({
      format: "outreach pacing 1",
      parts: [{ participant: "x", countedMs, held: 0, heldUntilMs: 0, pausedUntilMs: 0, fastestMs: null, ...more }],
    });
  const twenty = (ms: number): readonly number[] => Array.from({ length: 20 }, () => ms);
  test.each([
    ["nothing", "", 0],
    ["a torn write", part(twenty(0)).slice(0, -3), 0],
    ["other JSON", "[1,2]", 0],
    ["deep JSON", "[".repeat(200_000), 0],
    ["another format", part(twenty(0)).replace("pacing 1", "pacing 2"), 0],
    ["bytes", "\u0000\u0001\uFFFD", 0],
    ["too much", " ".repeat(300_000), 0],
    ["text for numbers", part(["1", "2"]), 0],
    ["a part without times", part(undefined), 0],
    ["too many requests", part(Array.from({ length: 5000 }, () => 0)), 0],
    ["a pause of years", part([], { pausedUntilMs: 1e11 }), 0],
    ["a pause of a minute", part([], { pausedUntilMs: 60_000 }), 60_000],
    ["requests from long ago", part(twenty(-240_001)), 0],
    ["requests in the future, from before a restart of the system", part(twenty(1e9)), 0],
    ["requests from just now", part(twenty(0)), 2000],
    ["all slots held for years", part([], { held: 1e9, heldUntilMs: 1e11 }), 0],
    ["more slots held than there are", part([], { held: 1e9, heldUntilMs: 10_000 }), 10_000],
    ["slots that were held until now", part([0], { held: 20, heldUntilMs: 0 }), 0],
    ["slots that are held for a moment", part([0], { held: 20, heldUntilMs: 1 }), 2000],
    ["fewer slots held than none", part([], { held: -1e9, heldUntilMs: 1e11 }), 0],
    ["answers that took years", part(twenty(0), { fastestMs: 1e11 }), 2000],
  ])("%s", async (_, text, waitMs) => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(path.join(folder, "key"), text);
    const clock = virtualClock();
    await send(clock, pacer(clock), 1);
    expect(Math.round(clock.monotonicMs())).toBe(waitMs);
    expect(lstatSync(path.join(folder, "key")).size).toBeLessThan(5000);
  });
});

test.each([
  [{ countedMs: [-239_999] }, true],
  [{ countedMs: [-240_000] }, false],
  [{ held: 1, heldUntilMs: 1 }, true],
  [{ held: 1, heldUntilMs: 0 }, false],
  [{ held: 0, heldUntilMs: 1 }, false],
  [{ pausedUntilMs: 1 }, true],
  [{ pausedUntilMs: 0 }, false],
])("the part %j of another process stays in the file: %s", async (more, stays) => {
  mkdirSync(folder, { mode: 0o700 });
  const part = { participant: "x", countedMs: [], held: 0, heldUntilMs: 0, pausedUntilMs: 0, fastestMs: null, ...more };
  writeFileSync(path.join(folder, "key"), JSON.stringify({ format: "outreach pacing 1", parts: [part] }));
  const clock = virtualClock();
  pacer(clock).pause(0);
  await clock.sleep(10, signal);
  const { parts } = JSON.parse(readFileSync(path.join(folder, "key"), "utf8")) as {
    readonly parts: readonly { readonly participant: string }[];
  };
  expect(parts.some(({ participant }) => participant === "x")).toBe(stays);
});

test.each([5000, RESERVED_MS - 1500, RESERVED_MS + 500])(
  "a slot that is used %i ms after its reservation still counts for the others",
  async (heldMs) => {
    const clock = virtualClock();
    const slots = await pacer(clock).reserve(2, signal);
    await clock.sleep(heldMs, signal);
    const others = send(clock, pacer(clock), 40);
    await slots.renew(signal);
    slots.take();
    const takenMs = clock.monotonicMs();
    slots.take();
    slots.release();
    expect(mostInAnyWindow([takenMs, takenMs, ...(await others)])).toBe(20);
  },
);

test("slots that cannot be reserved again are used by nobody", async () => {
  const clock = virtualClock();
  const log = sharedCounts(clock, { folder, owner, name: "key", participant: "p" });
  let isAway = false;
  const one = slidingPacer(clock, 1, {
    ...log,
    exchange: async (decide) => (isAway ? Promise.reject(new Error("away")) : log.exchange(decide)),
  });
  const slots = await one.reserve(20, signal);
  await clock.sleep(RESERVED_MS, signal);
  isAway = true;
  await expect(slots.renew(signal)).rejects.toThrow("away");
  expect(() => slots.take()).toThrow("all reserved requests are used");
  isAway = false;
  slots.release();
  expect(await send(clock, one, 1)).toEqual([RESERVED_MS]);
});

test.each([-1e11, 1e11])("answers that took %i ms in another process delay no request for long", async (fastestMs) => {
  mkdirSync(folder, { mode: 0o700 });
  const other = {
    participant: "x",
    countedMs: Array.from({ length: 5 }, () => 0),
    held: 0,
    heldUntilMs: 0,
    pausedUntilMs: 0,
    fastestMs,
  };
  writeFileSync(path.join(folder, "key"), JSON.stringify({ format: "outreach pacing 1", parts: [other] }));
  const clock = virtualClock();
  await send(clock, pacer(clock), 40);
  expect(clock.monotonicMs()).toBeLessThan(2 * 2100 + 2000);
});

describe("real processes", () => {
  let bundle: string;
  const senders: Sender[] = [];
  beforeAll(async () => {
    bundle = path.join(mkdtempSync(path.join(tmpdir(), "sender-")), "sender.mjs");
    await buildSender(bundle);
  });
  afterEach(() => {
    for (const { child } of senders.splice(0)) child.kill("SIGKILL");
  });
  afterAll(() => rmSync(path.dirname(bundle), { recursive: true }));

  async function startedSandbox(kind: "fixed" | "sliding") {
    return startSandbox({
      clock: { now: Date.now, sleep: (ms, stop) => delay(ms, undefined, stop ? { signal: stop } : {}) },
      random: () => 0.5,
      rateLimit: { kind },
    });
  }

  async function sender(
    sandbox: { readonly baseUrl: string; readonly keys: { readonly good: string } },
    count: number,
  ): Promise<Sender> {
    const one = await spawnSender(bundle, {
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.good,
      folder,
      count,
      parallel: 4,
    });
    senders.push(one);
    return one;
  }

  test("share the limit without a refused request, sleep while waiting, and leave one file", async () => {
    const sandbox = await startedSandbox("sliding");
    try {
      const both = [await sender(sandbox, 40), await sender(sandbox, 40)];
      for (const one of both) one.start();
      const reports = await Promise.all(both.map((one) => one.report));
      expect(sandbox.requests().filter(({ status }) => status !== 200)).toEqual([]);
      for (const report of reports) expect(report?.cpuMs).toBeLessThan(1500);
      expect(readdirSync(folder)).toEqual(["key"]);
    } finally {
      await sandbox.close();
    }
  });

  test("continue once nothing is held any more for those that were killed at any time", async () => {
    const sandbox = await startedSandbox("sliding");
    try {
      for (let round = 0; round < 6; round++) {
        const doomed = await sender(sandbox, 1000);
        doomed.start();
        await delay(20 + round * 7);
        doomed.child.kill("SIGKILL");
        await doomed.report;
      }
      await delay(2100);
      const survivor = await sender(sandbox, 5);
      survivor.start();
      await survivor.report;
      expect(sandbox.requests().filter(({ status }) => status === 429)).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });

  test("of the command use the system's folder for the user", async () => {
    const sandbox = await startedSandbox("sliding");
    try {
      const environment = {
        ...process.env,
        XDG_RUNTIME_DIR: parent,
        OUTREACH_BASE_URL: sandbox.baseUrl,
        OUTREACH_API_KEY: sandbox.keys.good,
      };
      const command = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
      await promisify(execFile)(process.execPath, [command, "get", "webhooks", "--json"], {
        env: environment,
        cwd: parent,
      });
      expect(readdirSync(path.join(parent, "outreach-as-code"))).toEqual([
        keyName({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good }),
      ]);
    } finally {
      await sandbox.close();
    }
  });

  test("are not delayed for long by the stale lock of a killed process", async () => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(path.join(folder, "key.lock"), "", { mode: 0o600 });
    const slept: number[] = [];
    const clock: PacingClock = { ...nodeClock, sleep: (ms, stop) => (slept.push(ms), nodeClock.sleep(ms, stop)) };
    const sleptMs = (): number => slept.splice(0).reduce((sum, ms) => sum + ms, 0);
    await send(clock, pacer(clock), 1);
    expect(sleptMs()).toBeLessThan(3000);
    await send(clock, pacer(clock), 3);
    expect(sleptMs()).toBeLessThan(800);
    expect(readdirSync(folder)).toEqual(["key"]);
  });
});
