import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_PROFILE, parseListProfile, PROFILE_WORDS } from "../../src/sandbox/list-profile.ts";
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

  test("no-type, no-campaign-id, no-created-at: fields are omitted", async () => {
    const { get } = await listing("no-type,no-campaign-id,no-created-at", 1);
    expect((await get("/hooks")).json).toEqual([{ _id: id(1), targetUrl: "HTTPS://Example.com:443/1" }]);
  });

  test("normalized: addresses are in their WHATWG form in every answer", async () => {
    const { get, addHook, send } = await listing("normalized", 1);
    const targetUrl = "https://example.com/1";
    expect((await get("/hooks")).json).toMatchObject([{ targetUrl }]);
    expect((await addHook({ targetUrl: "https://EXAMPLE.com" })).json).toMatchObject({ targetUrl: "https://example.com/" });
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

  test("each documented word is read", () => {
    const words = PROFILE_WORDS.map(({ word }) => word.replace("=N", "=7"));
    expect(parseListProfile(words.join(", ")).errors).toEqual([]);
    expect(parseListProfile("").profile).toEqual(DEFAULT_PROFILE);
  });

  test.each(["nothing", "cap", "cap=x", "stale=-1"])("%s is refused with its name", (word) => {
    expect(parseListProfile(`array,${word}`).errors[0]).toContain(`"${word}"`);
  });
});
