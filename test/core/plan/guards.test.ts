import { describe, expect, test } from "vitest";
import type { Limit, Limits } from "../../../src/core/model/limits.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, given, planOf, pledged } from "./world.ts";

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `n${String(index).padStart(4, "0")}`);
const percent = (share: number): Limit => ({ kind: "percent", percent: share });
const most = (count: number): Limit => ({ kind: "count", count });

/** So many are managed, of which the first so many are meant by `lost`. */
function managed(
  count: number,
): Pick<World, "declarations" | "instances"> & { readonly live: ReturnType<typeof live>[] } {
  return {
    declarations: names(count).map((name) => declared(name)),
    instances: names(count).map((name) => recorded(name)),
    live: names(count).map((name) => live(name)),
  };
}

const deleting = (count: number, of: number): Partial<World> => ({
  ...managed(of),
  declarations: managed(of).declarations.slice(count),
});
const missing = (count: number, of: number): Partial<World> => ({
  ...managed(of),
  live: managed(of).live.slice(count),
});

describe("the bound on deletions", () => {
  test.each<readonly [string, number, number, Limits, boolean]>([
    ["does not hold for 3, whatever the share", 3, 3, {}, false],
    ["does not hold for 4 that are not more than 30 %", 4, 14, {}, false],
    ["does not hold for exactly 30 %", 6, 20, {}, false],
    ["holds for 4 that are more than 30 %", 4, 13, {}, true],
    ["holds for all", 10, 10, {}, true],
    ["of a given share holds for few as well", 1, 3, { delete: percent(30) }, true],
    ["of a given share is not reached by exactly that", 3, 10, { delete: percent(30) }, false],
    ["of a given number is not reached by exactly that", 5, 6, { delete: most(5) }, false],
    ["of a given number holds for one more", 6, 100, { delete: most(5) }, true],
    ["of 0 holds for one", 1, 100, { delete: most(0) }, true],
    ["of 100 % never holds", 10, 10, { delete: percent(100) }, false],
  ])("%s", (_, count, of, limits, holds) => {
    expect(codes(planOf({ ...deleting(count, of), limits }))).toEqual(holds ? ["limit_delete"] : []);
  });

  test.each<readonly [string, Partial<World>]>([
    ["is lifted by --allow-deletes", { ...deleting(9, 10), options: { allow: ["deletes"] } }],
    ["does not hold for destroy", { ...managed(10), options: { destroy: true } }],
    [
      "does not count replaces",
      {
        ...managed(10),
        declarations: names(10).map((name) => declared(name, { shiny: true })),
        options: { allow: ["replaces"] },
      },
    ],
    ["does not count what is only forgotten", { instances: names(10).map((name) => given(name, { club: "c", name })) }],
    [
      "does not count what was replaced before",
      {
        ...managed(5),
        instances: names(5).map((name) =>
          recorded(name, {}, { deposed: [{ id: `old_${name}`, attributes: {}, returned: {} }] }),
        ),
      },
    ],
    ["is not asked again for a plan that was approved", { ...deleting(9, 10), options: { guarded: false } }],
  ])("%s", (_, world) => {
    expect(codes(planOf(world))).toEqual([]);
  });

  test("counts what is managed, whatever else is declared", () => {
    const world = deleting(4, 12);
    const more = names(100).map((name) => declared(`new_${name}`));
    expect(codes(planOf({ ...world, declarations: [...(world.declarations ?? []), ...more] }))).toEqual([
      "limit_delete",
    ]);
  });

  test("counts no irreversible writes among what is managed", () => {
    const { declarations = [], instances = [], live: objects = [] } = deleting(4, 12);
    const clubs = names(100).map((name) => ({ name, club: "c" }));
    const world = {
      declarations: [...declarations, ...clubs.map((pledge) => pledged(pledge.name, pledge))],
      instances: [
        ...instances,
        ...clubs.map((pledge) => given(pledge.name, { ...pledge, outcome: "given" }, { id: `pledge_${pledge.name}` })),
      ],
      live: objects,
    };
    expect(codes(planOf(world))).toEqual(["limit_delete"]);
  });

  test("names the guard that lifts it, and its limit", () => {
    const [said] = planOf(deleting(9, 10)).diagnostics;
    expect(said?.detail).toContain("deletes 9 of 10 managed things; the limit is 30% (and more than 3)");
    expect(said?.ways).toEqual([{ kind: "allow", guard: "deletes", limit: "delete" }]);
  });
});

describe("the bound on replaces", () => {
  /** The first so many have another value of an attribute. */
  const replacing = (count: number, of: number, attributes: Attributes = { shiny: true }): Partial<World> => ({
    ...managed(of),
    declarations: names(of).map((name, index) => declared(name, index < count ? attributes : {})),
  });
  test.each<readonly [string, number, number, Limits, boolean]>([
    ["does not hold for 3, whatever the share", 3, 3, {}, false],
    ["does not hold for exactly 30 %", 6, 20, {}, false],
    ["holds for 4 that are more than 30 %", 4, 13, {}, true],
    ["of a given share holds for few as well", 1, 3, { replace: percent(30) }, true],
    ["of a given number is not reached by exactly that", 5, 6, { replace: most(5) }, false],
    ["of a given number holds for one more", 6, 100, { replace: most(5) }, true],
  ])("%s", (_, count, of, limits, holds) => {
    expect(codes(planOf({ ...replacing(count, of), limits }))).toEqual(holds ? ["limit_replace"] : []);
  });

  const secret = (digest: string): Attributes => ({ secret: { $secret: digest } });
  const rotated = (attributes: Attributes): Partial<World> => ({
    ...managed(10),
    instances: names(10).map((name) => recorded(name, secret("old"))),
    declarations: names(10).map((name) => declared(name, { ...secret("new"), ...attributes })),
  });
  test.each<readonly [string, Partial<World>, boolean]>([
    ["is lifted by the guard", { ...replacing(10, 10), options: { allow: ["replaces"] } }, false],
    ["does not count a new secret", rotated({}), false],
    ["counts a new secret that is not the only reason", rotated({ shiny: true }), true],
    [
      "counts what a user requests",
      { ...managed(10), options: { replace: managed(10).declarations.map(({ address }) => address) } },
      true,
    ],
    [
      "counts the corrections of drift",
      { ...managed(10), live: names(10).map((name) => live(name, { shiny: true })) },
      true,
    ],
    ["is not asked again for a plan that was approved", { ...replacing(10, 10), options: { guarded: false } }, false],
  ])("%s", (_, world, holds) => {
    expect(codes(planOf(world))).toEqual(holds ? ["limit_replace"] : []);
  });

  test("names the guard that lifts it, and its limit", () => {
    const [said] = planOf(replacing(9, 10)).diagnostics;
    expect(said?.detail).toContain(
      "replaces 9 of 10 managed things, and not only for new secrets; the limit is 30% (and more than 3)",
    );
    expect(said?.ways).toEqual([{ kind: "allow", guard: "replaces", limit: "replace" }]);
  });
});

describe("the bound on what is missing", () => {
  test.each<readonly [string, number, number, Limits, boolean]>([
    ["does not hold for 3, whatever the share", 3, 3, {}, false],
    ["does not hold for exactly 20 %", 4, 20, {}, false],
    ["holds for 4 that are more than 20 %", 4, 19, {}, true],
    ["of a given share holds for few as well", 1, 4, { recreate: percent(20) }, true],
    ["of a given number is not reached by exactly that", 5, 6, { recreate: most(5) }, false],
    ["of a given number holds for one more", 6, 100, { recreate: most(5) }, true],
  ])("%s", (_, count, of, limits, holds) => {
    expect(codes(planOf({ ...missing(count, of), limits }))).toEqual(holds ? ["limit_recreate"] : []);
  });

  test.each<readonly [string, Partial<World["options"]>]>([
    ["is lifted by --allow-recreate", { allow: ["recreate"] }],
    ["is not asked again for a plan that was approved", { guarded: false }],
  ])("%s", (_, options) => {
    expect(codes(planOf({ ...missing(10, 10), options }))).toEqual([]);
  });

  test.each<readonly [string, Partial<World>]>([
    ["counts what is no longer declared too", { ...missing(10, 10), declarations: [] }],
    ["holds for a refresh, which would forget them", { ...missing(10, 10), options: { refreshOnly: true } }],
    ["holds for destroy, which would forget them", { ...missing(10, 10), options: { destroy: true } }],
  ])("%s", (_, world) => {
    expect(codes(planOf(world))).toEqual(["limit_recreate"]);
  });

  test("names the guard that lifts it, and its limit", () => {
    expect(planOf(missing(9, 10)).diagnostics[0]?.ways).toEqual([
      { kind: "allow", guard: "recreate", limit: "recreate" },
    ]);
  });
});

describe("the bound on irreversible writes that nobody approves", () => {
  const sending = (count: number, done = 0): Partial<World> => ({
    declarations: names(count + done).map((name) => pledged(name, { club: "c", name })),
    instances: names(count + done)
      .slice(count)
      .map((name) => given(name, { club: "c", name })),
  });
  test.each<readonly [string, Partial<World>, Limits, boolean]>([
    ["does not hold for 100", sending(100), {}, false],
    ["holds for 101", sending(101), {}, true],
    ["does not count what is done already", sending(100, 50), {}, false],
    ["of a given number holds for one more", sending(6), { irreversible: most(5) }, true],
    ["of a given number is not reached by exactly that", sending(5), { irreversible: most(5) }, false],
    ["of a share is one of all that are declared", sending(10, 90), { irreversible: percent(10) }, false],
    ["of a share holds for one more", sending(11, 89), { irreversible: percent(10) }, true],
  ])("%s", (_, world, limits, holds) => {
    expect(codes(planOf({ ...world, limits, options: { approval: "none" } }))).toEqual(
      holds ? ["limit_irreversible"] : [],
    );
    expect(codes(planOf({ ...world, limits, options: { approval: "saved" } }))).toEqual(
      holds ? ["limit_irreversible"] : [],
    );
    expect(codes(planOf({ ...world, limits, options: { approval: "typed" } }))).toEqual([]);
  });

  test.each<readonly [string, Partial<World>]>([
    ["is lifted by the guard", { ...sending(101), options: { approval: "none", allow: ["irreversible"] } }],
    [
      "does not count what is recorded without a request",
      { ...sending(101), options: { approval: "none", assumeUnsubscribed: true } },
    ],
    [
      "does not count what was never confirmed: nobody sends it again unasked",
      {
        declarations: sending(101).declarations ?? [],
        instances: names(101).map((name) => given(name, { club: "c", name, outcome: "unconfirmed" })),
        options: { approval: "none" },
      },
    ],
  ])("%s", (_, world) => {
    expect(codes(planOf(world))).toEqual([]);
  });

  test("does not count people of an earlier list: neither what was never confirmed, nor another club", () => {
    const instances = names(101).map((name) => given(name, { club: "c", name, outcome: "unconfirmed" }));
    expect(
      codes(planOf({ declarations: sending(101).declarations ?? [], instances, options: { approval: "saved" } })),
    ).toEqual([]);
    const elsewhere = names(101).map((name) =>
      given(name, { club: "another", name }, { address: `toy_pledge.old["${name}"]`, undeclared: true }),
    );
    expect(
      codes(
        planOf({ declarations: sending(101).declarations ?? [], instances: elsewhere, options: { approval: "none" } }),
      ),
    ).toEqual([]);
  });

  test("counts a person once, whatever the number of clubs", () => {
    const clubs = ["c1", "c2", "c3"];
    const declarations = names(40).flatMap((name) =>
      clubs.map((club) => pledged("x", { club, name }, { address: `toy_pledge.x["${club}/${name}"]` })),
    );
    expect(codes(planOf({ declarations, options: { approval: "none" } }))).toEqual([]);
    expect(
      codes(
        planOf({ declarations, limits: { irreversible: { kind: "count", count: 39 } }, options: { approval: "none" } }),
      ),
    ).toEqual(["limit_irreversible"]);
  });

  test("is only a warning of a plan that is shown", () => {
    const { diagnostics } = planOf({ ...sending(101), options: { approval: "open" } });
    expect(diagnostics).toMatchObject([
      { code: "limit_irreversible", severity: "warning", ways: [{ kind: "approve" }, { kind: "allow" }] },
    ]);
    expect(diagnostics[0]?.detail).toContain("this plan would be refused");
    expect(codes(planOf({ ...sending(100), options: { approval: "open" } }))).toEqual([]);
  });

  test("names the guard that lifts it, and its limit", () => {
    const [said] = planOf({ ...sending(101), options: { approval: "none" } }).diagnostics;
    expect(said?.detail).toContain(
      "sends 101 pledges about 101 people who were on no list before, which no documented request undoes; the limit without a typed approval is 100 people",
    );
    expect(said?.ways).toEqual([{ kind: "approve" }, { kind: "allow", guard: "irreversible", limit: "irreversible" }]);
  });
});

describe("a list that lost people", () => {
  const list = (left: number, of: number, more: Partial<World> = {}): Partial<World> => ({
    declarations: names(left).map((name) => pledged("x", { club: "c", name }, { address: `toy_pledge.x["${name}"]` })),
    instances: names(of).map((name) => given("x", { club: "c", name }, { address: `toy_pledge.x["${name}"]` })),
    ...more,
  });
  const most = (count: number): Limits => ({ shrink: { kind: "count", count } });
  test.each<readonly [string, Partial<World>, boolean]>([
    ["may lose three of four", list(1, 4), false],
    ["may lose 30%", list(7, 10), false],
    ["stops the plan when more than 3 and more than 30% are gone", list(6, 10), true],
    ["may lose as many as the limit says", list(5, 10, { limits: most(5) }), false],
    ["may not lose more than the limit says", list(4, 10, { limits: most(5) }), true],
    ["goes on with --allow-shrink", list(1, 10, { options: { allow: ["shrink"] } }), false],
    ["is nothing to a destroy", list(1, 10, { options: { destroy: true } }), false],
    [
      "is not counted twice: who is recorded as undeclared has left before",
      {
        ...list(6, 6),
        instances: names(20).map((name, index) =>
          given(
            "x",
            { club: "c", name },
            { address: `toy_pledge.x["${name}"]`, ...(index < 6 ? {} : { undeclared: true }) },
          ),
        ),
      },
      false,
    ],
    [
      "has not lost who is on another list now",
      {
        declarations: names(10).map((name, index) =>
          pledged(
            index < 2 ? "x" : "y",
            { club: "c", name },
            { address: `toy_pledge.${index < 2 ? "x" : "y"}["${name}"]` },
          ),
        ),
        instances: list(0, 10).instances ?? [],
      },
      false,
    ],
    [
      "has not lost who only left a club",
      {
        declarations: names(10).map((name) =>
          pledged("x", { club: "c1", name }, { address: `toy_pledge.x["c1/${name}"]` }),
        ),
        instances: names(10).flatMap((name) =>
          ["c1", "c2"].map((club) => given("x", { club, name }, { address: `toy_pledge.x["${club}/${name}"]` })),
        ),
      },
      false,
    ],
    ["may go as a whole: nobody cuts a block by accident", { instances: list(0, 10).instances ?? [] }, false],
  ])("%s", (_, world, stops) => {
    expect(codes(planOf(world))).toEqual(stops ? ["limit_shrink pledge.x"] : []);
  });

  test("says how many, and the way out", () => {
    const [said] = planOf(list(2, 10)).diagnostics;
    expect(said).toMatchObject({ severity: "error", ways: [{ kind: "allow", guard: "shrink", limit: "shrink" }] });
    expect(said?.detail).toContain("no longer has 8 of the 10 people");
  });
});
