import { describe, expect, test } from "vitest";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { AnyResource, LiveObject } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { NO_STATEMENTS, declared, listing, live, recorded, toy } from "../toy.ts";

/** A toy of which the shop allows one per name, whatever its room. */
const single: AnyResource = { ...toy, exclusive: "name" };

interface Case {
  readonly declarations: readonly Declaration[];
  readonly instances?: readonly RecordedInstance[];
  readonly objects?: readonly LiveObject[];
  readonly isExclusive?: boolean;
}

function problems(given: Case, prefix = "exclusive_") {
  const {
    declarations,
    instances = [],
    objects = instances.map(({ attributes, id }) => live(String(attributes["name"]), { id, room: attributes["room"] })),
    isExclusive = true,
  } = given;
  const { diagnostics } = makePlan({
    catalog: { resources: [single], dataSources: [] },
    declarations,
    instances,
    live: new Map([["toy_thing", listing(objects)]]),
    limits: { delete: { kind: "percent", percent: 100 } },
    options: PLAIN_OPTIONS,
    undecided: [],
    exclusive: isExclusive,
    ...NO_STATEMENTS,
  });
  return diagnostics
    .filter(({ code }) => code.startsWith(prefix))
    .map(({ code, address, detail, ways = [] }) => ({ code, address, detail, ways: ways.map(({ kind }) => kind) }));
}

const at = (address: string, name: string, room: string, more: object = {}): Declaration =>
  declared(address, { name, room, ...more });
const old = (address: string, name: string, room: string, more: object = {}): RecordedInstance =>
  recorded(address, { name, room, ...more }, { address: `toy_thing.${address}`, id: `id_${address}` });

test.each<readonly [string, Case]>([
  ["what is not exclusive", { declarations: [at("a", "ball", "x"), at("b", "ball", "y")], isExclusive: false }],
  ["names of their own", { declarations: [at("a", "ball", "x"), at("b", "doll", "x")] }],
  [
    "a name that is not known yet",
    { declarations: [declared("a", { name: UNKNOWN, room: "x" }), declared("b", { name: UNKNOWN, room: "y" })] },
  ],
  [
    "old ones that share a name",
    {
      declarations: [at("a", "ball", "x"), at("b", "ball", "y")],
      instances: [old("a", "ball", "x"), old("b", "ball", "y")],
    },
  ],
  ["a replace that deletes first", { declarations: [at("a", "ball", "y")], instances: [old("a", "ball", "x")] }],
  [
    "a create first with another name",
    {
      declarations: [at("a", "doll", "x", { rotation: "create_first" })],
      instances: [old("a", "ball", "x", { rotation: "create_first" })],
    },
  ],
  ["a create after a delete", { declarations: [at("b", "ball", "y")], instances: [old("a", "ball", "x")] }],
  [
    "a create after a replace that gives the name up",
    { declarations: [at("a", "doll", "x"), at("b", "ball", "y")], instances: [old("a", "ball", "x")] },
  ],
  [
    "a replace that takes the name of one that was replaced before it",
    {
      declarations: [at("a", "kite", "x"), at("b", "ball", "x")],
      instances: [old("a", "ball", "x"), old("b", "doll", "x")],
    },
  ],
  [
    "one that is created again because it is gone",
    { declarations: [at("a", "ball", "x")], instances: [old("a", "ball", "x")], objects: [] },
  ],
])("%s is planned", (_, given) => {
  expect(problems(given)).toEqual([]);
});

test("several creates with one name are one problem, however it is written", () => {
  const [problem, ...others] = problems({
    declarations: ["a", "b", "c"].map((address) => at(address, address === "b" ? "BALL" : "ball", address)),
  });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ code: "exclusive_twice", address: "toy_thing.b", ways: ["distinguish"] });
  expect(problem?.detail).toBe(
    "toy_thing.a, toy_thing.b, toy_thing.c would have the same name. The service allows one thing per name. Nothing was sent.",
  );
});

test.each<readonly [string, Case, object]>([
  [
    "nobody manages",
    { declarations: [at("a", "ball", "x")], objects: [live("BALL", { id: "id_foreign", room: "y" })] },
    {
      code: "exclusive_taken",
      detail:
        'id_foreign (room = "y") has this name, and this configuration does not manage it. The service allows one thing per name. Nothing was sent.',
      ways: ["delete-foreign", "distinguish"],
    },
  ],
  [
    "nobody manages, and that is identical",
    {
      declarations: [at("a", "ball", "x", { allow_duplicate: true })],
      objects: [live("ball", { id: "id_foreign", room: "x" })],
    },
    { code: "exclusive_taken", ways: ["import", "delete-foreign", "distinguish"] },
  ],
  [
    "another address keeps",
    { declarations: [at("a", "ball", "x"), at("b", "ball", "y")], instances: [old("a", "ball", "x")] },
    {
      code: "exclusive_taken",
      address: "toy_thing.b",
      detail: expect.stringContaining("toy_thing.a manages it. This plan does not delete it first.") as string,
      ways: ["distinguish"],
    },
  ],
  [
    "a replace gives up only after it",
    {
      declarations: [at("a", "doll", "x"), at("b", "ball", "x")],
      instances: [old("a", "ball", "x"), old("b", "doll", "x")],
    },
    { code: "exclusive_taken", address: "toy_thing.a" },
  ],
])("a name that a live one has, which %s, is refused", (_, given, expected) => {
  expect(problems(given)).toMatchObject([expected]);
});

test("a replace that creates first and keeps the name is refused, with the order that works, and another name", () => {
  const rotation = { rotation: "create_first" };
  const given = { declarations: [at("a", "ball", "y", rotation)], instances: [old("a", "ball", "x", rotation)] };
  expect(problems(given)).toMatchObject([
    { code: "exclusive_create_first", address: "toy_thing.a", ways: ["set-attribute", "distinguish"] },
  ]);
});

test("instances of a block that create first and keep their names are one problem", () => {
  const rotation = { rotation: "create_first" };
  const keys = ["x", "y"].map((key) => [`k["${key}"]`, key] as const);
  const declarations = [
    ...keys.map(([address, name]) => at(address, name, "new", rotation)),
    at("a", "ball", "new", rotation),
  ];
  const instances = [
    ...keys.map(([address, name]) => old(address, name, "old", rotation)),
    old("a", "ball", "old", rotation),
  ];
  const [several, one, ...others] = problems({ declarations, instances }).toSorted(
    (p, q) => q.detail.length - p.detail.length,
  );
  expect(others).toEqual([]);
  expect(several?.detail).toBe(
    'toy_thing.k["x"], toy_thing.k["y"] are replaced by creating the new things first, with an unchanged name. The service allows one thing per name. Nothing was sent.',
  );
  expect(one?.detail).toBe(
    "toy_thing.a is replaced by creating the new thing first, with an unchanged name. The service allows one thing per name. Nothing was sent.",
  );
});

describe("where the service may allow several", () => {
  const shared = (given: Case) => problems({ ...given, isExclusive: false }, "shared_");

  test("two new ones with one value are a warning with the ways on", () => {
    const declarations = [at("a", "ball", "x"), at("b", "ball", "y"), at("c", "doll", "z")];
    expect(shared({ declarations })).toEqual([
      {
        code: "shared_name",
        address: "toy_thing.b",
        detail:
          "toy_thing.a, toy_thing.b would have the same name. Some services allow one thing per name, and answer 409 to the others.",
        ways: ["distinguish", "set-exclusive"],
      },
    ]);
  });

  test("one that stays, or is replaced, says that the service does", () => {
    const declarations = [at("a", "ball", "x"), at("b", "ball", "y")];
    expect(shared({ declarations, instances: [old("a", "ball", "x")] })).toEqual([]);
    expect(shared({ declarations, instances: [old("a", "ball", "z"), old("b", "ball", "q")] })).toEqual([]);
  });
});
