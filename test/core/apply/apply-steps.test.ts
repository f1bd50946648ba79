import { describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/core/apply/run/apply-plan.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { WriteOutcome } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import type { Plan, Step } from "../../../src/core/plan/plan.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { memoryJournal } from "../state/memory-journal.ts";
import { document } from "../state/state-fixtures.ts";
import { declared, live, recorded } from "../toy.ts";
import { shopCatalog, shout, shouted } from "./shop-things.ts";
import { type ToyRunOptions, refused, toyRun, unsure } from "./toy-run.ts";

const base = (name: string, type = "toy_thing") => ({
  address: `${type}.${name}`,
  type,
  provider: "toy",
  because: [],
  masked: [],
});
const after = (name: string, more = {}) => ({ ...recorded(name, more).attributes, id: UNKNOWN, made_at: UNKNOWN });
const create = (name: string, more = {}): Step => ({ ...base(name), action: "create", after: after(name, more) });
const remove = (name: string): Step => ({
  ...base(name),
  action: "delete",
  id: `id_${name}`,
  before: recorded(name).attributes,
});
const deposed = (name: string, id: string): Step => ({
  ...base(name),
  action: "delete",
  id,
  before: recorded(name).attributes,
  deposed: true,
});
const rotate = (name: string): Step => ({
  ...base(name),
  action: "replace",
  order: "create-first",
  id: `id_${name}`,
  before: recorded(name).attributes,
  after: after(name),
});
const shouting = (word: string, more: { readonly again?: "unconfirmed"; readonly movedFrom?: string } = {}): Step => ({
  ...base(word, shout.type),
  action: "create",
  after: { word, id: UNKNOWN, outcome: UNKNOWN },
  ...more,
});
const word = (text: string, outcome = "heard"): RecordedInstance => ({
  ...recorded(text),
  address: `toy_shout.${text}`,
  type: shout.type,
  id: null,
  attributes: shouted(text, outcome),
});
const old = (id: string) => ({ id, attributes: recorded("x").attributes, returned: { id } });

interface Setting extends ToyRunOptions {
  readonly steps: readonly Step[];
  readonly instances?: readonly RecordedInstance[];
  readonly declarations?: readonly Declaration[];
  readonly approved?: boolean;
}

/** Carries out just these steps: what is recorded is live. */
async function applying({ steps, instances = [], declarations, approved = false, ...options }: Setting) {
  const shown = instances.filter(({ type }) => type === "toy_thing");
  const objects = shown.flatMap((instance) => [
    live(String(instance.attributes["name"]), { id: instance.id, room: instance.attributes["room"] ?? null }),
    ...(instance.deposed ?? []).map(({ id }) => live(String(instance.attributes["name"]), { id })),
  ]);
  const run = toyRun({ objects, managed: objects.map(({ id }) => id), ...options });
  const plan: Plan = { format: 1, steps, drift: [], outputs: [], diagnostics: [], undecided: [] };
  const shop = {
    shout: async (text: string): Promise<WriteOutcome> => {
      run.context.live.removed("nothing");
      sent.push(`SHOUT ${text}`);
      return (
        (await options.answer?.(`SHOUT ${text}`, {})) ?? {
          kind: "done",
          id: null,
          returned: { id: null, outcome: "heard" },
        }
      );
    },
  };
  const sent: string[] = [];
  const access = { reserve: () => Promise.resolve({ client: shop, release: () => undefined }) };
  const applied = await applyPlan(plan, {
    catalog: shopCatalog,
    markOf: () => undefined,
    instances,
    declarations:
      declarations ??
      steps.map(({ address, type, ...step }) =>
        declared(address.split(".")[1] ?? "", "after" in step ? step.after : {}, { address, type }),
      ),
    pending: [],
    approved,
    isApplied: true,
    secretsOf: () => ({}),
    write: (type) => (type === shout.type ? { ...run.context, access } : run.context),
    journal: run.journal,
    clock: run.context.clock,
    report: () => undefined,
    stop: run.context.signal,
  });
  const state = fold(document({ journalSeq: 0, instances }), run.journal.recorded()).instances;
  const requests = [...run.log.filter((entry) => /^(POST|DELETE)/.test(entry)), ...sent];
  return {
    applied,
    state,
    requests,
    run,
    shape: state.map(({ address, id, deposed: older = [] }) => [
      address.split(".")[1],
      id,
      ...older.map((one) => one.id),
    ]),
  };
}

const codes = (applied: { readonly diagnostics: readonly { readonly code: string; readonly address?: string }[] }) =>
  applied.diagnostics.map(({ code, address }) => [code, address]);

describe("the order of an apply", () => {
  test("is: what is recorded, older objects, deletes, replaces, creates, and what is irreversible last", async () => {
    const b = { ...recorded("b"), deposed: [old("older_b")] };
    const { requests, run } = await applying({
      steps: [
        shouting("hey"),
        create("new"),
        rotate("r"),
        remove("d"),
        deposed("b", "older_b"),
        { ...base("f"), action: "forget", before: {} },
      ],
      instances: [b, recorded("d"), recorded("r"), recorded("f")],
    });
    expect(run.log.find((entry) => entry !== "GET")).toBe("recorded");
    expect(requests).toEqual(["DELETE older_b", "DELETE id_d", "POST r", "DELETE id_r", "POST new", "SHOUT hey"]);
  });
});

describe("steps that send nothing", () => {
  test("adopt what is live: what it does not show is assumed", async () => {
    const step: Step = {
      ...base("a"),
      action: "adopt",
      id: "id_a",
      after: { ...recorded("a").attributes, shiny: true },
      returned: live("a").attributes,
    };
    const declarations = [declared("a", {}, { masked: ["name"], lookups: { room: "hall" } })];
    const { applied, state, requests, run } = await applying({
      steps: [step, create("again", { name: "a" })],
      declarations: [...declarations, declared("again")],
      objects: [live("a")],
    });
    expect(state[0]).toMatchObject({
      id: "id_a",
      assumed: ["shiny"],
      masked: ["name"],
      lookups: { room: "hall" },
      returned: { id: "id_a" },
    });
    expect(applied.counts).toEqual({ import: 1, add: 1, change: 0, destroy: 0, forget: 0 });
    expect([requests, run.objects().includes("id_a")]).toEqual([["POST a"], true]);
  });

  test("adopt what can never be looked up", async () => {
    const step: Step = { ...base("hey", shout.type), action: "adopt", id: null, after: shouted("hey"), returned: {} };
    const { applied, state, requests } = await applying({ steps: [step] });
    expect([state.map(({ attributes }) => attributes), applied.counts.import, requests]).toEqual([
      [shouted("hey")],
      1,
      [],
    ]);
  });

  test("move an object to another address, alone or before it is replaced", async () => {
    const moved: Step = {
      ...base("y"),
      action: "update-state",
      id: "id_x",
      before: {},
      after: recorded("x").attributes,
      returned: {},
      movedFrom: "toy_thing.x",
    };
    const replaced: Step = { ...rotate("w"), id: "id_v", movedFrom: "toy_thing.v" } as Step;
    const { applied, shape } = await applying({ steps: [moved, replaced], instances: [recorded("x"), recorded("v")] });
    expect(shape).toEqual([
      ["w", "new_1"],
      ["y", "id_x"],
    ]);
    expect(applied.counts).toEqual({ import: 0, add: 1, change: 0, destroy: 1, forget: 0 });
  });

  test("move an object and take over its new values at once", async () => {
    const moved: Step = {
      ...base("y"),
      action: "update-state",
      id: "id_x",
      before: {},
      after: recorded("x", { shiny: true }).attributes,
      returned: { name: "X" },
      movedFrom: "toy_thing.x",
    };
    const { state, run } = await applying({ steps: [moved], instances: [recorded("x")] });
    expect(state).toMatchObject([{ address: "toy_thing.y", attributes: { shiny: true }, returned: { name: "X" } }]);
    expect(run.journal.recorded().map(({ kind }) => kind)).toEqual(["moved"]);
  });

  test("take over what the service shows now, and count as assumed only what it does not show", async () => {
    const after = { ...recorded("a").attributes, shiny: true, room: "hall", secret: null };
    const step: Step = {
      ...base("a"),
      action: "update-state",
      id: "id_a",
      before: {},
      after,
      returned: { room: "hall" },
    };
    const instance = recorded(
      "a",
      {},
      { unobserved: ["shiny", "room", "secret"], assumed: ["name"], masked: ["room"], lookups: { room: "data.x" } },
    );
    const plain = await applying({ steps: [step], instances: [instance], declarations: [declared("a")] });
    expect(plain.state).toMatchObject([{ unobserved: ["secret"], assumed: ["name", "shiny"] }]);
    for (const part of ["masked", "lookups"]) expect(plain.state[0]).not.toHaveProperty(part);
    const masked = await applying({
      steps: [step],
      instances: [instance],
      declarations: [declared("a", {}, { masked: ["name"], lookups: { name: "data.y" }, provider: "other" })],
    });
    expect(masked.state).toMatchObject([{ masked: ["name"], lookups: { name: "data.y" }, provider: "other" }]);
    const undeclared = await applying({ steps: [step], instances: [instance], declarations: [] });
    expect(undeclared.state).toMatchObject([{ masked: ["room"], lookups: { room: "data.x" } }]);
  });

  test("do nothing for an address that is not recorded any more", async () => {
    const update: Step = {
      ...base("a"),
      action: "update-state",
      id: "id_a",
      before: {},
      after: recorded("a").attributes,
      returned: {},
    };
    const { applied, state, run } = await applying({
      steps: [
        update,
        { ...base("b"), action: "forget", before: {} },
        { ...update, ...base("c"), movedFrom: "toy_thing.gone" },
      ],
    });
    expect([applied.counts, state, run.journal.recorded()]).toEqual([
      { import: 0, add: 0, change: 0, destroy: 0, forget: 0 },
      [],
      [],
    ]);
  });

  test("adopt an object in place of one whose older objects are still to be deleted", async () => {
    const step: Step = {
      ...base("a"),
      action: "adopt",
      id: "id_b",
      after: recorded("a").attributes,
      returned: live("a").attributes,
    };
    const { shape } = await applying({
      steps: [step],
      instances: [{ ...recorded("a"), deposed: [old("old_1")] }],
      objects: [live("a", { id: "id_b" })],
    });
    expect(shape).toEqual([["a", "id_b", "old_1"]]);
  });

  test("let objects change places, in one line of the journal", async () => {
    const to = (name: string, from: string): Step => ({
      ...base(name),
      action: "update-state",
      id: `id_${from}`,
      before: {},
      after: recorded(from).attributes,
      returned: {},
      movedFrom: `toy_thing.${from}`,
    });
    const { shape, run } = await applying({
      steps: [to("x", "y"), to("y", "x")],
      instances: [recorded("x"), recorded("y")],
    });
    expect(shape).toEqual([
      ["x", "id_y"],
      ["y", "id_x"],
    ]);
    expect(run.journal.recorded().map(({ kind }) => kind)).toEqual(["moved"]);
  });

  test("let an object go with its older ones, also one that was to move", async () => {
    const released = (name: string, more = {}): Step => ({
      ...base(name),
      action: "forget",
      before: {},
      released: true,
      ...more,
    });
    const { applied, shape, requests } = await applying({
      steps: [released("a"), released("c", { movedFrom: "toy_thing.b" })],
      instances: [{ ...recorded("a"), deposed: [old("older_a")] }, recorded("b"), recorded("d")],
    });
    expect([shape, requests, applied.counts.forget]).toEqual([[["d", "id_d"]], [], 2]);
  });

  test("move an object before it is deleted, or created again", async () => {
    const steps = [
      { ...remove("y"), id: "id_x", movedFrom: "toy_thing.x" } as Step,
      { ...create("w"), movedFrom: "toy_thing.v" },
    ];
    const { shape, requests } = await applying({
      steps,
      instances: [recorded("x", { name: "y" }), recorded("v", { name: "was" })],
    });
    expect([shape, requests]).toEqual([[["w", "new_1"]], ["DELETE id_x", "POST w"]]);
  });

  test("take what is imported into the state before it is replaced", async () => {
    const step = { ...rotate("a"), order: "delete-first", imported: live("a").attributes } as Step;
    const options = { steps: [step], objects: [live("a")] };
    const { applied, shape, run } = await applying(options);
    expect(run.journal.recorded().map(({ kind }) => kind)).toEqual(["recorded", "listed", "intent", "deleted", "done"]);
    expect([shape, applied.counts]).toEqual([
      [["a", "new_1"]],
      { import: 1, add: 1, change: 0, destroy: 1, forget: 0 },
    ]);
    const left = await applying({
      ...options,
      answer: (request) => (request.startsWith("DELETE") ? refused() : undefined),
    });
    expect([left.shape, left.applied.counts.import]).toEqual([[["a", "id_a"]], 1]);
    expect(left.run.context.isManaged("id_a")).toBe(true);
    const again = await applying({ ...options, instances: [recorded("a")] });
    expect([again.shape, again.applied.counts.import]).toEqual([[["a", "new_1"]], 0]);
  });

  test("forget one object before another takes its address", async () => {
    const moved: Step = {
      ...base("b", shout.type),
      action: "update-state",
      id: null,
      before: {},
      after: shouted("a"),
      returned: {},
      movedFrom: "toy_shout.a",
    };
    const forgotten: Step = { ...base("b", shout.type), action: "forget", before: {} };
    const { state } = await applying({ steps: [moved, forgotten], instances: [word("a"), word("b")] });
    expect(state.map(({ address, attributes }) => [address, attributes["word"]])).toEqual([["toy_shout.b", "a"]]);
  });
});

describe("older objects of an address", () => {
  const twice = { ...recorded("a"), deposed: [old("old_1"), old("old_2")] };
  test("are deleted one after the other, and the current one stays", async () => {
    const { applied, shape } = await applying({
      steps: [deposed("a", "old_1"), deposed("a", "old_2")],
      instances: [twice],
    });
    expect([shape, applied.counts.destroy]).toEqual([[["a", "id_a"]], 2]);
  });

  test("that cannot be deleted stay recorded, and so does what they belong to", async () => {
    const answer = (request: string) => (request === "DELETE old_1" ? refused() : undefined);
    const { applied, shape, requests } = await applying({
      steps: [deposed("a", "old_1"), deposed("a", "old_2"), remove("a")],
      instances: [twice],
      answer,
    });
    expect(requests).toEqual(["DELETE old_1", "DELETE old_2"]);
    expect(shape).toEqual([["a", "id_a", "old_1"]]);
    expect(codes(applied)).toEqual([
      ["toy_refused", "toy_thing.a"],
      ["deposed_left", "toy_thing.a"],
    ]);
  });

  test("are deleted before an address is forgotten", async () => {
    const forget: Step = { ...base("a"), action: "forget", before: {} };
    const steps = [forget, deposed("a", "old_1"), deposed("a", "old_2")];
    expect((await applying({ steps, instances: [twice] })).shape).toEqual([]);
    const answer = (request: string) => (request === "DELETE old_2" ? refused() : undefined);
    expect((await applying({ steps, instances: [twice], answer })).shape).toEqual([["a", "id_a", "old_2"]]);
  });

  test("that cannot be deleted keep their object from being replaced by a delete, and from nothing else", async () => {
    const answer = (request: string) => (request === "DELETE old_1" ? refused() : undefined);
    const instances = [
      { ...recorded("a"), deposed: [{ ...old("old_1"), attributes: recorded("other").attributes }] },
      recorded("b"),
    ];
    const steps = (order: "delete-first" | "create-first") => [
      { ...deposed("a", "old_1"), before: recorded("other").attributes } as Step,
      { ...rotate("a"), order } as Step,
      remove("b"),
    ];
    const held = await applying({ steps: steps("delete-first"), instances, answer });
    expect([held.requests, codes(held.applied).map(([code]) => code)]).toEqual([
      ["DELETE old_1", "DELETE id_b"],
      ["toy_refused", "deposed_left"],
    ]);
    const free = await applying({ steps: steps("create-first"), instances, answer });
    expect(free.shape).toEqual([["a", "new_1", "old_1"]]);
  });

  test("fail the apply where their address could not be forgotten in the journal", async () => {
    const [bytes, steps] = [
      memoryJournal(),
      [{ ...base("a"), action: "forget", before: {} } as Step, deposed("a", "old_1"), remove("b")],
    ];
    let appends = 0;
    const journal = {
      ...bytes,
      append: (added: Uint8Array) => (++appends === 3 ? Promise.reject(new Error("ENOSPC")) : bytes.append(added)),
    };
    const sent: string[] = [];
    const answer = (request: string): undefined => void sent.push(request);
    const instances = [{ ...recorded("a"), deposed: [old("old_1")] }, recorded("b")];
    await expect(applying({ steps, instances, journal, answer })).rejects.toThrow("ENOSPC");
    expect(sent).toEqual(["DELETE old_1"]);
  });

  test("survive a replace of the current one", async () => {
    const answer = (request: string) => (request.startsWith("DELETE") ? refused() : undefined);
    const instance = {
      ...recorded("a", { name: "was" }),
      deposed: [{ ...old("old_1"), attributes: recorded("was").attributes }],
    };
    const step: Step = { ...deposed("a", "old_1"), before: recorded("was").attributes } as Step;
    const { shape } = await applying({
      steps: [step, create("a")],
      instances: [instance],
      objects: [live("was", { id: "old_1" })],
      managed: ["old_1"],
      answer,
    });
    expect(shape).toEqual([["a", "new_1", "old_1"]]);
  });
});

describe("what is sent", () => {
  test("is recorded with what was masked and looked up in its declaration", async () => {
    const more = { masked: ["room"], lookups: { room: "data.toy.room" } };
    const { state } = await applying({
      steps: [create("a"), create("b")],
      declarations: [declared("a", {}, more), declared("b")],
    });
    expect(state[0]).toMatchObject(more);
    for (const part of ["masked", "lookups"]) expect(state[1]).not.toHaveProperty(part);
  });

  test.each<readonly [string, Step, string]>([
    ["a create without a declaration", create("a"), "toy_thing.a is not declared"],
    ["a delete of what is not recorded", remove("a"), "toy_thing.a is not recorded"],
    ["a replace of what is not recorded", rotate("a"), "toy_thing.a is not recorded"],
  ])("is not %s", async (_, step, problem) => {
    const sent: string[] = [];
    const answer = (request: string): undefined => void sent.push(request);
    await expect(applying({ steps: [step], declarations: [], answer })).rejects.toThrow(problem);
    expect(sent).toEqual([]);
  });

  test("of one type is over before the next type begins, in the catalog's order", async () => {
    const { requests } = await applying({ steps: [shouting("hey"), create("a"), create("b")] });
    expect(requests).toEqual(["POST a", "POST b", "SHOUT hey"]);
  });

  test("takes identities from each other one by one, and the others side by side", async () => {
    const swap = (name: string, to: string): Step =>
      ({ ...rotate(name), order: "delete-first", after: after(name, { name: to }) }) as Step;
    const moving = await applying({
      steps: [swap("a", "b"), swap("b", "c")],
      instances: [recorded("a"), recorded("b")],
    });
    expect(moving.run.mostAtOnce()).toBe(1);
    const staying = await applying({ steps: [rotate("a"), rotate("b")], instances: [recorded("a"), recorded("b")] });
    expect(staying.run.mostAtOnce()).toBe(2);
  });
});

describe("a replace that creates first", () => {
  test("whose old one could not be deleted counts what was made, and keeps it deposed", async () => {
    const answer = (request: string) => (request.startsWith("DELETE") ? refused() : undefined);
    const { applied, shape } = await applying({ steps: [rotate("a")], instances: [recorded("a")], answer });
    expect([shape, applied.counts.add, applied.counts.destroy, applied.undecided]).toEqual([
      [["a", "new_1", "id_a"]],
      1,
      0,
      false,
    ]);
    expect(applied.diagnostics).toMatchObject([
      { code: "toy_refused", hint: expect.stringContaining("next apply deletes it") },
    ]);
  });
});

describe("what is to be deleted and is not as the plan showed it", () => {
  test.each([
    ["a delete", remove("a")],
    ["a replace", rotate("a")],
  ])("is left alone by %s, undecided", async (_, step) => {
    const { applied, requests, shape } = await applying({
      steps: [step, remove("b")],
      instances: [recorded("a"), recorded("b")],
      objects: [live("a", { room: "cellar" }), live("b")],
    });
    expect(requests).toEqual(["DELETE id_b"]);
    expect([applied.undecided, codes(applied), shape]).toEqual([
      true,
      [["changed_since_plan", "toy_thing.a"]],
      [["a", "id_a"]],
    ]);
  });

  test("is deleted when the plan showed the change", async () => {
    const step: Step = { ...remove("a"), before: recorded("a", { room: "cellar" }).attributes } as Step;
    const { requests } = await applying({
      steps: [step],
      instances: [recorded("a")],
      objects: [live("a", { room: "cellar" })],
    });
    expect(requests).toEqual(["DELETE id_a"]);
  });
});

describe("an irreversible write that was never confirmed", () => {
  const again = {
    steps: [shouting("hey", { again: "unconfirmed" }), create("a")],
    instances: [word("hey", "unconfirmed")],
  } satisfies Setting;
  test("is not sent where nobody has approved the plan, and everything else is done", async () => {
    const { applied, requests, state } = await applying(again);
    expect(requests).toEqual(["POST a"]);
    expect([applied.undecided, codes(applied), state.map(({ attributes }) => attributes["outcome"])]).toEqual([
      true,
      [["outcome_unconfirmed", "toy_shout.hey"]],
      ["unconfirmed", undefined],
    ]);
  });

  test("is sent where somebody has", async () => {
    const { applied, requests, state } = await applying({ ...again, approved: true });
    expect(requests).toEqual(["POST a", "SHOUT hey"]);
    expect([applied.undecided, applied.counts.add, state[0]?.attributes]).toEqual([false, 2, shouted("hey")]);
  });

  test("stays unconfirmed where the service then refuses it, but not if it was never sent before", async () => {
    const answer = (request: string) => (request === "SHOUT hey" ? refused(true) : undefined);
    const repeated = await applying({ ...again, approved: true, answer });
    expect([repeated.applied.undecided, repeated.applied.counts.add, repeated.state[0]?.attributes]).toEqual([
      true,
      1,
      shouted("hey", "unconfirmed"),
    ]);
    const first = await applying({ steps: [shouting("hey")], answer });
    expect([first.applied.counts.add, codes(first.applied), first.state]).toEqual([
      0,
      [["toy_refused", "toy_shout.hey"]],
      [],
    ]);
  });

  test("is recorded so when no answer comes, and reported; the others go on", async () => {
    const answer = (request: string) => (request === "SHOUT hey" ? unsure : undefined);
    const { applied, requests, state } = await applying({ steps: [shouting("hey"), shouting("you")], answer });
    expect(requests.filter((entry) => entry === "SHOUT hey")).toHaveLength(3);
    expect(state.map(({ attributes }) => attributes)).toEqual([shouted("hey", "unconfirmed"), shouted("you")]);
    expect([applied.undecided, applied.counts.add, codes(applied)]).toEqual([
      true,
      1,
      [["outcome_unconfirmed", "toy_shout.hey"]],
    ]);
  });
});

test("ten thousand creates take at most about ten times as long as a thousand", async () => {
  const taken = async (count: number): Promise<number> => {
    const steps = Array.from({ length: count }, (_, index) => create(`toy${String(index)}`));
    const begun = process.cpuUsage();
    expect((await applying({ steps })).applied.counts.add).toBe(count);
    return process.cpuUsage(begun).user;
  };
  await taken(200);
  const [few, many] = [await taken(1000), await taken(10_000)];
  expect(many / few).toBeLessThan(20);
});
