import { describe, expect, test } from "vitest";
import { decodeState, encodeState } from "../../../src/core/state/document.ts";
import type { Intent, JournalEvent, JournalFact } from "../../../src/core/state/journal-event.ts";
import { memoryPlace, memoryStore } from "./memory-store.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import { openRunJournal } from "../../../src/core/state/run-journal.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { recorded } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { NEVER, countingRandom, document, intent, processOf } from "./state-fixtures.ts";

const WRITE_MS = 50;
const SEND_WITHIN_MS = 1000;

function fact(name: string, more: Partial<Intent> = {}): JournalFact {
  const { seq: _, ...rest } = intent(0, { address: `toy_thing.${name}`, ...more });
  return rest;
}

/** A store whose writes take a while, and fail from one on; and what each of them held, by name. */
async function openRun({
  failsAt = Number.POSITIVE_INFINITY,
  sendWithinMs = SEND_WITHIN_MS,
  pending = [] as readonly JournalEvent[],
} = {}) {
  const clock = virtualClock();
  const kept = memoryStore(clock, memoryPlace());
  await kept.write(encodeState(document({ instances: [], pending })), null, NEVER);
  const stored = async () => decodeState((await kept.read(NEVER))?.bytes ?? new Uint8Array(), "s");
  const pendingNow = async (): Promise<readonly string[]> => {
    const now = await stored();
    return now.pending.flatMap((event) =>
      event.kind === "intent" ? [String(event.address).replace("toy_thing.", "")] : [],
    );
  };
  let writes = 0;
  const store: StateStore = {
    ...kept,
    write: async (bytes, expected, signal) => {
      await clock.sleep(WRITE_MS, NEVER);
      if (writes++ >= failsAt) throw new Error("the state's server is not there");
      return kept.write(bytes, expected, signal);
    },
  };
  const journal = openRunJournal(store, await readState(store, countingRandom(), NEVER), {
    clock,
    process: processOf(),
    sendWithinMs,
  });
  const { windows } = journal;
  if (!windows) throw new Error("this journal has no windows");
  const begin = async (name: string, more: Partial<Intent> = {}): Promise<number> =>
    (await journal.begin([fact(name, more)], NEVER))[0] ?? 0;
  const send = (of: number) => journal.beforeRequest(of, NEVER);
  return { clock, store, kept, journal, windows, begin, send, stored, pendingNow, writes: () => writes };
}

const names = (count: number, prefix = "n"): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index)}`);

describe("a journal by windows", () => {
  test("stores what is begun together with one write, before any of it is begun", async () => {
    const { begin, pendingNow, writes } = await openRun();
    const seen = await Promise.all(names(8).map(async (name) => [await begin(name), await pendingNow()] as const));
    expect(writes()).toBe(1);
    for (const [seq, pending] of seen) expect([seq, pending]).toEqual([expect.any(Number), names(8)]);
    expect(new Set(seen.map(([seq]) => seq)).size).toBe(8);
  });

  test("names its process in what it stores, until it ends", async () => {
    const { begin, send, journal, stored } = await openRun();
    const mark = { host: "here", bootId: "boot-1", pidNamespace: "pid:[1]", pid: 10, startedAt: "100" };
    await send(await begin("kite"));
    expect((await stored()).sender).toEqual(mark);
    await send(await begin("ball"));
    expect((await stored()).sender).toEqual(mark);
    expect((await journal.end()).open.document.sender).toBeUndefined();
  });

  test("does not name its process as that of writes that an earlier run left open", async () => {
    const { begin, stored, pendingNow } = await openRun({ pending: [intent(1)] });
    await begin("ball");
    expect([(await stored()).sender, await pendingNow()]).toEqual([undefined, ["kite", "ball"]]);
  });

  test("announces 20 requests with a write, a replace as two", async () => {
    const { begin, pendingNow } = await openRun();
    const replaces = names(12).map((name) => begin(name, { op: "replace", id: "id_1" }));
    await Promise.all(replaces.slice(0, 10));
    expect(await pendingNow()).toEqual(names(10));
  });

  test("writes the next window while the one before is being sent, so that nothing waits for it, and without waiting for results", async () => {
    const { clock, begin, send, writes } = await openRun({ sendWithinMs: 10_000 });
    let waitedMs = 0;
    const work = names(100).map(async (name) => ({ of: await begin(name) }));
    for (const [index, one] of work.entries()) {
      const beganMs = clock.monotonicMs();
      const { of } = await one;
      if (index > 0) waitedMs += clock.monotonicMs() - beganMs;
      await send(of);
      await clock.sleep(100, NEVER);
    }
    expect(writes()).toBe(5);
    expect(waitedMs).toBe(0);
  });

  test("writes the next window once ten announced requests are left to send, and not before", async () => {
    const { clock, begin, send, writes } = await openRun({ sendWithinMs: 10_000 });
    const first = await Promise.all(names(20).map((name) => begin(name)));
    const late = begin("late");
    for (const of of first.slice(0, 9)) await send(of);
    await clock.sleep(1000, NEVER);
    expect(writes()).toBe(1);
    await send(first[9] ?? 0);
    await late;
    expect(writes()).toBe(2);
  });

  test("says with a window what became of those before, and with the last write what became of all", async () => {
    const { begin, send, journal, store, pendingNow } = await openRun();
    const ball = await begin("ball");
    await send(ball);
    await journal.record([{ kind: "done", of: ball, record: recorded("ball") }]);
    await send(await begin("kite"));
    expect(await pendingNow()).toEqual(["kite"]);
    expect((await readState(store, countingRandom(), NEVER)).document.instances.map(({ address }) => address)).toEqual([
      "toy_thing.ball",
    ]);
    const { open, hasFacts } = await journal.end();
    expect(hasFacts).toBe(true);
    expect(open.document).toMatchObject({
      serial: 5,
      instances: [recorded("ball")],
      pending: [expect.objectContaining({ address: "toy_thing.kite" })],
    });
  });

  test("stores with a write that is announced when it is sent at the latest, and announces it again before it would be sent later", async () => {
    const { clock, begin, send, store, writes } = await openRun();
    const sentAtMs = async (): Promise<unknown> =>
      (await readState(store, countingRandom(), NEVER)).pending[0]?.intent.sentAtMs;
    const [of] = [await begin("ball")];
    expect(Number(await sentAtMs())).toBeGreaterThan(clock.now());
    await clock.sleep(3 * SEND_WITHIN_MS, NEVER);
    await send(of);
    expect(writes()).toBe(2);
    expect(Number(await sentAtMs())).toBeGreaterThanOrEqual(clock.now());
  });

  test("sends nothing more once a write has failed, not even what was announced before", async () => {
    const { begin, send, journal } = await openRun({ failsAt: 1 });
    const first = await Promise.all(names(20).map((name) => begin(name)));
    for (const of of first.slice(0, 12)) await send(of);
    const failure = "the state's server is not there";
    await expect(begin("late")).rejects.toThrow(failure);
    await expect(send(first[12] ?? 0)).rejects.toThrow(failure);
    await expect(begin("later")).rejects.toThrow(failure);
    const { open } = await journal.end();
    // Only what was sent stays open, and the serial is another one than that of the write that failed.
    expect(open.pending).toEqual([]);
    expect(open.document.pending.filter(({ kind }) => kind === "intent")).toHaveLength(12);
    expect(open.document.serial).toBe(5);
  });

  test("drops what was announced and not sent", async () => {
    const { begin, send, windows, journal, pendingNow } = await openRun();
    const [withdrawn = 0, sent = 0] = await Promise.all(["withdrawn", "sent", "left"].map((name) => begin(name)));
    windows.withdraw(withdrawn);
    await send(sent);
    windows.withdraw(sent);
    await begin("next");
    expect(await pendingNow()).toEqual(["sent", "left", "next"]);
    const { open } = await journal.end();
    expect(open.document.pending).toMatchObject([{ address: "toy_thing.sent" }]);
  });

  test("begins nothing for a run that is interrupted while it waits for a window", async () => {
    const { begin, journal, pendingNow } = await openRun();
    await Promise.all(names(20).map((name) => begin(name)));
    const stop = new AbortController();
    const waiting = journal.begin([fact("late")], stop.signal).then(
      () => "begun",
      (error: unknown) => String(error),
    );
    stop.abort(new Error("interrupted"));
    expect(await waiting).toContain("interrupted");
    await journal.end();
    expect(await pendingNow()).toEqual(names(20));
  });

  test("has nothing to store for a run that has told nothing", async () => {
    const { journal, writes } = await openRun();
    expect(await journal.end()).toMatchObject({ hasFacts: false, open: { document: document({ instances: [] }) } });
    expect(writes()).toBe(0);
  });
});
