import { describe, expect, test } from "vitest";
import type { ImportTarget } from "../../../src/core/model/declaration.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { cpuCost } from "../../cpu-cost.ts";
import { declared, listing, live, recorded } from "../toy.ts";
import { type World, codes, planOf, steps } from "./world.ts";

const OLD = { id: "id_old", attributes: { name: "old" }, returned: {} };
const withOld = { deposed: [OLD] };
const moved = [{ from: "toy_thing.ball", to: "toy_thing.kite" }];
const released = [{ from: "toy_thing.ball", destroy: false }];
const asKite = declared("ball", {}, { address: "toy_thing.kite" });
const importing = (name: string, id: string): readonly ImportTarget[] => [
  { to: `toy_thing.${name}`, id, locate: () => undefined },
];

type Row = readonly [rule: string, world: Partial<World>, steps: readonly string[], codes?: readonly string[]];

const moves: readonly Row[] = [
  [
    "takes its older objects with it",
    {
      declarations: [asKite],
      instances: [recorded("ball", {}, withOld)],
      live: [live("ball"), live("old")],
      statements: { moved },
    },
    ["delete thing.kite (deposed id_old)", "update-state thing.kite from thing.ball"],
  ],
  [
    "and is gone is created at the new address",
    { declarations: [asKite], instances: [recorded("ball")], statements: { moved } },
    ["create thing.kite from thing.ball"],
  ],
  [
    "and is gone and not declared is forgotten where it is, and its older objects are deleted there",
    { instances: [recorded("ball", {}, withOld)], live: [live("old")], statements: { moved } },
    ["delete thing.ball (deposed id_old)", "forget thing.ball"],
  ],
  [
    "twice is reported from the first address on",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: {
        moved: [
          { from: "toy_thing.ball", to: "toy_thing.drum" },
          { from: "toy_thing.drum", to: "toy_thing.kite" },
        ],
      },
    },
    ["update-state thing.kite from thing.ball"],
  ],
  [
    "as a block does not go where an instance of the block is recorded",
    {
      declarations: [asKite],
      instances: [recorded("ball"), recorded("drum", {}, { address: 'toy_thing.kite["drum"]' })],
      live: [live("ball"), live("drum")],
      statements: { moved },
    },
    ["delete thing.ball", "create thing.kite", 'delete thing.kite["drum"]'],
    ["moves_unresolved", "maybe_renamed"],
  ],
  [
    "is left alone while an outcome at its old address is open",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { moved },
      undecided: ["toy_thing.ball"],
    },
    [],
  ],
  [
    "is left alone while an outcome at its new address is open",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { moved },
      undecided: ["toy_thing.kite"],
    },
    [],
  ],
  [
    "waits as a block while an outcome in it is open",
    {
      declarations: ["x", "y", "z"].map((key) => declared(key, {}, { address: `toy_thing.kite["${key}"]` })),
      instances: [recorded("x", {}, { address: 'toy_thing.ball["x"]' })],
      live: [live("x")],
      statements: { moved },
      undecided: ['toy_thing.ball["y"]'],
    },
    [],
  ],
  [
    "does not wait for another instance where only one moves",
    {
      declarations: [declared("x", {}, { address: "toy_thing.kite" })],
      instances: [recorded("x", {}, { address: 'toy_thing.ball["x"]' })],
      live: [live("x")],
      statements: { moved: [{ from: 'toy_thing.ball["x"]', to: "toy_thing.kite" }] },
      undecided: ['toy_thing.ball["y"]'],
    },
    ['update-state thing.kite from thing.ball["x"]'],
  ],
  [
    "is planned with all that moves with it, or not at all",
    {
      declarations: ["x", "y"].map((key) => declared(key, {}, { address: `toy_thing.kite["${key}"]` })),
      instances: ["x", "y"].map((key) => recorded(key, {}, { address: `toy_thing.ball["${key}"]` })),
      live: [live("x"), live("y")],
      statements: { moved },
      options: { targets: ['toy_thing.kite["x"]'] },
    },
    ['update-state thing.kite["x"] from thing.ball["x"]'],
    ["moves_excluded", "targeted"],
  ],
  [
    "keeps a secret that is not looked at",
    {
      declarations: [declared("ball", { secret: UNKNOWN }, { address: "toy_thing.kite" })],
      instances: [recorded("ball", { secret: { $secret: "aa" } })],
      live: [live("ball")],
      statements: { moved },
    },
    ["update-state thing.kite from thing.ball"],
  ],
  [
    "is found by --target under either address",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { moved },
      options: { targets: ["toy_thing.ball"] },
    },
    ["update-state thing.kite from thing.ball"],
    ["targeted"],
  ],
  [
    "is replaced on request under its new address",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { moved },
      options: { replace: ["toy_thing.kite"] },
    },
    ["replace thing.kite from thing.ball"],
  ],
  [
    "stays where it is recorded while the state only follows what is live",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { moved },
      options: { refreshOnly: true },
    },
    ["keep thing.ball"],
  ],
];

const removals: readonly Row[] = [
  [
    "is forgotten, and none of its older objects is deleted",
    {
      instances: [recorded("ball", {}, withOld)],
      live: [live("ball"), live("old")],
      statements: { removed: released },
    },
    ["forget thing.ball"],
    ["released"],
  ],
  [
    "is forgotten even if the list may be cut off",
    { instances: [recorded("ball")], live: listing([], false), statements: { removed: released } },
    ["forget thing.ball"],
    ["released"],
  ],
  [
    "is no deletion for the limits",
    {
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { removed: released },
      limits: { delete: { kind: "count", count: 0 } },
    },
    ["forget thing.ball"],
    ["released"],
  ],
  [
    "is a deletion for the limits where it is destroyed",
    {
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { removed: [{ from: "toy_thing.ball", destroy: true }] },
      limits: { delete: { kind: "count", count: 0 } },
    },
    ["delete thing.ball"],
    ["limit_delete"],
  ],
  [
    "may be adopted by another block in the same plan",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { removed: released },
      options: { adopt: true },
    },
    ["forget thing.ball", "adopt thing.kite"],
    ["released"],
  ],
  [
    "may be imported by another block in the same plan",
    {
      declarations: [asKite],
      instances: [recorded("ball")],
      live: [live("ball")],
      statements: { removed: released, imports: importing("kite", "id_ball") },
    },
    ["forget thing.ball", "adopt thing.kite"],
    ["released"],
  ],
];

const imports: readonly Row[] = [
  [
    "is adopted, with a secret that is not looked at",
    {
      declarations: [declared("ball", { secret: UNKNOWN })],
      live: [live("ball")],
      statements: { imports: importing("ball", "id_ball") },
    },
    ["adopt thing.ball"],
  ],
  [
    "is adopted where it is only written differently",
    {
      declarations: [declared("BALL", {}, { address: "toy_thing.ball" })],
      live: [live("ball")],
      statements: { imports: importing("ball", "id_ball") },
    },
    ["adopt thing.ball"],
  ],
  [
    "is adopted where the service does not show what is declared",
    {
      declarations: [declared("ball", { room: "attic", shiny: true })],
      live: [live("ball", { room: undefined })],
      statements: { imports: importing("ball", "id_ball") },
    },
    ["adopt thing.ball"],
  ],
  [
    "is replaced where it is shown otherwise",
    {
      declarations: [declared("ball", { room: "attic" })],
      live: [live("ball")],
      statements: { imports: importing("ball", "id_ball") },
    },
    ["replace thing.ball"],
  ],
  [
    "is not replaced by one that somebody else has already",
    {
      declarations: [declared("ball", { room: "attic" })],
      live: [live("ball"), live("other", { name: "ball", room: "attic" })],
      statements: { imports: importing("ball", "id_ball") },
    },
    [],
    ["unmanaged_duplicate thing.ball"],
  ],
  [
    "is not replaced where that is protected",
    {
      declarations: [declared("ball", { room: "attic", protect: true })],
      live: [live("ball")],
      statements: { imports: importing("ball", "id_ball") },
    },
    [],
    ["protected thing.ball"],
  ],
  [
    "is adopted by no other block",
    {
      declarations: [declared("ball", { room: "attic" }), asKite],
      live: [live("ball")],
      statements: { imports: importing("ball", "id_ball") },
      options: { adopt: true },
    },
    ["replace thing.ball", "create thing.kite"],
  ],
  [
    "is the one of several that are alike",
    {
      declarations: [declared("ball")],
      live: [live("ball"), live("other", { name: "ball" })],
      statements: { imports: importing("ball", "id_other") },
    },
    ["adopt thing.ball"],
  ],
  [
    "is somebody's again once its address has another object",
    {
      declarations: [declared("ball", {}, { address: "toy_thing.kite" }), declared("x")],
      instances: [recorded("kite")],
      live: [live("ball")],
      statements: { imports: importing("kite", "id_ball") },
    },
    ["create thing.x"],
    ["unmanaged_duplicate thing.kite"],
  ],
  [
    "is not imported to destroy it",
    {
      declarations: [declared("ball")],
      live: [live("ball")],
      statements: { imports: importing("ball", "id_ball") },
      options: { destroy: true },
    },
    [],
  ],
  [
    "has to be live",
    { declarations: [declared("ball")], live: [live("kite")], statements: { imports: importing("ball", "id_ball") } },
    [],
    ["import_not_found thing.ball"],
  ],
  [
    "has to be nobody's, older objects included",
    {
      declarations: [declared("ball"), declared("kite")],
      instances: [recorded("kite", {}, withOld)],
      live: [live("kite"), live("old")],
      statements: { imports: importing("ball", "id_old") },
    },
    ["delete thing.kite (deposed id_old)", "keep thing.kite"],
    ["import_managed thing.ball"],
  ],
];

const ignoring: readonly Row[] = [
  [
    "is no change",
    {
      declarations: [declared("ball", { room: "attic" }, { ignoreChanges: ["room"] })],
      instances: [recorded("ball", { room: "cellar" })],
      live: [live("ball", { room: "cellar" })],
    },
    ["keep thing.ball"],
  ],
  [
    "is not recorded as drift that is to be undone",
    {
      declarations: [declared("ball", { room: "attic" }, { ignoreChanges: ["room"] })],
      instances: [recorded("ball", { room: "attic" })],
      live: [live("ball", { room: "cellar" })],
    },
    ["update-state thing.ball"],
  ],
];

test("what is replaced for another reason is as it is declared, whatever is ignored", () => {
  const { steps: planned } = planOf({
    declarations: [declared("ball", { room: "attic", shiny: true }, { ignoreChanges: ["room"] })],
    instances: [recorded("ball", { room: "cellar" })],
    live: [live("ball", { room: "cellar" })],
  });
  expect(planned).toMatchObject([
    { action: "replace", after: { room: "attic", shiny: true }, because: [{ attribute: "shiny" }] },
  ]);
});

describe.each([
  ["what has moved", moves],
  ["what is ignored", ignoring],
  ["what is removed without destroy", removals],
  ["what is imported", imports],
])("%s", (_, rows) => {
  test.for(rows)("%s", ([, world, expected, said = []]) => {
    const plan = planOf(world);
    expect([steps(plan), codes(plan)]).toEqual([expected, said]);
  });
});

test("a move as long as a large configuration is planned in one go", async () => {
  const names = Array.from({ length: 5000 }, (_, index) => String(index).padStart(4, "0"));
  let moved = 0;
  const cost = await cpuCost(() => {
    const plan = planOf({
      declarations: names.map((name) => declared(name, {}, { address: `toy_thing.new["${name}"]` })),
      instances: names.map((name) => recorded(name, {}, { address: `toy_thing.old_${name}` })),
      live: names.map((name) => live(name)),
      statements: { moved: names.map((name) => ({ from: `toy_thing.old_${name}`, to: `toy_thing.new["${name}"]` })) },
    });
    moved = plan.steps.filter(({ action, movedFrom }) => action === "update-state" && movedFrom !== undefined).length;
  });
  expect(moved).toBe(5000);
  expect(cost).toBeLessThan(220);
});
