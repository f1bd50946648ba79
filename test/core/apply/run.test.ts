import { describe, expect, test } from "vitest";
import { UNKNOWN, type Value } from "../../../src/core/model/value.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import { HOLDER, NEVER, countingRandom } from "../state/state-fixtures.ts";
import { declared, live } from "../toy.ts";
import { type Mishaps, PATH, codes, steps, world } from "./run-world.ts";

describe("a run", () => {
  test("lists once to plan and once after its creates, stores nothing before, and after its apply there is nothing to do", async () => {
    const { files, log, plan, apply } = world();
    expect(steps(await plan([declared("a")]))).toEqual(["create toy_thing.a"]);
    expect(log).toEqual(["GET"]);
    expect(files.contents.size).toBe(0);
    await apply([declared("a")]);
    expect(log.slice(1)).toEqual(["GET", "POST a null", "GET"]);
    expect([...files.contents.keys()].toSorted()).toEqual([PATH, `${PATH}.backup`]);
    expect(steps(await plan([declared("a")]))).toEqual(["keep toy_thing.a"]);
  });

  test("sends the value of a secret, keeps its fingerprint only, and plans no change for the same one", async () => {
    const { files, log, plan, apply } = world();
    const declaration = declared("a", {}, { secrets: { secret: { kind: "env", name: "HOOK" } } });
    await apply([declaration]);
    expect(log).toContain("POST a HOOK-value");
    for (const path of files.contents.keys()) expect(files.text(path)).not.toMatch(/HOOK-value|the-key/);
    expect(steps(await plan([declaration]))).toEqual(["keep toy_thing.a"]);
    expect(
      steps(await plan([declared("a", {}, { secrets: { secret: { kind: "env", name: "OTHER_HOOK" } } })])),
    ).toEqual(["replace toy_thing.a"]);
  });

  test("stops before it sends anything when a secret is not available", async () => {
    const { log, plan } = world();
    const made = await plan([declared("a", {}, { secrets: { secret: { kind: "file", path: "none" } } })]);
    expect(codes(made)).toEqual(["secret_unavailable"]);
    expect(log).toEqual([]);
  });

  test("lists once more after a question, and stops when the plan would now be another one", async () => {
    const quiet = world();
    await quiet.apply([declared("a")], { asked: true });
    expect(quiet.log).toEqual(["GET", "GET", "POST a null", "GET"]);
    const disturbed = world();
    await disturbed.apply([declared("a")]);
    const meanwhile = (): void => disturbed.bucket.clear();
    await expect(disturbed.apply([], { asked: true, meanwhile })).rejects.toMatchObject({
      diagnostics: [{ code: "plan_outdated" }],
    });
    expect(disturbed.log.filter((entry) => entry.startsWith("DELETE"))).toEqual([]);
  });

  test("does not believe that what was created just now is missing before the listing delay has passed", async () => {
    const { clock, bucket, log, plan, apply } = world();
    await apply([declared("a")]);
    const [[id, object] = []] = [...bucket];
    bucket.clear();
    const before = log.length;
    const waiting = plan([declared("a")]);
    if (id !== undefined && object) void clock.sleep(5000, NEVER).then(() => bucket.set(id, object));
    expect(steps(await waiting)).toEqual(["keep toy_thing.a"]);
    expect(log.slice(before)).toEqual(["GET", "GET"]);
    bucket.clear();
    expect(steps(await plan([declared("a")]))).toEqual(["create toy_thing.a"]);
  });

  test("does not believe a second list any sooner: what it lacks may be younger than what the first one lacked", async () => {
    const { clock, bucket, plan, apply } = world();
    await apply([declared("a")]);
    await clock.sleep(6000, NEVER);
    await apply([declared("a"), declared("b")]);
    const [[idOfA, a] = [], [idOfB, b] = []] = [...bucket];
    if (idOfA === undefined || idOfB === undefined || !a || !b) throw new Error("two were made");
    bucket.delete(idOfA);
    const waiting = plan([declared("a"), declared("b")]);
    void clock.sleep(2000, NEVER).then(() => bucket.set(idOfA, a) && bucket.delete(idOfB));
    void clock.sleep(8000, NEVER).then(() => bucket.set(idOfB, b));
    expect(steps(await waiting)).toEqual(["keep toy_thing.a", "keep toy_thing.b"]);
  });

  test.each([
    [
      "another service",
      { service: { baseUrl: "https://elsewhere.example", apiKey: "the-key" } },
      false,
      ["service_changed"],
    ],
    [
      "another service, when the user allows it",
      { service: { baseUrl: "https://elsewhere.example", apiKey: "the-key" }, allow: ["service-change"] },
      false,
      [],
    ],
    [
      "another key that sees the same",
      { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } },
      false,
      [],
    ],
    [
      "another key that misses something",
      { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } },
      true,
      ["key_changed"],
    ],
    [
      "another key that misses something, when the user allows it",
      { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" }, allow: ["recreate"] },
      true,
      [],
    ],
    ["the same key that misses something", {}, true, []],
  ] as const)("with %s", async (_, more, missing, expected) => {
    const { bucket, plan, apply } = world();
    await apply([declared("a")]);
    if (missing) bucket.clear();
    expect(codes(await plan([declared("a")], more))).toEqual(expected);
  });

  test("creates what had to wait once, however often the create like it is looked for", async () => {
    const { log, apply, bucket } = world({ loses: (count) => (count < 2 ? "before" : undefined) });
    const kite = (room: string) => declared("kite", { room }, { address: `toy_thing.${room}` });
    const applied = await apply([kite("attic"), kite("cellar")]);
    expect(applied).toMatchObject({ counts: { add: 2 }, undecided: false });
    expect([...bucket.values()].map(({ attributes }) => attributes["room"])).toEqual(["attic", "cellar"]);
    expect(log.filter((entry) => entry.startsWith("POST"))).toHaveLength(4);
  });

  test("creates again what was missing, where the answer to that was lost", async () => {
    const { bucket, clock, apply } = world({ loses: (count) => (count === 1 ? "before" : undefined) });
    await apply([declared("a")]);
    bucket.clear();
    await clock.sleep(60_000, NEVER);
    expect(await apply([declared("a")])).toMatchObject({ counts: { add: 1 }, undecided: false });
    expect(bucket.size).toBe(1);
  });

  test("creates under another address what was deleted without an answer, once it is seen to be gone", async () => {
    const { bucket, apply } = world({ losesDelete: () => "after" });
    await apply([declared("old", { name: "kite" })]);
    const applied = await apply([declared("new", { name: "kite" })]);
    expect([applied.counts, applied.undecided]).toMatchObject([{ add: 1, destroy: 1 }, false]);
    expect(applied.diagnostics.map(({ code }) => code)).toEqual(["outcome_recovered"]);
    expect(bucket.size).toBe(1);
  });

  test("says nothing more of what a first list could not tell and a second one has told", async () => {
    const { apply } = world({ loses: () => "after", failsToList: (count) => count === 1 });
    const applied = await apply([declared("a")]);
    expect(applied.diagnostics.map(({ code }) => code)).toEqual(["outcome_recovered"]);
    expect([applied.undecided, applied.counts.add]).toEqual([false, 1]);
  });

  test.each([
    ["another service", { service: { baseUrl: "https://elsewhere.example", apiKey: "the-key" } }, ["service_changed"]],
    [
      "another key, with nothing recorded that it shows",
      { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } },
      ["key_changed"],
    ],
  ] as const)("does not look for what is undecided with %s", async (_, more, expected) => {
    const { log, apply, plan } = world({ loses: () => "after", failsToList: (count) => count > 0 && count < 4 });
    expect(await apply([declared("a")])).toMatchObject({ undecided: true });
    const { planned } = await plan([declared("a")], more);
    expect(planned.plan.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual(
      expected,
    );
    expect(log.filter((entry) => entry.startsWith("POST"))).toHaveLength(1);
  });

  test("looks on for what is to be imported where the first list does not show it, for one object as for two", async () => {
    for (const [pageSize, ...names] of [
      [0, "a"],
      [0, "a", "b"],
      [1, "a", "b"],
    ] as const) {
      const { bucket, plan } = world({ pageSize });
      for (const name of names) bucket.set(`id_${name}`, live(name));
      const imports = names.map((name) => ({ to: `toy_thing.${name}`, id: `id_${name}`, locate: () => undefined }));
      const declarations = names.map((name) => declared(name));
      expect(steps(await plan(declarations, { imports }))).toEqual(names.map((name) => `adopt toy_thing.${name}`));
    }
  });

  test("does not look on for what is to be imported where it imports nothing", async () => {
    const imports = [{ to: "toy_thing.a", id: "id_a", locate: () => undefined }];
    for (const [more, lists] of [
      [{ destroy: true }, 1],
      [{ refreshOnly: true }, 1],
      [{}, 2],
    ] as const) {
      const { log, plan, apply } = world();
      await apply([declared("b")]);
      log.splice(0);
      await plan([declared("a"), declared("b")], { imports, ...more });
      expect([more, log]).toEqual([more, Array.from({ length: lists }, () => "GET")]);
    }
  });

  test("shows outputs that change, those that are new and those that go, and no others", async () => {
    const { plan, apply } = world();
    const output = (name: string, value: string, sensitive = false) => ({ name, value, sensitive });
    await apply([declared("a")], {
      outputs: [output("same", "1"), output("other", "1"), output("hidden", "1"), output("gone", "1")],
    });
    const { planned } = await plan([declared("a")], {
      outputs: [output("same", "1"), output("other", "2"), output("hidden", "1", true), output("new", "1")],
    });
    expect(planned.plan.outputs).toEqual([
      { name: "gone", before: { value: "1" }, after: null, sensitive: false },
      { name: "hidden", before: { value: "1" }, after: { value: "1" }, sensitive: true },
      { name: "new", before: null, after: { value: "1" }, sensitive: false },
      { name: "other", before: { value: "1" }, after: { value: "2" }, sensitive: false },
    ]);
  });

  test("destroys everything that is recorded, whatever is declared, without its secrets, and lets outputs go", async () => {
    const { bucket, log, plan, apply } = world();
    const declaration = declared("a", {}, { secrets: { secret: { kind: "env", name: "HOOK" } } });
    const outputs = [{ name: "out", value: "1", sensitive: false }];
    await apply([declaration, declared("b")], { outputs });
    const missing = declared("a", {}, { secrets: { secret: { kind: "file", path: "none" } } });
    const made = await plan([missing], { destroy: true, outputs });
    expect([codes(made), steps(made).toSorted()]).toEqual([[], ["delete toy_thing.a", "delete toy_thing.b"]]);
    expect(made.planned.plan.outputs).toEqual([{ name: "out", before: { value: "1" }, after: null, sensitive: false }]);
    log.splice(0);
    expect(await apply([missing], { destroy: true, outputs })).toMatchObject({
      counts: { destroy: 2, add: 0 },
      undecided: false,
    });
    expect([bucket.size, log.filter((entry) => entry.startsWith("POST"))]).toEqual([0, []]);
  });

  test("counts each write once, however its outcome was found", async () => {
    const count = async (mishaps: Mishaps) => {
      const { apply } = world(mishaps);
      const first = await apply([declared("a"), declared("b")]);
      const second = await apply([declared("a", { shiny: true })]);
      return [first.counts, second.counts, first.undecided || second.undecided].map((part) =>
        typeof part === "object" ? [part.add, part.destroy] : part,
      );
    };
    const expected = [[2, 0], [1, 2], false];
    expect(await count({})).toEqual(expected);
    expect(await count({ loses: () => "after" })).toEqual(expected);
    expect(await count({ loses: (times) => (times % 2 === 0 ? "before" : undefined) })).toEqual(expected);
    expect(await count({ losesDelete: () => "after" })).toEqual(expected);
    expect(await count({ losesDelete: () => "after", loses: () => "after" })).toEqual(expected);
  });

  test("that cannot write its state at its end fails with that, and the next run takes over what its journal holds", async () => {
    const { files, log, apply, plan } = world();
    await apply([declared("a")]);
    files.fail({ at: 0, code: "ENOSPC", done: "nothing", operations: ["rename"] });
    const declarations = ["a", "b", "c"].map((name) => declared(name));
    await expect(apply(declarations)).rejects.toThrow("ENOSPC");
    files.fail(null);
    expect(files.text(`${PATH}.journal`)?.match(/"listed","ids"/g)).toHaveLength(1);
    expect(steps(await plan(declarations))).toEqual(["keep toy_thing.a", "keep toy_thing.b", "keep toy_thing.c"]);
    expect(log.filter((entry) => entry.startsWith("POST"))).toHaveLength(3);
  });

  test("survives a second crash after one that tore the first line of the journal", async () => {
    const crashOnAppend = async ({ files, apply }: ReturnType<typeof world>, at: number, name: string) => {
      files.fail({ at, code: "CRASH", done: "half", operations: ["append"] });
      await expect(apply([declared(name)])).rejects.toThrow("CRASH");
      files.fail(null);
    };
    const one = world();
    await crashOnAppend(one, 0, "a");
    expect(one.files.text(`${PATH}.journal`)).not.toContain("\n");
    await crashOnAppend(one, 2, "a");
    expect(one.log.filter((entry) => entry.startsWith("POST"))).toHaveLength(1);
    const { pending } = (await one.plan([declared("a")])).open;
    expect(pending.map(({ intent: { address } }) => address)).toEqual(["toy_thing.a"]);
  });

  test("whose lock was taken away before it has sent anything leaves the journal of the run that took it", async () => {
    const { files, store, log, apply } = world();
    await apply([declared("a")]);
    await store.lock(HOLDER, 0, NEVER);
    const another = async (): Promise<void> => {
      await files.remove(`${PATH}.lock`);
      await files.writeDurably(`${PATH}.journal`, new TextEncoder().encode("of another run"));
    };
    await expect(apply([declared("b")], { meanwhile: another })).rejects.toMatchObject({
      diagnostics: [{ code: "lock_lost" }],
    });
    expect([files.text(`${PATH}.journal`), log.filter((entry) => !entry.startsWith("GET"))]).toEqual([
      "of another run",
      ["POST a null"],
    ]);
  });

  test.each(["delete_first", "create_first"])(
    "whose lock is taken away between the halves of a replace, %s, does not send the second half",
    async (rotation) => {
      let taken = 0;
      const take = (): undefined => void (taken++ === 0 && one.files.remove(`${PATH}.lock`));
      const one = world({ loses: (count) => (count === 1 ? take() : undefined), losesDelete: take });
      await one.apply([declared("a", { rotation })]);
      await one.store.lock(HOLDER, 0, NEVER);
      await expect(one.apply([declared("a", { rotation, shiny: true })])).rejects.toMatchObject({
        diagnostics: [{ code: "lock_lost" }],
      });
      expect(one.log.filter((entry) => !entry.startsWith("GET")).slice(1)).toEqual([
        rotation === "delete_first" ? "DELETE new_2" : "POST a null",
      ]);
      await one.store.lock(HOLDER, 0, NEVER);
      await one.apply([declared("a", { rotation, shiny: true })]);
      expect([...one.bucket.values()]).toHaveLength(1);
    },
  );

  test("whose lock is taken away once its intent is stored sends nothing", async () => {
    const { files, store, log, apply } = world();
    await apply([declared("a")]);
    await store.lock(HOLDER, 0, NEVER);
    const openAppend = files.openAppend;
    files.openAppend = async (path, options) => {
      const file = await openAppend(path, options);
      const isIntent = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes).includes('"kind":"intent"');
      return {
        ...file,
        append: (bytes) => file.append(bytes).then(() => (isIntent(bytes) ? files.remove(`${PATH}.lock`) : undefined)),
      };
    };
    await expect(apply([declared("a"), declared("b")])).rejects.toMatchObject({ diagnostics: [{ code: "lock_lost" }] });
    expect(log.filter((entry) => !entry.startsWith("GET"))).toEqual(["POST a null"]);
    // It is certain that nothing was sent.
    expect((await readState(store, countingRandom(), NEVER)).pending).toEqual([]);
  });

  test("counts a rotation once, whichever of its requests was lost, and leaves one object", async () => {
    const outcomes = [undefined, "before", "after"] as const;
    for (const rotation of ["create_first", "delete_first"]) {
      for (const create of outcomes) {
        for (const remove of outcomes) {
          const { apply, plan, bucket } = world({
            loses: (count) => (count === 1 ? create : undefined),
            losesDelete: (count) => (count === 0 ? remove : undefined),
          });
          await apply([declared("a", { rotation })]);
          const { counts, undecided } = await apply([declared("a", { rotation, shiny: true })]);
          expect([rotation, create, remove, counts.add, counts.destroy, undecided]).toEqual([
            rotation,
            create,
            remove,
            1,
            1,
            false,
          ]);
          const { planned, open } = await plan([declared("a", { rotation, shiny: true })]);
          expect([
            planned.plan.steps.map(({ action }) => action),
            bucket.size,
            open.document.instances[0]?.deposed,
          ]).toEqual([["keep"], 1, undefined]);
        }
      }
    }
  });

  test("deletes an older object once, whether its request or its answer was lost", async () => {
    for (const lost of ["before", "after"] as const) {
      const { apply, plan, bucket } = world({
        losesDelete: (count) => (count === 0 ? "refused" : count === 1 ? lost : undefined),
      });
      await apply([declared("a", { rotation: "create_first" })]);
      const rotated = await apply([declared("a", { rotation: "create_first", shiny: true })]);
      expect([rotated.counts.add, rotated.counts.destroy, bucket.size]).toEqual([1, 0, 2]);
      const { counts, undecided } = await apply([declared("a", { rotation: "create_first", shiny: true })]);
      expect([counts.add, counts.destroy, undecided, bucket.size]).toEqual([0, 1, false, 1]);
      const { open } = await plan([]);
      expect(open.document.instances.map(({ address, deposed }) => [address, deposed])).toEqual([
        ["toy_thing.a", undefined],
      ]);
    }
  });

  test("sends a create that is lost each time three times, and then leaves it to the next run", async () => {
    const { log, apply, plan } = world({ loses: () => "before" });
    const applied = await apply([declared("a")]);
    expect(log.filter((entry) => entry.startsWith("POST"))).toHaveLength(3);
    expect([applied.undecided, applied.counts.add]).toEqual([true, 0]);
    expect(applied.diagnostics.map(({ code }) => code)).toEqual([
      "outcome_recovered",
      "outcome_recovered",
      "outcome_undecided",
    ]);
    expect(applied.diagnostics[1]?.detail).toContain("was not carried out: two lists lack it");
    expect(applied.diagnostics[2]).toMatchObject({
      detail: "The create of toy_thing.a may or may not have been carried out: reset. This is recorded.",
      ways: [{ kind: "apply" }, { kind: "retry" }, { kind: "forget" }],
    });
    expect((await plan([declared("a")])).open.pending).toHaveLength(1);
  });

  test("keeps an undecided write of an earlier run, says so at its end, and sends nothing for it", async () => {
    const { log, bucket, apply } = world({ loses: () => "after", failsToList: (count) => count > 0 && count < 4 });
    await apply([declared("a")]);
    const [object] = [...bucket.values()];
    if (object) bucket.set("twin", { ...object, id: "twin" });
    const before = log.length;
    const { undecided, counts, outputs, interrupted } = await apply([declared("a")]);
    expect([undecided, counts.add, outputs, interrupted]).toEqual([true, 0, [], false]);
    expect((await apply([declared("a"), declared("b")])).undecided).toBe(true);
    expect(log.slice(before).filter((entry) => entry.startsWith("POST"))).toEqual(["POST b null"]);
  });

  test("looks for nothing after an interruption: the next run does", async () => {
    const stop = new AbortController();
    const { log, apply, plan } = world({
      loses: () => {
        stop.abort(new Error("interrupted"));
        return "before";
      },
    });
    const { undecided, diagnostics } = await apply([declared("a")], { stop: stop.signal });
    expect([undecided, diagnostics.map(({ code }) => code), log.filter((entry) => entry === "GET").length]).toEqual([
      true,
      ["outcome_undecided"],
      1,
    ]);
    expect(steps(await plan([declared("a")]))).toEqual(["create toy_thing.a"]);
  });

  test("of nothing leaves no state", async () => {
    const { files, apply } = world();
    expect(await apply([])).toMatchObject({ counts: { add: 0 }, undecided: false, outputs: [] });
    expect(files.contents.size).toBe(0);
  });

  test("without changes writes nothing, except the service and key that it has seen everything with", async () => {
    const { files, apply, plan } = world();
    const outputs = [{ name: "out", value: "1", sensitive: false }];
    const applied = await apply([declared("a")], { outputs });
    expect(applied.outputs).toEqual(outputs);
    const stored = files.text(PATH);
    expect(await apply([declared("a")], { outputs })).toMatchObject({
      counts: { add: 0, destroy: 0 },
      undecided: false,
      diagnostics: [],
      outputs,
    });
    expect(files.text(PATH)).toBe(stored);
    const service = { baseUrl: "https://toys.example/api", apiKey: "a-longer-key" };
    await apply([declared("a")], { outputs, service });
    const { document } = (await plan([declared("a")])).open;
    expect(document.service?.keyFingerprint).toBe(`${document.salt}/${String(service.apiKey.length)}`);
  });

  test("writes its state once, at its end, where it finds nothing to store before", async () => {
    const { apply, plan } = world();
    await apply([declared("a")]);
    const before = (await plan([])).open.document.serial;
    await apply([declared("a"), declared("b")]);
    expect((await plan([])).open.document.serial).toBe(before + 1);
  });

  test("stores another key before it sends anything with it", async () => {
    const { files, log, apply, plan } = world();
    await apply([declared("a")]);
    files.fail({ at: 0, code: "CRASH", done: "half", operations: ["append"] });
    const service = { baseUrl: "https://toys.example/api", apiKey: "a-longer-key" };
    await expect(apply([declared("a"), declared("b")], { service })).rejects.toThrow("CRASH");
    files.fail(null);
    const { document } = (await plan([declared("a")])).open;
    expect([document.service?.keyFingerprint, log.filter((entry) => entry.startsWith("POST")).length]).toEqual([
      `${document.salt}/12`,
      1,
    ]);
  });

  test("stores outputs that alone have changed, and none whose value is not known", async () => {
    const { apply, plan, log } = world();
    const output = (value: Value) => ({ name: "out", value, sensitive: false });
    await apply([declared("a")], { outputs: [output("1")] });
    log.splice(0);
    expect((await apply([declared("a")], { outputs: [output("2")] })).outputs).toEqual([output("2")]);
    expect((await plan([])).open.document.outputs).toEqual([output("2")]);
    expect(log.filter((entry) => entry !== "GET")).toEqual([]);
    expect((await apply([declared("a"), declared("b")], { outputs: [output(UNKNOWN)] })).outputs).toEqual([]);
  });

  test("says what is wrong with the plan that would have to be made now", async () => {
    const { bucket, apply } = world();
    const meanwhile = (): void => void bucket.set("stranger", live("a", { id: "stranger" }));
    await expect(apply([declared("a")], { asked: true, meanwhile })).rejects.toMatchObject({
      diagnostics: [{ code: "unmanaged_duplicate" }, { code: "plan_outdated" }],
    });
  });
});

describe("a plan", () => {
  const elsewhere = { service: { baseUrl: "https://elsewhere.example", apiKey: "the-key" } };
  const otherKey = { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `toy${String(index)}`);

  test("for another service says what the state holds of the one before", async () => {
    const { apply, plan } = world();
    await apply([declared("a"), declared("b")]);
    const recorded = await plan([declared("a")], elsewhere);
    expect(recorded.planned.plan.diagnostics).toMatchObject([
      {
        detail:
          "The 2 recorded objects were created at https://toys.example/api, but the base URL is now https://elsewhere.example. There they would all look deleted.",
      },
    ]);
    const open = world({ loses: () => "after", failsToList: (count) => count > 1 });
    await open.apply([declared("a")]);
    expect((await open.plan([declared("a")], elsewhere)).planned.plan.diagnostics).toMatchObject([
      { detail: expect.stringMatching(/^The undecided writes were sent at .* as if they had never been sent\.$/) },
    ]);
    const empty = world();
    await empty.apply([declared("a")]);
    await empty.apply([], { destroy: true });
    expect(codes(await empty.plan([declared("a")], elsewhere))).toEqual([]);
  });

  test("with a key that does not show what is recorded names up to five, and counts the rest", async () => {
    const detail = async (count: number) => {
      const { bucket, apply, plan } = world();
      const declarations = names(count).map((name) => declared(name));
      await apply(declarations);
      bucket.clear();
      const { diagnostics } = (await plan(declarations, otherKey)).planned.plan;
      return diagnostics.filter(({ code }) => code === "key_changed").map(({ detail }) => detail);
    };
    const five = "toy_thing.toy0, toy_thing.toy1, toy_thing.toy2, toy_thing.toy3, toy_thing.toy4";
    expect(await detail(5)).toEqual([expect.stringContaining(`it does not show ${five}.`)]);
    expect(await detail(6)).toEqual([expect.stringContaining(`it does not show ${five} and 1 more.`)]);
  });

  test("with a key that shows some of what is recorded may look for undecided writes, and with one that shows none it may not", async () => {
    const start = async () => {
      const one = world({
        loses: (count) => (count === 1 ? "after" : undefined),
        failsToList: (count) => count === 3 || count === 4,
      });
      await one.apply([declared("a")]);
      expect(await one.apply([declared("a"), declared("b")])).toMatchObject({ undecided: true });
      return one;
    };
    const some = await start();
    expect(codes(await some.plan([declared("a"), declared("b")], otherKey))).toEqual(["outcome_recovered"]);
    const none = await start();
    none.bucket.delete([...none.bucket.keys()][0] ?? "");
    expect(codes(await none.plan([declared("a"), declared("b")], otherKey))).toContain("key_changed");
  });

  test("evaluates the configuration again only with what it has recovered", async () => {
    const { evaluated, apply, plan } = world({
      loses: () => "after",
      failsToList: (count) => count === 1 || count === 2,
    });
    await apply([declared("a")]);
    evaluated.splice(0);
    await plan([declared("a")]);
    expect(evaluated).toEqual([0, 1]);
    await apply([declared("a")]);
    evaluated.splice(0);
    const { planned } = await plan([declared("a")]);
    expect(evaluated).toEqual([1]);
    expect(planned.plan).not.toHaveProperty("checks");
    await plan([declared("a")], { destroy: true });
    expect(evaluated).toEqual([1, 1]);
  });

  test("tells where in the files its errors stand, unless they are about nothing in them", async () => {
    const place = { file: "toys.yaml", line: 7 };
    const { bucket, plan } = world();
    bucket.set("stranger", live("a", { id: "stranger" }));
    const { planned } = await plan([declared("a", {}, { locate: () => place }), declared("b")]);
    expect(planned.plan.diagnostics).toMatchObject([{ code: "unmanaged_duplicate", place }]);
    const nowhere = await plan([declared("a")]);
    expect(nowhere.planned.plan.diagnostics.map((one) => "place" in one)).toEqual([false]);
  });

  test("of targets and replacements takes what the user typed for the addresses it means", async () => {
    const { apply, plan } = world();
    await apply([declared("a"), declared("b"), declared("c")]);
    const made = await plan([declared("a"), declared("b", { shiny: true }), declared("c")], {
      targets: ["A", "B"],
      replace: ["A"],
    });
    expect(steps(made).toSorted()).toEqual(["replace toy_thing.a", "replace toy_thing.b"]);
    expect(
      steps(await plan([declared("a", { shiny: true }), declared("b", { shiny: true })], { targets: ["B"] })),
    ).toEqual(["replace toy_thing.b"]);
    expect(
      steps(
        await plan(
          ["a", "b", "c"].map((name) => declared(name)),
          { replace: ["C"] },
        ),
      ).filter((step) => !step.startsWith("keep")),
    ).toEqual(["replace toy_thing.c"]);
  });

  test("waits for an object that was recorded just now and is not listed, and says so; never longer than the listing delay", async () => {
    const { clock, bucket, plan, apply } = world();
    await apply([declared("a")]);
    bucket.clear();
    await clock.sleep(4000, NEVER);
    const told: number[] = [];
    const before = clock.monotonicMs();
    expect(steps(await plan([declared("a")], { waiting: (ms) => void told.push(ms) }))).toEqual(["create toy_thing.a"]);
    expect([told, clock.monotonicMs() - before]).toEqual([[6000], 6000]);
  });
});
