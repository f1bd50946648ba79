import { expect, test } from "vitest";
import { heldBack, leftWithout, waiting } from "../../../src/core/apply/run/apply-diagnostics.ts";
import { irreversibleToy, toy } from "../../core/toy.ts";

test("errors of an apply say what the service does meanwhile, where that is known", () => {
  expect([heldBack("a", toy).detail, leftWithout("a", toy).detail]).toEqual([
    "a would be a duplicate of an object that this run failed to delete: everything rings twice.",
    "The replace of a deleted the old one, then the service refused the create: nothing rings now.",
  ]);
  expect([heldBack("a", irreversibleToy).detail, leftWithout("a", irreversibleToy).detail]).toEqual([
    "a would be a duplicate of an object that this run failed to delete.",
    "The replace of a deleted the old one, then the service refused the create.",
  ]);
});

test("creates that wait for one outcome are told once, with how many they are", () => {
  expect(waiting(toy, ["a"]).detail).toMatch(/^a: /);
  expect(waiting(toy, ["a", "b", "c"])).toMatchObject({ address: "a", detail: expect.stringMatching(/^a and 2 more: /) as string });
});
