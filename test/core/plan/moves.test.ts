import { describe, expect, test } from "vitest";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, planOf, steps } from "./world.ts";

const keyed = (block: string, key: string): string => `toy_thing.${block}["${key}"]`;
const wanted = (address: string, attributes = {}) => declared("ball", attributes, { address });
const kept = (address: string, attributes = {}, more = {}) => recorded("ball", attributes, { address, ...more });

describe("a fan-out that changes its shape", () => {
  const cases: readonly (readonly [string, Partial<World>, readonly string[]])[] = [
    [
      "from one to a list moves the instance",
      { declarations: [wanted(keyed("x", "ball"))], instances: [kept("toy_thing.x")], live: [live("ball")] },
      [`update-state thing.x["ball"] from thing.x`],
    ],
    [
      "from a list to one moves the instance",
      { declarations: [wanted("toy_thing.x")], instances: [kept(keyed("x", "ball"))], live: [live("ball")] },
      [`update-state thing.x from thing.x["ball"]`],
    ],
    [
      "in a part of its key moves the instance",
      { declarations: [wanted(keyed("x", "attic/ball"))], instances: [kept(keyed("x", "ball"))], live: [live("ball")] },
      [`update-state thing.x["attic/ball"] from thing.x["ball"]`],
    ],
    [
      "moves the instance that is the same, and deletes and creates the others",
      {
        declarations: [wanted(keyed("x", "ball")), declared("kite", {}, { address: keyed("x", "kite") })],
        instances: [kept("toy_thing.x"), recorded("doll", {}, { address: keyed("x", "doll") })],
        live: [live("ball"), live("doll")],
      },
      [`update-state thing.x["ball"] from thing.x`, `delete thing.x["doll"]`, `create thing.x["kite"]`],
    ],
    [
      "moves and records a setting of ours in one step",
      {
        declarations: [wanted(keyed("x", "ball"), { protect: true })],
        instances: [kept("toy_thing.x")],
        live: [live("ball")],
      },
      [`update-state thing.x["ball"] from thing.x`],
    ],
    [
      "moves the instance whose secret has changed, and replaces it there",
      {
        declarations: [wanted(keyed("x", "ball"), { secret: { $secret: "bb" } })],
        instances: [kept("toy_thing.x", { secret: { $secret: "aa" } })],
        live: [live("ball")],
      },
      [`replace thing.x["ball"] from thing.x`],
    ],
    [
      "does not move what differs in any other attribute",
      {
        declarations: [wanted(keyed("x", "ball"), { shiny: true })],
        instances: [kept("toy_thing.x")],
        live: [live("ball")],
      },
      [`delete thing.x`, `create thing.x["ball"]`],
    ],
    [
      "does not move what is gone: it is created again, and the old record is forgotten",
      { declarations: [wanted(keyed("x", "ball"))], instances: [kept("toy_thing.x")] },
      [`forget thing.x`, `create thing.x["ball"]`],
    ],
    [
      "replaces in place an address that is declared as something else now, even if another one leaves",
      {
        declarations: [declared("doll", {}, { address: "toy_thing.x" })],
        instances: [kept("toy_thing.x"), recorded("doll", {}, { address: keyed("x", "doll") })],
        live: [live("ball"), live("doll")],
      },
      [`replace thing.x`, `delete thing.x["doll"]`],
    ],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = planOf(world);
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(expected);
  });

  test("does not move between blocks, but notes that it may only have been renamed", () => {
    const made = planOf({
      declarations: [wanted("toy_thing.y")],
      instances: [kept("toy_thing.x")],
      live: [live("ball")],
    });
    expect([steps(made), codes(made)]).toEqual([[`delete thing.x`, `create thing.y`], ["maybe_renamed"]]);
  });

  test("tells nothing as its reason when nothing but the address changes", () => {
    const made = planOf({
      declarations: [wanted(keyed("x", "ball"))],
      instances: [kept("toy_thing.x")],
      live: [live("ball")],
    });
    expect(made.steps[0]?.because).toEqual([]);
  });

  test("takes the same of several candidates, whatever the order", () => {
    const world = {
      declarations: [wanted(keyed("x", "new"), { allow_duplicate: true })],
      instances: ["a", "b"].map((key) => kept(keyed("x", key), { allow_duplicate: true }, { id: `id_${key}` })),
      live: [live("ball", { id: "id_a" }), live("ball", { id: "id_b" })],
    };
    const expected = [`delete thing.x["b"]`, `update-state thing.x["new"] from thing.x["a"]`];
    expect(steps(planOf(world))).toEqual(expected);
    expect(steps(planOf({ ...world, instances: world.instances.toReversed() }))).toEqual(expected);
  });

  test("carries drift along: the moved one is replaced", () => {
    const made = planOf({
      declarations: [wanted(keyed("x", "ball"))],
      instances: [kept("toy_thing.x")],
      live: [live("ball", { room: "attic" })],
    });
    expect(steps(made)).toEqual([`replace thing.x["ball"] from thing.x`]);
    expect(made.drift.map(({ address }) => address)).toEqual([keyed("x", "ball")]);
  });

  test("counts a secret that was not looked at as unchanged", () => {
    const made = planOf({
      declarations: [wanted(keyed("x", "ball"), { secret: UNKNOWN })],
      instances: [kept("toy_thing.x", { secret: { $secret: "aa" } })],
      live: [live("ball")],
    });
    expect(steps(made)).toEqual([`update-state thing.x["ball"] from thing.x`]);
  });

  test.each([["toy_thing.x"], [keyed("x", "ball")]])("is not planned while %s is undecided", (address) => {
    const made = planOf({
      declarations: [wanted(keyed("x", "ball"))],
      instances: [kept("toy_thing.x")],
      live: [live("ball")],
      undecided: [address],
    });
    expect(steps(made)).toEqual([]);
  });
});
