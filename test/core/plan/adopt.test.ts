import { describe, expect, test } from "vitest";
import { adoptedInstance } from "../../../src/core/plan/adopt.ts";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, planOf, steps, thing } from "./world.ts";

const ADOPT = { adopt: true };
const stranger = (attributes = {}) => live("ball", { id: "id_stranger", ...attributes });

describe("--adopt", () => {
  const cases: readonly (readonly [
    string,
    Partial<World>,
    { readonly steps: readonly string[]; readonly codes?: readonly string[] },
  ])[] = [
    [
      "takes over the one identical unmanaged object",
      { declarations: [declared("ball")], live: [stranger()] },
      { steps: ["adopt thing.ball"] },
    ],
    ["creates what is not there", { declarations: [declared("ball")] }, { steps: ["create thing.ball"] }],
    [
      "takes over in place of one that is gone",
      { declarations: [declared("ball")], instances: [recorded("ball")], live: [stranger()] },
      { steps: ["adopt thing.ball"] },
    ],
    [
      "does not choose between several",
      { declarations: [declared("ball")], live: [stranger(), live("ball", { id: "id_other" })] },
      { steps: [], codes: ["unmanaged_duplicate thing.ball"] },
    ],
    [
      "does not take what is not wholly observed",
      { declarations: [declared("ball")], live: [stranger({ room: undefined })] },
      { steps: [], codes: ["unmanaged_duplicate thing.ball"] },
    ],
    [
      "does not adopt next to one of ours that would be replaced",
      {
        declarations: [declared("ball", { shiny: true })],
        instances: [recorded("ball")],
        live: [live("ball"), stranger()],
      },
      { steps: [], codes: ["unmanaged_duplicate thing.ball"] },
    ],
    ["leaves alone what matches nothing declared", { live: [stranger()] }, { steps: [] }],
    [
      "creates another where allow_duplicate says so",
      { declarations: [declared("ball", { allow_duplicate: true })], live: [stranger()] },
      { steps: ["create thing.ball"] },
    ],
  ];
  test.each(cases)("%s", (_, world, expected) => {
    const made = planOf({ ...world, options: ADOPT });
    expect(steps(made)).toEqual(expected.steps);
    expect(codes(made)).toEqual(expected.codes ?? []);
  });

  test("cannot take one object for two declarations: they are refused as the same", () => {
    const made = planOf({
      declarations: [declared("a", { name: "ball" }), declared("b", { name: "Ball" })],
      live: [stranger()],
      options: ADOPT,
    });
    expect(codes(made)).toEqual(["declared_twice thing.b"]);
  });

  test("takes what the service shows, and what is declared where it means the same or is not shown", () => {
    const made = planOf({
      declarations: [declared("Ball", { secret: { $secret: "aa" } })],
      live: [stranger({ made_at: "long ago" })],
      options: ADOPT,
    });
    expect(made.steps).toMatchObject([
      { id: "id_stranger", after: { name: "Ball", id: "id_stranger", made_at: "long ago", secret: { $secret: "aa" } } },
    ]);
  });
});

describe("an adopted object", () => {
  const adopted = (secret: string | null) => {
    const attributes = {
      ...recorded("ball").attributes,
      id: "id_stranger",
      secret: secret === null ? null : { $secret: secret },
    };
    const returned = stranger().attributes;
    return adoptedInstance(thing, {
      address: "toy_thing.ball",
      provider: "toy",
      id: "id_stranger",
      attributes,
      returned,
      recordedAtMs: 0,
    });
  };
  test.each([
    ["needs nothing while its secret is declared as it was", "aa", { secret: { $secret: "aa" } }, "keep thing.ball"],
    ["is replaced when the declared secret changes", "aa", { secret: { $secret: "bb" } }, "replace thing.ball"],
    ["is replaced when a secret is declared later", null, { secret: { $secret: "aa" } }, "replace thing.ball"],
    [
      "is replaced when a value is declared later that the service does not show",
      null,
      { shiny: true },
      "replace thing.ball",
    ],
    [
      "needs only a record for a late value with the meaning of none",
      null,
      { shiny: false },
      "update-state thing.ball",
    ],
  ])("%s", (_, secret, attributes, expected) => {
    const made = planOf({
      declarations: [declared("ball", attributes)],
      instances: [adopted(secret)],
      live: [stranger()],
    });
    expect(steps(made)).toEqual([expected]);
    const reasons = made.steps.flatMap(({ because }) => because);
    if (secret === null) expect(reasons).toMatchObject([{ attribute: Object.keys(attributes)[0], unobserved: true }]);
  });

  test("takes what is declared before the first apply as what it has, and is replaced for anything else", () => {
    const declarations = [declared("ball", { secret: { $secret: "aa" }, shiny: true })];
    const instance = { ...adopted(null), unapplied: true as const };
    expect(steps(planOf({ declarations, instances: [instance], live: [stranger()] }))).toEqual([
      "update-state thing.ball",
    ]);
    const renamed = [declared("ball", { secret: { $secret: "aa" }, name: "doll" })];
    const made = planOf({ declarations: renamed, instances: [instance], live: [stranger()] });
    expect(made.steps).toMatchObject([{ action: "replace", because: [{ attribute: "name", why: "config" }] }]);
    expect(made.steps[0]?.because[0]).not.toHaveProperty("unobserved");
  });

  test("is replaced by request, so that its secret is known", () => {
    const made = planOf({
      declarations: [declared("ball", { secret: { $secret: "aa" } })],
      instances: [adopted("aa")],
      live: [stranger()],
      options: { replace: ["toy_thing.ball"] },
    });
    expect(steps(made)).toEqual(["replace thing.ball"]);
  });
});
