import { expect } from "vitest";
import { added, DATE_TIME, HOOK, items, object, OTHER_HOOK } from "./row.ts";
import type { Row } from "./row.ts";

export const WHAT_IT_DOES: Row[] = [
  [
    "Every request is scoped to the team of the API key's user.",
    async ({ get, sandbox }) => {
      const own = items(await get("/campaigns"));
      const other = items(await get("/campaigns", sandbox.keys.otherTeam));
      expect(new Set(own.map((one) => one["teamId"]))).toEqual(new Set(["tea_000001"]));
      expect(new Set(other.map((one) => one["teamId"]))).toEqual(new Set(["tea_000002"]));
    },
  ],
  [
    "Two users of one team see the same resources.",
    async (service) => {
      await added(service);
      const { get, sandbox } = service;
      expect((await get("/hooks", sandbox.keys.sameTeam)).text).toBe((await get("/hooks")).text);
    },
  ],
];

export const RESOURCES: Row[] = [
  [
    "Identifiers are strings with a type prefix.",
    async (service) => {
      expect(await added(service)).toMatch(/^hoo_./);
      for (const campaign of items(await service.get("/campaigns"))) {
        expect(campaign["_id"]).toMatch(/^cam_./);
        expect(campaign["createdBy"]).toMatch(/^usr_./);
        expect(campaign["teamId"]).toMatch(/^tea_./);
      }
      expect(object(await service.get("/campaigns/cam_000001/export/start"))["_id"]).toMatch(/^axp_./);
      expect(items(await service.get("/campaigns/cam_000001/schedules/"))[0]?.["_id"]).toMatch(/^skd_./);
    },
  ],
  [
    "Timestamps are ISO 8601 date-times in UTC.",
    async (service) => {
      const hook = object(await service.addHook(HOOK));
      const campaign = items(await service.get("/campaigns"))[0];
      const started = object(await service.get("/campaigns/cam_000001/export/start"));
      for (const time of [hook["createdAt"], campaign?.["createdAt"], started["startedAt"]]) {
        expect(time).toMatch(DATE_TIME);
      }
    },
  ],
  [
    "Webhook `_id`: unique webhook id, also after others were removed.",
    async (service) => {
      const first = await added(service);
      await service.send({ method: "DELETE", path: `/hooks/${first}` });
      const second = await added(service);
      expect(second).not.toBe(first);
      expect(await added(service, OTHER_HOOK)).not.toBe(second);
    },
  ],
  [
    "Webhook `type`: absent or unset means all events.",
    async ({ addHook, sandbox }) => {
      for (const body of [{ targetUrl: HOOK.targetUrl }, { targetUrl: OTHER_HOOK.targetUrl, type: null }]) {
        expect(object(await addHook(body))).not.toHaveProperty("type");
      }
      expect(sandbox.webhooks().map((hook) => hook.type)).toEqual([null, null]);
    },
  ],
  [
    "Webhook `secret`: write-only, never returned by any endpoint.",
    async (service) => {
      const reply = await service.addHook({ ...HOOK, secret: "correct-horse" });
      const list = await service.get("/hooks");
      const removed = await service.send({ method: "DELETE", path: `/hooks/${String(object(reply)["_id"])}` });
      for (const { text } of [reply, list, removed]) {
        expect(text).not.toContain("secret");
        expect(text).not.toContain("correct-horse");
      }
    },
  ],
  [
    "Campaign list items carry every documented field.",
    async ({ get }) => {
      for (const campaign of items(await get("/campaigns"))) {
        expect(campaign).toMatchObject({
          _id: expect.any(String),
          name: expect.any(String),
          labels: expect.any(Array),
          createdAt: expect.stringMatching(DATE_TIME),
          createdBy: expect.any(String),
          status: expect.stringMatching(/^(running|paused|draft|ended|archived|errors)$/),
          sequenceId: expect.any(String),
          scheduleIds: expect.any(Array),
          teamId: expect.any(String),
          creator: expect.any(Object),
          senders: expect.any(Array),
        });
      }
    },
  ],
  [
    "Campaign list items carry no undocumented field.",
    async ({ get }) => {
      const known =
        "_id name labels createdAt createdBy status sequenceId scheduleIds teamId hasError errors creator senders";
      for (const campaign of items(await get("/campaigns"))) {
        expect(known.split(" ")).toEqual(expect.arrayContaining(Object.keys(campaign)));
      }
    },
  ],
  [
    "Campaign `labels` may be empty.",
    async ({ get }) =>
      expect(items(await get("/campaigns")).some((one) => one["labels"]?.toString() === "")).toBe(true),
  ],
  [
    "`hasError` may be absent when there are none; `errors` are present when it is true.",
    async ({ get }) => {
      const campaigns = items(await get("/campaigns"));
      expect(campaigns.filter((one) => one["hasError"] === true)).not.toHaveLength(0);
      for (const one of campaigns) {
        if (one["hasError"] === true) expect(one["errors"]).toEqual(expect.arrayContaining([expect.any(String)]));
        else expect(one).not.toHaveProperty("errors");
      }
    },
  ],
  [
    "Schedules carry every documented field; `HH:mm` times; weekdays 1 to 7.",
    async ({ get }) => {
      const time = expect.stringMatching(/^([01]\d|2[0-3]):[0-5]\d$/);
      for (const schedule of items(await get("/campaigns/cam_000001/schedules/"))) {
        expect(schedule).toEqual({
          _id: expect.any(String),
          name: expect.any(String),
          secondsToWait: expect.any(Number),
          timezone: expect.any(String),
          start: time,
          end: time,
          weekdays: expect.any(Array),
          public: expect.any(Boolean),
          teamId: "tea_000001",
          createdBy: expect.any(String),
          createdAt: expect.stringMatching(DATE_TIME),
        });
        for (const day of schedule["weekdays"] as number[]) expect([1, 2, 3, 4, 5, 6, 7]).toContain(day);
      }
    },
  ],
  [
    "`deletedAt` and `deletedBy` are only present if the schedule is deleted.",
    async ({ get }) => {
      expect(items(await get("/campaigns/cam_000005/schedules/"))[0]).toMatchObject({
        deletedAt: expect.stringMatching(DATE_TIME),
        deletedBy: "usr_000002",
      });
      expect(items(await get("/campaigns/cam_000001/schedules/"))[0]).not.toHaveProperty("deletedAt");
    },
  ],
  [
    "A campaign export carries every documented field; `id` has the same value as `_id`.",
    async ({ get, clock }) => {
      const started = object(await get("/campaigns/cam_000001/export/start"));
      expect(started).toEqual({
        _id: expect.stringMatching(/^axp_/),
        id: started["_id"],
        teamId: "tea_000001",
        campaignId: "cam_000001",
        campaignName: "Q3 launch",
        status: "pending",
        startedAt: new Date(clock.now()).toISOString(),
        progressIndex: 0,
        progressTime: clock.now(),
        progressLastStepDuration: 0,
        progressType: "starting",
        progress: 0,
        total: 0,
      });
    },
  ],
  [
    "Warm-up settings, declared fields.",
    async ({ get }) =>
      expect(object(await get("/warmup/usm_000001/settings"))).toEqual({
        active: true,
        dailyLimit: 40,
        warmupTemplate: "friendly",
        deliverability: expect.any(Object),
      }),
  ],
  [
    "Warm-up settings, the sample response's fields.",
    async ({ get }) =>
      expect(object(await get("/warmup/usm_000002/settings"))).toEqual({
        warmEmailRampup: expect.any(Number),
        warmEmailMax: expect.any(Number),
        activeAt: expect.stringMatching(DATE_TIME),
        deliverability: { score: 88, lastAt: expect.stringMatching(DATE_TIME) },
      }),
  ],
  [
    "The lead of an unsubscribe response carries exactly the documented fields.",
    async ({ send }) =>
      expect(object(await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada%40example.com" }))).toEqual({
        email: "ada@example.com",
        _id: "lea_000001",
        isPaused: false,
        campaignId: "cam_000001",
        contactId: "ctc_000001",
      }),
  ],
];
