import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic, DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { chooseStore } from "../../../src/core/state/backends.ts";
import { encodeState } from "../../../src/core/state/document.ts";
import type { StateSettings } from "../../../src/core/state/settings.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type Dialect, type Fault, type HttpStateServer, SERVER_PASSWORD, type Target, startHttpStateServer } from "./http-state-server.ts";
import { memoryFiles } from "./memory-files.ts";
import { HOLDER, NEVER, document, processOf, storePorts } from "./state-fixtures.ts";

const DIALECTS = ["plain", "gitlab"] as const satisfies readonly Dialect[];
const [ONE, TWO, THREE] = [1, 2, 3].map((serial) => encodeState(document({ serial, instances: [] }))) as [Uint8Array, Uint8Array, Uint8Array];
const ATTEMPTS = 3;

interface Opened {
  readonly server: HttpStateServer;
  readonly clock: ReturnType<typeof virtualClock>;
  open(settings?: StateSettings): Promise<StateStore>;
}

const opened: HttpStateServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    await server.close();
    if (server.violations.length > 0) throw new Error(`against the protocol: ${server.violations.join("; ")}`);
  }
});

/** A server, and stores on it as those of several processes. Waits take no time; a request may take 300 ms. */
async function openPlace(dialect: Dialect, options: Parameters<typeof startHttpStateServer>[1] = {}): Promise<Opened> {
  const server = await startHttpStateServer(dialect, options);
  opened.push(server);
  const clock = virtualClock();
  const real = storePorts({ files: memoryFiles(), clock: nodeClock, random: realRandom, process: processOf() }, { PASSWORD: SERVER_PASSWORD });
  const open = async (settings: StateSettings = {}): Promise<StateStore> => {
    const { value, diagnostics } = chooseStore({ backend: "http", settings: { ...server.settings(), password: { env: "PASSWORD" }, ...settings } }, {});
    return (await value?.({ ...real, clock, timeoutMs: 300 })) ?? expect.fail(JSON.stringify(diagnostics));
  };
  return { server, clock, open };
}

let uuids = 0;
const realRandom = { uuid: () => `uuid-${String(++uuids)}`, bytes: (length: number) => new Uint8Array(length) };

async function failureOf(work: Promise<unknown>): Promise<readonly Diagnostic[]> {
  const error = await work.then(
    () => expect.fail("it succeeded"),
    (reason: unknown) => reason as DiagnosticsError,
  );
  expect(JSON.stringify(error.diagnostics ?? String(error))).not.toContain(SERVER_PASSWORD);
  return error.diagnostics ?? expect.fail(`not a diagnostic: ${String(error)}`);
}

const codes = async (work: Promise<unknown>): Promise<readonly string[]> => (await failureOf(work)).map(({ code }) => code);
const sentTo = ({ requests }: HttpStateServer, target: Target): number => requests.filter((request) => request.target === target).length;

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
      const { server, open } = await openPlace(dialect);
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
    expect(unreachable).toMatchObject({ code: "state_unreachable", detail: expect.stringMatching(/^(LOCK|POST) http:.* \(3 attempts\)\.$/) as string });
    expect(stays).toMatchObject({ code: "lock_stays", ways: [{ kind: "unlock", id: server.lock()?.["ID"] }] });
  });

  test("a write whose answers are lost is found in the state, and one that was lost is an error that changes nothing", async () => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    server.addFault({ target: "write", when: "after", action: "drop", ...always });
    const first = await store.write(ONE, null, NEVER);
    server.addFault({ target: "write", when: "before", action: "drop", ...always });
    expect(await codes(store.write(TWO, first, NEVER))).toEqual(["state_unreachable"]);
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
    ["another content than its checksum says", { status: 200, headers: { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" }, body: "{}" }],
  ])("an answer to a read that is %s is no state", async (_, action) => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    const first = await store.write(ONE, null, NEVER);
    server.addFault({ target: "read", when: "after", action });
    expect(await store.read(NEVER)).toMatchObject({ version: first });
    server.addFault({ target: "read", when: "after", action, ...always });
    expect(await codes(store.read(NEVER))).toEqual(["state_unreachable"]);
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
        action: { status, body: JSON.stringify({ message: "No\u202E\u0007 way" }), headers: { location: "/?token=secret" } },
      });
      const [found] = await failureOf(lock?.release() ?? (target === "lock" ? store.lock(HOLDER, 0, NEVER) : store.write(ONE, null, NEVER)));
      expect(found).toMatchObject({ code, hint: expect.stringContaining(hint) as string });
      expect(found?.detail).toMatch(new RegExp(`^[A-Z]+ http://127.0.0.1:\\d+/\\S+ was answered with status ${String(status)}: No way\\.$`));
      expect(sentTo(server, target)).toBe(1);
      await lock?.release();
    }
  });
});

describe("what is read", () => {
  test("is no state yet for 404, but an unknown project on GitLab", async () => {
    const { server, open } = await openPlace("gitlab");
    expect(await (await open()).read(NEVER)).toBeNull();
    server.addFault({ target: "read", when: "before", action: { status: 404, body: '{"message":"404 Project Not Found"}' } });
    const [found] = await failureOf((await open()).read(NEVER));
    expect(found).toMatchObject({ code: "state_answer", detail: expect.stringContaining("status 404: 404 Project Not Found.") as string });
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
    expect(await codes(store.write(THREE, second, NEVER))).toEqual(["state_changed"]);
    expect(await store.read(NEVER)).toMatchObject({ version: second });
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
  });
});

describe("the waits before repetitions", () => {
  test.each([
    ["double, by default from 1 s", {}, undefined, [1000, 2000]],
    ["are never longer than retry_wait_max", { retry_max: 4, retry_wait_min: 5, retry_wait_max: 12 }, undefined, [5000, 10_000, 12_000, 12_000]],
    ["are as long as Retry-After says", {}, "7", [7000, 7000]],
    ["are as long as Retry-After says, up to retry_wait_max", {}, "3600", [30_000, 30_000]],
    ["ignore a Retry-After that is no number of seconds", {}, "-1", [1000, 2000]],
    ["do not exist with retry_max 0", { retry_max: 0 }, undefined, []],
  ] as const)("%s", async (_, settings, after, slept) => {
    const { server, clock, open } = await openPlace("plain");
    server.addFault({ target: "read", when: "before", action: { status: 503, headers: after === undefined ? {} : { "retry-after": after } }, times: 9 });
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
        await expect(call === "heldLock" ? store.heldLock(stop.signal) : store.forceUnlock("x", stop.signal)).rejects.toBe(interrupted);
        expect(server.lock()?.["ID"] ?? null).toBe(lock?.id ?? null);
      }
    }
  });
});

describe("a lost lock", () => {
  test("shows, on a server that does not check it, once the next holder has written", async () => {
    const { server, open } = await openPlace("plain", { ignoresWriteId: true });
    const [store, other] = [await open(), await open()];
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(ONE, null, NEVER);
    server.stealLock();
    const next = await other.lock({ ...HOLDER, who: "grace" }, 0, NEVER);
    const second = await other.write(TWO, first, NEVER);
    expect(await codes(store.write(THREE, first, NEVER))).toEqual(["lock_lost"]);
    expect([lock.lost.aborted, (await other.read(NEVER))?.version]).toEqual([true, second]);
    await lock.release();
    expect(server.lock()).toMatchObject({ ID: next.id });
  });

  test("is kept apart from a write without a lock", async () => {
    const { server, open } = await openPlace("plain", { ignoresWriteId: true });
    const store = await open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(ONE, null, NEVER);
    server.setState(Buffer.from(TWO));
    expect(await codes(store.write(THREE, first, NEVER))).toEqual(["state_changed"]);
    expect(lock.lost.aborted).toBe(false);
  });

  test.each(DIALECTS)("%s: shows when it is stolen between the read and the write, and the state stays", async (dialect) => {
    const { server, open } = await openPlace(dialect);
    const store = await open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(ONE, null, NEVER);
    server.onRequest = ({ target }) => {
      if (target === "write") server.stealLock();
    };
    expect(await codes(store.write(TWO, first, NEVER))).toEqual(["lock_lost"]);
    expect(lock.lost.reason).toMatchObject({ diagnostics: [{ code: "lock_lost" }] });
    expect(await store.read(NEVER)).toMatchObject({ version: first });
  });
});

test("a write without a lock is refused where another run has the lock, and on GitLab where it repeats a serial", async () => {
  for (const dialect of DIALECTS) {
    const { open } = await openPlace(dialect);
    const lock = await (await open()).lock(HOLDER, 0, NEVER);
    expect(await codes((await open()).write(ONE, null, NEVER))).toEqual(["state_locked"]);
    await lock.release();
  }
  const { server, open } = await openPlace("gitlab");
  const store = await open();
  const first = await store.write(ONE, null, NEVER);
  server.onRequest = ({ target }) => {
    if (target === "write") server.setState(Buffer.from(TWO));
  };
  server.addFault({ target: "write", when: "before", action: { status: 422 } });
  expect(await codes(store.write(THREE, first, NEVER))).toEqual(["state_changed"]);
});

describe("the holder of a lock", () => {
  test("is named by its own words on a plain server, and by user, time and id on GitLab, which repeats the words of who asks", async () => {
    const since = "since 2026-01-01T00:00:00.000Z";
    for (const [dialect, holder, operation] of [
      ["plain", `grace@here (apply, process 10 on here, ${since})`, "apply"],
      ["gitlab", `ada (${since})`, "unknown"],
    ] as const) {
      const { open } = await openPlace(dialect);
      const lock = await (await open()).lock({ ...HOLDER, who: "grace" }, 0, NEVER);
      const [found] = await failureOf((await open()).lock({ ...HOLDER, operation: "plan" }, 0, NEVER));
      expect(found?.detail).toContain(`is locked by ${holder} (lock id ${lock.id}).`);
      expect(await (await open()).heldLock(NEVER)).toMatchObject({ id: lock.id, holder, operation, since: "2026-01-01T00:00:00.000Z" });
      await lock.release();
      expect(await (await open()).heldLock(NEVER)).toBeNull();
    }
  });

  test.each(["", "<html>", "[]", '{"ID":5}', "null"])("is unknown where the server answers %j, and such a lock is removed only on the server", async (body) => {
    const { server, open } = await openPlace("plain");
    server.addFault({ target: "lock", when: "before", action: { status: 423, body }, times: 9 });
    const store = await open();
    for (const call of [() => store.lock(HOLDER, 2500, NEVER), () => store.heldLock(NEVER), () => store.forceUnlock("x", NEVER)])
      expect(await failureOf(call())).toMatchObject([{ code: "state_locked", detail: expect.stringContaining("does not say by whom") as string }]);
    expect(sentTo(server, "unlock")).toBe(0);
  });

  test.each(DIALECTS)("%s: keeps a lock that another run has taken while the one before was removed by force", async (dialect) => {
    const { server, open } = await openPlace(dialect);
    const stale = await (await open()).lock(HOLDER, 0, NEVER);
    const next = { ...server.lock(), ID: "next" };
    server.onRequest = ({ target }) => {
      if (target === "unlock") server.stealLock(next);
    };
    expect(await codes((await open()).forceUnlock(stale.id, NEVER))).toEqual(["lock_other"]);
    expect(server.lock()).toEqual(next);
  });
});

test("lock: false sends neither lock nor unlock, and writes without an id", async () => {
  const { server, open } = await openPlace("plain");
  const store = await open({ lock: false });
  const lock = await store.lock(HOLDER, 0, NEVER);
  await store.write(ONE, null, NEVER);
  expect(await store.heldLock(NEVER)).toBeNull();
  expect(await codes(store.forceUnlock("x", NEVER))).toEqual(["lock_absent"]);
  await lock.release();
  expect(server.requests.map(({ target, id }) => [target, id])).toEqual([
    ["read", ""],
    ["write", ""],
  ]);
});
