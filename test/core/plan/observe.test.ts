import { describe, expect, test } from "vitest";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { observe } from "../../../src/core/plan/observe.ts";
import { live, recorded, toy } from "../toy.ts";

type Shown = Parameters<typeof live>[1];

describe("what is live, folded into what is recorded", () => {
  const cases: readonly (readonly [
    string,
    RecordedInstance,
    Shown,
    { readonly drifted: readonly string[]; readonly attributes: Attributes },
  ])[] = [
    ["the same is no drift", recorded("ball"), {}, { drifted: [], attributes: {} }],
    [
      "what is not returned is never drift: the recorded value stands",
      recorded("ball", { room: "attic", shiny: true }),
      { room: undefined },
      { drifted: [], attributes: { room: "attic", shiny: true } },
    ],
    ["another value is drift", recorded("ball"), { name: "doll" }, { drifted: ["name"], attributes: { name: "doll" } }],
    [
      "a value that was null is drift",
      recorded("ball"),
      { room: "attic" },
      { drifted: ["room"], attributes: { room: "attic" } },
    ],
    [
      "null that was a value is drift",
      recorded("ball", { room: "attic" }),
      { room: null },
      { drifted: ["room"], attributes: { room: null } },
    ],
    [
      "a value written differently leaves the declared one in place",
      recorded("ball"),
      { name: "BALL" },
      { drifted: [], attributes: { name: "ball" } },
    ],
    [
      "a value returned as it was returned before leaves the declared one in place",
      recorded("ball", { room: "attic" }, { returned: { room: "upstairs" } }),
      { room: "upstairs" },
      { drifted: [], attributes: { room: "attic" } },
    ],
    [
      "a value returned differently than before is drift",
      recorded("ball", { room: "attic" }, { returned: { room: "upstairs" } }),
      { room: "cellar" },
      { drifted: ["room"], attributes: { room: "cellar" } },
    ],
    [
      "a computed value is taken over without drift",
      recorded("ball"),
      { made_at: "later" },
      { drifted: [], attributes: { made_at: "later" } },
    ],
  ];
  test.each(cases)("%s", (_, instance, shown, expected) => {
    const seen = observe(toy, instance, live("ball", shown));
    expect(seen.drifted).toEqual(expected.drifted);
    expect(seen.attributes).toEqual({ ...instance.attributes, ...expected.attributes });
  });

  test("what was unobserved becomes observed without drift", () => {
    const seen = observe(
      toy,
      recorded("ball", {}, { unobserved: ["room", "secret"] }),
      live("ball", { room: "attic" }),
    );
    expect(seen).toMatchObject({
      drifted: [],
      unobserved: ["secret"],
      attributes: { room: "attic" },
      returned: { room: "attic" },
    });
  });

  test("an unobserved value that becomes observed as null is null, not unobserved", () => {
    const seen = observe(toy, recorded("ball", {}, { unobserved: ["room"] }), live("ball", { room: null }));
    expect(seen).toMatchObject({ drifted: [], unobserved: [], attributes: { room: null } });
  });
});
