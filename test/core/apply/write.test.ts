import { describe, expect, test } from "vitest";
import { createOne, deleteDeposed, deleteOne, replaceOne } from "../../../src/core/apply/write/write.ts";
import { type Creation, openBaseline } from "../../../src/core/apply/write/write-context.ts";
import type { WriteOutcome } from "../../../src/core/model/definition.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { pendingIntents } from "../../../src/core/state/journal-event.ts";
import { memoryJournal } from "../state/memory-journal.ts";
import { document } from "../state/state-fixtures.ts";
import { live, irreversibleToy, recorded, toy } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { shout } from "./shop-things.ts";
import { type ToyRun, type ToyRunOptions, refused, toyRun, unsure } from "./toy-run.ts";

const SECRET = "s3cr3t-värde";

function creation(name: string, more: Partial<Creation> = {}): Creation {
  return {
    address: `toy_thing.${name}`,
    provider: "toy",
    attributes: {
      name,
      room: null,
      shiny: null,
      secret: { $secret: "aa" },
      secret_wo: null,
      allow_duplicate: null,
      id: UNKNOWN,
      made_at: UNKNOWN,
    },
    secrets: { secret: SECRET },
    allowDuplicate: false,
    ...more,
  };
}

const BALL = recorded("ball");
const bucket = { objects: [live("ball")], managed: ["id_ball"] } satisfies ToyRunOptions;
const pending = ({ journal }: ToyRun) => pendingIntents(journal.recorded());
const after = ({ journal }: ToyRun) =>
  fold(document({ journalSeq: 0, instances: [BALL] }), journal.recorded()).instances.map(({ id }) => id);

const create = (run: ToyRun, more: Partial<Creation> = {}) => createOne(toy, creation("kite", more), run.context);
const remove = (run: ToyRun) => deleteOne(toy, BALL, run.context);
const replace = (run: ToyRun) => replaceOne(toy, { instance: BALL, creation: creation("ball") }, run.context);

describe("a create", () => {
  test("is stored before it is sent, and its outcome after", async () => {
    const run = toyRun(bucket);
    expect(await create(run)).toMatchObject({ kind: "done", record: { id: "new_1", address: "toy_thing.kite" } });
    expect(run.log).toEqual([
      "GET",
      "reserve 1",
      "listed",
      "intent create toy_thing.kite",
      "POST kite",
      "done",
      "release",
    ]);
    expect(pending(run)).toEqual([]);
    expect(after(run)).toEqual(["id_ball", "new_1"]);
  });

  test("stores by what it can be found again: identity, the ids before it, the service's time", async () => {
    const run = toyRun(bucket);
    await create(run);
    const [listed, intent] = run.journal.recorded();
    expect(listed).toMatchObject({ kind: "listed", ids: ["id_ball"] });
    expect(intent).toMatchObject({
      key: { name: "kite", room: null },
      listed: listed?.seq,
      serverDate: expect.stringContaining("2026"),
      planned: { id: null, made_at: null },
    });
  });

  test("stores the ids that were there before once for all creates", async () => {
    const run = toyRun(bucket);
    await create(run);
    await createOne(toy, creation("doll"), run.context);
    expect(run.log.filter((entry) => entry === "listed" || entry === "GET")).toEqual(["GET", "listed"]);
  });

  test("fills in what the service has computed, and keeps the declared values", async () => {
    const run = toyRun({
      answer: () => ({ kind: "done", id: "id_1", returned: { id: "id_1", name: "KITE", made_at: "now" } }),
    });
    expect(await create(run)).toMatchObject({
      record: {
        attributes: { name: "kite", id: "id_1", made_at: "now", secret: { $secret: "aa" } },
        returned: { name: "KITE" },
        unobserved: [],
      },
    });
  });

  test("sends the secret, and writes it nowhere", async () => {
    let sent: unknown = null;
    const run = toyRun({ answer: (_, planned) => void (sent = planned["secret"]) });
    const result = await create(run);
    expect(sent).toBe(SECRET);
    for (const text of [await run.stored(), JSON.stringify(result), run.log.join()]) expect(text).not.toContain(SECRET);
    expect(await run.stored()).toContain('{"$secret":"aa"}');
  });

  test.each([
    ["left open", () => unsure, "the line went dead"],
    ["cut off by an exception", () => Promise.reject(new Error("broken pipe")), "broken pipe"],
  ])("that is %s stays pending with the cause, and is not sent again", async (_, answer, cause) => {
    const run = toyRun({ answer });
    expect(await create(run)).toMatchObject({
      kind: "undecided",
      diagnostic: { code: "outcome_undecided", detail: expect.stringContaining(cause) },
    });
    expect(pending(run)).toMatchObject([{ cause, intent: { op: "create" } }]);
    expect(run.log.filter((entry) => entry.startsWith("POST"))).toHaveLength(1);
    expect(run.log.at(-1)).toBe("release");
  });

  test("that is refused is decided, and leaves no record", async () => {
    const run = toyRun({ ...bucket, answer: () => refused() });
    expect(await create(run)).toEqual({ kind: "failed", diagnostic: expect.objectContaining({ code: "toy_refused" }) });
    expect(pending(run)).toEqual([]);
    expect(after(run)).toEqual(["id_ball"]);
  });

  test("that ends with an exception is undecided, as if no answer had come", async () => {
    const run = toyRun({ ...bucket, answer: () => Promise.reject(new Error("out of memory")) });
    expect(await create(run)).toMatchObject({ kind: "undecided", cause: "out of memory" });
    expect(pending(run)).toMatchObject([{ cause: "out of memory", answered: false }]);
  });

  test.each([
    ["a managed object", ["id_ball"], undefined],
    [
      "somebody else's object",
      [],
      [{ kind: "import", address: "toy_thing.kite", type: "toy_thing", ids: ["id_ball"] }],
    ],
  ])("that is answered with the id of %s has failed, and records nothing", async (_, managed, ways) => {
    const run = toyRun({
      ...bucket,
      managed,
      answer: () => ({ kind: "done", id: "id_ball", returned: { id: "id_ball" } }),
    });
    const result = await create(run);
    expect(result).toMatchObject({
      kind: "failed",
      diagnostic: { code: "id_of_another", detail: expect.stringContaining("id_ball") },
    });
    expect(result.kind === "failed" && result.diagnostic.ways).toEqual(ways);
    expect(pending(run)).toEqual([]);
    expect(after(run)).toEqual(["id_ball"]);
  });

  test("create-first that is answered with the id of the old object deletes nothing", async () => {
    const run = toyRun({
      ...bucket,
      answer: (request) =>
        request.startsWith("POST") ? { kind: "done", id: "id_ball", returned: { id: "id_ball" } } : undefined,
    });
    const result = await replaceOne(
      toy,
      { instance: BALL, creation: creation("ball"), order: "create-first" },
      run.context,
    );
    expect(result).toMatchObject({ kind: "failed", diagnostic: { code: "id_of_another" } });
    expect(run.log.filter((entry) => entry.startsWith("DELETE"))).toEqual([]);
  });

  test("and another that are answered with the same id are not both recorded", async () => {
    const run = toyRun({ answer: () => ({ kind: "done", id: "id_1", returned: { id: "id_1" } }) });
    const made = await Promise.all([create(run), createOne(toy, creation("doll"), run.context)]);
    expect(made.map(({ kind }) => kind)).toEqual(["done", "undecided"]);
  });

  test("that ends without an error's message is undecided", async () => {
    // eslint-disable-next-line typescript/prefer-promise-reject-errors -- what a transport may do
    expect(await create(toyRun({ answer: () => Promise.reject("odd") }))).toMatchObject({
      kind: "undecided",
      cause: "the request ended without an answer",
    });
  });

  test("that the service refuses as gone has failed like any other", async () => {
    expect(await create(toyRun({ answer: () => refused(true) }))).toMatchObject({ kind: "failed" });
  });

  test("is not begun when an unmanaged duplicate is live", async () => {
    const run = toyRun({ objects: [live("kite", { id: "id_stranger" })] });
    expect(await create(run)).toMatchObject({ kind: "failed", diagnostic: { code: "unmanaged_duplicate" } });
    expect(run.log).toEqual(["GET"]);
  });

  test.each([
    ["is managed", { managed: ["id_stranger"] }, {}],
    ["is allowed", {}, { allowDuplicate: true }],
  ])("is sent when the duplicate %s", async (_, options, more) => {
    const run = toyRun({ objects: [live("kite", { id: "id_stranger" })], ...options });
    expect(await create(run, more)).toMatchObject({ kind: "done" });
  });

  test("does not begin without its secret", async () => {
    const run = toyRun();
    await expect(create(run, { secrets: {} })).rejects.toThrow("secret is missing");
    expect(run.log).toEqual([]);
  });

  test("is not begun when a declared value is still unknown", async () => {
    const run = toyRun();
    await expect(create(run, { attributes: { ...creation("kite").attributes, room: UNKNOWN } })).rejects.toThrow(
      "room is still unknown",
    );
    expect(run.log.filter((entry) => /intent|POST/.test(entry))).toEqual([]);
  });

  test("is not sent when its intent could not be stored", async () => {
    const run = toyRun({ journal: { ...memoryJournal(), append: () => Promise.reject(new Error("ENOSPC")) } });
    await expect(create(run)).rejects.toThrow("ENOSPC");
    expect(run.log).toEqual(["GET", "reserve 1", "release"]);
  });

  test("whose outcome could not be stored says the id that nobody else knows", async () => {
    let appends = 0;
    const run = toyRun({
      journal: {
        ...memoryJournal(),
        append: () => (++appends > 2 ? Promise.reject(new Error("ENOSPC")) : Promise.resolve()),
      },
    });
    await expect(create(run)).rejects.toMatchObject({
      diagnostics: [
        {
          detail: expect.stringMatching(/new_1.*ENOSPC/),
          ways: [{ kind: "import", address: "toy_thing.kite", ids: ["new_1"] }],
        },
      ],
    });
  });

  test("of a type without a list needs no list", async () => {
    const run = toyRun();
    const attributes = { word: "hey" };
    await createOne(irreversibleToy, { ...creation("hey"), attributes, secrets: {} }, run.context);
    expect(run.log).toEqual(["reserve 1", "intent create toy_thing.hey", "POST undefined", "done", "release"]);
  });
});

describe("a delete", () => {
  test("is stored before it is sent, and its outcome after", async () => {
    const run = toyRun(bucket);
    expect(await remove(run)).toMatchObject({ kind: "done", record: null });
    expect(run.log).toEqual(["reserve 1", "intent delete toy_thing.ball", "DELETE id_ball", "done", "release"]);
    expect(after(run)).toEqual([]);
  });

  test("takes the object out of the list that the run knows", async () => {
    const run = toyRun({ ...bucket, objects: [live("ball"), live("kite")] });
    await run.live.get(run.context.signal);
    await remove(run);
    expect((await run.live.known())?.objects.map(({ id }) => id)).toEqual(["id_kite"]);
    expect(run.log.filter((entry) => entry === "GET")).toHaveLength(1);
  });

  test("needs an id, and a type that can be deleted", async () => {
    await expect(deleteOne(toy, { ...BALL, id: null }, toyRun(bucket).context)).rejects.toThrow(
      "toy_thing without an id or a delete cannot be deleted",
    );
    await expect(deleteOne(shout, BALL, toyRun(bucket).context)).rejects.toThrow(
      "toy_shout without an id or a delete cannot be deleted",
    );
  });

  test("of what the service does not know counts as done once a complete list is without it", async () => {
    const run = toyRun({ managed: ["id_ball"] });
    expect(await remove(run)).toMatchObject({ kind: "done", record: null });
    expect(run.log).toContain("GET");
    expect(after(run)).toEqual([]);
  });

  test.each<readonly [string, ToyRunOptions]>([
    ["still lists", { ...bucket, answer: () => refused(true) }],
    ["still lists next to others", { ...bucket, objects: [live("kite"), live("ball")], answer: () => refused(true) }],
    ["may list only in part", { complete: false }],
    ["cannot list", { failList: () => true }],
  ])("of what the service does not know but %s has failed, and its record stays", async (_, options) => {
    const run = toyRun(options);
    expect(await remove(run)).toMatchObject({ kind: "failed", diagnostic: { code: "toy_refused" } });
    expect(pending(run)).toEqual([]);
    expect(after(run)).toEqual(["id_ball"]);
  });

  test("that is refused has failed without a look at the list", async () => {
    const run = toyRun({ ...bucket, answer: () => refused() });
    expect(await remove(run)).toMatchObject({ kind: "failed" });
    expect(run.log).not.toContain("GET");
    expect(after(run)).toEqual(["id_ball"]);
  });

  test("that is left open stays pending, and its record stays", async () => {
    const run = toyRun({ ...bucket, answer: () => unsure });
    expect(await remove(run)).toMatchObject({ kind: "undecided" });
    expect(pending(run)).toMatchObject([{ intent: { op: "delete", id: "id_ball" } }]);
    expect(after(run)).toEqual(["id_ball"]);
  });
});

describe("a replace", () => {
  const failing = (which: string, outcome: WriteOutcome) => (request: string) =>
    request.startsWith(which) ? outcome : undefined;

  test("reserves both requests before the delete, and stores each step", async () => {
    const run = toyRun(bucket);
    expect(await replace(run)).toMatchObject({ kind: "done", record: { id: "new_1" } });
    expect(run.log).toEqual([
      "GET",
      "reserve 2",
      "listed",
      "intent replace toy_thing.ball",
      "DELETE id_ball",
      "deleted",
      "POST ball",
      "done",
      "release",
    ]);
    expect(run.objects()).toEqual(["new_1"]);
    expect(after(run)).toEqual(["new_1"]);
  });

  test("tells its gap: from the sending of the delete to the answer of the create", async () => {
    const clock = virtualClock();
    const wait = (ms: number) => clock.sleep(ms, new AbortController().signal);
    const journal = memoryJournal();
    const run = toyRun({
      ...bucket,
      clock,
      answer: async (request) => {
        await wait(request.startsWith("DELETE") ? 70 : 30);
        return undefined;
      },
      // 5 ms each: of the ids, the intent, the end of the delete, and the end of the create.
      journal: { ...journal, append: async (bytes) => (await wait(5), journal.append(bytes)) },
    });
    expect(await replace(run)).toMatchObject({ kind: "done", gapMs: 70 + 5 + 30 });
  });

  test("tells no gap where the old one was gone before, or the new one exists first", async () => {
    const gone = toyRun({ managed: ["id_ball"] });
    expect(await replace(gone)).not.toHaveProperty("gapMs");
    const first = await replaceOne(
      toy,
      { instance: BALL, creation: creation("ball"), order: "create-first" },
      toyRun(bucket).context,
    );
    expect(first).toMatchObject({ kind: "done" });
    expect(first).not.toHaveProperty("gapMs");
  });

  test("whose delete is refused creates nothing", async () => {
    const run = toyRun({ ...bucket, answer: failing("DELETE", refused()) });
    const result = await replace(run);
    expect(result).toEqual({ kind: "failed", diagnostic: expect.objectContaining({ code: "toy_refused" }) });
    expect(run.log.filter((entry) => entry.startsWith("POST"))).toEqual([]);
    expect(after(run)).toEqual(["id_ball"]);
  });

  test("whose delete is left open creates nothing, and stays pending before its second half", async () => {
    const run = toyRun({ ...bucket, answer: failing("DELETE", unsure) });
    expect(await replace(run)).toMatchObject({ kind: "undecided" });
    expect(run.log.filter((entry) => entry.startsWith("POST"))).toEqual([]);
    expect(pending(run)).toMatchObject([{ deleted: false }]);
  });

  test("whose create is refused says that the old one is gone, and leaves no record", async () => {
    const run = toyRun({ ...bucket, answer: failing("POST", refused()) });
    expect(await replace(run)).toMatchObject({ kind: "failed", gone: true });
    expect(pending(run)).toEqual([]);
    expect(after(run)).toEqual([]);
  });

  test("whose create is left open stays pending in its second half, and leaves no record of the old one", async () => {
    const run = toyRun({ ...bucket, answer: failing("POST", unsure) });
    expect(await replace(run)).toMatchObject({ kind: "undecided" });
    expect(pending(run)).toMatchObject([{ deleted: true, cause: "the line went dead" }]);
    expect(after(run)).toEqual([]);
  });

  test("stores when its first half was answered, and when it was left open: the listing delay begins there", async () => {
    for (const order of ["delete-first", "create-first"] as const) {
      const second = order === "delete-first" ? "POST" : "DELETE";
      const run = toyRun({ ...bucket, answer: failing(second, unsure) });
      await replaceOne(toy, { instance: BALL, creation: creation("ball"), order }, run.context);
      const atMs = run.context.clock.now();
      const half = order === "delete-first" ? "deleted" : "created";
      expect(run.journal.recorded().slice(2)).toMatchObject([
        { kind: half, atMs },
        { kind: "undecided", atMs },
      ]);
    }
  });

  test("is not begun when an unmanaged duplicate is live: the old one stays", async () => {
    const run = toyRun({ ...bucket, objects: [live("ball"), live("ball", { id: "id_stranger" })] });
    expect(await replace(run)).toMatchObject({ kind: "failed", diagnostic: { code: "unmanaged_duplicate" } });
    expect(run.log).toEqual(["GET"]);
  });

  test("does not create when the end of its first half could not be stored", async () => {
    let appends = 0;
    const run = toyRun({
      ...bucket,
      journal: {
        ...memoryJournal(),
        append: () => (++appends > 2 ? Promise.reject(new Error("ENOSPC")) : Promise.resolve()),
      },
    });
    await expect(replace(run)).rejects.toThrow("ENOSPC");
    expect(run.log.filter((entry) => /DELETE|POST/.test(entry))).toEqual(["DELETE id_ball"]);
  });
});

describe("a replace that creates first", () => {
  const rotate = (run: ToyRun, instance = BALL) =>
    replaceOne(toy, { instance, creation: creation("ball"), order: "create-first" }, run.context);
  const failing = (which: string, outcome: WriteOutcome) => (request: string) =>
    request.startsWith(which) ? outcome : undefined;
  const instances = ({ journal }: ToyRun, before = BALL) =>
    fold(document({ journalSeq: 0, instances: [before] }), journal.recorded()).instances;
  const shape = (run: ToyRun, before = BALL) =>
    instances(run, before).map(({ id, deposed = [] }) => [id, deposed.map((old) => old.id)]);
  const OLDER = { id: "older", attributes: { name: "ball" }, returned: { id: "older" } };

  test("reserves both requests, does not take the old one for a duplicate, and stores each step", async () => {
    const run = toyRun({ objects: [live("ball")] });
    expect(await rotate(run)).toMatchObject({ kind: "done", record: { id: "new_1" } });
    expect(run.log).toEqual([
      "GET",
      "reserve 2",
      "listed",
      "intent replace toy_thing.ball",
      "POST ball",
      "created",
      "DELETE id_ball",
      "done",
      "release",
    ]);
    expect([shape(run), run.objects(), pending(run)]).toEqual([[["new_1", []]], ["new_1"], []]);
    expect(run.journal.recorded()[1]).toMatchObject({ op: "replace", order: "create-first", id: "id_ball" });
  });

  test("has the new one current and the old one deposed in between, with what is known of it", async () => {
    const run = toyRun({ ...bucket, answer: failing("DELETE", unsure) });
    expect(await rotate(run)).toMatchObject({ kind: "undecided", created: { id: "new_1" } });
    expect(instances(run)).toMatchObject([
      { id: "new_1", deposed: [{ id: "id_ball", attributes: BALL.attributes, returned: BALL.returned }] },
    ]);
    expect(pending(run)).toMatchObject([{ created: true, cause: "the line went dead" }]);
  });

  test("whose create is refused leaves the old one current, and proposes the other order", async () => {
    const run = toyRun({ ...bucket, answer: failing("POST", refused()) });
    expect(await rotate(run)).toMatchObject({
      kind: "failed",
      diagnostic: {
        code: "toy_refused",
        ways: [{ kind: "set-attribute", attribute: "rotation", value: "delete_first" }],
      },
    });
    expect([shape(run), run.objects(), pending(run)]).toEqual([[["id_ball", []]], ["id_ball"], []]);
  });

  test("whose create is left open does not delete", async () => {
    const run = toyRun({ ...bucket, answer: failing("POST", unsure) });
    expect(await rotate(run)).toMatchObject({ kind: "undecided" });
    expect(run.log.filter((entry) => entry.startsWith("DELETE"))).toEqual([]);
    expect(pending(run)).toMatchObject([{ created: false }]);
    expect(shape(run)).toEqual([["id_ball", []]]);
  });

  test("whose delete is refused leaves the old one deposed, and says that the next apply deletes it", async () => {
    const run = toyRun({ ...bucket, answer: failing("DELETE", refused()) });
    expect(await rotate(run)).toMatchObject({
      kind: "failed",
      created: { id: "new_1" },
      diagnostic: {
        code: "toy_refused",
        detail: expect.stringContaining("id_ball"),
        hint: expect.stringContaining("the next apply deletes it"),
      },
    });
    expect([shape(run), pending(run)]).toEqual([[["new_1", ["id_ball"]]], []]);
  });

  test("keeps older objects that were left before", async () => {
    const before = { ...BALL, deposed: [OLDER] };
    const run = toyRun({ ...bucket, objects: [live("ball"), live("ball", { id: "older" })], managed: ["id_ball"] });
    await rotate(run, before);
    expect(shape(run, before)).toEqual([["new_1", ["older"]]]);
  });

  test("an older object is deleted without the current one", async () => {
    const instance = { ...BALL, deposed: [OLDER, { ...OLDER, id: "oldest" }] };
    const run = toyRun({ objects: [live("ball"), live("ball", { id: "older" })], managed: ["id_ball", "older"] });
    expect(await deleteDeposed(toy, { instance, id: "older" }, run.context)).toMatchObject({
      kind: "done",
      record: { id: "id_ball", deposed: [{ id: "oldest" }] },
    });
    expect(run.log).toEqual(["reserve 1", "intent delete toy_thing.ball", "DELETE older", "done", "release"]);
    expect(shape(run, instance)).toEqual([["id_ball", ["oldest"]]]);
  });
});

describe("a record", () => {
  test("holds nothing that was not masked, looked up or left, and neither does its intent", async () => {
    const run = toyRun();
    const result = await create(run, { masked: [], lookups: {} });
    const [, intent, done] = run.journal.recorded();
    for (const part of ["masked", "deposed", "order"]) {
      expect(intent).not.toHaveProperty(part);
      expect(result.kind === "done" && result.record).not.toHaveProperty(part);
    }
    expect(result.kind === "done" && result.record).not.toHaveProperty("lookups");
    const plain = toyRun();
    await create(plain);
    expect(plain.journal.recorded()[1]).not.toHaveProperty("lookups");
    expect(done).not.toHaveProperty("atMs");
  });

  test("of what was there before is tried again where the journal could not take it", async () => {
    const run = toyRun(bucket);
    let begun = 0;
    const begin = () => (begun++ === 0 ? Promise.reject(new Error("ENOSPC")) : Promise.resolve([7]));
    const [baseline, { signal }] = [openBaseline(toy, run.live, { ...run.journal, begin }), run.context];
    await expect(baseline(signal)).rejects.toThrow("ENOSPC");
    for (let turn = 0; turn < 2; turn++) expect(await baseline(signal)).toMatchObject({ listed: 7 });
    expect(begun).toBe(2);
  });

  test("remembers what was masked and looked up, also in the intent", async () => {
    const run = toyRun();
    const more = { masked: ["room"], lookups: { name: "data.toy.kite" } };
    expect(await create(run, more)).toMatchObject({ record: more });
    expect(run.journal.recorded()[1]).toMatchObject({ kind: "intent", ...more });
  });

  test("of what was deleted is kept in the journal as the service returned it", async () => {
    const run = toyRun(bucket);
    await remove(run);
    expect(run.journal.recorded().at(-1)).toMatchObject({ kind: "done", returned: { id: "id_ball", name: "ball" } });
  });

  test("of what was there before tells when that list may have been cut off", async () => {
    const run = toyRun({ complete: false });
    await create(run);
    expect(run.journal.recorded()[0]).toMatchObject({ kind: "listed", partial: true });
  });
});

describe("an irreversible write", () => {
  const HEY = {
    address: "toy_shout.hey",
    provider: "toy",
    attributes: { word: "hey", id: UNKNOWN, outcome: UNKNOWN },
    secrets: {},
    allowDuplicate: false,
  } satisfies Creation;
  const GONE = refused(true);
  const heard: WriteOutcome = { kind: "done", id: "ear", returned: { id: "ear", outcome: "heard" } };
  function shouting(answers: readonly WriteOutcome[], stop?: AbortController) {
    const clock = virtualClock();
    let sent = 0;
    const run = toyRun({ clock, ...(stop ? { stop: stop.signal } : {}) });
    const client = {
      shout: () => {
        const answer = answers[Math.min(sent++, answers.length - 1)];
        if (!answer) throw new Error("no answer");
        if (stop) stop.abort(new Error("stop"));
        return Promise.resolve(answer);
      },
    };
    const reserved: number[] = [];
    const access = {
      reserve: (count: number) => (reserved.push(count), Promise.resolve({ client, release: () => undefined })),
    };
    const context = { ...run.context, access };
    return {
      send: (more = {}) => createOne(shout, { ...HEY, ...more }, context),
      sent: () => sent,
      reserved,
      run,
      clock,
    };
  }
  const outcomes = ({ run }: ReturnType<typeof shouting>) =>
    fold(document({ journalSeq: 0, instances: [] }), run.journal.recorded()).instances.map(
      ({ attributes }) => attributes["outcome"],
    );

  test.each<readonly [string, readonly WriteOutcome[], number, string, readonly string[]]>([
    ["is sent once when it is answered", [heard], 1, "done", ["heard"]],
    ["is sent again after an indefinite answer", [unsure, heard], 2, "done", ["heard"]],
    ["is sent at most three times", [unsure], 3, "unconfirmed", ["unconfirmed"]],
    ["is unconfirmed when a later attempt finds nobody", [unsure, GONE], 2, "unconfirmed", ["unconfirmed"]],
    ["is unconfirmed when a later attempt is refused", [unsure, refused()], 2, "unconfirmed", ["unconfirmed"]],
    ["has failed when the first attempt is refused", [refused()], 1, "failed", []],
    ["has failed when the first attempt finds nobody", [GONE], 1, "failed", []],
  ])("%s", async (_, answers, sent, kind, recordedAs) => {
    const shouts = shouting(answers);
    expect((await shouts.send()).kind).toBe(kind);
    expect([shouts.sent(), shouts.reserved, outcomes(shouts)]).toEqual([
      sent,
      Array.from({ length: sent }, () => 1),
      recordedAs,
    ]);
    expect(pending(shouts.run)).toEqual([]);
  });

  test.each([GONE, refused()])(
    "is unconfirmed when an earlier run may have done it, and it is refused now",
    async (answer) => {
      const shouts = shouting([answer]);
      const detail = expect.stringMatching(
        /the answer to an earlier attempt was lost, and the retry failed: .*[^.]\. It is recorded/,
      ) as string;
      expect(await shouts.send({ attempted: true })).toMatchObject({
        kind: "unconfirmed",
        diagnostic: { severity: "error", detail },
      });
      expect(outcomes(shouts)).toEqual(["unconfirmed"]);
    },
  );

  test("is not begun again after an interruption", async () => {
    const shouts = shouting([unsure], new AbortController());
    expect(await shouts.send()).toMatchObject({
      kind: "unconfirmed",
      diagnostic: {
        ways: [
          { kind: "retry", address: "toy_shout.hey", type: "toy_shout" },
          { kind: "forget", address: "toy_shout.hey" },
        ],
      },
    });
    expect(shouts.sent()).toBe(1);
  });
});
