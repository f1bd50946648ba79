import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StateLock, StateStore } from "../../../../src/core/state/state-store.ts";
import { type ConnectionFault, type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { usePgStores } from "./pg-fixtures.ts";
import { usePostgres } from "./shared-postgres.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const postgres = usePostgres();
const open = usePgStores();
let url = "";
let schemas = 0;

/** What the client sends first of each statement. */
const READ = "SELECT version, bytes";
const WRITE = "SET version = $3";
const LOCK = "WITH tried AS";
const RELEASE = "pg_advisory_unlock($3)";
const FORCE = "pg_notify";
const FAULTS: readonly ConnectionFault[] = ["cut", "cut-answer", "freeze", "freeze-answer"];
/** Of a connection on which nothing comes through any more. */
const TIMEOUT_MS = 3000;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textIn = async (store: StateStore): Promise<string | null> => {
  const read = await store.read(NEVER);
  return read && new TextDecoder().decode(read.bytes);
};
const failure = (code: string) => ({ diagnostics: [{ code, severity: "error" }] });

beforeAll(async () => {
  ({ url } = await postgres.database());
});

interface Place {
  readonly schema: string;
  readonly proxy: FaultProxy;
  /** A store whose connections may fail. */
  faulty(timeoutMs?: number): StateStore;
  /** A store of another process, whose connections do not. */
  sound(): StateStore;
  /** Writes a first state. */
  stored(): Promise<string>;
}

const proxies: FaultProxy[] = [];
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
});

/** A schema of its own, and a proxy on the way to it. */
async function place(): Promise<Place> {
  const schema = `faults_${String(++schemas)}`;
  const proxy = await startFaultProxy(Number(new URL(url).port));
  proxies.push(proxy);
  const sound = (): StateStore => open(url, { schema });
  return {
    schema,
    proxy,
    sound,
    faulty: (timeoutMs = TIMEOUT_MS) => open(proxy.through(url), { schema, timeoutMs }),
    stored: () => sound().write(bytes("one"), null, NEVER),
  };
}

describe.concurrent.each(FAULTS)("when a connection fails: %s", (fault) => {
  test("a read asks again", async () => {
    const { faulty, proxy, stored } = await place();
    await stored();
    const store = faulty();
    const met = proxy.failAt(READ, fault);
    expect(await textIn(store)).toBe("one");
    await met;
  });

  test("a write without a lock is stored once", async () => {
    const { faulty, proxy, sound, stored } = await place();
    const version = await stored();
    const store = faulty();
    const met = proxy.failAt(WRITE, fault);
    const written = await store.write(bytes("two"), version, NEVER);
    await met;
    expect((await sound().read(NEVER))?.version).toBe(written);
  });

  test("a lock is taken once, and released", async () => {
    const { faulty, proxy, sound, stored } = await place();
    await stored();
    const store = faulty();
    const met = proxy.failAt(LOCK, fault);
    const lock = await store.lock(HOLDER, 20_000, NEVER);
    await met;
    expect(await sound().heldLock(NEVER)).toMatchObject({ id: lock.id });
    await expect(sound().lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await store.write(bytes("two"), (await store.read(NEVER))?.version ?? null, NEVER);
    await lock.release();
    await (await sound().lock(HOLDER, 0, NEVER)).release();
  });

  test("a write under the lock is done, or never will be, and the lock is free at once", async () => {
    const { faulty, proxy, sound, stored } = await place();
    const version = await stored();
    const store = faulty();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const met = proxy.failAt(WRITE, fault);
    const write = store.write(bytes("two"), version, NEVER);
    if (fault.endsWith("answer")) expect(await write).toBe((await sound().read(NEVER))?.version);
    else await expect(write).rejects.toMatchObject(failure("lock_lost"));
    await met;
    expect(lock.lost.reason).toMatchObject(failure("lock_lost"));
    const next = await sound().lock(HOLDER, 0, NEVER);
    await expect(store.write(bytes("late"), version, NEVER)).rejects.toMatchObject(failure("lock_lost"));
    expect(await textIn(sound())).toBe(fault.endsWith("answer") ? "two" : "one");
    await lock.release();
    await expect(sound().lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await next.release();
  });

  test("a release leaves no lock", async () => {
    const { faulty, proxy, sound } = await place();
    const store = faulty();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const met = proxy.failAt(RELEASE, fault);
    await lock.release();
    await met;
    expect(await sound().heldLock(NEVER)).toBeNull();
    await (await sound().lock(HOLDER, 2000, NEVER)).release();
  });

  test("an unlock by force is done once, and told", async () => {
    const { faulty, proxy, sound } = await place();
    const lock = await sound().lock(HOLDER, 0, NEVER);
    const store = faulty();
    const met = proxy.failAt(FORCE, fault);
    await store.forceUnlock(lock.id, NEVER);
    await met;
    expect(await sound().heldLock(NEVER)).toBeNull();
    await (await sound().lock(HOLDER, 0, NEVER)).release();
  });
});

/** Resolves once the run knows that it has lost the lock. */
const lost = (lock: StateLock): Promise<unknown> =>
  new Promise((resolve) =>
    lock.lost.aborted
      ? resolve(lock.lost.reason)
      : lock.lost.addEventListener("abort", () => resolve(lock.lost.reason)),
  );

describe.concurrent("a run that holds the lock knows at once", () => {
  test("that its connection is gone, and another run can lock", async () => {
    const { faulty, proxy, sound } = await place();
    const store = faulty();
    const lock = await store.lock(HOLDER, 0, NEVER);
    proxy.cutAll();
    expect(await lost(lock)).toMatchObject({
      diagnostics: [
        {
          code: "lock_lost",
          detail: expect.stringMatching(
            /^The lock .* ended with its session\. .*: the connection was closed\./,
          ) as string,
        },
      ],
    });
    await (await sound().lock(HOLDER, 2000, NEVER)).release();
    for (const call of [() => store.read(NEVER), () => store.write(bytes("mine"), null, NEVER)])
      await expect(call()).rejects.toMatchObject(failure("lock_lost"));
    await lock.release();
    expect(await store.read(NEVER)).toBeNull();
  });

  test("that an administrator ended its session", async () => {
    const { schema, sound } = await place();
    const lock = await sound().lock(HOLDER, 0, NEVER);
    await postgres.query(`SELECT pg_terminate_backend(lock_session) FROM "${schema}".managed_states`, url);
    expect(await lost(lock)).toMatchObject({
      diagnostics: [{ detail: expect.stringContaining("an administrator ended the connection") as string }],
    });
  });

  test("that it was unlocked by force, by a user without special rights", async () => {
    const { sound } = await place();
    const lock = await sound().lock(HOLDER, 0, NEVER);
    await sound().forceUnlock(lock.id, NEVER);
    expect(await lost(lock)).toMatchObject(failure("lock_lost"));
  });
});

test("an unlock by force waits for the write that is under way, and no later one is stored", async () => {
  const { sound, stored } = await place();
  const version = await stored();
  const store = sound();
  const lock = await store.lock(HOLDER, 0, NEVER);
  const settled: string[] = [];
  const write = store.write(bytes("two"), version, NEVER).finally(() => settled.push("write"));
  await Promise.all([
    write,
    sound()
      .forceUnlock(lock.id, NEVER)
      .finally(() => settled.push("unlock")),
  ]);
  await expect(store.write(bytes("three"), await write, NEVER)).rejects.toMatchObject(failure("lock_lost"));
  expect([await textIn(sound()), settled.length]).toEqual(["two", 2]);
});

test("a holder is named without control characters", async () => {
  const { sound } = await place();
  const lock = await sound().lock({ ...HOLDER, who: "ada\u001B[2J", operation: "apply\n" }, 0, NEVER);
  expect(await sound().heldLock(NEVER)).toMatchObject({
    who: "ada [2J",
    operation: "apply",
    holder: expect.stringMatching(/^ada \[2J on here \(process 10, apply , since/) as string,
  });
  await lock.release();
});

test("a lock that has ended with its process is not there", async () => {
  const { sound } = await place();
  const store = sound();
  const { id } = await store.lock(HOLDER, 0, NEVER);
  await store.close();
  await expect.poll(() => sound().heldLock(NEVER)).toBeNull();
  await expect(sound().forceUnlock(id, NEVER)).rejects.toMatchObject(failure("lock_absent"));
  await (await sound().lock(HOLDER, 0, NEVER)).release();
});

describe.concurrent("an interrupted run waits no longer", () => {
  test.each<readonly [string, string, (store: StateStore, signal: AbortSignal) => Promise<unknown>]>([
    ["for a connection", "user\0", (store, signal) => store.assertReady(signal)],
    ["for a read", READ, (store, signal) => store.read(signal)],
    ["for a write", WRITE, (store, signal) => store.write(bytes("two"), null, signal)],
    ["for a lock", LOCK, (store, signal) => store.lock(HOLDER, 60_000, signal)],
    ["for an unlock by force", FORCE, (store, signal) => store.forceUnlock("1", signal)],
    ["for the lock's holder", "SELECT lock_id", (store, signal) => store.heldLock(signal)],
  ])("%s", async (_, statement, call) => {
    const { faulty, proxy, sound, stored } = await place();
    await stored();
    const store = faulty(3_600_000);
    const stop = new AbortController();
    const met = proxy.failAt(statement, "mute");
    const called = call(store, stop.signal).then(() => "done", String);
    await met;
    stop.abort(new Error("interrupted"));
    expect(await called).toContain("interrupted");
    await (await sound().lock(HOLDER, 5000, NEVER)).release();
  });
});

test("runs that meet at a server without the schema all find it made once", async () => {
  const { schema } = await place();
  const stores = Array.from({ length: 6 }, (_, index) => open(url, { schema, name: `state ${String(index % 3)}` }));
  const locks = await Promise.all(stores.slice(0, 3).map((store) => store.lock(HOLDER, 0, NEVER)));
  await Promise.all(locks.map((lock) => lock.release()));
  const written = await Promise.allSettled(
    stores.map((store, index) => store.write(bytes(String(index)), null, NEVER)),
  );
  expect(written.filter(({ status }) => status === "fulfilled").length).toBe(3);
});

test("two runs at once, over and over, never hold the lock together and lose no write", async () => {
  const { sound } = await place();
  let holders = 0;
  const run = async (): Promise<void> => {
    const store = sound();
    for (let turn = 0; turn < 5; turn++) {
      const lock = await store.lock(HOLDER, 30_000, NEVER);
      expect(++holders).toBe(1);
      const before = await store.read(NEVER);
      await delay(5);
      await store.write(
        bytes(`${before ? new TextDecoder().decode(before.bytes) : ""}x`),
        before?.version ?? null,
        NEVER,
      );
      holders--;
      await lock.release();
    }
  };
  await Promise.all([run(), run(), run()]);
  expect(await textIn(sound())).toBe("x".repeat(15));
});
