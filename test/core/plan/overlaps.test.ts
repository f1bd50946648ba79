import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Catalog } from "../../../src/core/model/definition.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { overlappingDeclarations } from "../../../src/core/plan/overlaps.ts";
import { declared, toy } from "../toy.ts";
import { type World, inputOf, pledge, thing as plainThing } from "./world.ts";

/** Things with the same name ring together if they share a room and a tune; a thing without one is in every room, and plays every tune. */
const ringing: Catalog = {
  resources: [
    {
      ...plainThing,
      identity: ["name", "room", "tune"],
      schema: { ...toy.schema, tune: { type: "string", mode: "optional", docs: "" } },
      overlap: {
        place: "name",
        selectors: ["room", "tune"],
        effect: (one, other) => `${String(one["room"] ?? other["room"] ?? "each room")} rings twice`,
        selection: () => "tunes",
      },
    },
    pledge,
  ],
  dataSources: [],
};

const thing = (address: string, attributes: Attributes = {}) => declared(address, { name: "bell", ...attributes });
const warnings = (...declarations: readonly ReturnType<typeof declared>[]) =>
  overlappingDeclarations({ catalog: ringing, declarations });

describe("two objects in one place", () => {
  test.each<readonly [what: string, one: Attributes, other: Attributes, effect: string | null]>([
    ["everything and one value", {}, { room: "attic" }, "attic rings twice"],
    ["one value and everything", { room: "attic" }, {}, "attic rings twice"],
    ["one value each, in different selectors", { room: "attic" }, { tune: "waltz" }, "attic rings twice"],
    ["a value and a narrower one", { room: "attic" }, { room: "attic", tune: "waltz" }, "attic rings twice"],
    ["the same place, written otherwise", { name: "BELL" }, { room: "attic" }, "attic rings twice"],
    ["different values", { room: "attic" }, { room: "cellar" }, null],
    ["different values of one selector", { room: "attic", tune: "waltz" }, { room: "attic", tune: "polka" }, null],
    ["different places", { name: "gong" }, { room: "attic" }, null],
    ["duplicates, which are refused elsewhere", { room: "attic" }, { room: "attic", shiny: true }, null],
    ["a first one that allows it", { allow_duplicate: true }, { room: "attic" }, null],
    ["a second one that allows it", {}, { room: "attic", allow_duplicate: true }, null],
    ["an unknown place", { name: UNKNOWN }, { room: "attic" }, null],
    ["an unknown value", {}, { room: UNKNOWN }, null],
    ["a permission that is unknown", {}, { room: "attic", allow_duplicate: UNKNOWN }, null],
  ])("%s", (_, one, other, effect) => {
    const said = warnings(thing("a", one), thing("b", other)).map(({ code, severity, address, detail }) => ({
      code,
      severity,
      address,
      detail,
    }));
    const detail = `toy_thing.b and toy_thing.a have the same name, and ${String(effect)}.`;
    expect(said).toEqual(
      effect === null ? [] : [{ code: "overlapping_things", severity: "warning", address: "toy_thing.b", detail }],
    );
  });
});

test("the ways out are to remove one, to narrow it, and to allow it in one of the two", () => {
  const place = { file: "toys.yaml", line: 3, column: 5 };
  const located = { ...thing("b", { room: "attic" }), locate: () => place };
  expect(warnings(thing("a"), located)).toMatchObject([
    {
      summary: "Overlapping things",
      place,
      ways: [{ kind: "allow-duplicate", addresses: ["toy_thing.b"], isLive: true }],
    },
  ]);
});

test("many in one place are one warning, each with one that it overlaps with; another place has its own", () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    thing(`t${String(index)}`, { room: "attic", tune: String(index) }),
  );
  const said = warnings(thing("a"), ...many, thing("c", { name: "gong" }), thing("d", { name: "gong", room: "attic" }));
  expect(said.map(({ detail }) => detail.split("\n"))).toEqual([
    [
      "Several things have the same name, and overlap:",
      ...Array.from({ length: 10 }, (_, index) => `toy_thing.t${String(index)} and toy_thing.a: attic rings twice.`),
      "… and 2 more",
    ],
    ["toy_thing.d and toy_thing.c have the same name, and attic rings twice."],
  ]);
});

test("each object that overlaps with another one is named, and no other", () => {
  const value = fc.option(fc.constantFrom("1", "2", "3"));
  const some = fc.array(
    fc.record({ name: fc.constantFrom("bell", "gong"), room: value, tune: value, allow_duplicate: fc.boolean() }),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(some, (all) => {
      const declarations = all.map((attributes, index) => thing(`x${String(index)}`, attributes));
      const meets = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;
      const overlapping = all.flatMap((one, index) => {
        const others = all.filter(
          (other) =>
            !one.allow_duplicate &&
            !other.allow_duplicate &&
            other.name === one.name &&
            meets(one.room, other.room) &&
            meets(one.tune, other.tune) &&
            (one.room !== other.room || one.tune !== other.tune),
        );
        return others.length > 0 ? [`toy_thing.x${String(index)}`] : [];
      });
      const named = warnings(...declarations).flatMap(({ detail }) => detail.match(/toy_thing\.x\d+/g) ?? []);
      expect([...new Set(named)].toSorted()).toEqual(overlapping.toSorted());
    }),
    { numRuns: 500 },
  );
});

describe("a plan", () => {
  const world: Partial<World> = {
    declarations: [thing("a"), thing("b", { room: "attic" }), thing("c", { name: "gong" })],
  };
  const codesWith = (options: World["options"]): readonly string[] =>
    makePlan({ ...inputOf({ ...world, options }), catalog: ringing }).diagnostics.map(({ code }) => code);

  test.each<readonly [string, World["options"], readonly string[]]>([
    ["warns", {}, ["overlapping_things"]],
    ["warns if only one of the two is a target", { targets: ["toy_thing.a"] }, ["targeted", "overlapping_things"]],
    ["says nothing about what is no target", { targets: ["toy_thing.c"] }, ["targeted"]],
    ["says nothing at a destroy", { destroy: true }, []],
    ["says nothing at a refresh", { refreshOnly: true }, []],
  ])("%s", (_, options, codes) => expect(codesWith(options)).toEqual(codes));
});

test("ten thousand in one place cost no look at every pair", () => {
  const rooms = Array.from({ length: 100 }, (_, index) => String(index));
  const many = rooms.flatMap((room) => rooms.map((tune) => thing(`${room}-${tune}`, { room, tune })));
  const begun = process.cpuUsage();
  expect(warnings(...many)).toEqual([]);
  expect(warnings(...many, thing("all"))).toHaveLength(1);
  const { user } = process.cpuUsage(begun);
  expect(user / 1000).toBeLessThan(3_000);
});
