import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksum } from "../../../src/core/state/checksum.ts";
import { type JournalHeader, encodeLine, openJournal, readJournal } from "../../../src/core/state/journal.ts";
import { type JournalEvent, type JournalFact, pendingIntents } from "../../../src/core/state/journal-event.ts";
import { journalFile, localStore } from "../../../src/core/state/local/local-store.ts";
import { memoryStore } from "./memory-store.ts";
import { foldInto, readState, writeState } from "../../../src/core/state/open-state.ts";
import { openRunJournal } from "../../../src/core/state/run-journal.ts";
import type { JournalBytes } from "../../../src/core/state/state-store.ts";
import { encodeState } from "../../../src/core/state/document.ts";
import { recorded } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { memoryFiles } from "./memory-files.ts";
import { memoryJournal } from "./memory-journal.ts";
import { HOLDER, NEVER, countingRandom, document, intent, processOf } from "./state-fixtures.ts";

const HEADER: JournalHeader = { journal: 1, lineage: "line", baseSerial: 3, baseSeq: 10 };
const KITE = recorded("kite");

function fact({ seq: _, ...rest }: ReturnType<typeof intent>): JournalFact {
  return rest;
}

const FACTS: readonly JournalFact[] = [
  { kind: "listed", ids: ["id_ball"] },
  fact(intent(0, { listed: 11 })),
  { kind: "done", of: 12, record: KITE },
  fact(intent(0, { address: "toy_thing.dollé" })),
];

/** A journal that holds just these bytes. */
function fixed(content: Uint8Array): JournalBytes {
  return { ...memoryJournal(), read: () => Promise.resolve(content) };
}

/** The events of a journal whose header is whole. */
async function eventsIn(bytes: JournalBytes): Promise<readonly JournalEvent[]> {
  const read = await readJournal(bytes);
  return read && read !== "unfinished" ? read.events : expect.fail("not even a header");
}

async function written(facts: readonly JournalFact[] = FACTS): Promise<Uint8Array> {
  const bytes = memoryJournal();
  const journal = openJournal(bytes, HEADER);
  for (const one of facts) await journal.begin([one], NEVER);
  return (await bytes.read()) ?? new Uint8Array();
}

describe("a journal", () => {
  test("leaves nothing when nothing is written to it", async () => {
    const bytes = memoryJournal();
    openJournal(bytes, HEADER);
    expect(await bytes.read()).toBeNull();
    expect(await readJournal(bytes)).toBeNull();
  });

  test("ignores a last line that is whole but has another checksum, and tells the ones before it", async () => {
    const whole = new TextDecoder().decode(await written());
    const lines = whole.trimEnd().split("\n");
    const changed = [...lines.slice(0, -1), `${lines.at(-1)?.replace("dollé", "dolly") ?? ""}\n`].join("\n");
    expect(changed).toHaveLength(whole.length);
    expect(await readJournal(fixed(new TextEncoder().encode(changed)))).toMatchObject({
      events: [{ seq: 11 }, { seq: 12 }, { seq: 13 }],
    });
  });

  test("of another version is not read", async () => {
    const newer = new TextEncoder().encode(encodeLine({ ...HEADER, journal: 2 }));
    await expect(readJournal(fixed(newer))).rejects.toMatchObject({
      diagnostics: [{ code: "journal_unreadable" }],
      undecided: true,
    });
  });

  test.each([
    ["an event of an unknown kind", `${encodeLine(HEADER)}${encodeLine({ seq: 11, kind: "toString" })}`, "Line 2"],
    ["an event without its record", `${encodeLine(HEADER)}${encodeLine({ seq: 11, kind: "done", of: 1 })}`, "Line 2"],
    ["a header without its serial", encodeLine({ journal: 1, lineage: "line" }), "Line 1"],
    [
      "a line with a checksum that is not JSON",
      `${encodeLine(HEADER)}${checksum("{")} {\n${encodeLine(FACTS[0] ?? {})}`,
      "Line 2",
    ],
  ])("with %s is damaged, although each checksum is right", async (_name, text, line) => {
    const bytes = { name: "s.journal", read: () => Promise.resolve(new TextEncoder().encode(text)) } as JournalBytes;
    await expect(readJournal(bytes)).rejects.toMatchObject({
      diagnostics: [{ code: "journal_unreadable", detail: expect.stringContaining(line) }],
    });
  });

  test("numbers its events on from what the state has folded in, and is read as it was written", async () => {
    const bytes = memoryJournal();
    const journal = openJournal(bytes, HEADER);
    expect(await journal.begin(FACTS.slice(0, 2), NEVER)).toEqual([11, 12]);
    await journal.record(FACTS.slice(2, 3));
    expect(await readJournal(bytes)).toEqual({ header: HEADER, events: journal.recorded() });
    expect(journal.recorded().map(({ seq, kind }) => [seq, kind])).toEqual([
      [11, "listed"],
      [12, "intent"],
      [13, "done"],
    ]);
  });

  test("tells after a crash at any byte exactly the events that were whole, in their order", async () => {
    const whole = await written();
    const all = await eventsIn(fixed(whole));
    expect(all).toHaveLength(FACTS.length);
    for (let length = 0; length <= whole.length; length++) {
      const cut = whole.slice(0, length);
      const lines = cut.filter((byte) => byte === 0x0a).length;
      if (lines === 0) expect(await readJournal(fixed(cut)), String(length)).toBe("unfinished");
      else expect(await eventsIn(fixed(cut)), String(length)).toEqual(all.slice(0, lines - 1));
    }
  });

  test.each([0, 1, 2, 3])(
    "is not understood when line %i, which is not the last, is damaged at any byte",
    async (line) => {
      const whole = await written();
      const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at] : []));
      const start = line === 0 ? 0 : (ends[line - 1] ?? 0) + 1;
      for (let at = start; at < (ends[line] ?? 0); at++) {
        const damaged = whole.slice();
        damaged[at] = (damaged[at] ?? 0) ^ 1;
        await expect(readJournal(fixed(damaged)), String(at)).rejects.toMatchObject({
          diagnostics: [{ code: "journal_unreadable" }],
        });
      }
    },
  );

  test("ignores zeros that a crash has left at its end", async () => {
    const whole = await written();
    expect(await eventsIn(fixed(Uint8Array.from([...whole, ...new Uint8Array(64)])))).toHaveLength(FACTS.length);
  });

  test("takes nothing more once something could not be written", async () => {
    let writes = 0;
    const bytes: JournalBytes = {
      ...memoryJournal(),
      append: () => (++writes === 2 ? Promise.reject(new Error("ENOSPC")) : Promise.resolve()),
    };
    const journal = openJournal(bytes, HEADER);
    await journal.begin([fact(intent(0))], NEVER);
    await expect(journal.record([{ kind: "done", of: 11, record: null }])).rejects.toThrow("ENOSPC");
    await expect(journal.begin([fact(intent(0))], NEVER)).rejects.toThrow("ENOSPC");
    await expect(journal.record([{ kind: "done", of: 11, record: null }])).rejects.toThrow("ENOSPC");
    expect(writes).toBe(2);
    expect(journal.recorded()).toHaveLength(1);
  });

  test("begins nothing for a run that must stop, but records the outcomes of begun writes", async () => {
    const journal = openJournal(memoryJournal(), HEADER);
    const stop = new AbortController();
    const [of = 0] = await journal.begin([fact(intent(0))], stop.signal);
    stop.abort(new Error("stop"));
    await expect((async () => journal.begin([fact(intent(0))], stop.signal))()).rejects.toThrow("stop");
    await journal.record([{ kind: "done", of, record: null }]);
    expect(journal.recorded().map(({ kind }) => kind)).toEqual(["intent", "done"]);
  });

  test("begins with its header and keeps its order when several write to it at once, however slow the disk", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const files = memoryFiles({ delay: () => scheduler.schedule(Promise.resolve()) });
        const bytes = journalFile("work/s.journal", files, () => Promise.resolve());
        const journal = openJournal(bytes, HEADER);
        await scheduler.waitFor(
          Promise.all([0, 1, 2].map((name) => journal.begin([fact(intent(0, { address: String(name) }))], NEVER))),
        );
        expect(files.calls.filter((call) => call.startsWith("openAppend"))).toHaveLength(1);
        const read = await scheduler.waitFor(eventsIn(bytes));
        expect(read).toEqual(journal.recorded());
        expect(read.map(({ seq }) => seq)).toEqual([11, 12, 13]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the intents without an outcome", () => {
  test.each([
    ["one that nothing is known of", [intent(1)], [[1, false, null]]],
    ["one that is done", [intent(1), { seq: 2, kind: "done", of: 1, record: null }], []],
    ["one that failed", [intent(1), { seq: 2, kind: "failed", of: 1, code: "no" }], []],
    [
      "one that was left open, with the cause",
      [intent(1), { seq: 2, kind: "undecided", of: 1, cause: "reset", answered: true }],
      [[1, false, "reset"]],
    ],
    [
      "a replace between its halves",
      [intent(1, { op: "replace" }), { seq: 2, kind: "deleted", of: 1 }],
      [[1, true, null]],
    ],
    [
      "a replace whose second half was left open",
      [
        intent(1, { op: "replace" }),
        { seq: 2, kind: "deleted", of: 1 },
        { seq: 3, kind: "undecided", of: 1, cause: "reset", answered: true },
      ],
      [[1, true, "reset"]],
    ],
    [
      "several, in their order",
      [intent(1), intent(2), { seq: 3, kind: "done", of: 1, record: null }, intent(4)],
      [
        [2, false, null],
        [4, false, null],
      ],
    ],
    [
      "none for outcomes of intents that are not there",
      [{ seq: 1, kind: "undecided", of: 9, cause: "reset", answered: true }],
      [],
    ],
  ] as const)("are: %s", (_, events, expected) => {
    expect(pendingIntents(events).map(({ intent: { seq }, deleted, cause }) => [seq, deleted, cause])).toEqual(
      expected,
    );
  });
});

describe("a run on a store with a journal", () => {
  const begun = async () => {
    const store = localStore("work/s.json", {
      files: memoryFiles(),
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });
    await store.write(encodeState(document()), null, NEVER);
    const journal = openRunJournal(store, await readState(store, countingRandom(), NEVER), {
      clock: virtualClock(),
      process: processOf(),
    });
    return { store, journal };
  };

  test("stores its intents there, not by windows, and ends with what became of them", async () => {
    const { store, journal } = await begun();
    expect(journal.windows).toBeUndefined();
    expect((await journal.end()).hasFacts).toBe(false);
    const [of = 0] = await journal.begin([fact(intent(0))], NEVER);
    expect(store.journal && (await readJournal(store.journal))).toMatchObject({
      header: { journal: 1, lineage: "line", baseSerial: 3, baseSeq: 10 },
      events: [{ seq: 11, kind: "intent" }],
    });
    await journal.record([{ kind: "done", of, record: KITE }]);
    const { open, hasFacts } = await journal.end();
    expect([hasFacts, open.document.instances.map(({ address }) => address), open.document.pending]).toEqual([
      true,
      ["toy_thing.ball", "toy_thing.kite"],
      [],
    ]);
  });

  test("begins nothing once it is interrupted, or its lock is lost, and still records results", async () => {
    const { store, journal } = await begun();
    await expect(journal.begin([fact(intent(0))], AbortSignal.abort(new Error("interrupted")))).rejects.toThrow(
      "interrupted",
    );
    const { id } = await store.lock(HOLDER, 0, NEVER);
    const [of = 0] = await journal.begin([fact(intent(0))], NEVER);
    await store.forceUnlock(id, NEVER);
    await expect(journal.begin([fact(intent(0))], NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "lock_lost" }],
    });
    await journal.record([{ kind: "done", of, record: KITE }]);
    expect((await eventsIn(store.journal ?? expect.fail("no journal"))).map(({ kind }) => kind)).toEqual([
      "intent",
      "done",
    ]);
  });
});

describe("a state with a journal next to it", () => {
  async function stateWith(
    header: Partial<JournalHeader>,
    facts: readonly JournalFact[] = FACTS,
    stored: ReturnType<typeof document> | null = document(),
  ) {
    const store = localStore("work/s.json", {
      files: memoryFiles(),
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });
    if (stored) await store.write(encodeState(stored), null, NEVER);
    if (!store.journal) throw new Error("no journal");
    const journal = openJournal(store.journal, { ...HEADER, ...header });
    await journal.begin(facts, NEVER);
    return store;
  }

  test("is the state as the journal left it, with what is undecided", async () => {
    const store = await stateWith({});
    const open = await readState(store, countingRandom(), NEVER);
    expect(open.document.instances.map(({ address }) => address)).toEqual(["toy_thing.ball", "toy_thing.kite"]);
    expect(open.pending.map(({ intent: { address } }) => address)).toEqual(["toy_thing.dollé"]);
    expect(open.document).toMatchObject({ serial: 3, journalSeq: 14 });
  });

  test("is not changed by reading it", async () => {
    const store = await stateWith({});
    const before = [(await store.read(NEVER))?.version, await store.journal?.read()];
    await readState(store, countingRandom(), NEVER);
    expect([(await store.read(NEVER))?.version, await store.journal?.read()]).toEqual(before);
  });

  test("is the same when the journal is replayed after it was folded in, as after a crash before its removal", async () => {
    const store = await stateWith({});
    const open = await readState(store, countingRandom(), NEVER);
    await writeState(store, open, NEVER);
    const again = await readState(store, countingRandom(), NEVER);
    expect(again.document).toEqual({ ...open.document, serial: 4 });
    expect(again.pending).toEqual(open.pending);
    expect(again.journal).not.toBeNull();
    await foldInto(store, again, NEVER);
    expect(await store.journal?.read()).toBeNull();
    expect((await readState(store, countingRandom(), NEVER)).document).toEqual({ ...open.document, serial: 5 });
  });

  test("of another state stops everything, undecided, and is set aside by what may store something, under a name that is said", async () => {
    const files = memoryFiles();
    const store = localStore("work/s.json", {
      files,
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });
    await store.write(encodeState(document()), null, NEVER);
    if (!store.journal) throw new Error("no journal");
    await openJournal(store.journal, { ...HEADER, lineage: "other" }).begin(FACTS, NEVER);
    const told = files.text("work/s.json.journal");
    await expect(readState(store, countingRandom(), NEVER)).rejects.toMatchObject({
      undecided: true,
      diagnostics: [{ code: "journal_foreign" }],
    });
    expect(files.text("work/s.json.journal")).toBe(told);
    await expect(readState(store, countingRandom(), NEVER, { setsAside: true })).rejects.toMatchObject({
      undecided: true,
      diagnostics: [
        {
          code: "journal_foreign",
          detail: expect.stringContaining("work/s.json.journal.other-10"),
          ways: [{ kind: "list-live" }, { kind: "plan" }],
        },
      ],
    });
    expect(files.text("work/s.json.journal.other-10")).toBe(told);
    expect((await readState(store, countingRandom(), NEVER)).document.instances).toEqual(document().instances);
  });

  test("without any state stops everything, undecided, and stays", async () => {
    const store = await stateWith({}, FACTS, null);
    await expect(readState(store, countingRandom(), NEVER)).rejects.toMatchObject({
      undecided: true,
      diagnostics: [{ code: "journal_foreign", detail: expect.stringContaining("its state is missing") }],
    });
    expect(await store.journal?.read()).not.toBeNull();
  });

  test("newer than the state, as when a backup was restored, is passed on; nothing is folded in, and nothing may be written over it", async () => {
    const store = await stateWith({ baseSerial: 4 });
    const open = await readState(store, countingRandom(), NEVER);
    expect(open.document).toEqual(document());
    expect(open.restored?.events).toHaveLength(FACTS.length);
    for (const write of [writeState(store, open, NEVER), foldInto(store, open, NEVER)]) {
      await expect(write).rejects.toMatchObject({
        undecided: true,
        diagnostics: [{ code: "journal_foreign", detail: expect.stringContaining("older state was restored") }],
      });
    }
    expect(await store.journal?.read()).not.toBeNull();
  });

  test("is new, with a lineage and a salt of its own, when there is neither", async () => {
    const open = await readState(memoryStore(virtualClock()), countingRandom(), NEVER);
    expect(open).toMatchObject({
      version: null,
      journal: null,
      pending: [],
      document: { serial: 0, lineage: "uuid-1", salt: "07".repeat(16), instances: [] },
    });
  });

  test("loses its journal only after the state holds it, whichever call the disk fails at", async () => {
    const prepare = async () => {
      const files = memoryFiles();
      const store = localStore("work/s.json", {
        files,
        clock: virtualClock(),
        random: countingRandom(),
        process: processOf(),
      });
      await store.write(encodeState(document()), null, NEVER);
      if (!store.journal) throw new Error("no journal");
      await openJournal(store.journal, HEADER).begin(FACTS, NEVER);
      return { files, store, open: await readState(store, countingRandom(), NEVER) };
    };
    const probe = await prepare();
    const before = probe.files.calls.length;
    await foldInto(probe.store, probe.open, NEVER);
    const wanted = (await readState(probe.store, countingRandom(), NEVER)).document;
    for (let at = 0; at < probe.files.calls.length - before; at++) {
      for (const done of ["nothing", "half", "all"] as const) {
        const { files, store, open } = await prepare();
        files.fail({ at, code: "CRASH", done });
        await foldInto(store, open, NEVER).catch(() => undefined);
        files.fail(null);
        const after = await readState(store, countingRandom(), NEVER);
        expect({ ...after.document, serial: 0 }, `${String(at)} ${done}`).toEqual({ ...wanted, serial: 0 });
      }
    }
  });
});
