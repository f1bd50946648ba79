import { describe, expect, test } from "vitest";
import { createOne, deleteOne, replaceOne } from "../../../src/core/apply/write/write.ts";
import { type Creation, type WriteContext, openBaseline } from "../../../src/core/apply/write/write-context.ts";
import type { AnyResource } from "../../../src/core/model/definition.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import type { JournalFact } from "../../../src/core/state/journal-event.ts";
import { type ToyShop, live, recorded, toy } from "../toy.ts";
import { shout } from "./shop-things.ts";
import { type ToyRun, type ToyRunOptions, refused, toyRun, unsure } from "./toy-run.ts";

const BALL = recorded("ball");
const THERE = { objects: [live("ball")], managed: ["id_ball"] } satisfies ToyRunOptions;

function creation(name: string): Creation {
  const attributes = {
    name,
    room: null,
    shiny: null,
    secret: null,
    secret_wo: null,
    allow_duplicate: null,
    id: UNKNOWN,
    made_at: UNKNOWN,
  };
  return { address: `toy_thing.${name}`, provider: "toy", attributes, secrets: {}, allowDuplicate: false };
}

/** Nothing can look it up. */
const shouting: AnyResource = {
  ...shout,
  create: ({ word }, { client }) => (client as ToyShop).create({ name: String(word) }),
};
const SHOUT: Creation = {
  address: "toy_shout.hey",
  provider: "toy",
  attributes: { word: "hey" },
  secrets: {},
  allowDuplicate: false,
};

type Write = (context: WriteContext) => Promise<unknown>;
const create: Write = (context) => createOne(toy, creation("kite"), context);
const remove: Write = (context) => deleteOne(toy, BALL, context);
const replace: Write = (context) => replaceOne(toy, { instance: BALL, creation: creation("ball") }, context);
const replaceNewFirst: Write = (context) =>
  replaceOne(toy, { instance: BALL, creation: creation("ball"), order: "create-first" }, context);

/** The run, with a journal that keeps everybody waiting who stores such a fact, until it is released. */
function withSlowJournal(
  run: ToyRun,
  kind: JournalFact["kind"],
): { readonly context: WriteContext; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const slowly = async (facts: readonly JournalFact[]): Promise<void> =>
    facts.some((fact) => fact.kind === kind) ? released : undefined;
  const { journal } = run.context;
  const slow: WriteContext["journal"] = {
    ...journal,
    begin: async (facts, signal) => {
      await slowly(facts);
      return journal.begin(facts, signal);
    },
    record: async (facts) => {
      await slowly(facts);
      await journal.record(facts);
    },
  };
  return { context: { ...run.context, journal: slow, baseline: openBaseline(toy, run.live, slow) }, release };
}

const everythingElse = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a run goes on only once the journal has", () => {
  test.each<readonly [string, Write, JournalFact["kind"], ToyRunOptions]>([
    ["the outcome of a create", create, "done", {}],
    ["the refusal of a create", create, "failed", { answer: () => refused() }],
    ["the open outcome of a create", create, "undecided", { answer: () => unsure }],
    ["the outcome of a delete", remove, "done", THERE],
    ["the refusal of a delete", remove, "failed", { ...THERE, answer: () => refused() }],
    ["the open outcome of a delete", remove, "undecided", { ...THERE, answer: () => unsure }],
    ["the outcome of a replace", replace, "done", THERE],
    ["the outcome of a replace that creates first", replaceNewFirst, "done", THERE],
    ["the refusal of a replace that creates first", replaceNewFirst, "failed", { ...THERE, answer: () => refused() }],
    [
      "an outcome that nothing can find out",
      (context) => createOne(shouting, SHOUT, context),
      "done",
      { answer: () => unsure },
    ],
  ])("%s", async (_, write, kind, options) => {
    const run = toyRun(options);
    const { context, release } = withSlowJournal(run, kind);
    let isOver = false;
    const writing = write(context).then(() => (isOver = true));
    await everythingElse();
    expect(run.log.some((entry) => /^(?:POST|DELETE)/.test(entry))).toBe(true);
    expect(isOver).toBe(false);
    release();
    await writing;
    expect(run.log).toContain(kind);
  });
});

describe("nothing is sent before the journal has", () => {
  test.each<readonly [string, Write, JournalFact["kind"], ToyRunOptions, readonly string[]]>([
    ["the ids from before a create", create, "listed", {}, ["POST kite"]],
    ["the intent of a create", create, "intent", {}, ["POST kite"]],
    ["the intent of a delete", remove, "intent", THERE, ["DELETE id_ball"]],
    ["the intent of a replace", replace, "intent", THERE, ["DELETE id_ball", "POST ball"]],
    ["the first half of a replace", replace, "deleted", THERE, ["POST ball"]],
    ["the first half of a replace that creates first", replaceNewFirst, "created", THERE, ["DELETE id_ball"]],
  ])("%s", async (_, write, kind, options, requests) => {
    const run = toyRun(options);
    const { context, release } = withSlowJournal(run, kind);
    const writing = write(context);
    await everythingElse();
    expect(requests.filter((request) => run.log.includes(request))).toEqual([]);
    release();
    await writing;
    expect(requests.filter((request) => run.log.includes(request))).toEqual(requests);
  });
});

test("a delete of what the service does not know asks for proof that the list is whole", async () => {
  const run = toyRun({ managed: ["id_ball"] });
  const asked: unknown[] = [];
  const again: WriteContext["live"]["again"] = (signal, options) => {
    asked.push(options);
    return run.context.live.again(signal, options);
  };
  await remove({ ...run.context, live: { ...run.context.live, again } });
  expect(asked).toEqual([{ confirm: true }]);
});
