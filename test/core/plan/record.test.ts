import { describe, expect, test } from "vitest";
import { declared, listing, live, recorded } from "../toy.ts";
import { type World, codes, given, inputOf, planOf, pledged, steps } from "./world.ts";
import { makePlan, plannedAttributes } from "../../../src/core/plan/make-plan.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";

const SECRET_ROOM = "made of a sensitive variable";

describe("a refresh alone", () => {
  const cases: readonly (readonly [
    string,
    Partial<World>,
    { readonly steps: readonly string[]; readonly drift?: readonly string[] },
  ])[] = [
    [
      "records what was changed",
      { instances: [recorded("ball")], live: [live("ball", { room: "attic" })] },
      { steps: ["update-state thing.ball"], drift: ["toy_thing.ball"] },
    ],
    [
      "forgets what is gone",
      { instances: [recorded("ball")] },
      { steps: ["forget thing.ball"], drift: ["toy_thing.ball"] },
    ],
    [
      "keeps what is as it was",
      { instances: [recorded("ball")], live: [live("ball")] },
      { steps: ["keep thing.ball"] },
    ],
    [
      "creates, replaces and deletes nothing",
      {
        declarations: [declared("kite"), declared("ball", { shiny: true })],
        instances: [recorded("ball"), recorded("doll")],
        live: [live("ball"), live("doll")],
      },
      { steps: ["keep thing.ball", "keep thing.doll"] },
    ],
    [
      "is not stopped by two equal declarations",
      { declarations: [declared("a", { name: "x" }), declared("b", { name: "x" })] },
      { steps: [] },
    ],
    [
      "moves nothing",
      {
        declarations: [declared("ball", {}, { address: `toy_thing.x["ball"]` })],
        instances: [recorded("ball", {}, { address: "toy_thing.x" })],
        live: [live("ball")],
      },
      { steps: ["keep thing.x"] },
    ],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = planOf({ ...world, options: { refreshOnly: true } });
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(expected.steps);
    expect(made.drift.map(({ address }) => address)).toEqual(expected.drift ?? []);
  });

  test("believes no list that may be cut off", () => {
    const made = planOf({ instances: [recorded("ball")], live: listing([], false), options: { refreshOnly: true } });
    expect(codes(made)).toEqual(["list_maybe_truncated thing.ball"]);
    expect(steps(made)).toEqual([]);
  });

  test("keeps what was not looked for", () => {
    const input = inputOf({ instances: [recorded("ball")], options: { refreshOnly: true } });
    expect(steps(makePlan({ ...input, live: new Map() }))).toEqual(["keep thing.ball"]);
  });
});

describe("what a record step tells", () => {
  test("is what was recorded, and what is recorded then", () => {
    const made = planOf({
      declarations: [declared("ball", { room: "attic", protect: true })],
      instances: [recorded("ball")],
      live: [live("ball", { room: "attic" })],
    });
    expect(made.steps).toMatchObject([
      {
        action: "update-state",
        before: { room: null },
        after: { room: "attic", protect: true },
        because: [
          { attribute: "protect", why: "config" },
          { attribute: "room", why: "drift" },
        ],
      },
    ]);
  });
});

describe("a value made of a sensitive variable", () => {
  const before = recorded("ball", { room: SECRET_ROOM }, { masked: ["room"] });
  const shown = live("ball", { room: SECRET_ROOM });
  test.each<readonly [string, Partial<World>]>([
    ["is masked in its delete, when its block is gone", { instances: [before], live: [shown] }],
    [
      "is masked in the replace by a value that is not",
      { declarations: [declared("ball", { room: "attic" })], instances: [before], live: [shown] },
    ],
    [
      "is masked in its replace",
      {
        declarations: [declared("ball", { room: SECRET_ROOM }, { masked: ["room"] })],
        instances: [recorded("ball")],
        live: [live("ball")],
      },
    ],
    ["is masked where it is forgotten", { instances: [before] }],
  ])("%s", (_, world) => {
    expect(planOf(world).steps.map(({ masked }) => masked)).toEqual([["room"]]);
  });

  test("is masked in drift, also where it is declared otherwise now", () => {
    for (const list of [[], [live("ball", { room: "cellar" })]]) {
      expect(
        planOf({ declarations: [declared("ball", { room: "attic" })], instances: [before], live: list }).drift,
      ).toMatchObject([{ masked: ["room"] }]);
    }
  });

  test.each([
    ["that was not before is recorded as such", [], ["room"]],
    ["that is none any more is recorded as such", ["room"], []],
  ])("%s", (_, was, is) => {
    const made = planOf({
      declarations: [declared("ball", { room: "attic" }, { masked: is })],
      instances: [recorded("ball", { room: "attic" }, { masked: was })],
      live: [live("ball", { room: "attic" })],
    });
    expect(made.steps).toMatchObject([
      { action: "update-state", because: [{ attribute: "room", why: "config" }], masked: ["room"] },
    ]);
  });

  test("is recorded as such of what cannot be undone, too", () => {
    const ada = { club: "c", name: "ada" };
    const made = planOf({ declarations: [pledged("a", ada, { masked: ["club"] })], instances: [given("a", ada)] });
    expect(made.steps).toMatchObject([{ action: "update-state", because: [{ attribute: "club", why: "config" }] }]);
  });
});

describe("what outputs can refer to", () => {
  test("is what will be, and what is recorded of what the plan does not touch", () => {
    const instances = [
      recorded("ball"),
      recorded("doll"),
      recorded("kite"),
      recorded("rope", {}, { address: "toy_thing.x" }),
    ];
    const made = planOf({
      declarations: [
        declared("ball", { shiny: true }),
        declared("doll"),
        declared("rope", {}, { address: `toy_thing.x["rope"]` }),
      ],
      instances,
      live: [live("ball"), live("doll"), live("kite"), live("rope")],
      undecided: ["toy_thing.doll"],
    });
    const ids = [...plannedAttributes(made, instances)].map(([address, { id }]) => [address, id]);
    expect(Object.fromEntries(ids)).toEqual({
      "toy_thing.ball": UNKNOWN,
      "toy_thing.doll": "id_doll",
      [`toy_thing.x["rope"]`]: "id_rope",
    });
  });
});
