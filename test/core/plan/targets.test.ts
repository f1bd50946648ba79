import { describe, expect, test } from "vitest";
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
    expect(made.diagnostics).toMatchObject([{ code: "address_unknown", ways: [{ kind: "use-address", address: "toy_thing.kite" }] }]);
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
    ["protection", { declarations: [declared("kite")], instances: [recorded("ball", { protect: true })], live: [live("ball")] }],
    ["being declared twice", { declarations: [declared("kite"), declared("a", { name: "ball" }), declared("b", { name: "ball" })] }],
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
    const made = planOf({ declarations: [declared("ball"), declared("kite")], instances: [recorded("ball")], options: { targets: ["toy_thing.kite"] } });
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
