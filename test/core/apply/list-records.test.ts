import { describe, expect, test } from "vitest";
import { type PastLists, pastLists, remembered, withLengths, withRecord, withoutListed } from "../../../src/core/apply/live/list-records.ts";
import { openLiveList } from "../../../src/core/apply/live/live-list.ts";
import type { LiveListing } from "../../../src/core/model/definition.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import { live, recorded, toy } from "../toy.ts";

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = 1000 * DAY_MS;
const SERVICE = { baseUrl: "https://a.example/api", keyFingerprint: "key" };

function state(more: Partial<StateDocument> = {}): StateDocument {
  const counted = { format: 3, serial: 1, journalSeq: 0 } as const;
  return { ...counted, lineage: "line", salt: "00", service: SERVICE, instances: [], outputs: [], lostCreates: [], pending: [], ...more };
}

/** Reads answers one after the other; each is the names of things. */
async function reading(answers: readonly (readonly string[])[], past?: () => PastLists) {
  const left = [...answers];
  const list = async (): Promise<LiveListing> => {
    const names = await Promise.resolve(left.shift() ?? []);
    const objects = [...new Set(names)].map((name) => live(name));
    return { objects, complete: false, firstAnswer: names.map((name) => `id_${name}`), serverDate: "" };
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
    ["stays for a week where a list is as long", { length: 20, atMs: NOW_MS - 7 * DAY_MS }, 20, { length: 20, atMs: NOW_MS - 7 * DAY_MS }],
    ["is renewed after that", { length: 20, atMs: NOW_MS - 7 * DAY_MS - 1 }, 20, { length: 20, atMs: NOW_MS }],
    ["is not renewed by a shorter one", { length: 20, atMs: NOW_MS - 8 * DAY_MS }, 19, { length: 20, atMs: NOW_MS - 8 * DAY_MS }],
    ["gives way to a shorter one after a month", { length: 20, atMs: NOW_MS - 30 * DAY_MS }, 12, { length: 12, atMs: NOW_MS }],
  ])("%s", (_, had, length, expected) => {
    expect(remembered(had, length, NOW_MS)).toEqual(expected);
  });
});

describe("what a state knows of earlier lists", () => {
  const record = { ...SERVICE, type: "toy_thing", longest: { length: 20, atMs: NOW_MS }, absent: ["id_ball"] };
  const known = state({ lists: [record] });
  test.each([
    ["counts for the same service, key and type", SERVICE, "toy_thing", NOW_MS, 20, ["id_ball"]],
    ["does not count for another service", { ...SERVICE, baseUrl: "https://b.example/api" }, "toy_thing", NOW_MS, 0, []],
    ["does not count for another key", { ...SERVICE, keyFingerprint: "other" }, "toy_thing", NOW_MS, 0, []],
    ["does not count for another type", SERVICE, "toy_shout", NOW_MS, 0, []],
    ["counts a length for a month", SERVICE, "toy_thing", NOW_MS + 30 * DAY_MS - 1, 20, ["id_ball"]],
    ["counts no length after that, and what is gone for good", SERVICE, "toy_thing", NOW_MS + 30 * DAY_MS, 0, ["id_ball"]],
    ["counts a length of a clock that is ahead", SERVICE, "toy_thing", NOW_MS - DAY_MS, 20, ["id_ball"]],
  ])("%s", (_, service, type, nowMs, longestSeen, absent) => {
    expect(pastLists(known, service, { type, nowMs })).toEqual({ longestSeen, absent: new Set(absent) });
  });

  test("stays as it is where a run has learnt nothing", async () => {
    const { opened } = await reading([named(12)]);
    expect(withLengths(known, SERVICE, { lengths: new Map([["toy_thing", opened.longestAnswer()]]), nowMs: NOW_MS })).toBe(known);
  });

  test("grows with a longer list, and keeps what is known of other services", async () => {
    const { opened } = await reading([named(30), named(12)]);
    const other = { ...record, keyFingerprint: "other" };
    const after = withLengths(state({ lists: [record, other] }), SERVICE, { lengths: new Map([["toy_thing", opened.longestAnswer()]]), nowMs: NOW_MS });
    expect(after.lists).toEqual([other, { ...SERVICE, type: "toy_thing", longest: { length: 30, atMs: NOW_MS } }]);
  });

  test("no longer counts what a list shows again as gone", () => {
    const listings = new Map([["toy_thing", { objects: [live("ball")] }]]);
    const both = state({ instances: [recorded("ball"), recorded("kite")], lists: [{ ...record, absent: ["id_ball", "id_kite"] }] });
    expect(withoutListed(both, SERVICE, listings).lists).toEqual([{ ...record, absent: ["id_kite"] }]);
    const other = { ...SERVICE, keyFingerprint: "other" };
    expect(withoutListed(both, other, listings)).toBe(both);
    expect(withoutListed(both, SERVICE, new Map([["toy_thing", { objects: [live("top")] }]]))).toBe(both);
  });

  test("names only what is still recorded", () => {
    const { lists } = withRecord(state({ instances: [recorded("ball")] }), { ...record, absent: ["id_ball", "id_kite"] });
    expect(lists).toEqual([record]);
  });
});

describe("a list that may be truncated", () => {
  test("counts different objects of an answer, in its order", async () => {
    const { opened, evidence } = await reading([["b", "a", "c"]]);
    expect(evidence?.answer?.map(({ id }) => id)).toEqual(["id_b", "id_a", "id_c"]);
    expect(opened.longestAnswer()).toBe(3);
  });

  test("is in no order where it lists something twice", async () => {
    const { opened, evidence } = await reading([["a", "a", "b"]]);
    expect(evidence?.answer).toBeNull();
    expect(opened.longestAnswer()).toBe(2);
  });

  test("is compared with the longest answer of this run and of those before", async () => {
    expect((await reading([named(12), named(10)])).evidence?.longestSeen).toBe(12);
    expect((await reading([named(12), named(10)], () => ({ longestSeen: 40, absent: new Set() }))).evidence?.longestSeen).toBe(40);
  });

  test("keeps its evidence whatever is written after it was read", async () => {
    const { opened } = await reading([["b", "a"]]);
    opened.added(live("c"));
    opened.removed("id_b");
    expect((await opened.get(NEVER)).evidence?.answer?.map(({ id }) => id)).toEqual(["id_b", "id_a"]);
  });
});
