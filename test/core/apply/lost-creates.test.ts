import { expect, test } from "vitest";
import { liveWarnings } from "../../../src/frontends/cli/commands/doctor/doctor-command.ts";
import {
  checkLostCreates,
  givenUpBy,
  lookalikes,
  missingObjectRecord,
  objectsLeft,
  withMissingObjects,
} from "../../../src/core/apply/recovery/lost-creates.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import type { Step } from "../../../src/core/plan/plan.ts";
import { indexLive } from "../../../src/core/plan/live-index.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import { document } from "../state/state-fixtures.ts";
import { listing, live, recorded, toy, toys } from "../toy.ts";

const NOW_MS = 1_700_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const KITE = recorded("kite");
const missing = (address: string | null = KITE.address) =>
  missingObjectRecord(toy, { ...KITE, address, id: "id_kite" }, NOW_MS);
const base = { address: KITE.address, type: KITE.type, provider: "toy", because: [], masked: [] } as const;
const after = { ...KITE.attributes, id: UNKNOWN, made_at: UNKNOWN };

test("what a list lacks and a step gives up is remembered, under its new address", () => {
  const listings = new Map([[toy.type, listing([])]]);
  const given = (...steps: readonly Step[]) =>
    givenUpBy(steps, { instances: [KITE], listings }).map(({ address, id }) => [address, id]);
  expect(given({ ...base, action: "create", after })).toEqual([[KITE.address, "id_kite"]]);
  expect(given({ ...base, address: "toy_thing.new", movedFrom: KITE.address, action: "create", after })).toEqual([
    ["toy_thing.new", "id_kite"],
  ]);
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
  expect(check([]).diagnostics).toMatchObject([
    { code: "late_duplicate", address: KITE.address, summary: "A missing thing has returned" },
  ]);
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
  const { document: checked } = checkLostCreates(document({ lostCreates: [missing()] }), {
    catalog: toys,
    listings,
    nowMs: NOW_MS + laterMs,
  });
  expect(checked.lostCreates).toHaveLength(left);
});

test("without a configuration, a live object is warned of once: as one that appeared late, or as a duplicate of a recorded one", () => {
  const warn = (document: StateDocument, ...objects: readonly LiveObject[]) =>
    liveWarnings(document, { catalog: toys, listings: new Map([[toy.type, listing(objects)]]), nowMs: NOW_MS }).map(
      ({ code }) => code,
    );
  const twin = live("kite", { id: "twin" });
  expect(warn(document({ instances: [KITE] }), live("kite"), twin)).toEqual(["duplicate_live"]);
  expect(warn(document({ instances: [KITE] }), live("kite"))).toEqual([]);
  expect(warn(document({ instances: [KITE] }), twin)).toEqual([]);
  expect(warn(document({ instances: [{ ...KITE, id: null }] }), twin)).toEqual([]);
  expect(
    warn(document({ instances: [KITE], lostCreates: [{ ...missing(), id: "twin" }] }), live("kite"), twin),
  ).toEqual(["late_duplicate"]);
});

test("an object that is given up twice is remembered once, as it was last", () => {
  const object = { type: toy.type, provider: "toy", address: KITE.address, id: "id_kite", attributes: KITE.attributes };
  const before = document({ lostCreates: [missing("toy_thing.before"), { ...missing(), id: "other" }] });
  const after = withMissingObjects(before, [object], { catalog: toys, nowMs: NOW_MS + 1 });
  expect(after.lostCreates.map(({ address, id, sentAtMs }) => [address, id, sentAtMs])).toEqual([
    [KITE.address, "other", NOW_MS],
    [KITE.address, "id_kite", NOW_MS + 1],
  ]);
  expect(after.lostCreates[1]?.key).toEqual({ name: "kite", room: null });
  const { id: _, ...nameless } = missing();
  expect(
    withMissingObjects(document({ lostCreates: [nameless] }), [object], { catalog: toys, nowMs: NOW_MS }).lostCreates,
  ).toHaveLength(2);
  expect(withMissingObjects(before, [], { catalog: toys, nowMs: NOW_MS })).toBe(before);
});

test("objects that no record holds any more are those that are missing, older ones too", () => {
  const older = (id: string) => ({ id, attributes: { name: id }, returned: {} });
  const before = [
    { ...KITE, deposed: [older("old_1"), older("old_2")] },
    recorded("ball"),
    recorded("shout", {}, { id: null }),
  ];
  const left = objectsLeft(before, [recorded("new", {}, { id: "old_2" })]);
  expect(left.map(({ address, id, attributes }) => [address, id, attributes["name"]])).toEqual([
    [KITE.address, "id_kite", "kite"],
    [KITE.address, "old_1", "old_1"],
    ["toy_thing.ball", "id_ball", "ball"],
  ]);
});

test("what a create could be taken for includes what it was to replace, once", () => {
  const index = indexLive(toy, [live("kite"), live("ball")]);
  const key = { name: "kite", room: null };
  expect(lookalikes({ key, id: null }, index)).toEqual(["id_kite"]);
  expect(lookalikes({ key, id: "id_kite" }, index)).toEqual(["id_kite"]);
  expect(lookalikes({ key, id: "old" }, index)).toEqual(["id_kite", "old"]);
});

test("an object of another type or state of its record is not given up", () => {
  const listings = new Map([[toy.type, listing([])]]);
  const given = (instance: typeof KITE, step: Step) => givenUpBy([step], { instances: [instance], listings });
  const create: Step = { ...base, action: "create", after };
  expect(given({ ...KITE, id: null }, create)).toEqual([]);
  expect(given({ ...KITE, type: "toy_shout" }, create)).toEqual([]);
  expect(given(KITE, { ...create, type: "toy_shout" })).toEqual([]);
  expect(given(KITE, { ...base, action: "delete", id: "id_kite", before: {} })).toEqual([]);
  expect(given(KITE, { ...base, action: "adopt", id: "new", after: {}, returned: {} })).toHaveLength(1);
});

test("an object may have come from several lost creates, and is reported once, with what is known of each", () => {
  const created = (address: string, more = {}) => ({ ...missing(address), id: undefined, preIds: ["before"], ...more });
  const lostCreates = [created("toy_thing.a"), created("toy_thing.b", { found: true })].map(({ id: _, ...one }) => one);
  const check = (objects: readonly LiveObject[], more: readonly ReturnType<typeof missing>[] = []) =>
    checkLostCreates(document({ lostCreates: [...lostCreates, ...more], instances: [] }), {
      catalog: toys,
      listings: new Map([[toy.type, listing(objects)]]),
      nowMs: NOW_MS,
    });
  const { diagnostics, reported } = check([live("kite", { id: "before" }), live("kite", { id: "late" })]);
  expect(diagnostics).toMatchObject([{ address: "toy_thing.a", summary: "A thing has appeared late" }]);
  expect(diagnostics[0]?.detail).toContain(
    "whose answer was lost and which was then given up. If it is a duplicate, everything rings twice.",
  );
  expect([...reported]).toEqual(["late"]);
  expect(check([live("kite", { id: "late" })], [{ ...missing("toy_thing.c"), id: "late" }]).diagnostics).toMatchObject([
    { address: "toy_thing.c", summary: "A missing thing has returned" },
  ]);
  expect(check([live("kite", { id: "late" })], []).document.lostCreates).toHaveLength(2);
});
