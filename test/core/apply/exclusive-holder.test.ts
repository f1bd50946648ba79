import { expect, test } from "vitest";
import { createOne, replaceOne } from "../../../src/core/apply/write/write.ts";
import type { Creation, WriteContext } from "../../../src/core/apply/write/write-context.ts";
import type { AnyResource, WriteOutcome } from "../../../src/core/model/definition.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { live, recorded, toy } from "../toy.ts";
import { type ToyRun, refused, toyRun } from "./toy-run.ts";

/** A toy of which the shop may allow one per name, whatever its room. */
const single: AnyResource = { ...toy, exclusive: "name" };
const BALL = recorded("ball", { room: "attic" });
const CONFLICT: WriteOutcome = { ...(refused() as Extract<WriteOutcome, { kind: "refused" }>), rejected: "conflict" };

function creation(address: string, name: string, room: string | null): Creation {
  const attributes = {
    name,
    room,
    shiny: null,
    secret: null,
    secret_wo: null,
    allow_duplicate: null,
    id: UNKNOWN,
    made_at: UNKNOWN,
  };
  return { address: `toy_thing.${address}`, provider: "toy", attributes, secrets: {}, allowDuplicate: false };
}

function contextOf(
  { context }: ToyRun,
  isKnown: boolean,
): { readonly context: WriteContext; readonly learned: readonly true[] } {
  const learned: true[] = [];
  const exclusive = {
    isKnown: () => Promise.resolve(isKnown),
    learned: () => Promise.resolve(void learned.push(true)),
  };
  return { context: { ...context, exclusive, addressOf: (id) => (id === "id_ball" ? BALL.address : null) }, learned };
}

const managed = { definition: single, objects: [live("BALL", { id: "id_ball", room: "attic" })], managed: ["id_ball"] };
const requests = ({ log }: ToyRun) => log.filter((entry) => /^(POST|DELETE)/.test(entry));

test("a create with a value that a live object has is not sent, where the service is known to allow one each", async () => {
  const run = toyRun(managed);
  const result = await createOne(single, creation("kite", "ball", "hall"), contextOf(run, true).context);
  expect(result).toMatchObject({
    kind: "failed",
    diagnostic: { code: "exclusive_taken", detail: expect.stringContaining("toy_thing.ball manages it") as string },
  });
  expect(requests(run)).toEqual([]);
});

test("a conflict names the object that has the value, and from then on it is known", async () => {
  const run = toyRun({ ...managed, answer: () => CONFLICT });
  const { context, learned } = contextOf(run, false);
  const result = await createOne(single, creation("kite", "ball", "hall"), context);
  const detail =
    'The shop said no. id_ball (room = "attic") has this name, and toy_thing.ball manages it. The service allows one thing per name.';
  expect(result).toMatchObject({
    kind: "failed",
    diagnostic: { code: "toy_refused", detail, ways: [{ kind: "distinguish" }] },
  });
  expect([requests(run), learned]).toEqual([["POST ball"], [true]]);
});

test("a conflict that the list does not explain teaches nothing", async () => {
  const run = toyRun({ definition: single, answer: () => CONFLICT });
  const { context, learned } = contextOf(run, false);
  expect(await createOne(single, creation("kite", "kite", null), context)).toMatchObject({
    kind: "failed",
    diagnostic: { detail: "The shop said no." },
  });
  expect(learned).toEqual([]);
});

test("a replace that deletes the holder first is sent", async () => {
  const run = toyRun(managed);
  const replaced = await replaceOne(
    single,
    { instance: BALL, creation: creation("ball", "ball", "hall") },
    contextOf(run, true).context,
  );
  expect([replaced.kind, requests(run)]).toEqual(["done", ["DELETE id_ball", "POST ball"]]);
});

test.each([
  ["that creates first", "ball", "create-first", []],
  ["whose value another object has", "doll", "delete-first", [live("doll", { id: "id_doll", room: "hall" })]],
] as const)("a replace %s deletes nothing", async (_, name, order, others) => {
  const run = toyRun({ ...managed, objects: [...managed.objects, ...others] });
  const result = await replaceOne(
    single,
    { instance: BALL, creation: creation("ball", name, "cellar"), order },
    contextOf(run, true).context,
  );
  expect([result.kind, requests(run)]).toEqual(["failed", []]);
});

test("a replace that creates first and meets a conflict with its old object has two ways: the other order, and another value", async () => {
  const run = toyRun({ ...managed, answer: () => CONFLICT });
  const result = await replaceOne(
    single,
    { instance: BALL, creation: creation("ball", "ball", "hall"), order: "create-first" },
    contextOf(run, false).context,
  );
  const ways = [
    { kind: "set-attribute", attribute: "rotation" },
    { kind: "distinguish", attribute: "name", isReplaced: true },
  ];
  expect(result).toMatchObject({ kind: "failed", diagnostic: { ways } });
});
