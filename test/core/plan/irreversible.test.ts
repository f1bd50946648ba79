import { describe, expect, test } from "vitest";
import type { Attributes } from "../../../src/core/model/value.ts";
import { type World, codes, given, planOf, pledged, steps } from "./world.ts";

const ADA = { club: "c1", name: "ada" };
const BOB = { club: "c1", name: "bob" };
const UNCONFIRMED = { outcome: "unconfirmed" };
const Q = `data.toy_club.q (name "chess")`;
const LOOKUPS = { lookups: { club: Q } };

describe("what cannot be undone", () => {
  const cases: readonly (readonly [string, Partial<World>, readonly string[]])[] = [
    [
      "is sent once: it is kept afterwards",
      { declarations: [pledged("a", ADA)], instances: [given("a", ADA)] },
      ["keep pledge.a"],
    ],
    ["is created when it is not recorded", { declarations: [pledged("a", ADA)] }, ["create pledge.a"]],
    ["stays recorded when it is not declared", { instances: [given("a", ADA)] }, ["keep pledge.a"]],
    [
      "is forgotten when its block is released",
      { instances: [given("a", ADA)], statements: { removed: [{ from: "toy_pledge.a", destroy: false }] } },
      ["forget pledge.a"],
    ],
    ["is not planned at all once that is recorded", { instances: [given("a", ADA, { undeclared: true })] }, []],
    [
      "sends nothing when it is declared again",
      { declarations: [pledged("a", ADA)], instances: [given("a", ADA, { undeclared: true })] },
      ["keep pledge.a"],
    ],
    [
      "is the same however it is written",
      { declarations: [pledged("a", { ...ADA, name: "Ada" })], instances: [given("a", ADA)] },
      ["keep pledge.a"],
    ],
    [
      "is sent in another writing if it was not found",
      { declarations: [pledged("a", { ...ADA, name: "Ada" })], instances: [given("a", { ...ADA, outcome: "gone" })] },
      ["create pledge.a"],
    ],
    [
      "is the same at whatever address: it moves, also between blocks",
      { declarations: [pledged("b", ADA)], instances: [given("a", ADA)] },
      ["update-state pledge.b from pledge.a"],
    ],
    [
      "may change places: nothing is sent",
      { declarations: [pledged("a", BOB), pledged("b", ADA)], instances: [given("a", ADA), given("b", BOB)] },
      ["update-state pledge.a from pledge.b", "update-state pledge.b from pledge.a"],
    ],
    [
      "makes room for another at its address",
      { declarations: [pledged("a", BOB)], instances: [given("a", ADA)] },
      ["create pledge.a", 'keep pledge.a["c1/ada"] from pledge.a'],
    ],
    [
      "makes room for another long after it was declared",
      { declarations: [pledged("a", BOB)], instances: [given("a", ADA, { undeclared: true })] },
      ["create pledge.a", 'keep pledge.a["c1/ada"] from pledge.a'],
    ],
    [
      "makes room for one that moves to its address",
      { declarations: [pledged("a", BOB)], instances: [given("a", ADA), given("b", BOB)] },
      ["update-state pledge.a from pledge.b", 'keep pledge.a["c1/ada"] from pledge.a'],
    ],
    [
      "declared twice is sent once, by the first address",
      { declarations: [pledged("b", ADA), pledged("a", ADA)] },
      ["create pledge.a"],
    ],
    [
      "declared twice stays where it is recorded",
      { declarations: [pledged("a", ADA), pledged("b", ADA)], instances: [given("b", ADA)] },
      ["keep pledge.b"],
    ],
    [
      "recorded twice is kept once, and forgotten once",
      { declarations: [pledged("b", ADA)], instances: [given("a", ADA), given("b", ADA)] },
      ["forget pledge.b", "update-state pledge.b from pledge.a"],
    ],
    [
      "changes its settings without a request",
      { declarations: [pledged("a", { ...ADA, on_missing: "error" })], instances: [given("a", ADA)] },
      ["update-state pledge.a"],
    ],
    [
      "is sent again when it was forgotten and is declared again",
      { declarations: [pledged("a", ADA)], instances: [] },
      ["create pledge.a"],
    ],
    [
      "is neither refreshed nor sent by a refresh",
      { declarations: [pledged("a", ADA)], instances: [given("b", BOB)], options: { refreshOnly: true } },
      [],
    ],
    [
      "is not touched by destroy",
      { declarations: [pledged("a", ADA)], instances: [given("a", ADA)], options: { destroy: true } },
      [],
    ],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = planOf(world);
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(expected);
  });

  test("cannot be replaced by request", () => {
    const made = planOf({
      declarations: [pledged("a", ADA)],
      instances: [given("a", ADA)],
      options: { replace: ["toy_pledge.a"] },
    });
    expect(codes(made)).toEqual(["replace_impossible pledge.a"]);
    expect(steps(made)).toEqual(["keep pledge.a"]);
  });

  test("keeps its record when only the address that takes its place is targeted", () => {
    const made = planOf({
      declarations: [pledged("a", BOB), pledged("b", ADA)],
      instances: [given("a", ADA)],
      options: { targets: ["toy_pledge.a"] },
    });
    expect(steps(made)).toEqual(["create pledge.a", "update-state pledge.b from pledge.a"]);
  });
});

describe("an outcome that was never confirmed", () => {
  const again = (attributes: Attributes, more = {}, options: World["options"] = {}) =>
    planOf({ declarations: [pledged("a", ADA)], instances: [given("a", { ...ADA, ...attributes }, more)], options });

  test("is planned again, and says so", () => {
    expect(again(UNCONFIRMED).steps).toMatchObject([{ action: "create", again: "unconfirmed" }]);
  });

  test("is kept once the user accepted its outcome", () => {
    expect(steps(again(UNCONFIRMED, { settled: true }))).toEqual(["keep pledge.a"]);
  });

  test("is recorded as done with --assume-unsubscribed", () => {
    expect(again(UNCONFIRMED, {}, { assumeUnsubscribed: true }).steps).toMatchObject([
      { action: "update-state", after: { ...ADA, outcome: "given" } },
    ]);
  });

  test("stays recorded when it is not declared", () => {
    expect(steps(planOf({ instances: [given("a", { ...ADA, ...UNCONFIRMED })] }))).toEqual(["keep pledge.a"]);
  });

  test("gives way to another record of the same whose outcome is known", () => {
    const instances = [given("a", { ...ADA, ...UNCONFIRMED }), given("b", ADA)];
    expect(steps(planOf({ declarations: [pledged("a", ADA)], instances }))).toEqual([
      "forget pledge.a",
      "update-state pledge.a from pledge.b",
    ]);
  });
});

test("--assume-unsubscribed records declared unsubscriptions without a record, and sends nothing", () => {
  const made = planOf({
    declarations: [pledged("a", ADA), pledged("b", BOB)],
    instances: [given("b", BOB)],
    options: { assumeUnsubscribed: true },
  });
  expect(steps(made)).toEqual(["adopt pledge.a", "keep pledge.b"]);
  expect(made.steps[0]).toMatchObject({ id: null, after: { ...ADA, on_missing: "warn", outcome: "given" } });
});

describe("a name that now finds another club", () => {
  const moved = { ...ADA, club: "c2" };
  const stopped: readonly (readonly [string, Partial<World>, readonly string[]])[] = [
    [
      "stops at its address",
      { declarations: [pledged("a", moved, LOOKUPS)], instances: [given("a", ADA, LOOKUPS)] },
      ["lookup_changed pledge.a"],
    ],
    [
      "stops where the club is part of the key",
      {
        declarations: [pledged("x", moved, { ...LOOKUPS, address: `toy_pledge.x["c2/ada"]` })],
        instances: [given("x", ADA, { ...LOOKUPS, address: `toy_pledge.x["c1/ada"]` })],
      },
      [`lookup_changed pledge.x["c2/ada"]`],
    ],
    [
      "stops what was not sent before as well",
      {
        declarations: [pledged("a", moved, LOOKUPS), pledged("b", { ...BOB, club: "c2" }, LOOKUPS)],
        instances: [given("a", ADA, LOOKUPS)],
      },
      ["lookup_changed pledge.a", "lookup_changed pledge.b"],
    ],
    [
      "stops a block with one message that counts",
      {
        declarations: ["ada", "bob", "eve"].map((name) =>
          pledged("x", { club: "c2", name }, { ...LOOKUPS, address: `toy_pledge.x["${name}"]` }),
        ),
        instances: [given("x", ADA, { ...LOOKUPS, address: `toy_pledge.x["ada"]` })],
      },
      [`lookup_changed pledge.x["ada"]`],
    ],
  ];
  test.each(stopped)("%s, and nothing is forgotten", (_, world, expected) => {
    const made = planOf(world);
    expect(codes(made)).toEqual(expected);
    expect(steps(made)).toEqual([]);
    const { detail = "", ways } = made.diagnostics[0] ?? {};
    expect(detail).toContain(`${Q} found "c1" before and now finds "c2"`);
    expect(ways).toEqual([{ kind: "allow", guard: "lookup-change", limit: null }]);
  });

  test("counts the others of the block", () => {
    const made = planOf(stopped[3]?.[1] ?? {});
    expect(made.diagnostics[0]?.detail).toContain("and 2 more of its block");
  });

  test("goes on with --allow-campaign-change", () => {
    const made = planOf({
      declarations: [pledged("a", moved, LOOKUPS)],
      instances: [given("a", ADA, LOOKUPS)],
      options: { allow: ["lookup-change"] },
    });
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(["create pledge.a", 'keep pledge.a["c1/ada"] from pledge.a']);
  });

  test("is no change of the name once nothing declares the old one", () => {
    const instances = [
      given("a", ADA, { ...LOOKUPS, address: 'toy_pledge.a["c1/ada"]', undeclared: true }),
      given("a", moved, LOOKUPS),
    ];
    const made = planOf({
      declarations: [pledged("a", moved, LOOKUPS), pledged("b", { ...BOB, club: "c2" }, LOOKUPS)],
      instances,
    });
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(["keep pledge.a", "create pledge.b"]);
  });

  test("keeps what tells of it while something else is targeted", () => {
    const world = { declarations: [pledged("b", moved, LOOKUPS)], instances: [given("a", ADA, LOOKUPS)] };
    expect(steps(planOf({ ...world, options: { targets: ["toy_pledge.a"] } }))).toEqual([]);
  });

  test.each<readonly [string, Partial<World>, readonly string[]]>([
    [
      "is no change of the name when another question is asked",
      {
        declarations: [pledged("a", moved, { lookups: { club: `data.toy_club.q (name "go")` } })],
        instances: [given("a", ADA, LOOKUPS)],
      },
      ["create pledge.a", 'keep pledge.a["c1/ada"] from pledge.a'],
    ],
    [
      "is no change of the name when the club is written out",
      { declarations: [pledged("a", moved)], instances: [given("a", ADA, LOOKUPS)] },
      ["create pledge.a", 'keep pledge.a["c1/ada"] from pledge.a'],
    ],
    [
      "is no change of the name when a filter finds several",
      {
        declarations: [pledged("a", moved, LOOKUPS), pledged("b", { ...ADA, club: "c3" }, LOOKUPS)],
        instances: [given("c", ADA, LOOKUPS)],
      },
      ["create pledge.a", "create pledge.b", "keep pledge.c"],
    ],
  ])("%s", (_, world, expected) => {
    const made = planOf(world);
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual(expected);
  });

  test("is noticed later too: the record learns by what a club is found now", () => {
    const made = planOf({ declarations: [pledged("a", ADA, LOOKUPS)], instances: [given("a", ADA)] });
    expect(made.steps).toMatchObject([{ action: "update-state", because: [{ attribute: "club", why: "config" }] }]);
  });

  test("is not asked about what only left a filter", () => {
    const made = planOf({
      declarations: [pledged("a", ADA, { retained: true })],
      instances: [given("a", ADA, LOOKUPS)],
    });
    expect(steps(made)).toEqual(["keep pledge.a"]);
  });
});
