import { describe, expect, test } from "vitest";
import type { Attributes } from "../../../src/core/model/value.ts";
import { type World, codes, given, planOf, pledged, steps } from "./world.ts";

const HOUR = 3_600_000;
const NOW = 100 * HOUR;
const WATCH = { on_missing: "watch" };
const GONE = { ...WATCH, outcome: "gone" };

const at = (club: string, name: string): string => `toy_pledge.x["${club}/${name}"]`;
const wanted = (club: string, name: string, attributes: Attributes = {}, more = {}) =>
  pledged("x", { club, name, ...WATCH, ...attributes }, { address: at(club, name), ...more });
const known = (club: string, name: string, attributes: Attributes = GONE, more = {}) =>
  given("x", { club, name, ...attributes }, { address: at(club, name), recordedAtMs: NOW - 30 * HOUR, ...more });
const plan = (world: Partial<World>) => planOf({ ...world, options: { atMs: NOW, ...world.options } });

describe("what was not found", () => {
  test("waits: it is no step, no change and no error, and is due once its time has passed", () => {
    const made = plan({ declarations: [wanted("c", "ada")], instances: [known("c", "ada")] });
    expect(steps(made)).toEqual([`keep pledge.x["c/ada"]`]);
    expect(codes(made)).toEqual([]);
    expect(made.waiting).toEqual({ count: 1, due: 1, now: [at("c", "ada")], nextAtMs: null });
  });

  test.each<readonly [string, Attributes, object, number | null]>([
    ["rests for a day by default", {}, { sentAtMs: NOW - 20 * HOUR }, NOW + 4 * HOUR],
    ["rests from its last request, not from its first", {}, { recordedAtMs: 0, sentAtMs: NOW - HOUR }, NOW + 23 * HOUR],
    ["rests as long as its block says", { recheck: "7d" }, {}, NOW + 138 * HOUR],
    ["with 0s is due at once", { recheck: "0s" }, { sentAtMs: NOW }, null],
  ])("%s", (_, attributes, more, nextAtMs) => {
    const { waiting } = plan({
      declarations: [wanted("c", "ada", attributes)],
      instances: [known("c", "ada", { ...GONE, ...attributes }, more)],
    });
    expect(waiting).toEqual({
      count: 1,
      due: nextAtMs === null ? 1 : 0,
      now: nextAtMs === null ? [at("c", "ada")] : [],
      nextAtMs,
    });
  });

  test.each<readonly [string, Partial<World>]>([
    [
      "does not wait unless it is watched",
      { declarations: [wanted("c", "ada", { on_missing: "accept" })], instances: [known("c", "ada")] },
    ],
    [
      "does not wait once it is done",
      { declarations: [wanted("c", "ada")], instances: [known("c", "ada", { ...WATCH, outcome: "given" })] },
    ],
    ["does not wait when nothing declares it", { instances: [known("c", "ada")] }],
    [
      "does not wait where it left its filter",
      { declarations: [wanted("c", "ada", {}, { retained: true })], instances: [known("c", "ada")] },
    ],
    [
      "does not wait in a destroy",
      { declarations: [wanted("c", "ada")], instances: [known("c", "ada")], options: { destroy: true } },
    ],
  ])("%s", (_, world) => {
    expect(plan(world).waiting).toBeUndefined();
  });

  test("waits in the same way when its outcome is unconfirmed: a first request without an answer is due at once, without another approval", () => {
    const made = plan({
      declarations: [wanted("c", "ada")],
      instances: [known("c", "ada", { ...WATCH, outcome: "unconfirmed" }, { recordedAtMs: NOW })],
    });
    expect(steps(made)).toEqual([`keep pledge.x["c/ada"]`]);
    expect(made.waiting).toMatchObject({ due: 1, now: [at("c", "ada")] });
    const repeated = known("c", "ada", { ...WATCH, outcome: "unconfirmed" }, { sentAtMs: NOW });
    expect(plan({ declarations: [wanted("c", "ada")], instances: [repeated] }).waiting).toMatchObject({
      due: 0,
      now: [],
    });
  });

  test("is looked for oldest first, as many as the limit says, and what is new before them", () => {
    const names = ["ada", "bob", "cy", "dee"];
    const instances = names.map((name, index) => known("c", name, GONE, { sentAtMs: NOW - (30 + index) * HOUR }));
    const declarations = [...names.map((name) => wanted("c", name)), wanted("d", "bob", {}, { isFiltered: true })];
    const made = plan({ declarations, instances, limits: { recheck: { kind: "count", count: 3 } } });
    expect(made.waiting).toEqual({
      count: 5,
      due: 5,
      now: [at("d", "bob"), at("c", "dee"), at("c", "cy")],
      nextAtMs: NOW,
    });
    expect(
      plan({ declarations, instances, options: { rechecks: "all" }, limits: { recheck: { kind: "count", count: 3 } } })
        .waiting?.now,
    ).toHaveLength(5);
  });
});

describe("the approval of a person on a list", () => {
  const filtered = { isFiltered: true } as const;
  const world = (declarations: World["declarations"], instances: World["instances"]) => {
    const made = plan({ declarations, instances });
    return [steps(made).filter((step) => !step.startsWith("keep")), made.waiting?.now ?? []];
  };

  test("covers a club that the filter finds later: it is no change", () => {
    const done = known("c", "ada", { ...WATCH, outcome: "given" });
    expect(world([wanted("c", "ada", {}, filtered), wanted("d", "ada", {}, filtered)], [done])).toEqual([
      [],
      [at("d", "ada")],
    ]);
  });

  test.each<readonly [string, World["declarations"][number], World["instances"][number]]>([
    ["covers no other person", wanted("d", "bob", {}, filtered), known("c", "ada")],
    ["covers no club that somebody wrote into the list", wanted("d", "ada"), known("c", "ada")],
    [
      "covers no other list",
      wanted("d", "ada", {}, filtered),
      given("y", { club: "c", name: "ada", ...GONE }, { address: 'toy_pledge.y["c/ada"]' }),
    ],
    [
      "has ended for who has left the list",
      wanted("d", "ada", {}, filtered),
      known("c", "ada", GONE, { undeclared: true }),
    ],
    ["covers nothing that is not watched", wanted("d", "ada", { on_missing: "accept" }, filtered), known("c", "ada")],
  ])("%s: it is a step", (_, declaration, instance) => {
    expect(world([declaration], [instance])).toEqual([[`create ${declaration.address.replace("toy_", "")}`], []]);
  });
});

describe("reassert", () => {
  const done = (name: string, more: object) => known("c", name, { ...WATCH, outcome: "given", reassert: "90d" }, more);
  const old = { recordedAtMs: 0, sentAtMs: NOW - 91 * 24 * HOUR };

  test("sends what is done again after its time, as a step of the plan", () => {
    const made = plan({ declarations: [wanted("c", "ada", { reassert: "90d" })], instances: [done("ada", old)] });
    expect(made.steps).toMatchObject([{ action: "create", again: "reassert", address: at("c", "ada") }]);
    expect(
      plan({ declarations: [wanted("c", "ada", { reassert: "90d" })], instances: [done("ada", { sentAtMs: NOW })] })
        .steps,
    ).toMatchObject([{ action: "keep" }]);
  });

  test("is never by default", () => {
    expect(
      steps(
        plan({
          declarations: [wanted("c", "ada")],
          instances: [known("c", "ada", { ...WATCH, outcome: "given" }, old)],
        }),
      ),
    ).toEqual([`keep pledge.x["c/ada"]`]);
  });

  test("shares the limit with what waits: the oldest first", () => {
    const made = plan({
      declarations: [
        wanted("c", "ada", { reassert: "90d" }),
        wanted("c", "bob", { reassert: "90d" }),
        wanted("c", "cy"),
      ],
      instances: [done("ada", { ...old, sentAtMs: old.sentAtMs - 1 }), done("bob", old), known("c", "cy")],
      limits: { recheck: { kind: "count", count: 1 } },
    });
    expect(steps(made)).toEqual([`create pledge.x["c/ada"]`, `keep pledge.x["c/bob"]`, `keep pledge.x["c/cy"]`]);
    expect(made.waiting).toMatchObject({ due: 1, now: [] });
  });
});
