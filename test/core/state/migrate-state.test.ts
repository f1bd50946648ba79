import { describe, expect, test } from "vitest";
import { StateMoved, decodeState, encodeState } from "../../../src/core/state/document.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { type MemoryPlace, memoryPlace, memoryStore } from "./memory-store.ts";
import { migrateState } from "../../../src/core/state/migrate-state.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import { openRunJournal } from "../../../src/core/state/run-journal.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { recorded } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { memoryFiles } from "./memory-files.ts";
import { NEVER, countingRandom, document, intent, processOf } from "./state-fixtures.ts";

const clock = virtualClock();
const OWN = document({ lineage: "own", serial: 7, instances: [recorded("toy.a")] });
const OTHER = document({ lineage: "other", serial: 3, instances: [recorded("toy.b")] });

function world() {
  const place: MemoryPlace = memoryPlace();
  const files = memoryFiles();
  const from = localStore("s.json", { files, clock, random: countingRandom(), process: processOf() });
  const copies: Uint8Array[] = [];
  const keep = (state: Uint8Array): Promise<string> => Promise.resolve(`copy-${String(copies.push(state))}`);
  const migrate = (source: StateStore, target: StateStore, isForced = false) =>
    migrateState({ from: source, to: target }, { random: countingRandom(), signal: NEVER, keep }, isForced);
  return { place, files, from, to: memoryStore(clock, place), copies, migrate };
}

const documentIn = async (store: StateStore) =>
  decodeState((await store.read(NEVER))?.bytes ?? new Uint8Array(), store.name);
const failure = (code: string) => ({ diagnostics: [{ code, severity: "error" }] });

describe("a state that is migrated", () => {
  test("is in the new place under a later serial, and its old place only names the new one", async () => {
    const { from, to, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    expect(await migrate(from, to)).toEqual({ document: OWN, isCopied: true, kept: null });
    expect(await documentIn(to)).toEqual({ ...OWN, serial: 8 });
    await expect(readState(from, countingRandom(), NEVER)).rejects.toThrow(StateMoved);
    await expect(readState(from, countingRandom(), NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_moved", detail: expect.stringContaining("migrated to memory") as string }],
    });
  });

  test("takes the journal of an ended run with it, open writes included", async () => {
    const { from, to, files, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    const { seq: _, ...open } = intent(1);
    await openRunJournal(from, await readState(from, countingRandom(), NEVER), { clock, process: processOf() }).begin(
      [open],
      NEVER,
    );
    await migrate(from, to);
    expect((await readState(to, countingRandom(), NEVER)).pending).toHaveLength(1);
    expect(await files.read("s.json.journal")).toBeNull();
  });

  test("comes back to its first place", async () => {
    const { from, to, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    await migrate(from, to);
    expect((await migrate(to, from)).isCopied).toBe(true);
    expect(await documentIn(from)).toEqual({ ...OWN, serial: 9 });
    await expect(documentIn(to)).rejects.toThrow(StateMoved);
  });

  test("is not migrated twice: a repeated call changes nothing", async () => {
    const { from, to, place, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    await migrate(from, to);
    const { version } = place.stored ?? {};
    expect((await migrate(from, to)).isCopied).toBe(false);
    expect(place.stored?.version).toBe(version);
  });

  test("stays where its new place is the old one under another name", async () => {
    const { place, to, migrate } = world();
    await to.write(encodeState(OWN), null, NEVER);
    await expect(migrate(to, memoryStore(clock, place))).rejects.toMatchObject(failure("migrate_same_place"));
    expect(await documentIn(to)).toEqual({ ...OWN, serial: 8 });
  });

  test.each([1, 2, 3, 4, 5, 6])(
    "is whole after a failure at call %i, and the migration can be repeated",
    async (failing) => {
      const { from, to, migrate } = world();
      await from.write(encodeState(OWN), null, NEVER);
      let calls = 0;
      const failingStore = (store: StateStore): StateStore => {
        const fail = <T>(call: () => Promise<T>): Promise<T> =>
          ++calls === failing ? Promise.reject(new Error("down")) : call();
        return {
          ...store,
          read: (signal) => fail(() => store.read(signal)),
          write: (bytes, expected, signal) => fail(() => store.write(bytes, expected, signal)),
        };
      };
      await migrate(failingStore(from), failingStore(to)).catch(() => undefined);
      const { document: now } = await migrate(from, to);
      expect(now.instances).toEqual(OWN.instances);
      expect((await documentIn(to)).instances).toEqual(OWN.instances);
      await expect(documentIn(from)).rejects.toThrow(StateMoved);
    },
  );
});

describe("the new place", () => {
  test("keeps another state that it holds, and so does the old one", async () => {
    const { from, to, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    await to.write(encodeState(OTHER), null, NEVER);
    await expect(migrate(from, to)).rejects.toMatchObject(failure("migrate_conflict"));
    expect([await documentIn(from), await documentIn(to)]).toEqual([OWN, OTHER]);
  });

  test("keeps what it holds if that cannot be read, its journal included", async () => {
    const { from, to, files, migrate } = world();
    await to.write(encodeState(OTHER), null, NEVER);
    await from.write(new TextEncoder().encode("no state"), null, NEVER);
    await files.writeDurably("s.json.journal", new TextEncoder().encode("a journal"));
    await expect(migrate(to, from)).rejects.toMatchObject(failure("state_unreadable"));
    expect([files.text("s.json"), files.text("s.json.journal")]).toEqual(["no state", "a journal"]);
    expect(await documentIn(to)).toEqual(OTHER);
  });

  test("gives that state up by force, after a copy of it was kept", async () => {
    const { from, to, copies, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    await to.write(encodeState(OTHER), null, NEVER);
    expect((await migrate(from, to, true)).kept).toBe("copy-1");
    expect(copies.map((copy) => decodeState(copy, "copy"))).toEqual([OTHER]);
    expect((await documentIn(to)).lineage).toBe("own");
  });

  test("takes the place of an empty state", async () => {
    const { from, to, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    await to.write(encodeState(document({ lineage: "empty", serial: 40, instances: [] })), null, NEVER);
    await migrate(from, to);
    expect(await documentIn(to)).toMatchObject({ lineage: "own", serial: 41 });
  });

  test("is not trusted if it returns something else: the old place stays", async () => {
    const { from, to, migrate } = world();
    await from.write(encodeState(OWN), null, NEVER);
    const forgetful: StateStore = { ...to, write: () => to.write(encodeState(OTHER), null, NEVER) };
    await expect(migrate(from, forgetful)).rejects.toMatchObject(failure("migrate_failed"));
    expect(await documentIn(from)).toEqual(OWN);
  });
});

test("there is nothing to migrate where there is no state", async () => {
  const { from, to, migrate } = world();
  await expect(migrate(from, to)).rejects.toMatchObject(failure("state_missing"));
  expect(await to.read(NEVER)).toBeNull();
});

test("a state that moved elsewhere is not migrated again", async () => {
  const { from, to, migrate } = world();
  await from.write(encodeState(OWN), null, NEVER);
  await migrate(from, to);
  const third = memoryStore(clock);
  await expect(migrate(from, third)).rejects.toThrow(StateMoved);
  expect(await third.read(NEVER)).toBeNull();
});
