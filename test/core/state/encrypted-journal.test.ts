import { describe, expect, test } from "vitest";
import { encodeState } from "../../../src/core/state/document.ts";
import { encryptedJournal } from "../../../src/core/state/encryption/encrypted-journal.ts";
import { encryptedStore } from "../../../src/core/state/encryption/encrypted-store.ts";
import type { EncryptionSettings } from "../../../src/core/state/encryption/encryption-settings.ts";
import { openKeyRing } from "../../../src/core/state/encryption/key-ring.ts";
import { type JournalHeader, openJournal, readJournal } from "../../../src/core/state/journal.ts";
import type { JournalEvent, JournalFact } from "../../../src/core/state/journal-event.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { foldInto, readState } from "../../../src/core/state/open-state.ts";
import type { JournalBytes, StateJournal } from "../../../src/core/state/state-store.ts";
import { recorded } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { KEYS, keyPorts, keys } from "./encryption-fixtures.ts";
import { memoryFiles } from "./memory-files.ts";
import { memoryJournal } from "./memory-journal.ts";
import { NEVER, countingRandom, document, intent, processOf } from "./state-fixtures.ts";

const HEADER: JournalHeader = { journal: 1, lineage: "line", baseSerial: 3, baseSeq: 10 };

function fact({ seq: _, ...rest }: ReturnType<typeof intent>): JournalFact {
  return rest;
}

const FACTS: readonly JournalFact[] = [
  { kind: "listed", ids: ["id_ball"] },
  fact(intent(0, { listed: 11 })),
  { kind: "done", of: 12, record: recorded("kite") },
  fact(intent(0, { address: "toy_thing.dollé" })),
];

function encryptedOver(inner: JournalBytes, settings: EncryptionSettings = KEYS.one): StateJournal {
  const ports = keyPorts();
  return encryptedJournal(
    { ...inner, assertLocked: () => Promise.resolve() },
    { ring: openKeyRing(settings, ports), random: ports.random },
  );
}

/** The bytes of a journal with one frame for each of the facts. */
async function written(settings: EncryptionSettings = KEYS.one): Promise<Uint8Array> {
  return (await history(settings)).at(-1) ?? expect.fail("nothing was written");
}

/** What the file holds after each of its writes: of an append, and then of the number of frames. */
async function history(settings: EncryptionSettings = KEYS.one, header = HEADER): Promise<readonly Uint8Array[]> {
  const bytes = memoryJournal();
  const seen: Uint8Array[] = [];
  const see = async (): Promise<void> => void seen.push((await bytes.read()) ?? expect.fail("nothing was written"));
  const noted: JournalBytes = {
    ...bytes,
    append: async (added) => bytes.append(added).then(see),
    overwrite: async (added, position) => bytes.overwrite(added, position).then(see),
  };
  const journal = openJournal(encryptedOver(noted, settings), header);
  for (const one of FACTS) await journal.begin([one], NEVER);
  return seen;
}

function fixed(content: Uint8Array | string): JournalBytes {
  return {
    ...memoryJournal(),
    read: () => Promise.resolve(typeof content === "string" ? new TextEncoder().encode(content) : content),
  };
}

async function eventsIn(
  content: Uint8Array | string,
  settings: EncryptionSettings = KEYS.one,
): Promise<readonly JournalEvent[] | null> {
  const read = await readJournal(encryptedOver(fixed(content), settings));
  return read && read !== "unfinished" ? read.events : null;
}

const linesOf = (content: Uint8Array): string[] => new TextDecoder().decode(content).trimEnd().split("\n");
const UNREADABLE = { diagnostics: [{ code: "journal_unreadable" }], undecided: true };
const CUT = { diagnostics: [{ code: "journal_unreadable", summary: "The journal was cut" }], undecided: true };
/** The first line, and the number of frames. */
const START_LINES = 2;

describe("an encrypted journal", () => {
  test("is read as it was written, and shows nothing of it", async () => {
    const whole = await written();
    expect(await eventsIn(whole)).toMatchObject([
      { seq: 11 },
      { seq: 12 },
      { seq: 13 },
      { seq: 14, address: "toy_thing.dollé" },
    ]);
    for (const word of ["toy_thing", "kite", "id_ball", "line"])
      expect(new TextDecoder().decode(whole)).not.toContain(word);
    expect(linesOf(whole)).toHaveLength(START_LINES + FACTS.length);
  });

  test("tells after a crash at any byte of any write exactly the events that were whole, in their order", async () => {
    const seen = await history();
    const all = (await eventsIn(seen.at(-1) ?? "")) ?? [];
    let durable = 0;
    for (const [index, content] of seen.entries()) {
      // The number of frames lies within one sector: it is written whole or not at all.
      const from = content.length === durable ? content.length : durable;
      for (let length = from; length <= content.length; length++) {
        const frames = Math.max(0, content.slice(0, length).filter((byte) => byte === 0x0a).length - START_LINES);
        const found = await readJournal(encryptedOver(fixed(content.slice(0, length))));
        if (frames === 0) expect(found, `${String(index)} ${String(length)}`).toBe("unfinished");
        else expect(found, `${String(index)} ${String(length)}`).toMatchObject({ events: all.slice(0, frames) });
      }
      durable = content.length;
    }
    expect(seen).toHaveLength(2 * FACTS.length);
  });

  test("says that it was cut when frames are missing at its end, wherever it was cut", async () => {
    const whole = await written();
    const start = linesOf(whole).slice(0, START_LINES).join("\n").length + 1;
    expect(start, "within one sector of a disk").toBeLessThanOrEqual(512);
    for (let length = start; length < whole.length; length++)
      await expect(eventsIn(whole.slice(0, length)), String(length)).rejects.toMatchObject(CUT);
    const [cut] = [await eventsIn(whole.slice(0, start)).catch((error: unknown) => error)];
    expect(cut).toMatchObject({
      diagnostics: [{ detail: expect.stringContaining("memory has 0 of the 4 entries") as string }],
    });
  });

  test("keeps its start within one sector under a passphrase, too", async () => {
    const whole = await written(KEYS.phrase);
    expect(linesOf(whole).slice(0, START_LINES).join("\n").length).toBeLessThan(512);
  });

  test("has a number of frames that nobody can change or take from another journal", async () => {
    const [lines, others] = [linesOf(await written()), linesOf((await history())[1] ?? new Uint8Array())];
    const [header = "", counted = "", ...frames] = lines;
    const fewer = `${"3".padStart(10, "0")}${counted.slice(10)}`;
    for (const one of [fewer, others[1] ?? "", `${counted} `, counted.slice(0, -1), "", "x"])
      await expect(eventsIn(`${[header, one, ...frames.slice(0, 1)].join("\n")}\n`), one).rejects.toMatchObject(
        UNREADABLE,
      );
  });

  test("of another state with the same key is not believed", async () => {
    const files = memoryFiles();
    const local = localStore("work/s.json", {
      files,
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });
    await encryptedStore(local, KEYS.one, keyPorts()).write(encodeState(document()), null, NEVER);
    const other = (await history(KEYS.one, { ...HEADER, lineage: "another" })).at(-1) ?? new Uint8Array();
    await files.createExclusively("work/s.json.journal", other);
    await expect(readState(encryptedStore(local, KEYS.one, keyPorts()), countingRandom(), NEVER)).rejects.toMatchObject(
      {
        diagnostics: [{ code: "journal_foreign" }],
      },
    );
  });

  test("is not understood when a line that is not the last is damaged at any byte", async () => {
    const whole = await written();
    const all = await eventsIn(whole);
    const end = whole.slice(0, -1).lastIndexOf(0x0a);
    for (let at = 0; at < end; at++) {
      if (whole[at] === 0x0a) continue;
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      const read = await eventsIn(damaged).then(
        (events) => events,
        (error: unknown) => error,
      );
      // The last characters of base64 have bits without a meaning.
      if (Array.isArray(read)) expect(read, String(at)).toEqual(all);
      else expect(read, String(at)).toMatchObject(UNREADABLE);
    }
  });

  test("takes a last frame that is not counted and damaged, and zeros at its end, for a torn end", async () => {
    const seen = await history();
    const whole = linesOf(seen.at(-1) ?? new Uint8Array());
    const lines = linesOf(seen.at(-2) ?? new Uint8Array());
    const last = lines.at(-1) ?? "";
    const changed = `${last.startsWith("A") ? "B" : "A"}${last.slice(1)}`;
    expect(await eventsIn(`${[...lines.slice(0, -1), changed].join("\n")}\n`)).toMatchObject([
      { seq: 11 },
      { seq: 12 },
      { seq: 13 },
    ]);
    expect(await eventsIn(`${lines.join("\n")}\n${"\0".repeat(64)}`)).toHaveLength(FACTS.length);
    await expect(eventsIn(`${[...whole.slice(0, -1), changed].join("\n")}\n`)).rejects.toMatchObject(UNREADABLE);
  });

  test.each([
    ["two frames are swapped", ([header, count, one, two, ...rest]: string[]) => [header, count, two, one, ...rest]],
    [
      "a frame stands there twice",
      ([header, count, one, two, ...rest]: string[]) => [header, count, one, one, two, ...rest],
    ],
    ["a frame is missing", ([header, count, one, , ...rest]: string[]) => [header, count, one, ...rest]],
    ["the first frame is missing", ([header, count, , ...rest]: string[]) => [header, count, ...rest]],
    [
      "a frame comes from another journal with this key",
      ([header, count, one, , ...rest]: string[], others: string[]) => [header, count, one, others[3], ...rest],
    ],
    [
      "its first line comes from another journal with this key",
      ([, ...rest]: string[], others: string[]) => [others[0], ...rest],
    ],
  ])("is not understood when %s", async (_, change) => {
    const [lines, others] = [linesOf(await written()), linesOf(await written())];
    await expect(eventsIn(`${change(lines, others).join("\n")}\n`)).rejects.toMatchObject(UNREADABLE);
  });

  test("is read with the fallback key, and with no other one", async () => {
    const whole = await written();
    expect(await eventsIn(whole, keys("TWO", "ONE"))).toHaveLength(FACTS.length);
    expect(await eventsIn(whole, keys(null, "ONE"))).toHaveLength(FACTS.length);
    await expect(eventsIn(whole, KEYS.two)).rejects.toMatchObject({ diagnostics: [{ code: "encryption_key_wrong" }] });
    await expect(readJournal(fixed(whole))).rejects.toMatchObject({ diagnostics: [{ code: "state_encrypted" }] });
  });

  test("in plain text is refused, and read only where the fallback is plain", async () => {
    const plain = memoryJournal();
    await openJournal(plain, HEADER).begin(FACTS, NEVER);
    const content = (await plain.read()) ?? "";
    await expect(eventsIn(content)).rejects.toMatchObject({
      diagnostics: [{ code: "state_not_encrypted" }],
      undecided: true,
    });
    await expect(eventsIn(content, keys("ONE", "TWO"))).rejects.toMatchObject({
      diagnostics: [{ code: "state_not_encrypted" }],
    });
    expect(await eventsIn(content, KEYS.oneOrPlain)).toHaveLength(FACTS.length);
  });

  test("is in plain text again where it has ended", async () => {
    const bytes = await written(keys(null, "ONE"));
    expect(await readJournal(fixed(bytes))).toHaveProperty("events.length", FACTS.length);
  });
});

describe("an encrypted state with a journal", () => {
  const prepare = async (before: EncryptionSettings | null, after: EncryptionSettings) => {
    const files = memoryFiles();
    const local = localStore("work/s.json", {
      files,
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });
    const first = before ? encryptedStore(local, before, keyPorts()) : local;
    await first.write(encodeState(document()), null, NEVER);
    await openJournal(first.journal ?? expect.fail("no journal"), HEADER).begin(FACTS, NEVER);
    const store = encryptedStore(local, after, keyPorts());
    return { files, local, store, open: await readState(store, countingRandom(), NEVER) };
  };

  test.each([
    ["keeps its key", KEYS.one, KEYS.one],
    ["is encrypted for the first time", null, KEYS.oneOrPlain],
    ["gets another key", KEYS.one, keys("TWO", "ONE")],
    ["is decrypted", KEYS.one, keys(null, "ONE")],
  ] as const)(
    "loses nothing by a crash at any call while the journal is folded in, when it %s",
    async (_, before, after) => {
      const probe = await prepare(before, after);
      const from = probe.files.calls.length;
      await foldInto(probe.store, probe.open, NEVER);
      const wanted = (await readState(probe.store, countingRandom(), NEVER)).document;
      const count = probe.files.calls.length - from;
      expect(count).toBeGreaterThan(8);
      for (let at = 0; at < count; at++) {
        for (const done of ["nothing", "half", "all"] as const) {
          const { files, store, local, open } = await prepare(before, after);
          files.fail({ at, code: "CRASH", done });
          await foldInto(store, open, NEVER).catch(() => undefined);
          files.fail(null);
          const next = await readState(encryptedStore(local, after, keyPorts()), countingRandom(), NEVER);
          expect({ ...next.document, serial: 0 }, `${String(at)} ${done}`).toEqual({ ...wanted, serial: 0 });
        }
      }
    },
  );
});
