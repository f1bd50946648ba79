import { hasErrors } from "../../../src/core/model/diagnostic.ts";
import { describe, expect, test } from "vitest";
import { applyRun } from "../../../src/core/apply/run/apply-run.ts";
import { planRun } from "../../../src/core/apply/run/plan-run.ts";
import type { PlanRequest, RunPorts } from "../../../src/core/apply/run/run-ports.ts";
import type { Declaration, Evaluation } from "../../../src/core/model/declaration.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import { memoryFiles } from "../state/memory-files.ts";
import { NEVER, countingRandom, processOf } from "../state/state-fixtures.ts";
import { NO_STATEMENTS, type ToyShop, declared, live, toys } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";

const PATH = "work/outreach.state.json";

interface Allowed extends Partial<Pick<Evaluation, "imports" | "outputs">> {
  readonly allowRecreate?: boolean;
  readonly destroy?: boolean;
  readonly allowServiceChange?: boolean;
}

interface Mishaps {
  /** Whether the answer to the `count`-th create is lost, before or after it was carried out. */
  readonly loses?: (count: number) => "before" | "after" | undefined;
  /** Whether the answer to each delete is lost after it was carried out. */
  readonly losesDelete?: boolean;
  /** Whether the `count`-th list fails. */
  readonly failsToList?: (count: number) => boolean;
  /** How many objects the first list shows. */
  readonly pageSize?: number;
}

/** A state on a disk in memory, a shop, and runs of both. */
function world({ loses = () => undefined, losesDelete = false, failsToList = () => false, pageSize = Infinity }: Mishaps = {}) {
  const files = memoryFiles();
  const clock = virtualClock();
  const random = countingRandom();
  const bucket = new Map<string, LiveObject>();
  const log: string[] = [];
  let [creates, lists] = [0, 0];
  const shop: ToyShop = {
    list: () => {
      log.push("GET");
      if (failsToList(lists++)) return Promise.reject(new Error("no list"));
      return Promise.resolve({ objects: [...bucket.values()].slice(0, lists === 1 ? pageSize : Infinity), complete: true, serverDate: "" });
    },
    create: (planned) => {
      log.push(`POST ${String(planned["name"])} ${String(planned["secret"])}`);
      const object = live(String(planned["name"]), { id: `new_${String(bucket.size + log.length)}`, room: planned["room"] ?? null });
      const lost = loses(creates++);
      if (lost !== "before") bucket.set(object.id, object);
      return Promise.resolve(lost ? { kind: "unsure", cause: "reset", answered: false } : { kind: "done", id: object.id, returned: object.attributes });
    },
    delete: (id) => {
      log.push(`DELETE ${id}`);
      bucket.delete(id);
      return Promise.resolve(losesDelete ? { kind: "unsure", cause: "reset", answered: false } : { kind: "done", id, returned: {} });
    },
  };
  const ports: RunPorts = {
    catalog: toys,
    readClient: shop,
    access: { reserve: () => Promise.resolve({ client: shop, release: () => undefined }) },
    clock,
    service: { baseUrl: "https://toys.example/api", apiKey: "the-key" },
    reveal: (source) => Promise.resolve(source.kind === "env" ? { value: `${source.name}-value` } : { detail: "There is none.", hint: "Make one." }),
    fingerprint: (salt, secret) => Promise.resolve(`${salt}/${String(secret.length)}`),
    listingDelayMs: { answered: 10_000, unanswered: 60_000 },
    keepUnstored: () => Promise.reject(new Error("there was nothing to keep")),
    signal: NEVER,
  };
  const store = localStore(PATH, { files, clock, random, process: processOf() });
  const requesting = (
    declarations: readonly Declaration[],
    { allowRecreate = false, allowServiceChange = false, imports = [], outputs = [], destroy = false }: Allowed,
  ): PlanRequest => ({
    evaluate: () => ({ declarations, reads: [], outputs, ...NO_STATEMENTS, imports, diagnostics: [] }),
    limits: {},
    options: { ...PLAIN_OPTIONS, allowRecreate, destroy },
    expand: (typed) => typed,
    allowServiceChange,
    withSecrets: true,
  });
  async function plan(declarations: readonly Declaration[], { service, ...allowed }: Allowed & Partial<Pick<RunPorts, "service">> = {}) {
    const open = await readState(store, random, NEVER);
    return { open, planned: await planRun(open, requesting(declarations, allowed), { ...ports, ...(service ? { service } : {}) }) };
  }
  async function apply(
    declarations: readonly Declaration[],
    { asked = false, meanwhile = () => {}, ...allowed }: { readonly asked?: boolean; readonly meanwhile?: () => void } & Allowed = {},
  ) {
    const { open, planned } = await plan(declarations, allowed);
    expect(hasErrors(planned.plan.diagnostics)).toBe(false);
    meanwhile();
    return applyRun(store, { open, planned, asked, approved: asked, report: () => undefined, stop: NEVER }, ports);
  }
  return { files, clock, bucket, log, plan, apply };
}

const steps = ({ planned }: Awaited<ReturnType<ReturnType<typeof world>["plan"]>>) => planned.plan.steps.map(({ action, address }) => `${action} ${address}`);
const codes = ({ planned }: Awaited<ReturnType<ReturnType<typeof world>["plan"]>>) => planned.plan.diagnostics.map(({ code }) => code);

describe("a run", () => {
  test("lists once to plan, stores nothing, and after its apply there is nothing to do", async () => {
    const { files, log, plan, apply } = world();
    expect(steps(await plan([declared("a")]))).toEqual(["create toy_thing.a"]);
    expect(log).toEqual(["GET"]);
    expect(files.contents.size).toBe(0);
    await apply([declared("a")]);
    expect(log.slice(1)).toEqual(["GET", "POST a null"]);
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
    expect(steps(await plan([declared("a", {}, { secrets: { secret: { kind: "env", name: "OTHER_HOOK" } } })]))).toEqual(["replace toy_thing.a"]);
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
    expect(quiet.log.filter((entry) => entry === "GET")).toHaveLength(2);
    const disturbed = world();
    await disturbed.apply([declared("a")]);
    const meanwhile = (): void => disturbed.bucket.clear();
    await expect(disturbed.apply([], { asked: true, meanwhile })).rejects.toMatchObject({ diagnostics: [{ code: "plan_outdated" }] });
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
    ["another service", { service: { baseUrl: "https://elsewhere.example", apiKey: "the-key" } }, false, ["service_changed"]],
    ["another service, when the user allows it", { service: { baseUrl: "https://elsewhere.example", apiKey: "the-key" }, allowServiceChange: true }, false, []],
    ["another key that sees the same", { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } }, false, []],
    ["another key that misses something", { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } }, true, ["key_changed"]],
    [
      "another key that misses something, when the user allows it",
      { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" }, allowRecreate: true },
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
    const { bucket, apply } = world({ losesDelete: true });
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
    ["another key, with nothing recorded that it shows", { service: { baseUrl: "https://toys.example/api", apiKey: "another-key" } }, ["key_changed"]],
  ] as const)("does not look for what is undecided with %s", async (_, more, expected) => {
    const { log, apply, plan } = world({ loses: () => "after", failsToList: (count) => count > 0 && count < 4 });
    expect(await apply([declared("a")])).toMatchObject({ undecided: true });
    const { planned } = await plan([declared("a")], more);
    expect(planned.plan.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual(expected);
    expect(log.filter((entry) => entry.startsWith("POST"))).toHaveLength(1);
  });

  test("looks on for what is to be imported where the first list does not show it, for one object as for two", async () => {
    for (const names of [["a"], ["a", "b"]]) {
      const { bucket, plan } = world({ pageSize: 0 });
      for (const name of names) bucket.set(`id_${name}`, live(name));
      const imports = names.map((name) => ({ to: `toy_thing.${name}`, id: `id_${name}`, locate: () => undefined }));
      const declarations = names.map((name) => declared(name));
      expect(steps(await plan(declarations, { imports }))).toEqual(names.map((name) => `adopt toy_thing.${name}`));
    }
  });

  test("shows outputs that change, those that are new and those that go, and no others", async () => {
    const { plan, apply } = world();
    const output = (name: string, value: string, sensitive = false) => ({ name, value, sensitive });
    await apply([declared("a")], { outputs: [output("same", "1"), output("other", "1"), output("hidden", "1"), output("gone", "1")] });
    const { planned } = await plan([declared("a")], { outputs: [output("same", "1"), output("other", "2"), output("hidden", "1", true), output("new", "1")] });
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
    expect(await apply([missing], { destroy: true, outputs })).toMatchObject({ counts: { destroy: 2, add: 0 }, undecided: false });
    expect([bucket.size, log.filter((entry) => entry.startsWith("POST"))]).toEqual([0, []]);
  });

  test("counts each write once, however its outcome was found", async () => {
    const count = async (mishaps: Mishaps) => {
      const { apply } = world(mishaps);
      const first = await apply([declared("a"), declared("b")]);
      const second = await apply([declared("a", { shiny: true })]);
      return [first.counts, second.counts, first.undecided || second.undecided].map((part) => (typeof part === "object" ? [part.add, part.destroy] : part));
    };
    const expected = [[2, 0], [1, 2], false];
    expect(await count({})).toEqual(expected);
    expect(await count({ loses: () => "after" })).toEqual(expected);
    expect(await count({ loses: (times) => (times % 2 === 0 ? "before" : undefined) })).toEqual(expected);
    expect(await count({ losesDelete: true })).toEqual(expected);
    expect(await count({ losesDelete: true, loses: () => "after" })).toEqual(expected);
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
});
