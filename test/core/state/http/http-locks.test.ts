import { describe, expect, test } from "vitest";
import { DIALECTS, ONE, THREE, TWO, codesOf, failureOf, useHttpPlaces } from "./http-place.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const openPlace = useHttpPlaces();

describe("a lost lock", () => {
  test("shows, on a server that does not check it, once the next holder has written", async () => {
    const { server, open } = await openPlace("plain", { ignoresWriteId: true });
    const [store, other] = [await open(), await open()];
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(ONE, null, NEVER);
    server.stealLock();
    const next = await other.lock({ ...HOLDER, who: "grace" }, 0, NEVER);
    const second = await other.write(TWO, first, NEVER);
    expect(await codesOf(store.write(THREE, first, NEVER))).toEqual(["lock_lost"]);
    expect([lock.lost.aborted, (await other.read(NEVER))?.version]).toEqual([true, second]);
    // Not even if it knows what the other one has stored.
    expect(await codesOf(store.write(THREE, second, NEVER))).toEqual(["lock_lost"]);
    expect((await other.read(NEVER))?.version).toBe(second);
    await lock.release();
    expect(server.lock()).toMatchObject({ ID: next.id });
  });

  test("is kept apart from a write without a lock", async () => {
    const { server, open } = await openPlace("plain", { ignoresWriteId: true });
    const store = await open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(ONE, null, NEVER);
    server.setState(Buffer.from(TWO));
    expect(await codesOf(store.write(THREE, first, NEVER))).toEqual(["state_changed"]);
    expect(lock.lost.aborted).toBe(false);
  });

  test.each(DIALECTS)(
    "%s: shows when it is stolen between the read and the write, and the state stays",
    async (dialect) => {
      const { server, open } = await openPlace(dialect);
      const store = await open();
      const lock = await store.lock(HOLDER, 0, NEVER);
      const first = await store.write(ONE, null, NEVER);
      server.onRequest = ({ target }) => {
        if (target === "write") server.stealLock();
      };
      expect(await codesOf(store.write(TWO, first, NEVER))).toEqual(["lock_lost"]);
      expect(lock.lost.reason).toMatchObject({ diagnostics: [{ code: "lock_lost" }] });
      expect(await store.read(NEVER)).toMatchObject({ version: first });
      expect(server.requests.filter(({ target }) => target === "write")).toHaveLength(2);
    },
  );

  test("is told apart from a fault of GitLab, which is answered alike: the write is repeated while the lock is held", async () => {
    const { server, clock, open } = await openPlace("gitlab");
    const store = await open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    server.addFault({ target: "write", when: "before", action: { status: 500 }, times: 2 });
    const first = await store.write(ONE, null, NEVER);
    expect([lock.lost.aborted, clock.slept]).toEqual([false, [1000, 2000]]);
    server.addFault({ target: "write", when: "before", action: { status: 500 }, times: 3 });
    expect(await codesOf(store.write(TWO, first, NEVER))).toEqual(["state_answer"]);
    expect(lock.lost.aborted).toBe(false);
  });
});

test("a write without a lock is refused where another run has the lock, and on GitLab where it repeats a serial", async () => {
  for (const dialect of DIALECTS) {
    const { open } = await openPlace(dialect);
    const lock = await (await open()).lock(HOLDER, 0, NEVER);
    const [found] = await failureOf((await open()).write(ONE, null, NEVER));
    expect([found?.code, found?.detail]).toEqual([
      "state_locked",
      expect.stringContaining(dialect === "gitlab" ? lock.id : "does not say by whom"),
    ]);
    await lock.release();
  }
  const { server, open } = await openPlace("gitlab");
  const store = await open();
  const first = await store.write(ONE, null, NEVER);
  server.onRequest = ({ target }) => {
    if (target === "write") server.setState(Buffer.from(TWO));
  };
  server.addFault({ target: "write", when: "before", action: { status: 422 } });
  expect(await codesOf(store.write(THREE, first, NEVER))).toEqual(["state_changed"]);
});

test("GitLab takes a serial that was left out, and shows a higher one: the write over an old read is refused", async () => {
  const { server, open } = await openPlace("gitlab");
  const store = await open();
  const first = await store.write(stateOf(1), null, NEVER);
  const newest = await store.write(stateOf(3), first, NEVER);
  const read = { status: 200, body: stateOf(1).toString() };
  server.addFault({ target: "read", when: "before", action: read });
  expect(await codesOf(store.write(stateOf(2), first, NEVER))).toEqual(["state_changed"]);
  expect(await store.read(NEVER)).toMatchObject({ version: newest });
});

function stateOf(number: number): Buffer {
  return Buffer.from(JSON.stringify({ serial: number }));
}

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
      expect(await (await open()).heldLock(NEVER)).toMatchObject({
        id: lock.id,
        holder,
        operation,
        since: "2026-01-01T00:00:00.000Z",
      });
      await lock.release();
      expect(await (await open()).heldLock(NEVER)).toBeNull();
    }
  });

  test.each(["", "<html>", "[]", '{"ID":5}', "null"])(
    "is unknown where the server answers %j, and such a lock is removed only on the server",
    async (body) => {
      const { server, open } = await openPlace("plain");
      server.addFault({ target: "lock", when: "before", action: { status: 423, body }, times: 9 });
      const store = await open();
      for (const call of [
        () => store.lock(HOLDER, 2500, NEVER),
        () => store.heldLock(NEVER),
        () => store.forceUnlock("x", NEVER),
      ])
        expect(await failureOf(call())).toMatchObject([
          { code: "state_locked", detail: expect.stringContaining("does not say by whom") as string },
        ]);
      expect(server.requests.filter(({ target }) => target === "unlock")).toEqual([]);
    },
  );

  test.each(DIALECTS)(
    "%s: keeps a lock that another run has taken while the one before was removed by force",
    async (dialect) => {
      const { server, open } = await openPlace(dialect);
      const stale = await (await open()).lock(HOLDER, 0, NEVER);
      const next = { ...server.lock(), ID: "next" };
      server.onRequest = ({ target }) => {
        if (target === "unlock") server.stealLock(next);
      };
      expect(await codesOf((await open()).forceUnlock(stale.id, NEVER))).toEqual(["lock_other"]);
      expect(server.lock()).toEqual(next);
    },
  );
});

test("a lock is given back once", async () => {
  const { server, open } = await openPlace("plain");
  const lock = await (await open()).lock(HOLDER, 0, NEVER);
  await lock.release();
  await lock.release();
  expect(server.requests.map(({ target }) => target)).toEqual(["lock", "unlock"]);
});

test("lock: false sends neither lock nor unlock, and writes without an id", async () => {
  const { server, open } = await openPlace("plain");
  const store = await open({ lock: false });
  const lock = await store.lock(HOLDER, 0, NEVER);
  await store.write(ONE, null, NEVER);
  expect(await store.heldLock(NEVER)).toBeNull();
  expect(await codesOf(store.forceUnlock("x", NEVER))).toEqual(["lock_absent"]);
  await lock.release();
  expect(server.requests.map(({ target, id }) => [target, id])).toEqual([
    ["read", ""],
    ["write", ""],
  ]);
});
