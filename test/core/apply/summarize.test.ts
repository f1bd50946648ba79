import { expect, test } from "vitest";
import { summarized } from "../../../src/core/apply/run/apply-diagnostics.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";

const warnings = (count: number, more: Partial<Diagnostic> = {}): readonly Diagnostic[] =>
  Array.from({ length: count }, (_, index) => ({
    code: "odd",
    severity: "warning",
    summary: "Odd",
    detail: "It is odd.",
    address: `toy_thing.many["${String(index)}"]`,
    ...more,
  }));
const PLAN = { kind: "plan" } as const;

test("many warnings of one block that say the same become one, in the place of the first", () => {
  const [first, ...rest] = warnings(6);
  const other: Diagnostic = {
    code: "other",
    severity: "warning",
    summary: "Other",
    detail: "Other.",
    address: "toy_thing.one",
  };
  expect(summarized(first ? [first, other, ...rest] : [])).toEqual([
    { ...first, address: "toy_thing.many", detail: "It is odd. This is the outcome of 6 instances of toy_thing.many." },
    other,
  ]);
});

test("a setting that would help all of them is no choice for each", () => {
  const ways = [
    { kind: "set-attribute", address: "toy_thing.many", type: "toy_thing", attribute: "room", value: "hall" } as const,
  ];
  expect(summarized(warnings(6, { ways }))).toHaveLength(1);
});

test.each([
  ["few", warnings(5)],
  ["errors", warnings(6, { severity: "error" })],
  ["with a choice for each address", warnings(6, { ways: [PLAN] })],
  ["with different details", [...warnings(3), ...warnings(3, { detail: "It is odder." })]],
  ["with different advice", [...warnings(3), ...warnings(3, { hint: "Look." })]],
  ["without an address", warnings(6).map(({ address: _, ...one }) => one)],
  ["of different blocks", [...warnings(3), ...warnings(3, { address: "toy_thing.one" })]],
])("warnings stay as they are: %s", (_, diagnostics) => {
  expect(summarized(diagnostics)).toEqual(diagnostics);
});
