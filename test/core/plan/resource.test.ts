import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Prior } from "../../../src/core/model/instance.ts";
import { type Attributes, UNKNOWN } from "../../../src/core/model/value.ts";
import { planResource } from "../../../src/core/plan/resource.ts";
import { irreversibleToy, recorded, toy } from "../toy.ts";

function prior(attributes: Attributes = {}, recordable: readonly string[] = []): Prior {
  return { attributes: recorded("ball", attributes).attributes, recordable };
}

const DIGEST = { $secret: "aa" };
const OTHER_DIGEST = { $secret: "bb" };

describe("what one resource needs", () => {
  const keeps: readonly (readonly [string, Attributes, Prior])[] = [
    ["nothing changed", { name: "ball" }, prior()],
    ["an absent attribute that was null", { name: "ball", room: null }, prior()],
    ["the same value", { name: "ball", room: "attic" }, prior({ room: "attic" })],
    ["the same secret", { name: "ball", secret: DIGEST }, prior({ secret: DIGEST })],
    ["a recordable value that nobody declares", { name: "ball" }, prior({}, ["room", "secret"])],
    ["a write-only value: it is never compared", { name: "ball", secret_wo: "s" }, prior()],
    ["a computed value is not the user's", { name: "ball", id: "another", made_at: "now" }, prior()],
  ];
  test.each(keeps)("is kept: %s", (_, desired, before) => {
    expect(planResource(toy, { desired, prior: before })).toEqual({ action: "keep", before: before.attributes });
  });

  const replaces: readonly (readonly [string, Attributes, Prior, readonly string[]])[] = [
    ["another value", { name: "doll" }, prior(), ["name"]],
    ["a value that was null", { name: "ball", room: "attic" }, prior(), ["room"]],
    ["a value taken out", { name: "ball" }, prior({ room: "attic" }), ["room"]],
    ["another secret", { name: "ball", secret: OTHER_DIGEST }, prior({ secret: DIGEST }), ["secret"]],
    ["a secret that there was not", { name: "ball", secret: DIGEST }, prior(), ["secret"]],
    ["a value that is not known yet", { name: "ball", room: UNKNOWN }, prior({ room: "attic" }), ["room"]],
    ["false that was true, where null is false", { name: "ball", shiny: false }, prior({ shiny: true }), ["shiny"]],
    ["null that was true, where null is false", { name: "ball" }, prior({ shiny: true }), ["shiny"]],
    ["two at once, in the schema's order", { name: "doll", room: "attic" }, prior(), ["name", "room"]],
    ["a setting of ours next to it forces nothing", { name: "doll", allow_duplicate: true }, prior(), ["name"]],
  ];
  test.each(replaces)("is replaced: %s", (_, desired, before, because) => {
    const change = planResource(toy, { desired, prior: before });
    expect(change).toMatchObject({ action: "replace", because, before: before.attributes });
  });

  const records: readonly (readonly [string, Attributes, Prior, readonly string[]])[] = [
    ["a recordable value that is declared", { name: "ball", room: "attic" }, prior({}, ["room"]), ["room"]],
    ["a recordable secret that is declared", { name: "ball", secret: DIGEST }, prior({}, ["secret"]), ["secret"]],
    ["a value written differently", { name: "BALL" }, prior(), ["name"]],
    ["false that was null, where null is false", { name: "ball", shiny: false }, prior(), ["shiny"]],
    ["null that was false, where null is false", { name: "ball" }, prior({ shiny: false }), ["shiny"]],
    ["a setting of ours", { name: "ball", allow_duplicate: true }, prior(), ["allow_duplicate"]],
    ["a setting of ours taken out", { name: "ball" }, prior({ allow_duplicate: true }), ["allow_duplicate"]],
  ];
  test.each(records)("is only recorded: %s", (_, desired, before, changed) => {
    const change = planResource(toy, { desired, prior: before });
    expect(change).toMatchObject({ action: "update-state", changed });
    const after = change.action === "update-state" ? change.after : {};
    for (const name of changed) expect(after[name]).toEqual(desired[name] ?? null);
  });

  test("is created with computed values unknown, write-only ones null and absent ones null", () => {
    expect(planResource(toy, { desired: { name: "ball", secret_wo: "s" }, prior: null })).toEqual({
      action: "create",
      after: {
        name: "ball",
        room: null,
        rotation: null,
        shiny: null,
        secret: null,
        secret_wo: null,
        allow_duplicate: null,
        id: UNKNOWN,
        made_at: UNKNOWN,
      },
    });
  });

  test("is replaced by exactly what a fresh create would make", () => {
    const desired = { name: "doll", shiny: true, secret: DIGEST };
    const change = planResource(toy, { desired, prior: prior({ room: "attic" }) });
    const create = planResource(toy, { desired, prior: null });
    expect(change.action === "replace" && change.after).toEqual(create.action === "create" && create.after);
  });

  test("keeps its computed values when it is only recorded", () => {
    const change = planResource(toy, { desired: { name: "ball", allow_duplicate: true }, prior: prior() });
    expect(change).toMatchObject({
      action: "update-state",
      after: { id: "id_ball", made_at: "then", allow_duplicate: true },
    });
  });

  test.each([
    ["deleted", toy, "delete"],
    ["forgotten, where nothing can undo it", irreversibleToy, "forget"],
  ])("is %s when it is no longer declared", (_, definition, action) => {
    expect(planResource(definition, { desired: null, prior: prior() })).toEqual({ action, before: prior().attributes });
  });

  test("is a mistake of the caller when it is neither declared nor recorded", () => {
    expect(() => planResource(toy, { desired: null, prior: null })).toThrow("neither declared nor recorded");
  });
});

describe("planning again", () => {
  const text = fc.option(fc.constantFrom("ball", "Ball", "doll", ""), { nil: null });
  const flag = fc.option(fc.boolean(), { nil: null });
  const digest = fc.option(fc.constantFrom(DIGEST, OTHER_DIGEST), { nil: null });
  const desiredOf = fc.record(
    { name: fc.constantFrom("ball", "Ball", "doll"), room: text, shiny: flag, secret: digest, allow_duplicate: flag },
    { requiredKeys: ["name"] },
  );
  const names = ["room", "shiny", "secret", "allow_duplicate"];
  const priorOf = fc.option(
    fc
      .record({ attributes: desiredOf, recordable: fc.subarray(names) })
      .map(({ attributes, recordable }) =>
        prior({ ...attributes, ...Object.fromEntries(recordable.map((name) => [name, null])) }, recordable),
      ),
    { nil: null },
  );

  test("after what was planned there is nothing to do", () => {
    fc.assert(
      fc.property(desiredOf, priorOf, (desired, before) => {
        const change = planResource(toy, { desired, prior: before });
        const attributes = "after" in change ? change.after : change.before;
        expect(planResource(toy, { desired, prior: { attributes, recordable: [] } }).action).toBe("keep");
      }),
      { numRuns: 500 },
    );
  });

  test("a recordable value never forces a replace", () => {
    fc.assert(
      fc.property(desiredOf, priorOf, (desired, before) => {
        const change = planResource(toy, { desired, prior: before });
        if (change.action === "replace")
          expect(change.because.filter((name) => before?.recordable.includes(name))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
