import { describe, expect, test } from "vitest";
import {
  NO_PAST_LISTS,
  type PastLists,
  hasNewEvidence,
  isContradicted,
  pastLists,
  remembered,
  withFindings,
} from "../../../src/core/apply/live/list-records.ts";
import { type LiveList, openLiveList } from "../../../src/core/apply/live/live-list.ts";
import type { LiveListing } from "../../../src/core/model/definition.ts";
import type { ListRecord, StateDocument } from "../../../src/core/state/document.ts";
import { live, recorded, toy } from "../toy.ts";

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = 1000 * DAY_MS;
const SERVICE = { baseUrl: "https://a.example/api", keyFingerprint: "key" };

function state(more: Partial<StateDocument> = {}): StateDocument {
  const counted = { format: 1, serial: 1, journalSeq: 0 } as const;
  return {
    ...counted,
    lineage: "line",
    salt: "00",
    planKey: "00".repeat(32),
    service: SERVICE,
    instances: [],
    outputs: [],
    lostCreates: [],
    pending: [],
    ...more,
  };
}

/** Reads answers one after the other; each is the names of things. */
async function reading(answers: readonly (readonly string[])[], past?: () => PastLists) {
  const left = [...answers];
  const list = async (): Promise<LiveListing> => {
    const names = await Promise.resolve(left.shift() ?? []);
    const objects = [...new Set(names)].map((name) => live(name));
    return {
      objects,
      complete: false,
      firstAnswer: names.map((name) => `id_${name}`),
      serverDate: "",
      readAtMs: NOW_MS,
    };
  };
  const opened = openLiveList(toy, { list }, () => new Set(), past);
  let last = await opened.get(NEVER);
  for (let read = 1; read < answers.length; read++) last = await opened.again(NEVER);
  return { opened, evidence: last.evidence };
}

const named = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `t${String(index)}`);

describe("the length that is remembered", () => {
  const before = { length: 20, atMs: NOW_MS - DAY_MS };
  test.each([
    ["is the first of use", undefined, 11, { length: 11, atMs: NOW_MS }],
    ["is not one that no cut list can fall short of", undefined, 10, undefined],
    ["is a longer one", before, 21, { length: 21, atMs: NOW_MS }],
    ["stays where a list is shorter", before, 19, before],
    [
      "stays for a week where a list is as long",
      { length: 20, atMs: NOW_MS - 7 * DAY_MS },
      20,
      { length: 20, atMs: NOW_MS - 7 * DAY_MS },
    ],
    ["is renewed after that", { length: 20, atMs: NOW_MS - 7 * DAY_MS - 1 }, 20, { length: 20, atMs: NOW_MS }],
    [
      "is not renewed by a shorter one",
      { length: 20, atMs: NOW_MS - 8 * DAY_MS },
      19,
      { length: 20, atMs: NOW_MS - 8 * DAY_MS },
    ],
    [
      "gives way to a shorter one after a month",
      { length: 20, atMs: NOW_MS - 30 * DAY_MS },
      12,
      { length: 12, atMs: NOW_MS },
    ],
  ])("%s", (_, had, length, expected) => {
    expect(remembered(had, length, NOW_MS)).toEqual(expected);
  });
});

describe("what a state knows of earlier lists", () => {
  const record: ListRecord = { ...SERVICE, type: "toy_thing", longest: { length: 20, atMs: NOW_MS } };
  const known = state({ lists: [record] });
  const found = (opened: LiveList) => ({ findings: new Map([["toy_thing", opened.findings()]]), nowMs: NOW_MS });
  test.each([
    ["counts for the same service, key and type", SERVICE, "toy_thing", NOW_MS, 20],
    ["does not count for another service", { ...SERVICE, baseUrl: "https://b.example/api" }, "toy_thing", NOW_MS, 0],
    ["does not count for another key", { ...SERVICE, keyFingerprint: "other" }, "toy_thing", NOW_MS, 0],
    ["does not count for another type", SERVICE, "toy_shout", NOW_MS, 0],
    ["counts a length for a month", SERVICE, "toy_thing", NOW_MS + 30 * DAY_MS - 1, 20],
    ["counts no length after that", SERVICE, "toy_thing", NOW_MS + 30 * DAY_MS, 0],
    ["counts a length of a clock that is ahead", SERVICE, "toy_thing", NOW_MS - DAY_MS, 20],
  ])("%s", (_, service, type, nowMs, longestSeen) => {
    expect(pastLists(known, service, { type, nowMs })).toEqual({ ...NO_PAST_LISTS, longestSeen });
  });

  test("stays as it is where a run has learnt nothing, or has read nothing", async () => {
    const { opened } = await reading([named(12)]);
    expect(withFindings(known, SERVICE, found(opened))).toBe(known);
    expect(withFindings(known, SERVICE, found(openLiveList(toy, {}, () => new Set())))).toBe(known);
  });

  test("grows with a longer list, and keeps what is known of other services", async () => {
    const { opened } = await reading([named(30), named(12)]);
    const other = { ...record, keyFingerprint: "other" };
    const after = withFindings(state({ lists: [record, other] }), SERVICE, found(opened));
    expect(after.lists).toEqual([other, { ...SERVICE, type: "toy_thing", longest: { length: 30, atMs: NOW_MS } }]);
  });

  test("shows which objects a list has shown since they were created", async () => {
    const { opened } = await reading([["ball"]]);
    const before = state({
      instances: [recorded("ball", {}, { unlisted: true }), recorded("kite", {}, { unlisted: true })],
      lists: [record],
    });
    expect(withFindings(before, SERVICE, found(opened)).instances).toEqual([
      recorded("ball"),
      recorded("kite", {}, { unlisted: true }),
    ]);
  });

  test("starts again after a contradiction: no longer list from before it counts", async () => {
    const { opened } = await reading([named(30), named(12)]);
    opened.contradict(NOW_MS);
    const after = withFindings(known, SERVICE, found(opened));
    expect(after.lists).toEqual([{ ...SERVICE, type: "toy_thing", contradictedAtMs: NOW_MS }]);
    expect(pastLists(after, SERVICE, { type: "toy_thing", nowMs: NOW_MS })).toMatchObject({
      longestSeen: 0,
      contradictedAtMs: NOW_MS,
    });
  });

  describe("that a run without changes stores", () => {
    const unchanged = { ...record, unchanged: { length: 30, by: 1, atMs: NOW_MS - DAY_MS } };
    const contradicted = (list: LiveList): void => void list.contradict(NOW_MS);
    test.each([
      ["is a longer list", record, named(30), () => undefined, true],
      ["is not a list as long as before", record, named(20), () => undefined, false],
      ["is a contradiction that a later run may not find", record, named(12), contradicted, true],
      ["is not one by an unchanged length, which a later run finds as well", unchanged, named(30), contradicted, false],
      ["is that a list is no longer unchanged", unchanged, named(31), () => undefined, true],
    ])("%s", async (_, before, answer, then, expected) => {
      const document = state({ lists: [before] });
      const past: PastLists = { ...pastLists(document, SERVICE, { type: "toy_thing", nowMs: NOW_MS }) };
      const { opened } = await reading([answer], () => past);
      then(opened);
      expect(hasNewEvidence(document, withFindings(document, SERVICE, found(opened)))).toBe(expected);
    });
  });
});

describe("a contradiction", () => {
  const given = { missing: [], listingDelayMs: 10_000, nowMs: NOW_MS };
  const unlisted = { unlisted: true as const, recordedAtMs: NOW_MS - 10_000 };
  /** The findings after a list, writes, and another list. */
  async function after(
    before: readonly string[],
    write: (list: LiveList) => void,
    then: readonly string[],
    past?: () => PastLists,
  ) {
    const list = async (): Promise<LiveListing> => {
      const names = await Promise.resolve(answers.shift() ?? []);
      return {
        objects: names.map((name) => live(name)),
        complete: false,
        firstAnswer: names.map((name) => `id_${name}`),
        serverDate: "",
        readAtMs: NOW_MS,
      };
    };
    const answers = [[...before], [...then]];
    const opened = openLiveList(toy, { list }, () => new Set(), past);
    await opened.get(NEVER);
    write(opened);
    await opened.again(NEVER);
    return opened.findings();
  }
  const created = (list: LiveList): void => ["x", "y"].forEach((name) => void list.added(live(name)));

  test.each([
    ["is an object of ours that no list has shown, once the listing delay is over", [unlisted], true],
    ["is not one that may still appear", [{ ...unlisted, recordedAtMs: NOW_MS - 9999 }], false],
    ["is not one that a list has shown", [{ recordedAtMs: 0 }], false],
  ])("%s", async (_, missing, expected) => {
    const findings = await after(named(12), () => undefined, named(12));
    expect(isContradicted(findings, { ...given, missing })).toBe(expected);
  });

  test.each([
    ["is a list that stayed as long although objects were created", created, named(12), 10_000, true],
    ["is not one before the listing delay is over", created, named(12), 9999, false],
    ["is not a longer list", created, named(14), 10_000, false],
    ["is not a shorter list", created, named(11), 10_000, false],
    [
      "is not one where as many were deleted",
      (list: LiveList) => (created(list), list.removed("id_t1"), list.removed("id_t2")),
      named(12),
      10_000,
      false,
    ],
    [
      "is not one where an adopted object counts as created",
      (list: LiveList) => void list.added(live("t1")),
      named(12),
      10_000,
      false,
    ],
  ])("%s", async (_, write, then, laterMs, expected) => {
    const findings = await after(named(12), write, then);
    expect(isContradicted(findings, { ...given, nowMs: NOW_MS + laterMs })).toBe(expected);
  });

  test("is found by a later run, and noted once", async () => {
    const findings = await after(named(12), created, named(12));
    const past: PastLists = { ...NO_PAST_LISTS, unchanged: findings.unchanged };
    const later = await after(
      named(12),
      () => undefined,
      named(12),
      () => past,
    );
    expect(isContradicted(later, { ...given, nowMs: NOW_MS + 10_000 })).toBe(true);
    expect(
      isContradicted({ ...later, contradictedAtMs: NOW_MS }, { ...given, missing: [unlisted], nowMs: NOW_MS + 10_000 }),
    ).toBe(false);
  });
});

describe("a list that may be truncated", () => {
  test("counts different objects of an answer, in its order", async () => {
    const { opened, evidence } = await reading([["b", "a", "c"]]);
    expect(evidence?.answer?.map(({ id }) => id)).toEqual(["id_b", "id_a", "id_c"]);
    expect(opened.findings().longest).toBe(3);
  });

  test("is in no order where it lists something twice", async () => {
    const { opened, evidence } = await reading([["a", "a", "b"]]);
    expect(evidence?.answer).toBeNull();
    expect(opened.findings().longest).toBe(2);
  });

  test("is compared with the longest answer of this run and of those before", async () => {
    expect((await reading([named(12), named(10)])).evidence?.longestSeen).toBe(12);
    expect(
      (await reading([named(12), named(10)], () => ({ ...NO_PAST_LISTS, longestSeen: 40 }))).evidence?.longestSeen,
    ).toBe(40);
  });

  test("keeps its evidence whatever is written after it was read", async () => {
    const { opened } = await reading([["b", "a"]]);
    opened.added(live("c"));
    opened.removed("id_b");
    expect((await opened.get(NEVER)).evidence?.answer?.map(({ id }) => id)).toEqual(["id_b", "id_a"]);
  });
});
