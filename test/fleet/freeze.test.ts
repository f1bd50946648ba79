import { expect, test } from "vitest";
import { holdAt } from "../../src/fleet/freeze.ts";

const at = (time: string): number => Date.parse(time);

test("a freeze holds plans until its time, with its reason", () => {
  const freeze = { untilMs: at("2027-01-04T08:00:00Z"), reason: "Holidays." };
  expect(holdAt({ freeze }, at("2027-01-04T07:59:59Z"))).toBe("Frozen until 2027-01-04 08:00 UTC: Holidays.");
  expect(holdAt({ freeze: { ...freeze, reason: "" } }, at("2026-12-24T00:00:00Z"))).toBe(
    "Frozen until 2027-01-04 08:00 UTC.",
  );
  expect(holdAt({ freeze }, at("2027-01-04T08:00:00Z"))).toBeNull();
  expect(holdAt({ freeze: null }, at("2027-01-04T08:00:00Z"))).toBeNull();
});
