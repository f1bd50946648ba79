import { describe, expect, test } from "vitest";
import { createOne } from "../../../src/core/apply/write/write.ts";
import type { Creation } from "../../../src/core/apply/write/write-context.ts";
import type { WriteOutcome } from "../../../src/core/model/definition.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { fold } from "../../../src/core/state/fold.ts";
import type { LostCreate } from "../../../src/core/state/lost-create.ts";
import { document } from "../state/state-fixtures.ts";
import { live, toy } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type ToyRun, type ToyRunOptions, refused, toyRun } from "./toy-run.ts";

const DELAY_MS = 10_000;
const KITE: Creation = {
  address: "toy_thing.kite",
  provider: "toy",
  attributes: {
    name: "kite",
    room: null,
    shiny: null,
    secret: { $secret: "aa" },
    secret_wo: null,
    allow_duplicate: null,
    id: UNKNOWN,
    made_at: UNKNOWN,
  },
  secrets: { secret: "s3cr3t" },
  allowDuplicate: false,
};
const PLAIN: WriteOutcome = { ...refused(), kind: "refused", rejected: "plain" } as WriteOutcome;
const CONFLICT = { ...PLAIN, rejected: "conflict" } as WriteOutcome;

/** A shop that answers a create in this way, and shows these objects after it. */
function rejecting(answer: WriteOutcome, after: readonly ReturnType<typeof live>[], more: ToyRunOptions = {}): ToyRun {
  const objects = new Map([...(more.objects ?? [])].map((object) => [object.id, object]));
  return toyRun({
    ...more,
    shown: () => [...objects.values()],
    answer: () => {
      for (const object of after) objects.set(object.id, object);
      return answer;
    },
  });
}

const create = (run: ToyRun) => createOne(toy, KITE, run.context);
const stateOf = ({ journal }: ToyRun, lostCreates: readonly LostCreate[] = []) =>
  fold(document({ journalSeq: 0, instances: [], lostCreates }), journal.recorded());

describe("a create that an answer rejects", () => {
  test("has failed where the list lacks it, and is remembered with the ids that it is not", async () => {
    const run = rejecting(PLAIN, [], { objects: [live("kite", { id: "id_old" }), live("ball")], managed: ["id_old"] });
    expect(await create(run)).toMatchObject({
      kind: "failed",
      diagnostic: { code: "toy_refused", detail: "The shop said no." },
    });
    expect(run.log).toEqual([
      "GET",
      "reserve 1",
      "listed",
      "intent create toy_thing.kite",
      "POST kite",
      "GET",
      "failed",
      "release",
    ]);
    expect(stateOf(run).lostCreates).toMatchObject([
      { address: "toy_thing.kite", key: { name: "kite", room: null }, preIds: ["id_old"], rejected: {} },
    ]);
    expect(stateOf(run).pending).toEqual([]);
  });

  test("is created where the list shows what it must have made", async () => {
    const run = rejecting(PLAIN, [live("kite", { id: "id_new" })], {
      objects: [live("kite", { id: "id_old" })],
      managed: ["id_old"],
    });
    const result = await create(run);
    expect(result).toMatchObject({
      kind: "done",
      record: { id: "id_new" },
      warnings: [{ code: "created_although_rejected", severity: "warning" }],
    });
    expect(run.context.isManaged("id_new")).toBe(true);
    expect(stateOf(run)).toMatchObject({ instances: [{ id: "id_new" }], lostCreates: [{ found: true }] });
  });

  test.each<readonly [string, WriteOutcome, readonly ReturnType<typeof live>[], ToyRunOptions, string]>([
    ["after a conflict", CONFLICT, [live("kite", { id: "id_new" })], {}, "The shop said no."],
    [
      "if there are two",
      PLAIN,
      [live("kite", { id: "id_1" }), live("kite", { id: "id_2" })],
      {},
      "The service's list shows id_1, id_2, which may",
    ],
    [
      "if the list before may have been cut off, and shows no times",
      PLAIN,
      [live("kite", { id: "id_new" })],
      { complete: false },
      "id_new, which may",
    ],
  ])("is not taken for created %s", async (_, answer, after, more, said) => {
    const run = rejecting(answer, after, more);
    expect(await create(run)).toMatchObject({
      kind: "failed",
      diagnostic: { detail: expect.stringContaining(said) as string },
    });
    expect(stateOf(run)).toMatchObject({ instances: [], lostCreates: [{ preIds: [] }] });
  });

  test("is remembered where the list cannot be read", async () => {
    const run = rejecting(PLAIN, [live("kite", { id: "id_new" })], { failList: (count) => count > 0 });
    expect(await create(run)).toMatchObject({
      kind: "failed",
      diagnostic: { detail: expect.stringContaining("could not be read after that") as string },
    });
    expect(stateOf(run).lostCreates).toHaveLength(1);
  });

  test("shares the list with those that wait for it", async () => {
    const run = rejecting(PLAIN, []);
    await Promise.all(
      ["a", "b", "c", "d", "e"].map((name) =>
        createOne(toy, { ...KITE, attributes: { ...KITE.attributes, name } }, run.context),
      ),
    );
    expect(run.log.filter((entry) => entry === "GET").length).toBeLessThanOrEqual(3);
    expect(stateOf(run).lostCreates).toHaveLength(5);
  });

  test("is remembered once, however often it is rejected", async () => {
    const first = rejecting(PLAIN, []);
    await create(first);
    const [lost] = stateOf(first).lostCreates;
    const later = rejecting(PLAIN, [], { lost: lost ? [lost] : [] });
    await create(later);
    expect(stateOf(later, lost ? [lost] : []).lostCreates).toHaveLength(1);
  });
});

describe("the next create of the same", () => {
  const lost = (more: Partial<LostCreate> = {}): LostCreate => ({
    type: "toy_thing",
    provider: "toy",
    address: "toy_thing.kite",
    key: { name: "kite", room: null },
    planned: { ...KITE.attributes, id: null, made_at: null },
    preIds: [],
    sentAtMs: virtualClock().now(),
    rejected: { serverDate: "" },
    ...more,
  });

  async function next(
    one: LostCreate,
    shown: readonly ReturnType<typeof live>[] = [],
    creation: Partial<Creation> = {},
  ) {
    const clock = virtualClock();
    const run = toyRun({ lost: [one], clock, shown: () => (clock.now() - one.sentAtMs >= DELAY_MS ? shown : []) });
    const result = await createOne(toy, { ...KITE, ...creation }, run.context);
    return { run, result, waitedMs: clock.now() - virtualClock().now() };
  }

  test("waits until the list must show the rejected one, reads it, and is sent where it lacks it", async () => {
    const { run, result, waitedMs } = await next(lost({ sentAtMs: virtualClock().now() - 3000 }));
    expect([result.kind, waitedMs]).toEqual(["done", 7000]);
    expect(run.log.slice(0, 2)).toEqual(["GET", "reserve 1"]);
  });

  test("records the rejected one where the list shows it, and sends nothing", async () => {
    const { run, result } = await next(lost(), [live("kite", { id: "id_new" })]);
    expect(result).toMatchObject({
      kind: "done",
      record: { id: "id_new" },
      warnings: [{ code: "created_although_rejected" }],
    });
    expect(run.log.filter((entry) => /POST|reserve/.test(entry))).toEqual([]);
    expect(stateOf(run)).toMatchObject({ instances: [{ id: "id_new" }], pending: [] });
  });

  test.each<readonly [string, Partial<LostCreate>, Partial<Creation>]>([
    ["has another secret", {}, { attributes: { ...KITE.attributes, secret: { $secret: "bb" } } }],
    ["follows a conflict", { rejected: { serverDate: "", conflict: true } }, {}],
    ["follows a list that was cut off", { rejected: { serverDate: "", partial: true } }, {}],
  ])("that %s stops at what the list shows", async (_, more, creation) => {
    const { run, result } = await next(lost(more), [live("kite", { id: "id_new" })], creation);
    expect(result).toMatchObject({ kind: "failed", diagnostic: { code: "unmanaged_duplicate" } });
    expect(run.log).toEqual(["GET"]);
  });

  test.each<readonly [string, Partial<LostCreate>]>([
    ["after the delay", { sentAtMs: virtualClock().now() - DELAY_MS }],
    ["after one of another key", { key: { name: "ball", room: null } }],
    ["after one that was found", { found: true }],
  ])("%s does not wait", async (_, more) => {
    const { result, waitedMs } = await next(lost(more));
    expect([result.kind, waitedMs]).toEqual(["done", 0]);
  });

  test("never waits longer than the delay, also where a clock was set back", async () => {
    expect((await next(lost({ sentAtMs: virtualClock().now() + 3_600_000 }))).waitedMs).toBe(DELAY_MS);
  });
});
