import { expect, test } from "vitest";
import { checkLostCreates, givenUpBy, missingObjectRecord } from "../../../src/core/apply/recovery/lost-creates.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import type { Step } from "../../../src/core/plan/plan.ts";
import { document } from "../state/state-fixtures.ts";
import { listing, live, recorded, toy, toys } from "../toy.ts";

const NOW_MS = 1_700_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const KITE = recorded("kite");
const missing = (address: string | null = KITE.address) => missingObjectRecord(toy, { ...KITE, address, id: "id_kite" }, NOW_MS);
const base = { address: KITE.address, type: KITE.type, provider: "toy", because: [], masked: [] } as const;
const after = { ...KITE.attributes, id: UNKNOWN, made_at: UNKNOWN };

test("what a list lacks and a step gives up is remembered, under its new address", () => {
  const listings = new Map([[toy.type, listing([])]]);
  const given = (...steps: readonly Step[]) => givenUpBy(steps, { instances: [KITE], listings }).map(({ address, id }) => [address, id]);
  expect(given({ ...base, action: "create", after })).toEqual([[KITE.address, "id_kite"]]);
  expect(given({ ...base, address: "toy_thing.new", movedFrom: KITE.address, action: "create", after })).toEqual([["toy_thing.new", "id_kite"]]);
  expect(given({ ...base, action: "forget", before: {} })).toEqual([[KITE.address, "id_kite"]]);
  expect(given({ ...base, action: "forget", before: {}, released: true })).toEqual([]);
  const shown = new Map([[toy.type, listing([live("kite")])]]);
  expect(givenUpBy([{ ...base, action: "create", after }], { instances: [KITE], listings: shown })).toEqual([]);
});

test("a missing object that returns is reported while it is not managed, and is over once it is", () => {
  const check = (instances: readonly (typeof KITE)[], address?: null) =>
    checkLostCreates(document({ lostCreates: [missing(address)], instances }), {
      catalog: toys,
      listings: new Map([[toy.type, listing([live("kite")])]]),
      nowMs: NOW_MS,
    });
  expect(check([]).diagnostics).toMatchObject([{ code: "late_duplicate", address: KITE.address, summary: "A missing thing has returned" }]);
  expect(check([]).diagnostics[0]?.detail).toContain(`it was recorded at ${KITE.address}, and given up`);
  expect(check([], null).diagnostics[0]?.detail).toContain("it was recorded, and given up");
  expect(check([], null).diagnostics[0]).not.toHaveProperty("address");
  expect(check([]).document.lostCreates).toHaveLength(1);
  expect([check([KITE]).diagnostics, check([KITE]).document.lostCreates]).toEqual([[], []]);
});

test.each([
  ["a day later, when a whole list lacks it", DAY_MS, true, 0],
  ["but not earlier", DAY_MS - 1, true, 1],
  ["and not while the list may be cut off", DAY_MS, false, 1],
])("a record of what was given up ends %s", (_, laterMs, complete, left) => {
  const listings = new Map([[toy.type, listing([], complete)]]);
  const { document: checked } = checkLostCreates(document({ lostCreates: [missing()] }), { catalog: toys, listings, nowMs: NOW_MS + laterMs });
  expect(checked.lostCreates).toHaveLength(left);
});
