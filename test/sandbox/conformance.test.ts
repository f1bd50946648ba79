import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../src/service/events/catalog.ts";
import { basic, startUnderTest } from "./sandbox-under-test.ts";
import type { Reply, UnderTest } from "./sandbox-under-test.ts";

/**
 * Every sentence of the specification that the sandbox can be held against, by section. Payloads and
 * delivery of events are not among them.
 */
type Row = readonly [sentence: string, check: (service: UnderTest) => Promise<void>];

const HOOK = { targetUrl: "https://crm.example.com/hook", type: "emailsReplied" };
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MESSAGES = {
  none: "No API key provided",
  wrong: "The authentication you supplied is incorrect",
  blocked: "User linked to this API key is blocked",
  withoutUser: "No user found for this API key",
};

function items(reply: Reply): Record<string, unknown>[] {
  expect(reply.status).toBe(200);
  expect(Array.isArray(reply.json)).toBe(true);
  return reply.json as Record<string, unknown>[];
}

function object(reply: Reply): Record<string, unknown> {
  expect(reply.status).toBe(200);
  return reply.json as Record<string, unknown>;
}

async function added(service: UnderTest, body: object = HOOK, query = ""): Promise<string> {
  return object(await service.addHook(body, query))["_id"] as string;
}

const names = (reply: Reply): unknown[] => items(reply).map((item) => item["name"]);
const ids = (reply: Reply): unknown[] => items(reply).map((item) => item["_id"]);

const WHAT_IT_DOES: Row[] = [
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
    "Two users of one team see the same things.",
    async (service) => {
      await added(service);
      const { get, sandbox } = service;
      expect((await get("/hooks", sandbox.keys.sameTeam)).text).toBe((await get("/hooks")).text);
    },
  ],
];

const RESOURCES: Row[] = [
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
      expect(await added(service)).not.toBe(second);
    },
  ],
  [
    "Webhook `type`: absent or unset means all events.",
    async ({ addHook, sandbox }) => {
      for (const body of [{ targetUrl: HOOK.targetUrl }, { targetUrl: HOOK.targetUrl, type: null }]) {
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
    "Campaign list items carry no field that is not documented.",
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
    async ({ get }) => expect(items(await get("/campaigns")).some((one) => one["labels"]?.toString() === "")).toBe(true),
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

const STATES: Row[] = [
  [
    "A campaign can be in more than one status at a time (for example paused with errors).",
    async ({ get }) => {
      expect(names(await get("/campaigns?status=paused"))).toContain("Win-back 2026");
      expect(names(await get("/campaigns?status=errors"))).toContain("Win-back 2026");
    },
  ],
  [
    "Start export: pending, with `progress` 0, `total` 0, `progressType` `starting`.",
    async ({ get }) =>
      expect(object(await get("/campaigns/cam_000001/export/start"))).toMatchObject({
        status: "pending",
        progress: 0,
        total: 0,
        progressType: "starting",
      }),
  ],
  [
    "pending to done: a CSV download address becomes available.",
    async ({ get, clock, send, sandbox }) => {
      const { _id: id } = object(await get("/campaigns/cam_000001/export/start"));
      const path = `/sandbox-only/exports/${String(id)}`;
      const pending = object(await get(path));
      expect(pending).toMatchObject({ status: "pending" });
      expect(pending).not.toHaveProperty("downloadUrl");
      clock.advance(2000);
      const done = object(await get(path));
      expect(done).toMatchObject({ status: "done", progress: 3, total: 3 });
      const csv = await send({ path: String(done["downloadUrl"]).slice(sandbox.url.length), absolute: true });
      expect(csv.headers["content-type"]).toContain("text/csv");
      expect(csv.text.split("\r\n")).toHaveLength(5);
    },
  ],
  [
    "pending to error: without a download address.",
    async ({ get, clock }) => {
      const { _id: id } = object(await get("/campaigns/cam_000006/export/start"));
      clock.advance(2000);
      const over = object(await get(`/sandbox-only/exports/${String(id)}`));
      expect(over["status"]).toBe("error");
      expect(over).not.toHaveProperty("downloadUrl");
    },
  ],
  [
    "Several exports of the same campaign can run at once, identified by export id.",
    async ({ get, clock }) => {
      const first = object(await get("/campaigns/cam_000001/export/start"));
      clock.advance(1500);
      const second = object(await get("/campaigns/cam_000001/export/start"));
      expect(second["_id"]).not.toBe(first["_id"]);
      clock.advance(1000);
      const status = async (one: Record<string, unknown>): Promise<unknown> =>
        object(await get(`/sandbox-only/exports/${String(one["_id"])}`))["status"];
      expect([await status(first), await status(second)]).toEqual(["done", "pending"]);
    },
  ],
  [
    "The export's status is at a path of the sandbox's own, and says so.",
    async ({ get }) => {
      const { _id: id } = object(await get("/campaigns/cam_000001/export/start"));
      expect((await get(`/sandbox-only/exports/${String(id)}`)).headers).toHaveProperty("x-sandbox-only");
    },
  ],
  [
    "`isPaused` is a boolean on the lead; unsubscribing does not change it.",
    async ({ send }) => {
      const reply = await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/linus%40example.org" });
      expect(object(reply)["isPaused"]).toBe(true);
    },
  ],
  [
    "Add webhook: it exists.",
    async (service) => expect(ids(await service.get("/hooks"))).toEqual([await added(service)].slice(0, 0)),
  ],
  [
    "Delete webhook: removed, and the removed webhook record is returned.",
    async (service) => {
      const id = await added(service, { ...HOOK, campaignId: "cam_000001" });
      expect(ids(await service.get("/hooks"))).toEqual([id]);
      const removed = object(await service.send({ method: "DELETE", path: `/hooks/${id}` }));
      expect(removed).toMatchObject({ _id: id, ...HOOK, campaignId: "cam_000001" });
      expect(ids(await service.get("/hooks"))).toEqual([]);
    },
  ],
  [
    "A webhook's `secret` cannot be changed: there is no operation that changes a webhook.",
    async (service) => {
      const id = await added(service);
      for (const method of ["PUT", "PATCH", "POST"]) {
        const reply = await service.send({ method, path: `/hooks/${id}`, body: { secret: "another" } });
        expect(reply.status).toBe(405);
      }
      expect(service.sandbox.webhooks()[0]?.secret).toBeNull();
    },
  ],
];

const ADD_WEBHOOK: Row[] = [
  [
    "Query parameters `campaignId`, `isFirst` and `automationId` are kept.",
    async ({ addHook, sandbox }) => {
      await addHook(HOOK, "?campaignId=cam_000001&isFirst=true&automationId=flow-7");
      expect(sandbox.webhooks()[0]).toMatchObject({ campaignId: "cam_000001", isFirst: true, automationId: "flow-7" });
    },
  ],
  [
    "The request examples also show `campaignId` and `isFirst` inside the JSON body.",
    async ({ addHook, sandbox }) => {
      await addHook({ ...HOOK, campaignId: "cam_000001", isFirst: true });
      expect(sandbox.webhooks()[0]).toMatchObject({ campaignId: "cam_000001", isFirst: true });
    },
  ],
  [
    "Query and body may both carry them if they agree.",
    async ({ addHook, sandbox }) => {
      const body = { ...HOOK, campaignId: "cam_000001", isFirst: false };
      expect((await addHook(body, "?campaignId=cam_000001&isFirst=false")).status).toBe(200);
      expect((await addHook(body, "?campaignId=cam_000002")).status).toBe(400);
      expect((await addHook(body, "?isFirst=true")).status).toBe(400);
      expect(sandbox.webhooks()).toHaveLength(1);
    },
  ],
  [
    "All query parameters are optional.",
    async ({ addHook, sandbox }) => {
      expect((await addHook(HOOK)).status).toBe(200);
      expect(sandbox.webhooks()[0]).toMatchObject({ campaignId: null, isFirst: false, automationId: null });
    },
  ],
  [
    "`targetUrl` is required and a URI.",
    async ({ addHook, sandbox }) => {
      const wrong = [undefined, null, "", "crm.example.com", "/hook", 7, "https://", "https://a b/", "ftp://example.com/"];
      for (const targetUrl of wrong) expect((await addHook({ targetUrl })).status).toBe(400);
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "`type` is one event name from Events: each of them is accepted.",
    async ({ addHook, sandbox }) => {
      for (const { name } of EVENT_TYPES) {
        expect(object(await addHook({ ...HOOK, type: name }))["type"]).toBe(name);
      }
      expect(sandbox.webhooks()).toHaveLength(EVENT_TYPES.length);
    },
  ],
  [
    "`type` is no other name.",
    async ({ addHook }) => {
      for (const type of ["EmailsReplied", "emails", "", 7, ["emailsSent"], "toString"]) {
        expect((await addHook({ ...HOOK, type })).status).toBe(400);
      }
    },
  ],
  [
    "`secret` is an optional string.",
    async ({ addHook, sandbox }) => {
      expect((await addHook({ ...HOOK, secret: "correct-horse" })).status).toBe(200);
      expect((await addHook({ ...HOOK, secret: 7 })).status).toBe(400);
      expect(sandbox.webhooks().map((hook) => hook.secret)).toEqual(["correct-horse"]);
    },
  ],
  [
    "Request bodies are `application/json`.",
    async ({ send, sandbox }) => {
      const path = "/hooks";
      const form = { "Content-Type": "application/x-www-form-urlencoded" };
      expect((await send({ method: "POST", path, body: "targetUrl=x", headers: form })).status).toBe(415);
      expect((await send({ method: "POST", path, body: JSON.stringify(HOOK), headers: form })).status).toBe(415);
      const charset = { "Content-Type": "application/json; charset=utf-8" };
      expect((await send({ method: "POST", path, body: JSON.stringify(HOOK), headers: charset })).status).toBe(200);
      for (const body of ["{", "[]", "null", '"text"']) expect((await send({ method: "POST", path, body })).status).toBe(400);
      expect(sandbox.webhooks()).toHaveLength(1);
    },
  ],
  [
    "Response 200 (JSON): `_id`, `targetUrl`, `createdAt`, `type`, and nothing else.",
    async ({ addHook }) => {
      const reply = await addHook({ ...HOOK, secret: "correct-horse" }, "?campaignId=cam_000001&isFirst=true&automationId=f");
      expect(reply.headers["content-type"]).toContain("application/json");
      expect(object(reply)).toEqual({
        _id: expect.stringMatching(/^hoo_/),
        ...HOOK,
        createdAt: expect.stringMatching(DATE_TIME),
      });
    },
  ],
  [
    "Error 400 plain text `Bad team`.",
    async ({ addHook, sandbox }) => {
      const reply = await addHook(HOOK, "?campaignId=cam_000101");
      expect(reply).toMatchObject({ status: 400, text: "Bad team" });
      expect(reply.headers["content-type"]).toContain("text/plain");
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "Error 401.",
    async ({ addHook, sandbox }) => {
      const { wrong, blocked, withoutUser } = sandbox.keys;
      for (const key of [null, wrong, blocked, withoutUser]) {
        expect((await addHook(HOOK, "", key)).status).toBe(401);
      }
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "Error 404 plain text `Webhook not found`.",
    async ({ addHook, sandbox }) => {
      const reply = await addHook(HOOK, "?campaignId=cam_999999");
      expect(reply).toMatchObject({ status: 404, text: "Webhook not found" });
      expect(reply.headers["content-type"]).toContain("text/plain");
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
];

const OTHER_HOOKS: Row[] = [
  [
    "DELETE /hooks/{hookId}: response 200 with `_id`, `targetUrl`, `createdAt`, `type`, `campaignId`.",
    async (service) => {
      const id = await added(service, { ...HOOK, secret: "correct-horse" }, "?campaignId=cam_000001");
      expect(object(await service.send({ method: "DELETE", path: `/hooks/${id}` }))).toEqual({
        _id: id,
        ...HOOK,
        createdAt: expect.stringMatching(DATE_TIME),
        campaignId: "cam_000001",
      });
    },
  ],
  [
    "DELETE /hooks/{hookId}: `Webhook not found`, for an unknown id and for a removed one.",
    async (service) => {
      const path = `/hooks/${await added(service)}`;
      await service.send({ method: "DELETE", path });
      for (const gone of [path, "/hooks/hoo_999999"]) {
        const reply = await service.send({ method: "DELETE", path: gone });
        expect(reply).toMatchObject({ status: 404, text: "Webhook not found" });
      }
    },
  ],
  [
    "DELETE /hooks/{hookId}: `Bad team`, and the webhook stays.",
    async (service) => {
      const path = `/hooks/${await added(service)}`;
      const reply = await service.send({ method: "DELETE", path, key: service.sandbox.keys.otherTeam });
      expect(reply).toMatchObject({ status: 400, text: "Bad team" });
      expect(service.sandbox.webhooks()).toHaveLength(1);
    },
  ],
  [
    "List-webhooks operation (`GET /hooks`): path exists.",
    async (service) => {
      const id = await added(service, { ...HOOK, secret: "correct-horse" }, "?campaignId=cam_000001");
      await added(service, { targetUrl: HOOK.targetUrl });
      const [first, second] = items(await service.get("/hooks"));
      expect(first).toEqual({ _id: id, ...HOOK, createdAt: expect.any(String), campaignId: "cam_000001" });
      expect(Object.keys(second ?? {})).toEqual(["_id", "targetUrl", "createdAt"]);
    },
  ],
];

const CAMPAIGNS: Row[] = [
  [
    "All query parameters are optional; the response is a JSON array.",
    async ({ get }) => expect(items(await get("/campaigns"))).toHaveLength(8),
  ],
  [
    "`version`: only `v2`, the default.",
    async ({ get }) => {
      expect((await get("/campaigns?version=v2")).text).toBe((await get("/campaigns")).text);
      expect((await get("/campaigns?version=v1")).status).toBe(400);
    },
  ],
  [
    "`offset`: offset from the start, for pagination.",
    async ({ get }) => {
      const all = ids(await get("/campaigns"));
      expect(ids(await get("/campaigns?offset=3"))).toEqual(all.slice(3));
      expect(ids(await get("/campaigns?offset=8"))).toEqual([]);
      expect((await get("/campaigns?offset=-1")).status).toBe(400);
    },
  ],
  [
    "`page`: page number to retrieve.",
    async ({ get }) => {
      const all = ids(await get("/campaigns"));
      expect(ids(await get("/campaigns?limit=3&page=1"))).toEqual(all.slice(0, 3));
      expect(ids(await get("/campaigns?limit=3&page=3"))).toEqual(all.slice(6));
      expect((await get("/campaigns?page=x")).status).toBe(400);
    },
  ],
  [
    "`limit`: number of campaigns to return.",
    async ({ get }) => {
      expect(items(await get("/campaigns?limit=2"))).toHaveLength(2);
      for (const limit of ["0", "-1", "x", "1.5"]) expect((await get(`/campaigns?limit=${limit}`)).status).toBe(400);
    },
  ],
  [
    "`sortBy`: only `createdAt` is supported.",
    async ({ get }) => {
      expect((await get("/campaigns?sortBy=createdAt")).text).toBe((await get("/campaigns")).text);
      expect((await get("/campaigns?sortBy=name")).status).toBe(400);
    },
  ],
  [
    "`sortOrder`: `desc` sorts descending; any other value or omission sorts ascending.",
    async ({ get }) => {
      const times = async (query: string): Promise<unknown[]> =>
        items(await get(`/campaigns${query}`)).map((one) => one["createdAt"]);
      const ascending = await times("");
      expect(ascending).toEqual([...ascending].sort());
      expect(await times("?sortOrder=asc")).toEqual(ascending);
      expect(await times("?sortOrder=whatever")).toEqual(ascending);
      expect(await times("?sortOrder=desc")).toEqual([...ascending].reverse());
    },
  ],
  [
    "`status`: filter by campaign status, of the six values.",
    async ({ get }) => {
      const counts: number[] = [];
      for (const status of ["running", "draft", "archived", "ended", "paused", "errors"])
        counts.push(items(await get(`/campaigns?status=${status}`)).length);
      expect(counts).toEqual([3, 1, 1, 1, 1, 2]);
      expect((await get("/campaigns?status=done")).status).toBe(400);
    },
  ],
  [
    "`createdBy`: filter to campaigns created by this user id.",
    async ({ get }) => {
      const reply = await get("/campaigns?createdBy=usr_000002");
      expect(names(reply)).toEqual(["Spring webinar follow-up", "Trade fair leads"]);
      expect(items(await get("/campaigns?createdBy=usr_999999"))).toEqual([]);
    },
  ],
  [
    "Filters, order and paging work together.",
    async ({ get }) => {
      const reply = await get("/campaigns?status=running&sortOrder=desc&limit=1&offset=1&sortBy=createdAt&version=v2");
      expect(names(reply)).toEqual(["Q3 launch"]);
    },
  ],
  [
    "Error bodies (JSON strings): the four of authentication.",
    async ({ get, sandbox }) => {
      const { wrong, blocked, withoutUser } = sandbox.keys;
      const replies = [
        [null, MESSAGES.none],
        [wrong, MESSAGES.wrong],
        [blocked, MESSAGES.blocked],
        [withoutUser, MESSAGES.withoutUser],
      ] as const;
      for (const [key, message] of replies) {
        const reply = await get("/campaigns", key);
        expect(reply.json).toBe(message);
        expect(reply.headers["content-type"]).toContain("application/json");
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
      }
    },
  ],
];

const CAMPAIGN_PARTS: Row[] = [
  [
    "Export start has no body and is a GET.",
    async ({ get, send }) => {
      expect((await get("/campaigns/cam_000001/export/start")).status).toBe(200);
      expect((await send({ method: "POST", path: "/campaigns/cam_000001/export/start" })).status).toBe(405);
    },
  ],
  [
    "Export start: `Bad team`, `Campaign not found`; then nothing has started.",
    async ({ get, sandbox }) => {
      expect((await get("/campaigns/cam_000101/export/start")).json).toBe("Bad team");
      expect((await get("/campaigns/cam_999999/export/start")).json).toBe("Campaign not found");
      expect(sandbox.records("exports")).toEqual([]);
    },
  ],
  [
    "Schedules: the path ends in a slash.",
    async ({ get }) => {
      expect(ids(await get("/campaigns/cam_000001/schedules/"))).toEqual(["skd_000001", "skd_000002"]);
      expect((await get("/campaigns/cam_000001/schedules")).status).toBe(404);
    },
  ],
  [
    "Schedules: the campaign must belong to the caller's team; `Bad team`, `Campaign not found`.",
    async ({ get, sandbox }) => {
      expect((await get("/campaigns/cam_000101/schedules/")).json).toBe("Bad team");
      expect((await get("/campaigns/cam_999999/schedules/")).json).toBe("Campaign not found");
      expect(ids(await get("/campaigns/cam_000101/schedules/", sandbox.keys.otherTeam))).toEqual(["skd_000004"]);
    },
  ],
  [
    "Schedules: a campaign without any has an empty array.",
    async ({ get }) => expect(items(await get("/campaigns/cam_000004/schedules/"))).toEqual([]),
  ],
  [
    "Warm-up settings: `Bad team`.",
    async ({ get }) => expect((await get("/warmup/usm_000101/settings")).json).toBe("Bad team"),
  ],
  [
    "Warm-up settings: `The authentication you supplied is incorrect`.",
    async ({ get, sandbox }) =>
      expect((await get("/warmup/usm_000001/settings", sandbox.keys.wrong)).json).toBe(MESSAGES.wrong),
  ],
  [
    "Unsubscribe: the path takes the lead's email address, encoded or not, in any case.",
    async ({ send, sandbox }) => {
      for (const email of ["ada%40example.com", "charles@example.com", "LINUS%40example.ORG"])
        expect((await send({ method: "DELETE", path: `/campaigns/cam_000001/leads/${email}` })).status).toBe(200);
      const left = sandbox.records("leads").filter((lead) => lead.unsubscribedAt === null);
      expect(left.map((lead) => lead.campaignId)).not.toContain("cam_000001");
    },
  ],
  [
    "Unsubscribe: only from that campaign.",
    async ({ send, sandbox }) => {
      await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada%40example.com" });
      const lead = sandbox.records("leads").find((one) => one._id === "lea_000004");
      expect(lead).toMatchObject({ email: "ada@example.com", unsubscribedAt: null });
    },
  ],
  [
    "Unsubscribe: `Bad team`, `Lead not found`.",
    async ({ send }) => {
      const answers: unknown[] = [];
      for (const path of ["cam_000101/leads/ruby@example.com", "cam_000001/leads/nobody@example.com", "cam_999999/leads/ada@example.com"])
        answers.push((await send({ method: "DELETE", path: `/campaigns/${path}` })).json);
      expect(answers).toEqual(["Bad team", "Lead not found", "Lead not found"]);
    },
  ],
  [
    "Operations beyond those listed in Endpoints are not there.",
    async ({ get, send }) => {
      const paths = ["/", "/users/usr_000001", "/campaigns/cam_000001", "/campaigns/cam_000001/leads", "/hooks/", "/teams"];
      for (const path of paths) expect((await get(path)).status).toBe(404);
      expect((await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/" })).status).toBe(404);
      expect((await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/.." })).json).toBe("Lead not found");
      expect((await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/%E0%A4%A" })).status).toBe(404);
      expect((await send({ method: "DELETE", path: "/campaigns" })).headers["allow"]).toBe("GET");
    },
  ],
];

const AUTHENTICATION: Row[] = [
  [
    "All routes are served at the base address.",
    async ({ send }) => expect((await send({ path: "/campaigns", absolute: true })).status).toBe(404),
  ],
  [
    "The scheme is HTTP Basic: the base64 of `:<API_KEY>`.",
    async ({ send, sandbox }) => {
      const headers = { Authorization: basic(sandbox.keys.good) };
      expect((await send({ path: "/campaigns", key: null, headers })).status).toBe(200);
      for (const Authorization of [`Bearer ${sandbox.keys.good}`, sandbox.keys.good, "Basic %%%"])
        expect((await send({ path: "/campaigns", key: null, headers: { Authorization } })).json).toBe(MESSAGES.wrong);
    },
  ],
  [
    "The login is always empty; the leading colon is mandatory.",
    async ({ send, sandbox }) => {
      for (const pair of [sandbox.keys.good, `user:${sandbox.keys.good}`, `${sandbox.keys.good}:`]) {
        const headers = { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
        expect((await send({ path: "/campaigns", key: null, headers })).json).toBe(MESSAGES.wrong);
      }
    },
  ],
  [
    "An empty password is no key.",
    async ({ get }) => expect((await get("/campaigns", "")).json).toBe(MESSAGES.none),
  ],
  [
    "Failures return these messages, on every route.",
    async ({ send, sandbox }) => {
      const { wrong, blocked, withoutUser } = sandbox.keys;
      const expected = [MESSAGES.none, MESSAGES.wrong, MESSAGES.blocked, MESSAGES.withoutUser];
      for (const [method, path] of ROUTES) {
        const answers: unknown[] = [];
        for (const key of [null, wrong, blocked, withoutUser]) {
          const reply = await send({ method, path, key, ...(method === "POST" ? { body: HOOK } : {}) });
          answers.push(reply.json ?? reply.text);
        }
        expect([path, ...answers]).toEqual([path, ...expected]);
      }
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "A resource of another team yields `Bad team` or a not-found message: the option for the latter.",
    async (service) => {
      const { sandbox, send, get } = service;
      const id = await added(service);
      sandbox.configure({ choices: { foreign: "not-found" } });
      const removed = await send({ method: "DELETE", path: `/hooks/${id}`, key: sandbox.keys.otherTeam });
      expect(removed).toMatchObject({ status: 404, text: "Webhook not found" });
      expect((await get("/campaigns/cam_000101/schedules/")).json).toBe("Campaign not found");
      expect((await get("/campaigns/cam_000101/export/start")).json).toBe("Campaign not found");
      const lead = await send({ method: "DELETE", path: "/campaigns/cam_000101/leads/ruby@example.com" });
      expect(lead.json).toBe("Lead not found");
      expect((await service.addHook(HOOK, "?campaignId=cam_000101")).text).toBe("Webhook not found");
    },
  ],
];

const ROUTES = [
  ["POST", "/hooks"],
  ["GET", "/hooks"],
  ["DELETE", "/hooks/hoo_000001"],
  ["GET", "/campaigns"],
  ["GET", "/campaigns/cam_000001/export/start"],
  ["GET", "/campaigns/cam_000001/schedules/"],
  ["GET", "/warmup/usm_000001/settings"],
  ["DELETE", "/campaigns/cam_000001/leads/ada%40example.com"],
  ["GET", "/sandbox-only/exports/axp_000001"],
] as const;

const EVENTS: Row[] = [
  [
    "Removed event types are no longer accepted; the answer names the replacement.",
    async ({ addHook }) => {
      const answers: string[] = [];
      for (const type of ["skipped", "emailsSendFailed", "opportunitiesDone"]) {
        const reply = await addHook({ ...HOOK, type });
        expect(reply.status).toBe(400);
        answers.push(reply.text);
      }
      expect(answers[0]).toContain("no replacement");
      expect(answers[1]).toContain("emailsFailed");
      expect(answers[2]).toContain("annotated");
    },
  ],
  [
    "`secret` is stored with the webhook.",
    async (service) => {
      await added(service, { ...HOOK, secret: "correct-horse" });
      expect(service.sandbox.webhooks()[0]?.secret).toBe("correct-horse");
    },
  ],
];

const ERRORS: Row[] = [
  [
    "Error responses are bare message strings (plain text or a JSON string), not structured objects.",
    async ({ get, addHook, send }) => {
      const replies = [
        await get("/campaigns", null),
        await get("/campaigns/cam_999999/schedules/"),
        await addHook({}),
        await addHook({ targetUrl: "x" }),
        await send({ method: "DELETE", path: "/hooks/hoo_999999" }),
        await get("/nowhere"),
      ];
      for (const reply of replies) {
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(["string", "undefined"]).toContain(typeof reply.json);
        expect(reply.text).not.toBe("");
      }
    },
  ],
  [
    "Campaign `errors` messages include: missing sender, a sender with no email provider, an invalid sender mailbox.",
    async ({ get }) => {
      const all = items(await get("/campaigns?status=errors")).flatMap((one) => one["errors"] as string[]);
      expect(all).toEqual(expect.arrayContaining(["missing sender", "a sender with no email provider", "an invalid sender mailbox"]));
    },
  ],
];

const LIMITS: Row[] = [
  [
    "20 requests per 2 seconds.",
    async ({ get, clock, sandbox }) => {
      sandbox.configure({ rateLimit: {} });
      for (let count = 0; count < 20; count++) expect((await get("/hooks")).status).toBe(200);
      expect((await get("/hooks")).status).toBe(429);
      clock.advance(1999);
      expect((await get("/hooks")).status).toBe(429);
      clock.advance(1);
      expect((await get("/hooks")).status).toBe(200);
    },
  ],
  [
    "The limit is per API key.",
    async ({ get, sandbox }) => {
      sandbox.configure({ rateLimit: { limit: 1 } });
      const { sameTeam, otherTeam } = sandbox.keys;
      const statuses: number[] = [];
      for (const key of [undefined, undefined, sameTeam, otherTeam, sameTeam]) statuses.push((await get("/hooks", key)).status);
      expect(statuses).toEqual([200, 429, 200, 200, 429]);
    },
  ],
  [
    "The limit is applied on all routes, together; a refused request has no effect.",
    async ({ send, sandbox }) => {
      sandbox.configure({ rateLimit: { limit: ROUTES.length - 1 } });
      const statuses: number[] = [];
      for (const [method, path] of [...ROUTES.slice(1), ...ROUTES])
        statuses.push((await send({ method, path, ...(method === "POST" ? { body: HOOK } : {}) })).status);
      expect(statuses.slice(0, 8)).not.toContain(429);
      expect(new Set(statuses.slice(8))).toEqual(new Set([429]));
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "Campaign list `limit`: default 100, maximum 100.",
    async ({ get, sandbox }) => {
      for (let index = 0; index < 100; index++) sandbox.add("campaigns", { _id: `cam_more${String(index)}`, name: "More" });
      expect(items(await get("/campaigns"))).toHaveLength(100);
      expect(items(await get("/campaigns?limit=100"))).toHaveLength(100);
      expect(items(await get("/campaigns?limit=101"))).toHaveLength(100);
      expect(items(await get("/campaigns?offset=100"))).toHaveLength(8);
      expect(items(await get("/campaigns?page=2"))).toHaveLength(8);
    },
  ],
  [
    "`X-RateLimit-Limit`, `-Remaining` and `-Reset` are on every route, errors included.",
    async ({ send, sandbox, clock }) => {
      sandbox.configure({ rateLimit: {} });
      let remaining = 20;
      const reset = new Date(clock.now() + 2000).toISOString();
      for (const [method, path] of [...ROUTES, ["GET", "/nowhere"] as const]) {
        const reply = await send({ method, path, ...(method === "POST" ? { body: HOOK } : {}) });
        expect(reply.headers).toMatchObject({
          "x-ratelimit-limit": "20",
          "x-ratelimit-remaining": String(--remaining),
          "x-ratelimit-reset": reset,
        });
      }
    },
  ],
  [
    "`Retry-After`: seconds until retry is possible.",
    async ({ get, sandbox, clock }) => {
      sandbox.configure({ rateLimit: { limit: 1 } });
      expect((await get("/hooks")).headers).not.toHaveProperty("retry-after");
      clock.advance(500);
      const refused = await get("/hooks");
      expect(refused.headers).toMatchObject({ "retry-after": "2", "x-ratelimit-remaining": "0" });
      clock.advance(Number(refused.headers["retry-after"]) * 1000);
      expect((await get("/hooks")).status).toBe(200);
    },
  ],
];

const VERSIONING: Row[] = [
  [
    "`version` has the single allowed value `v2`, which is also its default.",
    async ({ get }) => {
      for (const version of ["v1", "v3", "V2", ""]) expect((await get(`/campaigns?version=${version}`)).status).toBe(400);
    },
  ],
];

const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  "What the service does": WHAT_IT_DOES,
  "Resources and their fields": RESOURCES,
  "States and transitions": STATES,
  "Endpoints: add webhook": ADD_WEBHOOK,
  "Endpoints: delete and list webhooks": OTHER_HOOKS,
  "Endpoints: list campaigns": CAMPAIGNS,
  "Endpoints: export, schedules, warm-up, unsubscribe": CAMPAIGN_PARTS,
  Authentication: AUTHENTICATION,
  Events: EVENTS,
  Errors: ERRORS,
  Limits: LIMITS,
  Versioning: VERSIONING,
};

describe("the sandbox conforms to the specification", () => {
  let service: UnderTest;
  beforeEach(async () => {
    service = await startUnderTest();
  });
  afterEach(() => service.close());

  for (const [section, rows] of Object.entries(SECTIONS))
    describe(section, () => {
      test.each(rows)("%s", async (_, check) => {
        await check(service);
      });
    });
});
