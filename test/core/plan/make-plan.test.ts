import type { Guard } from "../../../src/core/model/guard.ts";
import { describe, expect, test } from "vitest";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { LiveListing } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { type Plan, type Step, countSteps } from "../../../src/core/plan/plan.ts";
import { NO_STATEMENTS, declared, listing, live, irreversibleToy, recorded, toys } from "../toy.ts";

interface World {
  readonly declarations?: readonly Declaration[];
  readonly instances?: readonly RecordedInstance[];
  readonly live?: LiveListing;
  readonly allow?: readonly Guard[];
}

function plan(world: World): Plan {
  return makePlan({
    catalog: toys,
    declarations: world.declarations ?? [],
    instances: world.instances ?? [],
    live: new Map([["toy_thing", world.live ?? listing([])]]),
    limits: {},
    options: { ...PLAIN_OPTIONS, allow: world.allow ?? [] },
    undecided: [],
    ...NO_STATEMENTS,
  });
}

const steps = (made: Plan): readonly string[] => made.steps.map(({ action, address }) => `${action} ${address}`);
const codes = (made: Plan): readonly string[] =>
  made.diagnostics.map(({ code, address }) => `${code} ${String(address)}`);

describe("declared, recorded and live", () => {
  const cases: readonly (readonly [
    string,
    World,
    { readonly steps: readonly string[]; readonly drift?: readonly string[] },
  ])[] = [
    ["nothing at all is nothing to do", {}, { steps: [] }],
    ["only declared: create", { declarations: [declared("ball")] }, { steps: ["create toy_thing.ball"] }],
    [
      "everywhere: keep",
      { declarations: [declared("ball")], instances: [recorded("ball")], live: listing([live("ball")]) },
      { steps: ["keep toy_thing.ball"] },
    ],
    [
      "declared differently: replace",
      {
        declarations: [declared("ball", { room: "attic" })],
        instances: [recorded("ball")],
        live: listing([live("ball")]),
      },
      { steps: ["replace toy_thing.ball"] },
    ],
    [
      "live differently: replace, and drift",
      {
        declarations: [declared("ball")],
        instances: [recorded("ball")],
        live: listing([live("ball", { room: "attic" })]),
      },
      { steps: ["replace toy_thing.ball"], drift: ["toy_thing.ball"] },
    ],
    [
      "live as it is now declared: the record follows, and drift",
      {
        declarations: [declared("ball", { room: "attic" })],
        instances: [recorded("ball")],
        live: listing([live("ball", { room: "attic" })]),
      },
      { steps: ["update-state toy_thing.ball"], drift: ["toy_thing.ball"] },
    ],
    [
      "declared and recorded, but gone: create again, and drift",
      { declarations: [declared("ball")], instances: [recorded("ball")] },
      { steps: ["create toy_thing.ball"], drift: ["toy_thing.ball"] },
    ],
    [
      "recorded and live, not declared: delete",
      { instances: [recorded("ball")], live: listing([live("ball")]) },
      { steps: ["delete toy_thing.ball"] },
    ],
    [
      "recorded, not declared, and gone: forget, and drift",
      { instances: [recorded("ball")] },
      { steps: ["forget toy_thing.ball"], drift: ["toy_thing.ball"] },
    ],
    [
      "live, and neither recorded nor declared: not ours",
      { live: listing([live("ball"), live("doll")]) },
      { steps: [] },
    ],
    [
      "foreign objects stay untouched next to ours",
      {
        declarations: [declared("ball")],
        instances: [recorded("ball")],
        live: listing([live("doll"), live("ball"), live("kite")]),
      },
      { steps: ["keep toy_thing.ball"] },
    ],
    [
      "written differently: the record follows",
      {
        declarations: [declared("ball", { name: "Ball" })],
        instances: [recorded("ball")],
        live: listing([live("ball")]),
      },
      { steps: ["update-state toy_thing.ball"] },
    ],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = plan(world);
    expect(steps(made)).toEqual(expected.steps);
    expect(made.drift.map(({ address }) => address)).toEqual(expected.drift ?? []);
    expect(made.diagnostics).toEqual([]);
  });

  test("a type that cannot be listed is never refreshed, and stays recorded", () => {
    const { type } = irreversibleToy;
    const shout = recorded("hey", {}, { type, address: "toy_shout.hey", id: null, attributes: { word: "hey" } });
    const declaration = declared("hey", {}, { type, attributes: { word: "hey" } });
    const shouts = (declarations: readonly Declaration[]): Plan =>
      makePlan({
        catalog: toys,
        declarations,
        instances: [shout],
        live: new Map(),
        limits: {},
        options: PLAIN_OPTIONS,
        undecided: [],
        ...NO_STATEMENTS,
      });
    expect(steps(shouts([declaration]))).toEqual(["keep toy_shout.hey"]);
    expect(steps(shouts([]))).toEqual(["keep toy_shout.hey"]);
  });

  test("a reason names the attribute and where the change comes from", () => {
    const instance = recorded("ball", { secret: { $secret: "aa" } });
    const made = plan({
      declarations: [declared("ball", { name: "doll", secret: { $secret: "bb" } })],
      instances: [instance],
      live: listing([live("ball", { room: "attic" })]),
    });
    expect(made.steps[0]?.because).toEqual([
      { attribute: "name", why: "config" },
      { attribute: "room", why: "drift" },
      { attribute: "secret", why: "secret" },
    ]);
  });

  test("drift is reported with both values, and a missing object with none", () => {
    const made = plan({
      declarations: [declared("ball"), declared("kite")],
      instances: [recorded("ball"), recorded("kite")],
      live: listing([live("ball", { room: "attic" })]),
    });
    expect(made.drift).toMatchObject([
      { address: "toy_thing.ball", before: { room: null }, after: { room: "attic" }, changed: ["room"] },
      { address: "toy_thing.kite", after: null },
    ]);
  });

  test("a replace counts as add and as destroy, a record as change; a move and what is gone count as nothing", () => {
    const NOTHING = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };
    const base = { address: "toy_thing.ball", type: "toy_thing", provider: "toy", because: [], masked: [] };
    const [before, after] = [{}, {}];
    const update = { ...base, action: "update-state", id: "1", before, after, returned: {} } as const;
    const adopt = { ...base, action: "adopt", id: "1", after, returned: {} } as const;
    const replace = { ...base, action: "replace", order: "delete-first", id: "1", before, after } as const;
    const forget = { ...base, action: "forget", before } as const;
    const changes: readonly Step[] = [
      { ...base, action: "create", after },
      replace,
      update,
      { ...base, action: "delete", id: "1", before },
      forget,
    ];
    expect(countSteps([...changes, { ...base, action: "keep", id: "1", before }])).toEqual({
      import: 0,
      add: 2,
      change: 1,
      destroy: 2,
      forget: 1,
    });
    expect(countSteps([{ ...update, movedFrom: "toy_thing.kite" }, { ...forget, gone: true }, adopt])).toEqual({
      ...NOTHING,
      import: 1,
    });
    expect(countSteps([{ ...replace, imported: {} }])).toEqual({ ...NOTHING, import: 1, add: 1, destroy: 1 });
  });
});

describe("a list that may be cut off", () => {
  const missing = {
    declarations: [declared("ball"), declared("kite")],
    instances: [recorded("ball"), recorded("kite")],
  };

  test("lets nothing count as missing: what it does not show is kept, and everything else goes on", () => {
    const more = { ...missing, declarations: [...missing.declarations, declared("top")] };
    const made = plan({ ...more, live: listing([live("kite")], false) });
    expect(codes(made)).toEqual(["list_maybe_truncated toy_thing.ball"]);
    expect(made.diagnostics).toMatchObject([{ severity: "warning" }]);
    expect(steps(made)).toEqual(["keep toy_thing.ball", "keep toy_thing.kite", "create toy_thing.top"]);
    expect(made.drift).toEqual([]);
  });

  test("lets an object that it does not show be deleted, or replaced, by its id", () => {
    const changed = { declarations: [declared("kite", { room: "attic" })], instances: missing.instances };
    const made = plan({ ...changed, live: listing([], false) });
    expect(codes(made)).toEqual(["list_maybe_truncated toy_thing.ball", "list_maybe_truncated toy_thing.kite"]);
    expect(steps(made)).toEqual(["delete toy_thing.ball", "replace toy_thing.kite"]);
  });

  test("warns once about many", () => {
    const instances = ["a", "b", "c", "d"].map((name) => recorded(name));
    const made = plan({
      declarations: instances.map(({ attributes }) => declared(String(attributes["name"]))),
      instances,
      live: listing([], false),
    });
    expect(codes(made)).toEqual(["list_maybe_truncated undefined"]);
    expect(made.diagnostics[0]).toMatchObject({
      summary: expect.stringContaining("4 things are missing"),
      detail: expect.stringContaining("toy_thing.a (id_a)"),
    });
  });

  test("is believed when the user says so", () => {
    const made = plan({ ...missing, live: listing([live("kite")], false), allow: ["recreate"] });
    expect(made.diagnostics).toEqual([]);
    expect(steps(made)).toEqual(["create toy_thing.ball", "keep toy_thing.kite"]);
  });
});

describe("an identical unmanaged object", () => {
  const duplicate = live("ball", { id: "id_stranger" });

  test.each<readonly [string, World]>([
    ["stops a create", { declarations: [declared("ball")], live: listing([duplicate]) }],
    [
      "stops a create of what is written differently",
      { declarations: [declared("ball", { name: "BALL" })], live: listing([duplicate]) },
    ],
    [
      "stops a create when a part of the identity is not shown",
      {
        declarations: [declared("ball", { room: "attic" })],
        live: listing([live("ball", { id: "id_stranger", room: undefined })]),
      },
    ],
  ])("%s, with both ways out", (_, world) => {
    const made = plan(world);
    expect(codes(made)).toEqual(["unmanaged_duplicate toy_thing.ball"]);
    expect(steps(made)).toEqual([]);
    const { detail = "", ways = [] } = made.diagnostics[0] ?? {};
    expect(detail).toContain("id_stranger");
    expect(ways).toContainEqual({ kind: "import", address: "toy_thing.ball", type: "toy_thing", ids: ["id_stranger"] });
    expect(ways).toContainEqual({ kind: "allow-duplicate", addresses: ["toy_thing.ball"] });
  });

  test("stops the create of one that is gone, and says that the lost one's record has to be removed first", () => {
    const made = plan({
      declarations: [declared("ball")],
      instances: [recorded("ball", {}, { id: "id_gone" })],
      live: listing([duplicate]),
    });
    expect(codes(made)).toEqual(["unmanaged_duplicate toy_thing.ball"]);
    expect(made.diagnostics[0]?.ways?.[0]).toEqual({
      kind: "import",
      address: "toy_thing.ball",
      type: "toy_thing",
      ids: ["id_stranger"],
      replacesRecord: true,
    });
  });

  test("stops a replace before its delete, and proposes no import onto an address that has one", () => {
    const made = plan({
      declarations: [declared("ball")],
      instances: [recorded("ball", { shiny: true }, { id: "id_ours" })],
      live: listing([live("ball", { id: "id_ours" }), duplicate]),
    });
    expect(codes(made)).toEqual(["unmanaged_duplicate toy_thing.ball"]);
    expect(steps(made)).toEqual([]);
    expect(made.diagnostics[0]).toMatchObject({
      hint: "Find out who created it, and delete it if nobody needs it.",
      ways: [{ kind: "allow-duplicate", addresses: ["toy_thing.ball"] }],
    });
  });

  test.each<readonly [string, World]>([
    [
      "may stay with allow_duplicate",
      { declarations: [declared("ball", { allow_duplicate: true })], live: listing([duplicate]) },
    ],
    [
      "is none when its identity differs",
      { declarations: [declared("ball", { room: "attic" })], live: listing([duplicate]) },
    ],
  ])("%s", (_, world) => {
    const made = plan(world);
    expect(made.diagnostics).toEqual([]);
    expect(steps(made)).toEqual(["create toy_thing.ball"]);
  });

  test("is none when it is managed at another address", () => {
    const made = plan({
      declarations: [
        declared("ball", { allow_duplicate: true }),
        declared("spare", { name: "ball", allow_duplicate: true }),
      ],
      instances: [recorded("spare", { name: "ball", allow_duplicate: true })],
      live: listing([live("ball", { id: "id_spare" })]),
    });
    expect(made.diagnostics).toEqual([]);
    expect(steps(made)).toEqual(["create toy_thing.ball", "keep toy_thing.spare"]);
  });

  test("stops its own address only", () => {
    const made = plan({ declarations: [declared("ball"), declared("kite")], live: listing([duplicate]) });
    expect(steps(made)).toEqual(["create toy_thing.kite"]);
  });
});

describe("two equal declarations", () => {
  const both = (first: Attributes, second: Attributes): Plan =>
    plan({ declarations: [declared("a", { name: "ball", ...first }), declared("b", { name: "BALL", ...second })] });

  test.each([
    ["are refused", {}, {}, true],
    ["are refused when only the first says allow_duplicate", { allow_duplicate: true }, {}, true],
    ["are refused when only the second says allow_duplicate", {}, { allow_duplicate: true }, true],
    ["are accepted when both say allow_duplicate", { allow_duplicate: true }, { allow_duplicate: true }, false],
    ["are not equal when a part of the identity differs", { room: "attic" }, {}, false],
    ["are equal when they differ outside the identity", { shiny: true }, {}, true],
  ])("%s", (_, first, second, refused) => {
    expect(codes(both(first, second))).toEqual(refused ? ["declared_twice toy_thing.b"] : []);
  });

  test("name each other and the place of the second", () => {
    const place = { file: "toys.yaml", line: 7 };
    const made = plan({
      declarations: [declared("a", { name: "ball" }), declared("b", { name: "ball" }, { locate: () => place })],
    });
    expect(made.diagnostics[0]).toMatchObject({
      place,
      detail: expect.stringMatching(/toy_thing\.b and toy_thing\.a/),
    });
  });
});
