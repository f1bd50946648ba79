import { describe, expect, test } from "vitest";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, planOf, steps } from "./world.ts";

const OLD = { id: "id_old", attributes: { name: "ball" }, returned: {} };

describe("which half of a replace comes first", () => {
  test.each([
    ["the delete, where nothing is said", {}, {}, "delete-first"],
    ["the delete, where that is declared", { rotation: "delete_first" }, {}, "delete-first"],
    ["the create, where that is declared", { rotation: "create_first" }, {}, "create-first"],
    [
      "as it is declared now, not as it was",
      { rotation: "create_first" },
      { rotation: "delete_first" },
      "create-first",
    ],
    ["as it is declared now, not as it was before", {}, { rotation: "create_first" }, "delete-first"],
  ])("%s", (_, now, before, order) => {
    const made = planOf({
      declarations: [declared("ball", { room: "attic", ...now })],
      instances: [recorded("ball", before)],
      live: [live("ball")],
    });
    expect(made.steps).toMatchObject([{ action: "replace", order, because: [{ attribute: "room", why: "config" }] }]);
  });
});

describe("what was replaced create-first and is still there", () => {
  const cases: readonly (readonly [string, Partial<World>, readonly string[]])[] = [
    [
      "is deleted, and the current one is kept",
      { declarations: [declared("ball")], live: [live("ball")] },
      ["delete thing.ball (deposed id_old)", "keep thing.ball"],
    ],
    [
      "is deleted together with the current one",
      { live: [live("ball")] },
      ["delete thing.ball (deposed id_old)", "delete thing.ball"],
    ],
    [
      "is deleted also when the current one is gone",
      { declarations: [declared("ball")] },
      ["delete thing.ball (deposed id_old)", "create thing.ball"],
    ],
    [
      "is deleted although the current one is protected",
      { declarations: [declared("ball", { protect: true })], live: [live("ball")] },
      ["delete thing.ball (deposed id_old)", "update-state thing.ball"],
    ],
    [
      "is no identical unmanaged one",
      { live: [live("ball"), live("ball", { id: "id_old" })], declarations: [declared("ball", { shiny: true })] },
      ["delete thing.ball (deposed id_old)", "replace thing.ball"],
    ],
    [
      "is left alone by a refresh",
      { declarations: [declared("ball")], live: [live("ball")], options: { refreshOnly: true } },
      ["keep thing.ball"],
    ],
    [
      "is left alone while its address is undecided",
      { declarations: [declared("ball")], live: [live("ball")], undecided: ["toy_thing.ball"] },
      [],
    ],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = planOf({ ...world, instances: [recorded("ball", {}, { deposed: [OLD] })] });
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(expected);
  });
});

describe("a replace by request", () => {
  const ball = { declarations: [declared("ball")], instances: [recorded("ball")], live: [live("ball")] };
  const cases: readonly (readonly [string, Partial<World>, readonly string[]])[] = [
    ["replaces what has not changed", ball, ["replace thing.ball"]],
    ["creates what is gone", { ...ball, live: [] }, ["create thing.ball"]],
    ["deletes what is not declared", { ...ball, declarations: [] }, ["delete thing.ball"]],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = planOf({ ...world, options: { replace: ["toy_thing.ball"] } });
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(expected);
  });

  test("is its own reason, where there is no other", () => {
    expect(planOf({ ...ball, options: { replace: ["toy_thing.ball"] } }).steps).toMatchObject([
      { because: [{ attribute: null, why: "requested" }] },
    ]);
  });

  const moved = {
    declarations: [declared("ball", {}, { address: `toy_thing.x["ball"]` })],
    instances: [recorded("ball", {}, { address: "toy_thing.x" })],
    live: [live("ball")],
  };
  test.each([["toy_thing.x"], [`toy_thing.x["ball"]`]])("reaches a moved instance by %s", (address) => {
    const made = planOf({ ...moved, options: { replace: [address] } });
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual([`replace thing.x["ball"] from thing.x`]);
  });

  test("is refused for what is not recorded", () => {
    const made = planOf({ declarations: [declared("ball")], options: { replace: ["toy_thing.ball"] } });
    expect(made.diagnostics).toMatchObject([
      { code: "address_unknown", detail: "toy_thing.ball cannot be replaced: it is not in the state." },
    ]);
  });
});

describe("the reason of a replace", () => {
  test("is the name that now finds another value, where the same question was asked", () => {
    const lookups = { room: `data.toy_room.q (name "attic")` };
    const made = planOf({
      declarations: [declared("ball", { room: "r2" }, { lookups })],
      instances: [recorded("ball", { room: "r1" }, { lookups })],
      live: [live("ball", { room: "r1" })],
    });
    expect(made.steps[0]?.because).toEqual([{ attribute: "room", why: "lookup", lookup: lookups.room }]);
  });

  test("is the configuration, where another question is asked", () => {
    const made = planOf({
      declarations: [declared("ball", { room: "r2" }, { lookups: { room: "b" } })],
      instances: [recorded("ball", { room: "r1" }, { lookups: { room: "a" } })],
      live: [live("ball", { room: "r1" })],
    });
    expect(made.steps[0]?.because).toEqual([{ attribute: "room", why: "config" }]);
  });

  test("is the secret, also where it is taken away", () => {
    const made = planOf({
      declarations: [declared("ball")],
      instances: [recorded("ball", { secret: { $secret: "aa" } })],
      live: [live("ball")],
    });
    expect(made.steps[0]?.because).toEqual([{ attribute: "secret", why: "secret" }]);
  });
});
