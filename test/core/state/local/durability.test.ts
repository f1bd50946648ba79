import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { encryptedStore } from "../../../../src/core/state/encryption/encrypted-store.ts";
import { localStore } from "../../../../src/core/state/local/local-store.ts";
import type { JournalBytes, StateStore } from "../../../../src/core/state/state-store.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { virtualClock } from "../../virtual-clock.ts";
import { type ForgetfulDisk, forgetfulDisk } from "./forgetful-disk.ts";
import { KEYS, keyPorts } from "../encryption-fixtures.ts";
import { NEVER, countingRandom, processOf } from "../state-fixtures.ts";

/** A folder that exists; no file is written to it. */
const PATH = path.join(tmpdir(), "outreach-durability.json");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function text(read: Uint8Array | null | undefined): string | null {
  return read ? new TextDecoder().decode(read) : null;
}

/** Linux flushes an append by a flag of the open file, other systems by a call of its own. */
const SYSTEMS = ["linux", "darwin"] as const;
const YES_OR_NO = [() => true, () => false] as const;
const NAMES = ["kept", "lost"] as const;
const CASES = SYSTEMS.flatMap((system) => NAMES.map((names) => ({ system, names })));

function storeOn(disk: ForgetfulDisk, system: (typeof SYSTEMS)[number]): StateStore {
  return localStore(PATH, {
    files: nodeFiles(disk, system),
    clock: virtualClock(),
    random: countingRandom(),
    process: processOf(),
  });
}

function journalOf({ journal }: StateStore): JournalBytes {
  return journal ?? expect.fail("this store has no journal");
}

describe.each(CASES)(
  "after a power failure on $system, with unflushed changes of a folder $names",
  ({ system, names }) => {
    const begun = async () => {
      const disk = forgetfulDisk();
      const store = storeOn(disk, system);
      const version = await store.write(bytes("one"), null, NEVER);
      return { disk, store, version, restarted: () => (disk.restart(names), storeOn(disk, system)) };
    };

    test("a written state is there, and so is its backup", async () => {
      const { store, version, restarted, disk } = await begun();
      await store.write(bytes("two"), version, NEVER);
      expect([...disk.openFiles]).toEqual([]);
      const after = restarted();
      expect(text((await after.read(NEVER))?.bytes)).toBe("two");
      expect(text(await after.backup?.read(NEVER))).toBe("one");
    });

    test("a state is whole, whatever the write had done before", async () => {
      const whole = await begun();
      whole.disk.failAt(Number.POSITIVE_INFINITY);
      await whole.store.write(bytes("two"), whole.version, NEVER);
      const { count } = whole.disk;
      expect(count).toBeGreaterThan(8);
      for (let at = 0; at < count; at++) {
        const { disk, store, version, restarted } = await begun();
        disk.failAt(at);
        await expect(store.write(bytes("two"), version, NEVER)).rejects.toThrow("the power failed");
        const after = restarted();
        expect(text((await after.read(NEVER))?.bytes), String(at)).toBeOneOf(["one", "two"]);
        expect(text(await after.backup?.read(NEVER)), String(at)).toBeOneOf([null, "one"]);
      }
    });

    test("a journal has every append that was reported as done", async () => {
      const { disk, store, restarted } = await begun();
      const journal = journalOf(store);
      await journal.append(bytes("a"));
      await journal.append(bytes("b"));
      expect(text(await journalOf(restarted()).read())).toBe("ab");
      expect([...disk.openFiles]).toEqual([]);
    });

    test("an encrypted journal has every append that was reported as done, whatever was done before, and was never cut", async () => {
      const encrypted = (store: StateStore): JournalBytes => journalOf(encryptedStore(store, KEYS.one, keyPorts()));
      const entries = ["a", "b", "c"];
      for (let at = 0; ; at++) {
        const { disk, store, restarted } = await begun();
        const journal = encrypted(store);
        disk.failAt(at);
        let done = 0;
        for (const entry of entries) {
          const isDone = await journal.append(bytes(entry)).then(...YES_OR_NO);
          if (!isDone) break;
          done++;
        }
        const found = text(await encrypted(restarted()).read()) ?? "";
        expect("abc".startsWith(found) && found.length >= done, `${String(at)}: ${found}`).toBe(true);
        if (done === entries.length) return;
        expect(at).toBeLessThan(40);
      }
    });

    test("a journal that was removed stays removed, and one set aside stays aside", async () => {
      const { disk, store, restarted } = await begun();
      await journalOf(store).append(bytes("a"));
      await journalOf(store).remove();
      expect([...disk.openFiles]).toEqual([]);
      const after = journalOf(restarted());
      expect(await after.read()).toBeNull();
      await after.append(bytes("b"));
      const aside = await after.setAside("tag");
      expect(await journalOf(restarted()).read()).toBeNull();
      expect(text(await nodeFiles(disk, system).read(aside))).toBe("b");
    });
  },
);
