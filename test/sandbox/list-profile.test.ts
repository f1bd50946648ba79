import { afterEach, describe, expect, test } from "vitest";
import {
  DEFAULT_PROFILE,
  LISTED_FIELD_WORDS,
  parseListProfile,
  PROFILE_WORDS,
} from "../../src/sandbox/list-profile.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

let service: UnderTest | undefined;
afterEach(() => service?.close());

/** A sandbox with this profile and `count` webhooks. */
async function listing(words: string, count: number): Promise<UnderTest> {
  service = await startUnderTest({ profile: parseListProfile(words).profile });
  for (let index = 1; index <= count; index++)
    service.sandbox.add("webhooks", {
      targetUrl: `HTTPS://Example.com:443/${String(index)}`,
      type: "emailsSent",
      campaignId: "cam_000001",
    });
  return service;
}

const id = (index: number): string => `hoo_${String(index).padStart(6, "0")}`;
const idsOf = (list: unknown): unknown[] => (list as { _id: unknown }[]).map((hook) => hook._id);

describe("list profiles", () => {
  test.each([
    ["array", (json: unknown) => json],
    ["hooks", (json: unknown) => (json as { hooks: unknown }).hooks],
    ["data", (json: unknown) => (json as { data: unknown }).data],
  ])("%s: the position of the list", async (words, list) => {
    const { get } = await listing(words, 2);
    expect(idsOf(list((await get("/hooks")).json))).toEqual([id(1), id(2)]);
  });

  test("cap=N with offset: the rest is at the offset", async () => {
    const { get } = await listing("cap=10", 25);
    expect(idsOf((await get("/hooks")).json)).toHaveLength(10);
    expect(idsOf((await get("/hooks?offset=20")).json)).toEqual([21, 22, 23, 24, 25].map(id));
    expect((await get("/hooks?offset=25")).json).toEqual([]);
    expect(idsOf((await get("/hooks?offset=5&limit=2")).json)).toEqual([id(6), id(7)]);
    expect((await get("/hooks?offset=x")).status).toBe(400);
  });

  test("cap=N,no-offset: the same records whatever the offset", async () => {
    const { get } = await listing("cap=10,no-offset", 25);
    expect((await get("/hooks?offset=10")).text).toBe((await get("/hooks")).text);
  });

  test("cap=N,no-offset,pages: the rest is on the next page", async () => {
    const { get } = await listing("cap=10,no-offset,pages", 15);
    expect((await get("/hooks?page=1")).text).toBe((await get("/hooks?offset=10")).text);
    expect(idsOf((await get("/hooks?page=2")).json)).toEqual([11, 12, 13, 14, 15].map(id));
    expect((await get("/hooks?page=3")).json).toEqual([]);
    expect((await get("/hooks?page=0")).status).toBe(400);
  });

  test("pages-from-0: the rest is on page 1", async () => {
    const { get } = await listing("cap=10,no-offset,pages-from-0", 15);
    expect((await get("/hooks?page=0")).text).toBe((await get("/hooks")).text);
    expect(idsOf((await get("/hooks?page=1")).json)).toEqual([11, 12, 13, 14, 15].map(id));
    expect((await get("/hooks?page=2")).json).toEqual([]);
  });

  test("no-type, no-campaign-id, no-created-at: fields are omitted", async () => {
    const { get } = await listing("no-type,no-campaign-id,no-created-at", 1);
    expect((await get("/hooks")).json).toEqual([{ _id: id(1), targetUrl: "HTTPS://Example.com:443/1" }]);
  });

  test("normalized: addresses are in their WHATWG form in every answer", async () => {
    const { get, addHook, send } = await listing("normalized", 1);
    const targetUrl = "https://example.com/1";
    expect((await get("/hooks")).json).toMatchObject([{ targetUrl }]);
    expect((await addHook({ targetUrl: "https://EXAMPLE.com" })).json).toMatchObject({
      targetUrl: "https://example.com/",
    });
    expect((await send({ method: "DELETE", path: `/hooks/${id(1)}` })).json).toMatchObject({ targetUrl });
  });

  test("stale=N: added and removed webhooks appear later", async () => {
    const { get, send, clock } = await listing("stale=500", 1);
    expect((await get("/hooks")).json).toEqual([]);
    clock.advance(500);
    expect(idsOf((await get("/hooks")).json)).toEqual([id(1)]);
    await send({ method: "DELETE", path: `/hooks/${id(1)}` });
    clock.advance(499);
    expect(idsOf((await get("/hooks")).json)).toEqual([id(1)]);
    clock.advance(1);
    expect((await get("/hooks")).json).toEqual([]);
  });

  test("stale=N: another team's removed webhooks do not appear", async () => {
    const { get, sandbox } = await listing("stale=500", 1);
    sandbox.remove("webhooks", id(1));
    expect((await get("/hooks", sandbox.keys.otherTeam)).json).toEqual([]);
  });

  test("duplicates, empty, newest-first", async () => {
    const { get, sandbox } = await listing("duplicates", 2);
    expect(idsOf((await get("/hooks")).json)).toEqual([id(1), id(1), id(2), id(2)]);
    sandbox.configure({ profile: parseListProfile("newest-first").profile });
    expect(idsOf((await get("/hooks")).json)).toEqual([id(2), id(1)]);
    sandbox.configure({ profile: { empty: true } });
    expect((await get("/hooks")).json).toEqual([]);
  });

  test("shuffled: a fixed order that is neither by creation nor by id, and keeps its place for each webhook", async () => {
    const { get, sandbox } = await listing("shuffled", 27);
    const before = idsOf((await get("/hooks")).json);
    const ids = Array.from({ length: 27 }, (_, index) => id(index + 1));
    expect(before.toSorted()).toEqual(ids);
    expect(before).not.toEqual(ids);
    expect(before).not.toEqual(ids.toReversed());
    sandbox.add("webhooks", { targetUrl: "https://example.com/28" });
    const after = idsOf((await get("/hooks")).json);
    expect(after.filter((one) => one !== id(28))).toEqual(before);
    expect(after.indexOf(id(28))).toBeLessThan(27);
  });

  const SET = { type: "emailsSent", campaignId: "cam_000001", isFirst: true, automationId: 37709957 };
  const { createdAt: _, ...OPTIONAL } = DEFAULT_PROFILE.fields;
  const UNSET = Object.fromEntries(Object.keys(OPTIONAL).map((name) => [name, null]));
  const EACH = LISTED_FIELD_WORDS.join(",");
  test.each<[words: string, set: object, unset: object]>([
    ["", { type: SET.type, campaignId: SET.campaignId }, {}],
    [EACH, SET, {}],
    [`${EACH},no-is-first`, { ...SET, isFirst: undefined }, {}],
    ["nulls", { ...UNSET, ...SET }, UNSET],
    ["null-type", { type: null, campaignId: SET.campaignId }, { type: null }],
    ["null-campaign-id", { type: SET.type, campaignId: null }, { campaignId: null }],
    [
      "nulls,empty-campaign-id,empty-type",
      { ...UNSET, ...SET, type: "", campaignId: "" },
      { ...UNSET, type: "", campaignId: "" },
    ],
    [`${EACH},text-values`, { ...SET, isFirst: "true", automationId: "37709957" }, {}],
  ])("%j: the fields of a webhook with all of them, and of one with none", async (words, set, unset) => {
    const { get, sandbox } = await listing(words, 0);
    sandbox.add("webhooks", { targetUrl: "https://example.com/1", ...SET, automationId: String(SET.automationId) });
    sandbox.add("webhooks", { targetUrl: "https://example.com/2" });
    const common = (index: number): object => ({
      _id: id(index),
      targetUrl: `https://example.com/${String(index)}`,
      createdAt: expect.any(String) as string,
    });
    expect((await get("/hooks")).json).toEqual([
      { ...common(1), ...set },
      { ...common(2), ...unset },
    ]);
  });

  test("an automation id that is not numeric is text", async () => {
    const { get, sandbox } = await listing("automation-id", 0);
    for (const automationId of ["flow-7", "007", "12345678901234567890", "7"])
      sandbox.add("webhooks", { targetUrl: "https://example.com/", automationId });
    expect(((await get("/hooks")).json as { automationId: unknown }[]).map((one) => one.automationId)).toEqual([
      "flow-7",
      "007",
      "12345678901234567890",
      7,
    ]);
  });

  test("text-values: numbers and booleans of every answer are text, and a contactId is a number", async () => {
    const { get, send } = await listing("text-values", 0);
    expect((await get("/warmup/usm_000001/settings")).json).toMatchObject({
      active: "true",
      dailyLimit: "40",
      deliverability: { score: "97" },
    });
    expect(
      (await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/linus@example.org" })).json,
    ).toMatchObject({ isPaused: "true", contactId: 3 });
  });

  test("bom: every JSON answer begins with a byte order mark", async () => {
    const { get } = await listing("bom", 0);
    expect((await get("/hooks")).text).toBe("\uFEFF[]");
    expect((await get("/hooks/hoo_9")).text).toBe("Method not allowed");
  });

  test("created-201: adding a webhook answers with all its fields", async () => {
    const { addHook } = await listing("created-201", 0);
    const { status, json } = await addHook(
      { targetUrl: "https://example.com/1", type: SET.type },
      "?campaignId=cam_000001&isFirst=true&automationId=37709957",
    );
    expect([status, json]).toEqual([
      201,
      { _id: id(1), targetUrl: "https://example.com/1", createdAt: expect.any(String) as string, ...SET },
    ]);
  });

  test("each documented word is read", () => {
    const words = PROFILE_WORDS.flatMap(({ word }) =>
      word.includes("FIELD")
        ? LISTED_FIELD_WORDS.map((field) => word.replace("FIELD", field))
        : word.replace("=N", "=7"),
    );
    expect(parseListProfile(words.join(", ")).unknown).toEqual([]);
    expect(parseListProfile("").profile).toEqual(DEFAULT_PROFILE);
  });

  test.each(["nothing", "cap", "cap=x", "stale=-1", "no-offsets", "null-", "constructor"])(
    "%s is refused with its name",
    (word) => {
      expect(parseListProfile(`array,${word}`).unknown).toEqual([word]);
    },
  );
});
