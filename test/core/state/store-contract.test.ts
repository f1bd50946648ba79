import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { localStore } from "../../../src/core/state/local-store.ts";
import { memoryStore } from "../../../src/core/state/memory-store.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { virtualClock } from "../virtual-clock.ts";
import { memoryFiles } from "./memory-files.ts";
import { HOLDER, NEVER, countingRandom, processOf } from "./state-fixtures.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const clock = virtualClock();
const ports = { clock, random: countingRandom(), process: processOf() };

const STORES: readonly { readonly name: string; open(): Promise<StateStore> }[] = [
  { name: "memory", open: () => Promise.resolve(memoryStore(clock)) },
  {
    name: "local, on this disk",
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), "outreach-state-"));
      folders.push(folder);
      return localStore(join(folder, "deeper/outreach.state.json"), { ...ports, files: nodeFiles() });
    },
  },
  {
    name: "local, on a disk in memory",
    open: () => Promise.resolve(localStore("work/outreach.state.json", { ...ports, files: memoryFiles() })),
  },
];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (read: { readonly bytes: Uint8Array } | null): string | null => (read ? new TextDecoder().decode(read.bytes) : null);

describe.each(STORES)("a state store: $name", ({ open }) => {
  test("has no state at first", async () => {
    expect(await (await open()).read(NEVER)).toBeNull();
  });

  test("reads what was written, under the version that the write named", async () => {
    const store = await open();
    const version = await store.write(bytes("one"), null, NEVER);
    const read = await store.read(NEVER);
    expect([text(read), read?.version]).toEqual(["one", version]);
  });

  test("replaces the version that it is told", async () => {
    const store = await open();
    const first = await store.write(bytes("one"), null, NEVER);
    const second = await store.write(bytes("two"), first, NEVER);
    expect(second).not.toBe(first);
    expect(text(await store.read(NEVER))).toBe("two");
  });

  test.each([
    ["a state where none was", (): string | null => null],
    ["a version that is gone", (first: string): string | null => first],
    ["a version that never was", (): string | null => "never"],
  ])("does not write over %s", async (_, expected) => {
    const store = await open();
    const first = await store.write(bytes("one"), null, NEVER);
    await store.write(bytes("two"), first, NEVER);
    await expect(store.write(bytes("mine"), expected(first), NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_changed" }] });
    expect(text(await store.read(NEVER))).toBe("two");
  });

  test("does not write where a version is expected and nothing is", async () => {
    const store = await open();
    await expect(store.write(bytes("mine"), "gone", NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_changed" }] });
    expect(await store.read(NEVER)).toBeNull();
  });

  test("keeps its own copy of what it was given", async () => {
    const store = await open();
    const given = bytes("one");
    await store.write(given, null, NEVER);
    given.fill(0);
    (await store.read(NEVER))?.bytes.fill(0);
    expect(text(await store.read(NEVER))).toBe("one");
  });

  test("is locked by one at a time, and says by whom", async () => {
    const store = await open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    await expect(store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked", detail: expect.stringMatching(new RegExp(`ada.*${lock.id}`)) }],
    });
    await lock.release();
    await (await store.lock(HOLDER, 0, NEVER)).release();
  });

  test("stays locked when a lock that was given back is given back again", async () => {
    const store = await open();
    const first = await store.lock(HOLDER, 0, NEVER);
    await first.release();
    const second = await store.lock(HOLDER, 0, NEVER);
    await first.release();
    await expect(store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_locked" }] });
    await second.release();
  });

  test("is waited for as long as the time-out says, and taken as soon as it is given back", async () => {
    const store = await open();
    const first = await store.lock(HOLDER, 0, NEVER);
    const begunMs = clock.monotonicMs();
    await expect(store.lock(HOLDER, 1000, NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_locked" }] });
    expect(clock.monotonicMs() - begunMs).toBe(1000);
    const waiting = store.lock(HOLDER, 60_000, NEVER);
    await clock.sleep(500, NEVER);
    await first.release();
    await (await waiting).release();
    expect(clock.monotonicMs() - begunMs).toBeLessThan(2000);
  });

  test("is no longer waited for when the run is interrupted", async () => {
    const store = await open();
    await store.lock(HOLDER, 0, NEVER);
    const stop = new AbortController();
    const waiting = store.lock(HOLDER, 60_000, stop.signal);
    await clock.sleep(300, NEVER);
    stop.abort(new Error("interrupted"));
    await expect(waiting).rejects.toThrow("interrupted");
  });

  test("is unlocked by force under the lock's own id alone", async () => {
    const store = await open();
    await expect(store.forceUnlock("1", NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "lock_absent" }] });
    const first = await store.lock(HOLDER, 0, NEVER);
    await expect(store.forceUnlock(`${first.id}0`, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "lock_other", detail: expect.stringContaining(first.id) as string }],
    });
    await expect(store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ hint: expect.stringContaining(`force-unlock ${first.id}`) as string }],
    });
    await store.forceUnlock(first.id, NEVER);
    const second = await store.lock(HOLDER, 0, NEVER);
    await first.release();
    await expect(store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_locked" }] });
    await second.release();
  });

  test("has a journal that is appended to in the order of the calls, read whole and removed", async () => {
    const { journal } = await open();
    if (!journal) throw new Error("this store has no journal");
    expect(await journal.read()).toBeNull();
    await Promise.all(Array.from({ length: 20 }, (_, index) => journal.append(bytes(`${String(index)};`))));
    const all = `${Array.from({ length: 20 }, (_, index) => index).join(";")};`;
    expect(new TextDecoder().decode((await journal.read()) ?? undefined)).toBe(all);
    await journal.remove();
    expect(await journal.read()).toBeNull();
    await journal.append(bytes("anew"));
    expect(new TextDecoder().decode((await journal.read()) ?? undefined)).toBe("anew");
  });
});
