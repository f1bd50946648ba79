import { describe, expect, test } from "vitest";
import type { PlanOptions } from "../../../src/core/plan/plan-context.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { declared, listing, live, recorded } from "../toy.ts";
import { type World, codes, inputOf, planOf, steps } from "./world.ts";

const OURS = recorded("ball", {}, { id: "id_ours" });
const STRANGER = live("ball", { id: "id_stranger" });
const WORLD = {
  declarations: [declared("ball")],
  instances: [OURS],
  live: [live("ball", { id: "id_ours" }), STRANGER],
};

/** Several managed things, each with an unmanaged duplicate. */
function doubled(count: number): Partial<World> {
  const names = Array.from({ length: count }, (_, index) => `thing${String(index).padStart(2, "0")}`);
  return {
    declarations: names.map((name) => declared(name)),
    instances: names.map((name) => recorded(name, {}, { id: `id_${name}` })),
    live: names.flatMap((name) => [live(name, { id: `id_${name}` }), live(name, { id: `other_${name}` })]),
  };
}

const planWith = (options: Partial<PlanOptions>): Plan => planOf({ ...WORLD, options });

describe("an unmanaged duplicate of a managed object", () => {
  test("is a warning with its id and the ways out, and changes no step", () => {
    const made = planOf(WORLD);
    expect(steps(made)).toEqual(["keep thing.ball"]);
    expect(made.diagnostics).toMatchObject([
      {
        code: "duplicate_live",
        severity: "warning",
        address: "toy_thing.ball",
        ways: [
          { kind: "allow-duplicate", addresses: ["toy_thing.ball"], isLive: true },
          { kind: "import", address: "toy_thing.ball-2", type: "toy_thing", ids: ["id_stranger"], isUndeclared: true },
          { kind: "remove-elsewhere" },
        ],
      },
    ]);
    expect(made.diagnostics[0]?.detail).toMatch(/^id_stranger is live with the same name, room as toy_thing\.ball/);
  });

  test.each<readonly [string, Plan, readonly string[]]>([
    [
      "is found where only the state is updated",
      planOf({ ...WORLD, declarations: [declared("ball", { rotation: "create_first" })] }),
      ["duplicate_live thing.ball"],
    ],
    ["is found by a refresh", planWith({ refreshOnly: true }), ["duplicate_live thing.ball"]],
    ["is of no interest to a destroy", planWith({ destroy: true }), []],
    ["is of no interest outside of the targets", planWith({ targets: ["toy_thing.kite"] }), ["address_unknown"]],
    [
      "may stay with allow_duplicate",
      planOf({ ...WORLD, declarations: [declared("ball", { allow_duplicate: true })] }),
      [],
    ],
    [
      "may stay with allow_duplicate that was not applied yet, at a refresh",
      planOf({ ...WORLD, declarations: [declared("ball", { allow_duplicate: true })], options: { refreshOnly: true } }),
      [],
    ],
    [
      "is none while it is imported elsewhere",
      planOf({
        ...WORLD,
        declarations: [
          declared("ball", { allow_duplicate: true }),
          declared("other", { name: "ball", allow_duplicate: true }),
        ],
        statements: { imports: [{ to: "toy_thing.other", id: "id_stranger", locate: () => undefined }] },
      }),
      [],
    ],
    [
      "is none when it is another thing",
      planOf({ ...WORLD, live: listing([live("ball", { id: "id_ours" }), live("kite", { id: "id_stranger" })]) }),
      [],
    ],
    ["is not reported twice", makePlan({ ...inputOf(WORLD), reported: new Set(["id_stranger"]) }), []],
  ])("%s", (_, made, found) => {
    expect(codes(made)).toEqual(found);
  });

  test("may be a different one where the list does not show all of its identity", () => {
    const made = planOf({
      ...WORLD,
      live: [live("ball", { id: "id_ours" }), live("ball", { id: "id_stranger", room: undefined })],
    });
    expect(made.diagnostics[0]?.detail).toContain("The list does not show its room, so it may be a different one.");
  });

  test("is reported for each of a few objects, and once for many, with the first ids", () => {
    expect(codes(planOf(doubled(3)))).toEqual([
      "duplicate_live thing.thing00",
      "duplicate_live thing.thing01",
      "duplicate_live thing.thing02",
    ]);
    const { diagnostics } = planOf(doubled(12));
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.detail).toMatch(/^12 managed .* toy_thing\.thing00 \(other_thing00\), .* and 2 more\./);
    expect(diagnostics[0]?.detail).not.toContain("other_thing11");
  });
});
