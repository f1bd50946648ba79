import { describe, expect, test } from "vitest";
import type { StateSettings } from "../../../../src/core/state/backend.ts";
import { DIALECTS, ONE, THREE, TWO, codesOf, failureOf, useHttpPlaces } from "./http-place.ts";
import type { Fault, Target } from "./http-state-server.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const openPlace = useHttpPlaces();
const ATTEMPTS = 3;
/** For requests that get no answer. */
const SHORT_MS = 500;

const LOST: readonly (readonly [string, Pick<Fault, "when" | "action">])[] = [
  ["the connection closes before the server has the request", { when: "before", action: "drop" }],
  ["the connection closes before the answer", { when: "after", action: "drop" }],
  ["the server answers 503 and did nothing", { when: "before", action: { status: 503 } }],
  ["the server answers 500 after it was done", { when: "after", action: { status: 500, body: "<html>" } }],
  ["the server answers 429", { when: "before", action: { status: 429 } }],
  ["no answer comes in time", { when: "before", action: "hang" }],
  ["no answer comes in time, and it was done", { when: "after", action: "hang" }],
];
const EACH = DIALECTS.flatMap((dialect) => LOST.map(([what, fault]) => [dialect, what, fault] as const));

describe.each(EACH)("%s: once %s", (dialect, _, fault) => {
  test("a state is locked, read, written and unlocked, each once", async () => {
    for (const target of ["lock", "read", "write", "unlock"] as const) {
      const { server, open } = await openPlace(dialect, fault.action === "hang" ? { timeoutMs: SHORT_MS } : {});
      server.addFault({ ...fault, target });
      const store = await open();
      const lock = await store.lock(HOLDER, 0, NEVER);
      expect(server.lock()).toMatchObject({ ID: lock.id });
      const first = await store.write(ONE, null, NEVER);
      const second = await store.write(TWO, first, NEVER);
      expect(await store.read(NEVER)).toMatchObject({ version: second });
      expect(Buffer.from(TWO).equals(server.state() ?? Buffer.of())).toBe(true);
      await lock.release();
      expect([server.lock(), lock.lost.aborted]).toEqual([null, false]);
    }
  });
});

describe.each(DIALECTS)("%s: each time", (dialect) => {
  const always = { times: ATTEMPTS };

  test("a lock that was taken although no answer came is named", async () => {
    const { server, open } = await openPlace(dialect);
    server.addFault({ target: "lock", when: "after", action: "drop", ...always });
    const [unreachable, stays] = await failureOf((await open()).lock(HOLDER, 0, NEVER));
    expect(unreachable).toMatchObject({
      code: "state_unreachable",
      detail: expect.stringMatching(/^(LOCK|POST) http:.* \(3 attempts\)\.$/) as string,
    });
    expect(stays).toMatchObject({ code: "lock_stays", ways: [{ kind: "unlock", id: server.lock()?.["ID"] }] });
  });

  test("a write whose answers are lost is found in the state, and one that was lost is an error that changes nothing", async () => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    server.addFault({ target: "write", when: "after", action: "drop", ...always });
    const first = await store.write(ONE, null, NEVER);
    server.addFault({ target: "write", when: "before", action: "drop", ...always });
    expect(await codesOf(store.write(TWO, first, NEVER))).toEqual(["state_unreachable"]);
    expect(await store.read(NEVER)).toMatchObject({ version: first });
    await store.write(THREE, first, NEVER);
  });

  test("an unlock without an answer names the lock, and may be repeated", async () => {
    const { server, open } = await openPlace(dialect);
    const lock = await (await open()).lock(HOLDER, 0, NEVER);
    server.addFault({ target: "unlock", when: "before", action: "drop", ...always });
    const [, stays] = await failureOf(lock.release());
    expect(stays).toMatchObject({ code: "lock_stays", ways: [{ kind: "unlock", id: lock.id }] });
    await lock.release();
    expect(server.lock()).toBeNull();
  });

  test.each<readonly [string, Fault["action"]]>([
    ["cut", "cut"],
    [
      "another content than its checksum says",
      { status: 200, headers: { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" }, body: "{}" },
    ],
  ])("an answer to a read that is %s is no state", async (_, action) => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    const first = await store.write(ONE, null, NEVER);
    server.addFault({ target: "read", when: "after", action });
    expect(await store.read(NEVER)).toMatchObject({ version: first });
    server.addFault({ target: "read", when: "after", action, ...always });
    expect(await codesOf(store.read(NEVER))).toEqual(["state_unreachable"]);
  });
});

describe.each(DIALECTS)("%s: an answer that the protocol does not provide for", (dialect) => {
  test.each([
    [401, "state_denied", "username and password"],
    [403, "state_denied", "role of the user"],
    [301, "state_answer", "Redirects are not followed"],
    [400, "state_answer", "settings"],
    [404, "state_answer", "address"],
    [405, "state_answer", "lock_method"],
    [501, "state_answer", "lock_method"],
  ])("%d is not repeated, and shows what the server says", async (status, code, hint) => {
    for (const target of ["lock", "write", "unlock"] as const) {
      const { server, open } = await openPlace(dialect);
      const store = await open();
      const lock = target === "unlock" ? await store.lock(HOLDER, 0, NEVER) : null;
      server.addFault({
        target,
        when: "before",
        action: {
          status,
          body: JSON.stringify({ message: "No\u202E\u0007 way" }),
          headers: { location: "/?token=secret" },
        },
      });
      const [found] = await failureOf(
        lock?.release() ?? (target === "lock" ? store.lock(HOLDER, 0, NEVER) : store.write(ONE, null, NEVER)),
      );
      expect(found).toMatchObject({ code, hint: expect.stringContaining(hint) as string });
      expect(found?.detail).toMatch(
        new RegExp(`^[A-Z]+ http://127.0.0.1:\\d+/\\S+ was answered with status ${String(status)}: No way\\.$`),
      );
      expect(server.requests.filter((request) => request.target === target).length).toBe(1);
      await lock?.release();
    }
  });
});

test.each<readonly [string, Fault["action"], StateSettings, readonly number[]]>([
  ["twice as long each time", "drop", {}, [1000, 2000]],
  [
    "as long as the settings allow at most",
    { status: 503 },
    { retry_max: 4, retry_wait_max: 5 },
    [1000, 2000, 4000, 5000],
  ],
  ["as long as the server asks", { status: 429, headers: { "retry-after": "7" } }, {}, [7000, 7000]],
  [
    "no longer than the settings allow, whatever the server asks",
    { status: 500, headers: { "retry-after": "86400" } },
    { retry_wait_max: 20 },
    [20_000, 20_000],
  ],
  [
    "as the settings say, where the server names a date",
    { status: 502, headers: { "retry-after": "Mon, 23 Nov 2026 04:36:25 GMT" } },
    {},
    [1000, 2000],
  ],
  ["not at all", { status: 503 }, { retry_max: 0 }, []],
])("a request waits before each repetition: %s", async (_, action, settings, waits) => {
  const { server, clock, open } = await openPlace("plain");
  server.addFault({ target: "read", when: "before", action, times: 9 });
  await failureOf((await open(settings)).read(NEVER));
  expect(clock.slept).toEqual(waits);
  expect(server.requests).toHaveLength(waits.length + 1);
});

describe("what is read", () => {
  test("is no state yet for 404, but on GitLab only with the words for a missing record", async () => {
    const { server, open } = await openPlace("gitlab");
    expect(await (await open()).read(NEVER)).toBeNull();
    for (const body of ['{"message":"404 Project Not Found"}', '{"error":"404 Not Found"}', "404 Not found", ""]) {
      server.addFault({ target: "read", when: "before", action: { status: 404, body } });
      expect(await codesOf((await open()).read(NEVER))).toEqual(["state_answer"]);
    }
    expect(await (await (await openPlace("plain")).open()).read(NEVER)).toBeNull();
  });

  test("is no state where the body is empty", async () => {
    const { server, open } = await openPlace("plain");
    server.setState(Buffer.of());
    expect(await (await open()).read(NEVER)).toBeNull();
  });

  test.each(DIALECTS)("%s: as an older state is never overwritten with what follows it", async (dialect) => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(ONE, null, NEVER);
    const second = await store.write(TWO, first, NEVER);
    server.addFault({ target: "read", when: "before", action: { status: 200, body: Buffer.from(ONE).toString() } });
    expect(await codesOf(store.write(THREE, second, NEVER))).toEqual(["state_changed"]);
    expect(await store.read(NEVER)).toMatchObject({ version: second });
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
  });
});

describe("the waits before repetitions", () => {
  test.each([
    ["double, by default from 1 s", {}, undefined, [1000, 2000]],
    [
      "are never longer than retry_wait_max",
      { retry_max: 4, retry_wait_min: 5, retry_wait_max: 12 },
      undefined,
      [5000, 10_000, 12_000, 12_000],
    ],
    ["are as long as Retry-After says", {}, "7", [7000, 7000]],
    ["are as long as Retry-After says, up to retry_wait_max", {}, "3600", [30_000, 30_000]],
    ["ignore a Retry-After that is no number of seconds", {}, "-1", [1000, 2000]],
    ["do not exist with retry_max 0", { retry_max: 0 }, undefined, []],
  ] as const)("%s", async (_, settings, after, slept) => {
    const { server, clock, open } = await openPlace("plain");
    server.addFault({
      target: "read",
      when: "before",
      action: { status: 503, headers: after === undefined ? {} : { "retry-after": after } },
      times: 9,
    });
    expect(await failureOf((await open(settings)).read(NEVER))).toMatchObject([
      { code: "state_answer", detail: expect.stringContaining("status 503") as string },
    ]);
    expect(clock.slept).toEqual(slept);
  });
});

describe.each(DIALECTS)("%s: a run that is interrupted", (dialect) => {
  const interrupted = new Error("interrupted");

  test.each<readonly [Target, Fault["action"] | null]>([
    ["lock", null],
    ["lock", "drop"],
    ["lock", { status: 503 }],
    ["read", null],
    ["write", null],
    ["unlock", null],
  ])("during its %s (%j) ends with the reason, and leaves no lock", async (target, action) => {
    const { server, open } = await openPlace(dialect);
    const stop = new AbortController();
    server.onRequest = (request) => {
      if (request.target === target) stop.abort(interrupted);
    };
    if (action) server.addFault({ target, when: "after", action });
    const store = await open();
    const run = async (): Promise<void> => {
      const lock = await store.lock(HOLDER, 0, stop.signal);
      try {
        await store.write(ONE, null, stop.signal);
      } finally {
        await lock.release();
      }
      stop.signal.throwIfAborted();
    };
    await expect(run()).rejects.toBe(interrupted);
    expect(server.lock()).toBeNull();
  });

  test("while it takes away a lock, or looks at it, ends with the reason, and leaves no lock of its own", async () => {
    for (const isHeld of [true, false]) {
      const { server, open } = await openPlace(dialect);
      const lock = isHeld ? await (await open()).lock(HOLDER, 0, NEVER) : null;
      for (const call of ["forceUnlock", "heldLock"] as const) {
        const stop = new AbortController();
        server.onRequest = ({ target }) => {
          if (target === "lock") stop.abort(interrupted);
        };
        const store = await open();
        await expect(
          call === "heldLock" ? store.heldLock(stop.signal) : store.forceUnlock("x", stop.signal),
        ).rejects.toBe(interrupted);
        expect(server.lock()?.["ID"] ?? null).toBe(lock?.id ?? null);
      }
    }
  });
});

describe.each(DIALECTS)("%s: a page with status 200, of a login or a proxy,", (dialect) => {
  const PAGE = {
    status: 200,
    headers: { "content-type": "text/html" },
    body: "\n<!DOCTYPE html><title>Sign in</title>",
  };
  const DETAIL = expect.stringMatching(
    /^(GET|POST|LOCK|UNLOCK|DELETE) http:\S+ was answered with status 200: a web page\.$/,
  ) as string;
  const ANSWER = {
    code: "state_answer",
    detail: DETAIL,
    hint: expect.stringContaining("login page or a proxy") as string,
  };

  test("is no state, and not the absence of one", async () => {
    const { server, open } = await openPlace(dialect);
    server.addFault({ target: "read", when: "before", action: PAGE });
    expect(await failureOf((await open()).read(NEVER))).toMatchObject([ANSWER]);
  });

  test("is no lock, neither an own one nor another run's", async () => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    server.addFault({ target: "lock", when: "before", action: PAGE, times: 3 });
    for (const work of [
      () => store.lock(HOLDER, 0, NEVER),
      () => store.heldLock(NEVER),
      () => store.forceUnlock("any", NEVER),
    ])
      expect(await failureOf(work())).toMatchObject([ANSWER]);
    expect(server.lock()).toBeNull();
  });

  test("is no unlock: the lock may stay", async () => {
    const { server, open } = await openPlace(dialect);
    const lock = await (await open()).lock(HOLDER, 0, NEVER);
    server.addFault({ target: "unlock", when: "before", action: PAGE });
    expect(await failureOf(lock.release())).toMatchObject([
      ANSWER,
      { code: "lock_stays", ways: [{ kind: "unlock", id: lock.id }] },
    ]);
    server.addFault({ target: "unlock", when: "before", action: PAGE });
    expect(await failureOf((await open()).forceUnlock(lock.id, NEVER))).toMatchObject([ANSWER]);
    expect(server.lock()).toMatchObject({ ID: lock.id });
  });

  test("is a write only if the state is there", async () => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    server.addFault({ target: "write", when: "before", action: PAGE });
    expect(await failureOf(store.write(ONE, null, NEVER))).toMatchObject([ANSWER]);
    expect(server.state()).toBeNull();
    server.addFault({ target: "write", when: "after", action: { ...PAGE, status: 201 } });
    await store.write(TWO, null, NEVER);
    expect(server.state()?.equals(TWO)).toBe(true);
  });
});
