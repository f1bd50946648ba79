import { describe, expect, test } from "vitest";
import { adoptedInstance } from "../../../src/core/plan/adoption.ts";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, planOf, steps, thing } from "./world.ts";

const ADOPT = { adopt: true };
const stranger = (attributes = {}) => live("ball", { id: "id_stranger", ...attributes });

describe("--adopt", () => {
  const cases: readonly (readonly [string, Partial<World>, { readonly steps: readonly string[]; readonly codes?: readonly string[] }])[] = [
    ["takes over the one identical unmanaged object", { declarations: [declared("ball")], live: [stranger()] }, { steps: ["adopt thing.ball"] }],
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
      { declarations: [declared("ball", { shiny: true })], instances: [recorded("ball")], live: [live("ball"), stranger()] },
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
    const made = planOf({ declarations: [declared("a", { name: "ball" }), declared("b", { name: "Ball" })], live: [stranger()], options: ADOPT });
    expect(codes(made)).toEqual(["declared_twice thing.b"]);
  });

  test("takes what the service shows, and what is declared where it means the same or is not shown", () => {
    const made = planOf({ declarations: [declared("Ball", { secret: { $secret: "aa" } })], live: [stranger({ made_at: "long ago" })], options: ADOPT });
    expect(made.steps).toMatchObject([{ id: "id_stranger", after: { name: "Ball", id: "id_stranger", made_at: "long ago", secret: { $secret: "aa" } } }]);
  });
});

describe("an adopted object", () => {
  const adopted = (secret: string | null) => {
    const attributes = { ...recorded("ball").attributes, id: "id_stranger", secret: secret === null ? null : { $secret: secret } };
    const returned = stranger().attributes;
    return adoptedInstance(thing, { address: "toy_thing.ball", provider: "toy", id: "id_stranger", attributes, returned, recordedAtMs: 0 });
  };
  test.each([
    ["needs nothing while its secret is declared as it was", "aa", { secret: { $secret: "aa" } }, "keep thing.ball"],
    ["is replaced when the declared secret changes", "aa", { secret: { $secret: "bb" } }, "replace thing.ball"],
    ["takes a secret that is declared later as the one that it has", null, { secret: { $secret: "aa" } }, "update-state thing.ball"],
  ])("%s", (_, secret, attributes, expected) => {
    const made = planOf({ declarations: [declared("ball", attributes)], instances: [adopted(secret)], live: [stranger()] });
    expect(steps(made)).toEqual([expected]);
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
