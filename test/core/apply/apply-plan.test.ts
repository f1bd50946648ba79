import { hasErrors } from "../../../src/core/model/diagnostic.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/core/apply/run/apply-plan.ts";
import type { ApplyContext } from "../../../src/core/apply/run/apply-context.ts";
import type { Progress } from "../../../src/core/apply/run/progress.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { type Journal, type PendingIntent, pendingIntents } from "../../../src/core/state/journal-event.ts";
import { memoryJournal } from "../state/memory-journal.ts";
import { document, intent } from "../state/state-fixtures.ts";
import { NO_STATEMENTS, declared, listing, live, recorded, toys } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type ToyRunOptions, refused, toyRun, unsure } from "./toy-run.ts";

interface Setting extends ToyRunOptions {
  readonly declarations?: readonly Declaration[];
  readonly instances?: readonly RecordedInstance[];
  readonly pending?: readonly PendingIntent[];
  readonly approved?: boolean;
  readonly report?: (progress: Progress) => void;
  /** Where writes are begun ahead of their requests. */
  readonly windowed?: Pick<Journal, "beforeRequest" | "windows">;
}

/** Plans and applies: what is recorded is live. */
function setUp(setting: Setting) {
  const { declarations = [], instances = [] } = setting;
  const objects = instances.map(({ id, attributes }) =>
    live(String(attributes["name"]), { id, room: attributes["room"] ?? null }),
  );
  const run = toyRun({ objects, managed: objects.map(({ id }) => id), ...setting });
  const plan: Plan = makePlan({
    catalog: toys,
    declarations,
    instances,
    live: new Map([["toy_thing", listing(objects)]]),
    limits: {},
    options: PLAIN_OPTIONS,
    undecided: [],
    ...NO_STATEMENTS,
  });
  expect(hasErrors(plan.diagnostics)).toBe(false);
  const progress: Progress[] = [];
  const journal = { ...run.journal, ...setting.windowed };
  const context: ApplyContext = {
    catalog: toys,
    markOf: () => undefined,
    instances,
    declarations,
    pending: setting.pending ?? [],
    approved: setting.approved ?? false,
    isApplied: true,
    secretsOf: () => ({}),
    write: () => ({ ...run.context, journal }),
    journal,
    clock: run.context.clock,
    report: (one) => {
      progress.push(one);
      setting.report?.(one);
    },
    stop: run.context.signal,
  };
  const state = () => fold(document({ journalSeq: 0, instances }), run.journal.recorded());
  return { run, progress, apply: () => applyPlan(plan, context), state };
}

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `toy${String(index).padStart(2, "0")}`);
const requests = (log: readonly string[]): readonly string[] => log.filter((entry) => /^(POST|DELETE)/.test(entry));

describe("a plan that is carried out", () => {
  test("records first, then deletes, replaces and creates, and counts what was done", async () => {
    const { run, apply, state } = setUp({
      declarations: [declared("a"), declared("b", { room: "attic" }), declared("c", { allow_duplicate: true })],
      instances: [recorded("b"), recorded("c"), recorded("d")],
    });
    expect(await apply()).toEqual({
      counts: { import: 0, add: 2, change: 1, destroy: 2, forget: 0 },
      diagnostics: [],
      undecided: false,
      needsResolve: false,
      unresolved: [],
      provisional: [],
      waiting: [],
      skipped: 0,
    });
    expect(run.log.find((entry) => entry !== "GET")).toBe("recorded");
    expect(requests(run.log)).toEqual(["DELETE id_d", "DELETE id_b", "POST b", "POST a"]);
    expect(state().instances.map(({ address, id }) => [address, id])).toEqual([
      ["toy_thing.a", "new_2"],
      ["toy_thing.b", "new_1"],
      ["toy_thing.c", "id_c"],
    ]);
  });

  test("sends nothing for what is only recorded or forgotten", async () => {
    const { run, apply, state } = setUp({
      declarations: [declared("b", { name: "B" })],
      instances: [recorded("b"), recorded("gone")],
      objects: [live("b")],
    });
    run.live.removed("id_gone");
    const { counts } = await apply();
    expect(counts.change).toBe(1);
    expect(state().instances[0]?.attributes["name"]).toBe("B");
    expect(requests(run.log)).toEqual(["DELETE id_gone"]);
  });

  test("records an unobserved value that is declared now as known", async () => {
    const { apply, state } = setUp({
      declarations: [declared("b", { shiny: true })],
      instances: [recorded("b", {}, { unobserved: ["shiny", "secret"], unapplied: true })],
    });
    await apply();
    expect(state().instances[0]).toMatchObject({
      attributes: { shiny: true },
      unobserved: ["secret"],
      assumed: ["shiny"],
    });
    expect(state().instances[0]).not.toHaveProperty("unapplied");
  });

  test("has at most four requests under way, and all four", async () => {
    const clock = virtualClock();
    const answer = async () => void (await clock.sleep(100, new AbortController().signal));
    const { run, apply } = setUp({ declarations: names(12).map((name) => declared(name)), clock, answer });
    expect((await apply()).counts.add).toBe(12);
    expect(run.mostAtOnce()).toBe(4);
    expect(clock.monotonicMs()).toBe(300);
  });

  test("has one request of the same identity under way at a time", async () => {
    const clock = virtualClock();
    const answer = async () => void (await clock.sleep(100, new AbortController().signal));
    const declarations = names(5).map((name) =>
      declared(name, { name: Number(name.slice(3)) % 2 ? "Duplicate" : "duplicate", allow_duplicate: true }),
    );
    const { run, apply } = setUp({ declarations, clock, answer });
    expect((await apply()).counts.add).toBe(5);
    expect(run.mostAtOnce()).toBe(1);
  });

  test("deletes a key before it creates the same key", async () => {
    const { run, apply } = setUp({
      declarations: [declared("new", { name: "same" })],
      instances: [recorded("old", { name: "same" })],
    });
    await apply();
    expect(requests(run.log)).toEqual(["DELETE id_old", "POST same"]);
  });

  test("tells what begins and what ends", async () => {
    const { progress, apply } = setUp({
      declarations: [declared("a")],
      instances: [recorded("z")],
      answer: (request) => (request.startsWith("POST") ? refused() : undefined),
    });
    await apply();
    expect(progress.map(({ kind, phase, address, id }) => `${kind} ${phase} ${address} ${String(id)}`)).toEqual([
      "start delete toy_thing.z id_z",
      "complete delete toy_thing.z null",
      "start create toy_thing.a null",
      "errored create toy_thing.a null",
    ]);
  });
});

describe("a replace is journaled as a delete and a create", () => {
  const REFUSED_CREATE = (request: string) => (request.startsWith("POST") ? refused() : undefined);
  const REFUSED_DELETE = (request: string) => (request.startsWith("DELETE") ? refused() : undefined);
  test.each<readonly [name: string, rotation: string, answer: Setting["answer"], told: readonly string[]]>([
    [
      "",
      "delete_first",
      undefined,
      ["start delete id_a", "complete delete null, half", "start create null", "complete create new_1, gap"],
    ],
    [
      "of which the create is refused",
      "delete_first",
      REFUSED_CREATE,
      ["start delete id_a", "complete delete null, half", "start create null", "errored create null"],
    ],
    ["of which the delete is refused", "delete_first", REFUSED_DELETE, ["start delete id_a", "errored delete null"]],
    [
      "that creates first",
      "create_first",
      undefined,
      ["start create null", "complete create new_1, half", "start delete id_a", "complete delete null"],
    ],
    [
      "that creates first, and is refused that",
      "create_first",
      REFUSED_CREATE,
      ["start create null", "errored create null"],
    ],
    [
      "that creates first, and may not delete",
      "create_first",
      REFUSED_DELETE,
      ["start create null", "complete create new_1, half", "start delete id_a", "errored delete null"],
    ],
  ])("%s (%s)", async (_name, rotation, answer, told) => {
    const { progress, apply } = setUp({
      declarations: [declared("a", { room: "attic", rotation })],
      instances: [recorded("a", { rotation })],
      ...(answer ? { answer } : {}),
    });
    await apply();
    expect(
      progress.map(
        ({ kind, phase, id, half, gapMs }) =>
          `${kind} ${phase} ${String(id)}${half ? ", half" : ""}${gapMs === undefined ? "" : ", gap"}`,
      ),
    ).toEqual(told);
  });
});

test("progress tells how long each request took, also the second half of a replace", async () => {
  for (const [rotation, first, second] of [
    ["delete_first", 70, 30],
    ["create_first", 30, 70],
  ] as const) {
    const clock = virtualClock(5000);
    await clock.sleep(1000, new AbortController().signal);
    const { progress, apply } = setUp({
      declarations: [declared("a", { room: "attic", rotation })],
      instances: [recorded("a", { rotation })],
      clock,
      answer: async (request) =>
        void (await clock.sleep(request.startsWith("DELETE") ? 70 : 30, new AbortController().signal)),
    });
    await apply();
    expect(progress.map(({ elapsedMs }) => elapsedMs)).toEqual([0, first, 0, second]);
  }
});

describe("writes that are begun ahead of their requests", () => {
  function withWindows() {
    const log: string[] = [];
    const windowed: Setting["windowed"] = {
      beforeRequest: (of) => Promise.resolve(void log.push(`sending ${String(of)}`)),
      windows: { ahead: 20, withdraw: (of) => void log.push(`withdraw ${String(of)}`) },
    };
    return { windowed, log };
  }

  test("are all announced before the first is answered, sent once each, and withdrawn when they are over", async () => {
    const { windowed, log } = withWindows();
    let announced = 0;
    const { run, apply, state } = setUp({
      declarations: names(12).map((name) => declared(name)),
      windowed,
      answer: () => void (announced ||= run.log.filter((entry) => entry.startsWith("intent")).length),
    });
    expect((await apply()).counts.add).toBe(12);
    expect(announced).toBeGreaterThan(8);
    expect([run.mostAtOnce(), requests(run.log).length, state().instances.length]).toEqual([4, 12, 12]);
    for (const entry of ["sending", "withdraw"]) expect(log.filter((one) => one.startsWith(entry))).toHaveLength(12);
  });

  test("that must not begin are said once, and neither announced nor sent", async () => {
    const { windowed } = withWindows();
    const { run, apply } = setUp({
      declarations: [
        declared("new", { name: "same" }),
        declared("b", { name: "kite", allow_duplicate: true }),
        declared("c", { name: "kite", allow_duplicate: true }),
      ],
      instances: [recorded("old", { name: "same" })],
      answer: (request) => (request.startsWith("DELETE") ? refused() : request === "POST kite" ? unsure : undefined),
      windowed,
    });
    const { diagnostics } = await apply();
    expect(diagnostics.map(({ code, address }) => `${code} ${String(address)}`).toSorted()).toEqual([
      "create_held_back toy_thing.new",
      "create_waits toy_thing.c",
      "outcome_undecided toy_thing.b",
      "toy_refused toy_thing.old",
    ]);
    expect(diagnostics.find(({ code }) => code === "create_waits")?.detail).toMatch(/^toy_thing.c: /);
    expect(run.log.filter((entry) => entry.startsWith("intent"))).toEqual([
      "intent delete toy_thing.old",
      "intent create toy_thing.b",
    ]);
  });

  test("and are not sent any more after an interruption are withdrawn", async () => {
    const { windowed, log } = withWindows();
    const stop = new AbortController();
    const clock = virtualClock();
    const { run, apply } = setUp({
      declarations: names(12).map((name) => declared(name)),
      windowed,
      clock,
      stop: stop.signal,
      answer: async () => {
        await clock.sleep(100, new AbortController().signal);
        stop.abort(new Error("interrupted"));
        return undefined;
      },
    });
    expect(await apply()).toMatchObject({ skipped: 8, undecided: false, diagnostics: [] });
    const begun = run.log.filter((entry) => entry.startsWith("intent")).length;
    expect(requests(run.log)).toHaveLength(4);
    expect(log.filter((one) => one.startsWith("withdraw"))).toHaveLength(begun);
    expect(begun).toBeGreaterThan(4);
  });

  test("fail the apply where they cannot be announced", async () => {
    const { windowed } = withWindows();
    const bytes = memoryJournal();
    const journal = { ...bytes, append: () => Promise.reject(new Error("the state's server is not there")) };
    const { run, apply } = setUp({ declarations: [declared("a")], windowed, journal });
    await expect(apply()).rejects.toThrow("the state's server is not there");
    expect(requests(run.log)).toEqual([]);
  });
});

describe("a plan that cannot be carried out", () => {
  test("goes on after what was refused, and says where it stands", async () => {
    const place = { file: "toys.yaml", line: 3 };
    const { apply, state } = setUp({
      declarations: [declared("a", {}, { locate: () => place }), declared("b")],
      answer: (request) => (request === "POST a" ? refused() : undefined),
    });
    expect(await apply()).toMatchObject({
      counts: { add: 1 },
      diagnostics: [{ code: "toy_refused", address: "toy_thing.a", place }],
      undecided: false,
      skipped: 0,
    });
    expect(state().instances.map(({ address }) => address)).toEqual(["toy_thing.b"]);
  });

  test("does not create what would double an object that could not be deleted", async () => {
    const { run, apply, state } = setUp({
      declarations: [declared("new", { name: "same" }), declared("other")],
      instances: [recorded("old", { name: "same" })],
      answer: (request) => (request.startsWith("DELETE") ? refused() : undefined),
    });
    const { counts, diagnostics } = await apply();
    expect(requests(run.log)).toEqual(["DELETE id_old", "POST other"]);
    expect([counts.add, diagnostics.map(({ code, address }) => [code, address])]).toEqual([
      1,
      [
        ["toy_refused", "toy_thing.old"],
        ["create_held_back", "toy_thing.new"],
      ],
    ]);
    expect(state().instances.map(({ address }) => address)).toEqual(["toy_thing.old", "toy_thing.other"]);
  });

  test("still creates what the list cannot tell from a create that was refused, or from an object that could not be deleted", async () => {
    const refusedCreate = setUp({
      declarations: [declared("a", { name: "same", room: "attic" }), declared("b", { name: "same", room: "cellar" })],
      answer: () => refused(),
    });
    expect((await refusedCreate.apply()).diagnostics.map(({ code }) => code)).toEqual(["toy_refused", "toy_refused"]);
    const refusedDelete = setUp({
      declarations: [declared("b", { name: "same", room: "cellar" })],
      instances: [recorded("a", { name: "same", room: "attic" })],
      objects: [live("same", { id: "id_a", room: undefined })],
      answer: (request) => (request.startsWith("DELETE") ? refused() : undefined),
    });
    expect(await refusedDelete.apply()).toMatchObject({
      counts: { add: 1, destroy: 0 },
      undecided: false,
      diagnostics: [{ code: "toy_refused" }],
    });
  });

  test("does not create what would double an object that could not be replaced", async () => {
    const { run, apply } = setUp({
      declarations: [declared("moved", { name: "b" }), declared("new", { name: "a" })],
      instances: [recorded("moved", { name: "a" })],
      answer: (request) => (request.startsWith("DELETE") ? refused() : undefined),
    });
    const { diagnostics } = await apply();
    expect(diagnostics.map((one) => [one.code, "place" in one])).toEqual([
      ["toy_refused", false],
      ["create_held_back", false],
    ]);
    expect(requests(run.log)).toEqual(["DELETE id_moved"]);
  });

  test("says every object that is there and could not be recorded", async () => {
    const { apply } = setUp({ declarations: names(4).map((name) => declared(name)), journal: failingJournal(3) });
    const error = await apply().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      undecided: true,
      diagnostics: Array.from({ length: 4 }, () => ({ code: "outcome_not_recorded" })),
    });
  });

  test("goes on with other identities after an undecided outcome, and keeps that one pending", async () => {
    const { run, apply, state } = setUp({
      declarations: names(20).map((name) => declared(name)),
      answer: (request) => (request === "POST toy01" ? unsure : undefined),
    });
    const applied = await apply();
    expect(applied).toMatchObject({
      undecided: true,
      skipped: 0,
      diagnostics: [{ code: "outcome_undecided", address: "toy_thing.toy01" }],
    });
    expect(requests(run.log)).toHaveLength(20);
    expect(pendingIntents(state().pending).map(({ intent }) => intent.address)).toEqual(["toy_thing.toy01"]);
    expect([applied.counts.add, state().instances.length]).toEqual([19, 19]);
  });

  test.each<readonly [string, Partial<Setting>, readonly string[]]>([
    ["the list shows only the name of", {}, ["POST same"]],
    ["the list tells apart", { objects: [live("other", { room: "hall" })] }, ["POST same", "POST same"]],
  ])("begins no second create while one is undecided that %s", async (_, more, sent) => {
    const { run, apply, state } = setUp({
      declarations: [declared("a", { name: "same", room: "attic" }), declared("b", { name: "same", room: "cellar" })],
      answer: () => unsure,
      ...more,
    });
    const applied = await apply();
    expect(requests(run.log)).toEqual(sent);
    expect(pendingIntents(state().pending)).toHaveLength(sent.length);
    expect(applied.diagnostics.map(({ code, address }) => [code, address])).toEqual(
      sent.length === 1
        ? [
            ["outcome_undecided", "toy_thing.a"],
            ["create_waits", "toy_thing.b"],
          ]
        : [
            ["outcome_undecided", "toy_thing.a"],
            ["outcome_undecided", "toy_thing.b"],
          ],
    );
  });

  test("begins no create like one that an earlier run has left undecided", async () => {
    const pending = pendingIntents([intent(1, { address: "toy_thing.before", key: { name: "A", room: "attic" } })]);
    const { run, apply } = setUp({ declarations: [declared("a"), declared("b")], pending });
    expect(await apply()).toMatchObject({
      undecided: true,
      counts: { add: 1 },
      diagnostics: [{ code: "create_waits", address: "toy_thing.a" }],
    });
    expect(requests(run.log)).toEqual(["POST b"]);
  });

  test("begins no create of what a delete of an earlier run may have left", async () => {
    const pending = pendingIntents([
      intent(1, { op: "delete", address: "toy_thing.old", id: "id_old", planned: null, key: {} }),
    ]);
    const { run, apply } = setUp({
      declarations: [declared("old", { name: "kept" }), declared("a", { name: "same" })],
      instances: [recorded("old", { name: "same" })],
      pending,
    });
    expect((await apply()).diagnostics.map(({ code, address }) => [code, address])).toContainEqual([
      "create_waits",
      "toy_thing.a",
    ]);
    expect(requests(run.log)).not.toContain("POST same");
  });

  test("begins no create of what a delete of an older object may have left", async () => {
    const pending = pendingIntents([
      intent(1, { op: "delete", address: "toy_thing.old", id: "older", planned: null, key: {} }),
    ]);
    const older = { id: "older", attributes: recorded("same").attributes, returned: {} };
    const { run, apply } = setUp({
      declarations: [declared("old"), declared("same"), declared("b")],
      instances: [recorded("old", {}, { deposed: [older] })],
      pending,
    });
    await apply();
    expect(requests(run.log)).not.toContain("POST same");
    expect(requests(run.log)).toContain("POST b");
  });

  test("creates nothing like what an undecided delete has left, and goes on with the rest", async () => {
    const { run, apply } = setUp({
      declarations: [declared("a"), declared("new", { name: "z" })],
      instances: [recorded("z")],
      answer: (request) => (request.startsWith("DELETE") ? unsure : undefined),
    });
    expect(await apply()).toMatchObject({
      undecided: true,
      diagnostics: [{ code: "outcome_undecided" }, { code: "create_waits", address: "toy_thing.new" }],
      waiting: ["toy_thing.new"],
    });
    expect(requests(run.log)).toEqual(["DELETE id_z", "POST a"]);
  });

  test("says loudly when a replace got no further than its delete", async () => {
    const { apply, state } = setUp({
      declarations: [declared("b", { room: "attic" })],
      instances: [recorded("b")],
      answer: (request) => (request.startsWith("POST") ? refused() : undefined),
    });
    expect(await apply()).toMatchObject({
      counts: { add: 0, destroy: 1 },
      undecided: false,
      diagnostics: [{ code: "toy_refused" }, { code: "replace_half_done", address: "toy_thing.b" }],
    });
    expect(state().instances).toEqual([]);
  });

  test("finishes what is under way when it is interrupted, and begins nothing more", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const answer = async (request: string) => {
      if (request === "POST toy01") stop.abort(new Error("interrupted"));
      await clock.sleep(100, new AbortController().signal);
      return undefined;
    };
    const { run, apply, state } = setUp({
      declarations: names(12).map((name) => declared(name)),
      clock,
      answer,
      stop: stop.signal,
    });
    const applied = await apply();
    expect(applied).toMatchObject({ skipped: 8, undecided: false });
    expect(applied.counts.add).toBe(requests(run.log).length);
    expect(applied.counts.add).toBeLessThanOrEqual(4);
    expect(state().instances).toHaveLength(applied.counts.add);
    expect(pendingIntents(state().pending)).toEqual([]);
  });

  test("does nothing when it is interrupted before it begins", async () => {
    const { run, apply } = setUp({ declarations: [declared("a")], stop: AbortSignal.abort(new Error("interrupted")) });
    expect(await apply()).toMatchObject({ skipped: 1, counts: { add: 0 } });
    expect(run.log).toEqual([]);
  });

  test.each<readonly [string, (reason: Error) => Error]>([
    ["the interruption", (reason) => reason],
    ["another error of the same meaning", () => Object.assign(new Error("aborted"), { name: "AbortError" })],
  ])("is interrupted, and has not failed, where %s ends its wait for the service", async (_, thrown) => {
    const [stop, reason] = [new AbortController(), new Error("interrupted")];
    const { run, apply, progress } = setUp({
      declarations: [declared("a")],
      stop: stop.signal,
      report: () => stop.abort(reason),
    });
    Object.assign(run.context, { access: { reserve: () => Promise.reject(thrown(reason)) } });
    expect(await apply()).toMatchObject({ skipped: 1, diagnostics: [], counts: { add: 0 } });
    expect([requests(run.log), progress.map(({ kind }) => kind)]).toEqual([[], ["start", "errored"]]);
  });

  test("has failed where anything else ends that wait, interrupted or not", async () => {
    for (const isStopped of [true, false]) {
      const stop = new AbortController();
      const { run, apply } = setUp({
        declarations: [declared("a")],
        stop: stop.signal,
        report: () => isStopped && stop.abort(new Error("interrupted")),
      });
      const name = isStopped ? "Error" : "AbortError";
      Object.assign(run.context, {
        access: { reserve: () => Promise.reject(Object.assign(new Error("no slot"), { name })) },
      });
      await expect(apply()).rejects.toThrow("no slot");
    }
  });

  function failingJournal(from: number, failed: () => void = () => undefined) {
    let appends = 0;
    const bytes = memoryJournal();
    const fail = (): Promise<never> => {
      failed();
      return Promise.reject(new Error("ENOSPC"));
    };
    return { ...bytes, append: (added: Uint8Array) => (++appends >= from ? fail() : bytes.append(added)) };
  }

  test.each([1, 2, 3, 4, 5, 6])(
    "sends nothing more once write %i of the journal fails, and fails with it",
    async (from) => {
      let before: number | null = null;
      const journal = failingJournal(from, () => (before ??= requests(run.log).length));
      const { run, apply } = setUp({ declarations: names(12).map((name) => declared(name)), journal });
      await expect(apply()).rejects.toThrow("ENOSPC");
      expect(requests(run.log)).toHaveLength(before ?? -1);
    },
  );

  test("does not hide behind an interruption that an outcome could not be stored", async () => {
    const stop = new AbortController();
    const { apply } = setUp({
      declarations: [declared("a")],
      journal: failingJournal(3),
      stop: stop.signal,
      answer: () => void stop.abort(new Error("interrupted")),
    });
    await expect(apply()).rejects.toThrow("ENOSPC");
  });
});
