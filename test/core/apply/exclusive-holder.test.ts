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

function contextOf({ context }: ToyRun, exclusive: boolean): WriteContext {
  return { ...context, exclusive, addressOf: (id) => (id === "id_ball" ? BALL.address : null) };
}

const managed = { definition: single, objects: [live("BALL", { id: "id_ball", room: "attic" })], managed: ["id_ball"] };
const requests = ({ log }: ToyRun) => log.filter((entry) => /^(POST|DELETE)/.test(entry));

test("a create with a value that a live object has is not sent, where the service allows one each", async () => {
  const run = toyRun(managed);
  const result = await createOne(single, creation("kite", "ball", "hall"), contextOf(run, true));
  expect(result).toMatchObject({
    kind: "failed",
    diagnostic: { code: "exclusive_taken", detail: expect.stringContaining("toy_thing.ball manages it") as string },
  });
  expect(requests(run)).toEqual([]);
});

test("a conflict names the object that has the value, and the setting where it is not set", async () => {
  const run = toyRun({ ...managed, answer: () => CONFLICT });
  const result = await createOne(single, creation("kite", "ball", "hall"), contextOf(run, false));
  const detail =
    'The shop said no. id_ball (room = "attic") has this name, and toy_thing.ball manages it. The service allows one thing per name.';
  expect(result).toMatchObject({
    kind: "failed",
    diagnostic: { code: "toy_refused", detail, ways: [{ kind: "distinguish" }, { kind: "set-exclusive" }] },
  });
  expect(requests(run)).toEqual(["POST ball"]);
});

test("a conflict that the list does not explain stays what the service said", async () => {
  const run = toyRun({ definition: single, answer: () => CONFLICT });
  const result = await createOne(single, creation("kite", "kite", null), contextOf(run, false));
  expect(result).toMatchObject({ kind: "failed", diagnostic: { detail: "The shop said no." } });
});

test("a replace that deletes the holder first is sent", async () => {
  const run = toyRun(managed);
  const replaced = await replaceOne(
    single,
    { instance: BALL, creation: creation("ball", "ball", "hall") },
    contextOf(run, true),
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
    contextOf(run, true),
  );
  expect([result.kind, requests(run)]).toEqual(["failed", []]);
});

test("a replace that creates first and meets a conflict with its old object names the other order, another value, and the setting", async () => {
  const run = toyRun({ ...managed, answer: () => CONFLICT });
  const result = await replaceOne(
    single,
    { instance: BALL, creation: creation("ball", "ball", "hall"), order: "create-first" },
    contextOf(run, false),
  );
  const ways = [
    { kind: "set-attribute", attribute: "rotation" },
    { kind: "distinguish", attribute: "name", isReplaced: true },
    { kind: "set-exclusive" },
  ];
  expect(result).toMatchObject({ kind: "failed", diagnostic: { ways } });
});
