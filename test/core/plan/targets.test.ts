import { describe, expect, test } from "vitest";
import type { PlanOptions } from "../../../src/core/plan/plan-context.ts";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, given, planOf, pledged, steps } from "./world.ts";

const at = (key: string): string => `toy_thing.x["${key}"]`;
const TARGETED = "targeted";

describe("a target", () => {
  const world: Partial<World> = {
    declarations: [
      declared("ball", {}, { address: at("a") }),
      declared("doll", {}, { address: at("b") }),
      declared("kite"),
      pledged("p", { club: "c", name: "n" }),
    ],
    instances: [recorded("old"), given("q", { club: "c", name: "m" })],
    live: [live("old")],
  };
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["names an instance", [at("b")], [`create thing.x["b"]`]],
    ["names a block with all its instances", ["toy_thing.x"], [`create thing.x["a"]`, `create thing.x["b"]`]],
    ["names what is only recorded", ["toy_thing.old"], ["delete thing.old"]],
    ["names what cannot be undone", ["toy_pledge.q"], ["keep pledge.q"]],
    ["may be one of several", ["toy_thing.kite", "toy_pledge.p"], ["create pledge.p", "create thing.kite"]],
  ];
  test.each(cases)("%s, and nothing else is planned", (_, targets, expected) => {
    const made = planOf({ ...world, options: { targets } });
    expect(codes(made)).toEqual([TARGETED]);
    expect(steps(made)).toEqual(expected);
  });

  test("that is neither declared nor recorded is refused, with what was meant", () => {
    const made = planOf({ ...world, options: { targets: ["toy_thing.kit"] } });
    expect(made.diagnostics).toMatchObject([
      { code: "address_unknown", ways: [{ kind: "use-address", address: "toy_thing.kite" }] },
    ]);
  });

  test.each([["toy_thing.x"], [`toy_thing.x["ball"]`]])("finds a moved instance by %s", (target) => {
    const made = planOf({
      declarations: [declared("ball", {}, { address: at("ball") })],
      instances: [recorded("ball", {}, { address: "toy_thing.x" })],
      live: [live("ball")],
      options: { targets: [target] },
    });
    expect(steps(made)).toEqual([`update-state thing.x["ball"] from thing.x`]);
  });

  test.each<readonly [string, Partial<World>]>([
    ["an identical unmanaged one", { declarations: [declared("ball"), declared("kite")], live: [live("ball")] }],
    [
      "protection",
      { declarations: [declared("kite")], instances: [recorded("ball", { protect: true })], live: [live("ball")] },
    ],
    [
      "being declared twice",
      { declarations: [declared("kite"), declared("a", { name: "ball" }), declared("b", { name: "ball" })] },
    ],
    [
      "a lookup that finds another",
      {
        declarations: [declared("kite"), pledged("a", { club: "c2", name: "n" }, { lookups: { club: "q" } })],
        instances: [given("a", { club: "c1", name: "n" }, { lookups: { club: "q" } })],
      },
    ],
  ])("is not stopped by %s of another address", (_, stopped) => {
    expect(codes(planOf(stopped))).toHaveLength(1);
    const made = planOf({ ...stopped, options: { targets: ["toy_thing.kite"] } });
    expect(codes(made)).toEqual([TARGETED]);
    expect(steps(made)).toEqual(["create thing.kite"]);
  });

  test("keeps drift of other addresses out", () => {
    const made = planOf({
      declarations: [declared("ball"), declared("kite")],
      instances: [recorded("ball")],
      options: { targets: ["toy_thing.kite"] },
    });
    expect(made.drift).toEqual([]);
  });
});

test("an undecided address gets no step, and the others get theirs", () => {
  const made = planOf({
    declarations: [declared("ball"), declared("kite")],
    instances: [recorded("doll")],
    live: [live("doll")],
    undecided: ["toy_thing.ball", "toy_thing.doll"],
  });
  expect(steps(made)).toEqual(["create thing.kite"]);
  expect(made.undecided.map(({ address }) => address)).toEqual(["toy_thing.ball", "toy_thing.doll"]);
  expect(made.diagnostics).toEqual([]);
});

describe("what a partial plan leaves out stays managed", () => {
  const asKite = declared("ball", {}, { address: "toy_thing.kite" });
  const importing = [{ to: "toy_thing.kite", id: "id_ball", locate: () => undefined }];
  const released = [{ from: "toy_thing.ball", destroy: false }];
  const world = { declarations: [asKite], instances: [recorded("ball")], live: [live("ball")] };
  const scopes: readonly (readonly [string, Partial<PlanOptions>])[] = [
    ["excluded", { excludes: ["toy_thing.ball"] }],
    ["no target", { targets: ["toy_thing.kite"] }],
  ];

  test.each(scopes)("where the configuration releases it, and it is %s", (_, scope) => {
    const imported = planOf({ ...world, statements: { removed: released, imports: importing }, options: scope });
    expect([steps(imported), codes(imported)]).toEqual([[], [TARGETED, "import_managed thing.kite"]]);
    expect(imported.diagnostics[1]?.detail).toBe("id_ball is already managed, as toy_thing.ball.");
    for (const adopt of [false, true]) {
      const created = planOf({ ...world, statements: { removed: released }, options: { ...scope, adopt } });
      expect(codes(created)).toEqual([TARGETED, "duplicate_left_out thing.kite"]);
    }
  });

  test("where the configuration releases it, and it waits for an undecided outcome", () => {
    const made = planOf({
      ...world,
      statements: { removed: released, imports: importing },
      undecided: ["toy_thing.ball"],
    });
    expect([steps(made), codes(made)]).toEqual([[], ["import_managed thing.kite"]]);
  });

  test("where only imports are planned, which release nothing", () => {
    const made = planOf({
      ...world,
      statements: { removed: released, imports: importing },
      options: { importsOnly: true },
    });
    expect([steps(made), codes(made)]).toEqual([[], ["import_managed thing.kite"]]);
  });

  test("under the address that it is moved from, too", () => {
    const statements = {
      removed: [{ from: "toy_thing.doll", destroy: false }],
      imports: importing,
      moved: [{ from: "toy_thing.ball", to: "toy_thing.doll" }],
    };
    const made = planOf({ ...world, statements, options: { excludes: ["toy_thing.ball"] } });
    expect([steps(made), codes(made)]).toEqual([[], [TARGETED, "import_managed thing.kite"]]);
  });

  test.each(scopes)("so that no identical one is created while it is %s", (_, scope) => {
    expect(codes(planOf({ ...world, options: scope }))).toEqual([TARGETED, "duplicate_left_out thing.kite"]);
    const allowed = planOf({
      ...world,
      declarations: [{ ...asKite, attributes: { ...asKite.attributes, allow_duplicate: true } }],
      options: scope,
    });
    expect([steps(allowed), codes(allowed)]).toEqual([["create thing.kite"], [TARGETED]]);
    const gone = planOf({ ...world, live: [], options: scope });
    expect([steps(gone), codes(gone)]).toEqual([["create thing.kite"], [TARGETED]]);
  });

  test("where its old address is declared for another one", () => {
    const made = planOf({
      declarations: [declared("ball", { name: "new" }), asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { moved: [{ from: "toy_thing.ball", to: "toy_thing.kite" }] },
      options: { excludes: ["toy_thing.kite"] },
    });
    expect(made.diagnostics).toMatchObject([
      { code: "moves_excluded", ways: [{ kind: "exclude", addresses: ["toy_thing.kite", "toy_thing.ball"] }] },
      {},
    ]);
  });
});
