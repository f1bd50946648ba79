import { describe, expect, test } from "vitest";
import type { Clock } from "../../../src/core/model/ports.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { HOLDER, NEVER } from "./state-fixtures.ts";

export interface StoreUnderTest {
  readonly name: string;
  /** Whether intents go into a journal next to the state, or inside the state itself. */
  readonly journal: boolean;
  readonly backup: boolean;
  /** Whether a write compares and replaces in one step, as on a server. On a file system only the lock keeps two writers apart. */
  readonly isAtomic: boolean;
  /** The clock that the store waits by. */
  readonly clock: Clock;
  /** A place without a state. Each call of what it resolves to opens it once more, as another process would. */
  place(): Promise<() => StateStore>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (read: { readonly bytes: Uint8Array } | null): string | null =>
  read ? new TextDecoder().decode(read.bytes) : null;
/** Stores may give subclasses of Uint8Array. */
const plain = (read: Uint8Array | null | undefined): Uint8Array | null => (read ? Uint8Array.from(read) : null);
const failure = (code: string) => ({ diagnostics: [{ code, severity: "error" }] });

/** What `StateStore` demands of every store. */
export function stateStoreContract(under: StoreUnderTest): void {
  describe(`a state store: ${under.name}`, () => {
    bytesContract(under);
    if (under.isAtomic) atomicContract(under);
    lockContract(under);
    lostLockContract(under);
    interruptionContract(under);
    for (const part of [...(under.backup ? [backupContract] : []), under.journal ? journalContract : noJournalContract])
      part(under);
  });
}

function bytesContract({ place }: StoreUnderTest): void {
  test("is ready for use, has a name, and reads as null before the first write", async () => {
    const store = (await place())();
    await store.assertReady(NEVER);
    expect(store.name).not.toBe("");
    expect(await store.read(NEVER)).toBeNull();
  });

  test("reads back, also in another process, exactly the bytes that were written, under the version that the write returned", async () => {
    const open = await place();
    const written = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    const version = await open().write(written, null, NEVER);
    const read = await open().read(NEVER);
    expect({ bytes: plain(read?.bytes), version: read?.version }).toEqual({ bytes: written, version });
  });

  test("replaces the version that the write names, and gives every write another version", async () => {
    const store = (await place())();
    const first = await store.write(bytes("one"), null, NEVER);
    const second = await store.write(bytes("two"), first, NEVER);
    expect(second).not.toBe(first);
    expect(text(await store.read(NEVER))).toBe("two");
  });

  test.each([
    ["no state, and there is one", (): string | null => null],
    ["a version that was replaced", (first: string): string | null => first],
    ["a version that never was", (): string | null => "never"],
  ])("refuses a write that expects %s, and keeps what is stored", async (_, expected) => {
    const open = await place();
    const first = await open().write(bytes("one"), null, NEVER);
    await open().write(bytes("two"), first, NEVER);
    await expect(open().write(bytes("mine"), expected(first), NEVER)).rejects.toMatchObject(failure("state_changed"));
    expect(text(await open().read(NEVER))).toBe("two");
  });

  test("refuses a write that expects a version where there is no state, and writes nothing", async () => {
    const store = (await place())();
    await expect(store.write(bytes("mine"), "gone", NEVER)).rejects.toMatchObject(failure("state_changed"));
    expect(await store.read(NEVER)).toBeNull();
  });

  test("shares no bytes with its caller", async () => {
    const store = (await place())();
    const given = bytes("one");
    await store.write(given, null, NEVER);
    given.fill(0);
    (await store.read(NEVER))?.bytes.fill(0);
    expect(text(await store.read(NEVER))).toBe("one");
  });
}

function atomicContract({ place }: StoreUnderTest): void {
  test("lets one of two writes at once win, and refuses the other", async () => {
    const open = await place();
    const first = await open().write(bytes("one"), null, NEVER);
    const [a, b] = [open(), open()];
    const writes = await Promise.allSettled([
      a.write(bytes("a"), first, NEVER),
      (async () => b.write(bytes("b"), first, NEVER))(),
    ]);
    const won = writes.findIndex(({ status }) => status === "fulfilled");
    expect(["a", "b"][won]).toBe(text(await open().read(NEVER)));
  });
}

function lockContract({ place, clock }: StoreUnderTest): void {
  test("is locked by one run at a time, and names the holder and the lock's id to others", async () => {
    const open = await place();
    const lock = await open().lock(HOLDER, 0, NEVER);
    await expect(open().lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked", detail: expect.stringMatching(new RegExp(`ada.*${lock.id}`)) as string }],
    });
    await lock.release();
    await (await open().lock(HOLDER, 0, NEVER)).release();
  });

  test("can be read while another run holds the lock", async () => {
    const open = await place();
    await open().write(bytes("one"), null, NEVER);
    const lock = await open().lock(HOLDER, 0, NEVER);
    expect(text(await open().read(NEVER))).toBe("one");
    await lock.release();
  });

  test("stays locked for the next run when a lock is released for the second time", async () => {
    const open = await place();
    const first = await open().lock(HOLDER, 0, NEVER);
    await first.release();
    const second = await open().lock(HOLDER, 0, NEVER);
    await first.release();
    await expect(open().lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await second.release();
  });

  test("knows the lock that it took last, also after the one before is released for the second time", async () => {
    const open = await place();
    const store = open();
    const first = await store.lock(HOLDER, 0, NEVER);
    await first.release();
    const second = await store.lock(HOLDER, 0, NEVER);
    await first.release();
    await open().forceUnlock(second.id, NEVER);
    await expect(store.write(bytes("mine"), null, NEVER)).rejects.toMatchObject(failure("lock_lost"));
    expect(await open().read(NEVER)).toBeNull();
  });

  test("waits for the lock as long as the time-out says, and tells once on whom it waits, and takes it soon after its release", async () => {
    const open = await place();
    const first = await open().lock(HOLDER, 0, NEVER);
    const begunMs = clock.monotonicMs();
    await expect(open().lock(HOLDER, 1000, NEVER)).rejects.toMatchObject(failure("state_locked"));
    const waitedMs = clock.monotonicMs() - begunMs;
    expect(waitedMs).toBeGreaterThanOrEqual(1000);
    expect(waitedMs).toBeLessThan(2000);
    const told: string[] = [];
    let begins = (): void => undefined;
    // Real disks and servers take their time until a store waits, while a virtual clock would go on.
    const begun = new Promise<void>((resolve) => (begins = resolve));
    const waiting = open().lock(HOLDER, 60_000, NEVER, (holder) => {
      told.push(holder);
      begins();
    });
    await begun;
    await clock.sleep(500, NEVER);
    await first.release();
    const releasedMs = clock.monotonicMs();
    await (await waiting).release();
    expect(told).toEqual([expect.stringContaining("ada")]);
    expect(clock.monotonicMs() - releasedMs).toBeLessThan(1500);
  });

  test("is unlocked by force only under the lock's own id", async () => {
    const open = await place();
    await expect(open().forceUnlock("1", NEVER)).rejects.toMatchObject(failure("lock_absent"));
    const first = await open().lock(HOLDER, 0, NEVER);
    await expect(open().forceUnlock(`${first.id}0`, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "lock_other", detail: expect.stringContaining(first.id) as string }],
    });
    await expect(open().lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await open().forceUnlock(first.id, NEVER);
    await (await open().lock(HOLDER, 0, NEVER)).release();
  });
}

function lostLockContract({ place }: StoreUnderTest): void {
  async function lostLock(isTaken: boolean) {
    const open = await place();
    const store = open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const version = await store.write(bytes("one"), null, NEVER);
    await open().forceUnlock(lock.id, NEVER);
    const next = isTaken ? await open().lock(HOLDER, 0, NEVER) : null;
    return { open, store, lock, version, next };
  }

  test.each([
    ["is unlocked by force", false],
    ["is locked by another run", true],
  ])("refuses the writes of a run whose lock is lost when the state %s, and tells the run", async (_, isTaken) => {
    const { open, store, lock, version, next } = await lostLock(isTaken);
    for (let time = 0; time < 2; time++)
      await expect(store.write(bytes("mine"), version, NEVER)).rejects.toMatchObject(failure("lock_lost"));
    expect(lock.lost.aborted).toBe(true);
    expect(lock.lost.reason).toMatchObject(failure("lock_lost"));
    expect(text(await open().read(NEVER))).toBe("one");
    await next?.release();
  });

  test("stays locked for the run that has taken the lock when the one that lost it releases it", async () => {
    const { open, lock, next } = await lostLock(true);
    await lock.release();
    await expect(open().lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await next?.release();
  });

  test("takes the writes of a run as long as it holds the lock, and of the same process after the release", async () => {
    const store = (await place())();
    const lock = await store.lock(HOLDER, 0, NEVER);
    const first = await store.write(bytes("one"), null, NEVER);
    const second = await store.write(bytes("two"), first, NEVER);
    await lock.release();
    await store.write(bytes("three"), second, NEVER);
    expect([text(await store.read(NEVER)), lock.lost.aborted]).toEqual(["three", false]);
  });
}

function interruptionContract({ place, clock }: StoreUnderTest): void {
  test("does nothing for a run that is interrupted already, and rejects with the reason", async () => {
    const open = await place();
    const lock = await open().lock(HOLDER, 0, NEVER);
    const store = open();
    const stop = AbortSignal.abort(new Error("interrupted"));
    const calls = [
      async () => store.assertReady(stop),
      async () => store.read(stop),
      async () => store.write(bytes("mine"), null, stop),
      async () => store.lock(HOLDER, 0, stop),
      async () => store.forceUnlock(lock.id, stop),
      async () => store.backup?.read(stop) ?? Promise.reject(new Error("interrupted")),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow("interrupted");
    expect(await open().read(NEVER)).toBeNull();
    await expect(open().lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await lock.release();
    await (await open().lock(HOLDER, 0, NEVER)).release();
  });

  test("waits no longer for the lock when the run is interrupted, and takes it neither then nor later", async () => {
    const open = await place();
    const first = await open().lock(HOLDER, 0, NEVER);
    const stop = new AbortController();
    const waiting = open()
      .lock(HOLDER, 60_000, stop.signal)
      .then(() => "locked", String);
    await clock.sleep(300, NEVER);
    const beganMs = clock.monotonicMs();
    stop.abort(new Error("interrupted"));
    expect(await waiting).toContain("interrupted");
    expect(clock.monotonicMs() - beganMs).toBeLessThan(1000);
    await first.release();
    await clock.sleep(500, NEVER);
    await (await open().lock(HOLDER, 0, NEVER)).release();
  });
}

function backupContract({ place }: StoreUnderTest): void {
  test("keeps the state as it was before its last write", async () => {
    const store = (await place())();
    expect(await store.backup?.read(NEVER)).toBeNull();
    const first = await store.write(bytes("one"), null, NEVER);
    expect(await store.backup?.read(NEVER)).toBeNull();
    const second = await store.write(bytes("two"), first, NEVER);
    expect(plain(await store.backup?.read(NEVER))).toEqual(bytes("one"));
    await store.write(bytes("three"), second, NEVER);
    expect(plain(await store.backup?.read(NEVER))).toEqual(bytes("two"));
  });

  test("keeps the backup as it is when it refuses a write", async () => {
    const store = (await place())();
    const first = await store.write(bytes("one"), null, NEVER);
    await store.write(bytes("two"), first, NEVER);
    await expect(store.write(bytes("mine"), first, NEVER)).rejects.toMatchObject(failure("state_changed"));
    expect(plain(await store.backup?.read(NEVER))).toEqual(bytes("one"));
  });
}

function journalContract({ place }: StoreUnderTest): void {
  const journalOf = ({ journal }: StateStore) => journal ?? expect.fail("this store has no journal");

  test("appends to its journal in the order of the calls, also where they do not wait for each other", async () => {
    const open = await place();
    const journal = journalOf(open());
    expect(await journal.read()).toBeNull();
    await Promise.all(Array.from({ length: 20 }, (_, index) => journal.append(bytes(`${String(index)};`))));
    const all = `${Array.from({ length: 20 }, (_, index) => index).join(";")};`;
    expect(new TextDecoder().decode((await journalOf(open()).read()) ?? undefined)).toBe(all);
    await journal.remove();
  });

  test("begins a new journal after it was removed or set aside", async () => {
    const journal = journalOf((await place())());
    await journal.append(bytes("one"));
    await journal.remove();
    expect(await journal.read()).toBeNull();
    await journal.append(bytes("two"));
    expect(plain(await journal.read())).toEqual(bytes("two"));
    expect(await journal.setAside("tag")).toContain("tag");
    expect(await journal.read()).toBeNull();
    await journal.remove();
  });

  test("refuses another intent once the lock is lost, tells the run, and still takes what became of the intents before", async () => {
    const open = await place();
    const store = open();
    const journal = journalOf(store);
    await journal.assertLocked();
    const lock = await store.lock(HOLDER, 0, NEVER);
    await journal.assertLocked();
    await open().forceUnlock(lock.id, NEVER);
    await expect(journal.assertLocked()).rejects.toMatchObject(failure("lock_lost"));
    expect(lock.lost.reason).toMatchObject(failure("lock_lost"));
    await journal.append(bytes("one"));
    expect(plain(await journal.read())).toEqual(bytes("one"));
    await journal.remove();
  });

  test("keeps its journal when the state is written", async () => {
    const store = (await place())();
    await journalOf(store).append(bytes("one"));
    await store.write(bytes("state"), null, NEVER);
    expect(plain(await journalOf(store).read())).toEqual(bytes("one"));
    await journalOf(store).remove();
  });
}

function noJournalContract({ place }: StoreUnderTest): void {
  test("has no journal next to the state: intents are inside it", async () =>
    expect((await place())().journal).toBeNull());
}
