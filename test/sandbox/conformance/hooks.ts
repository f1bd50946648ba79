import { expect } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { added, DATE_TIME, HOOK, items, object, OTHER_HOOK, type Row } from "./row.ts";

export const ADD_WEBHOOK: Row[] = [
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
      const wrong = [
        undefined,
        null,
        "",
        "crm.example.com",
        "/hook",
        7,
        "https://",
        "https://a b/",
        "ftp://example.com/",
      ];
      for (const targetUrl of wrong) expect((await addHook({ targetUrl })).status).toBe(400);
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "`type` is one event name from Events: each of them is accepted.",
    async ({ addHook, sandbox }) => {
      for (const { name } of EVENT_TYPES) {
        expect(object(await addHook({ targetUrl: `${HOOK.targetUrl}?event=${name}`, type: name }))["type"]).toBe(name);
      }
      expect(sandbox.webhooks()).toHaveLength(EVENT_TYPES.length);
    },
  ],
  [
    "`type` accepts no other name.",
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
      for (const body of ["{", "[]", "null", '"text"'])
        expect((await send({ method: "POST", path, body })).status).toBe(400);
      expect(sandbox.webhooks()).toHaveLength(1);
    },
  ],
  [
    "Response 200 (JSON): `_id`, `targetUrl`, `createdAt`, `type`, and nothing else.",
    async ({ addHook }) => {
      const reply = await addHook(
        { ...HOOK, secret: "correct-horse" },
        "?campaignId=cam_000001&isFirst=true&automationId=f",
      );
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

export const OTHER_HOOKS: Row[] = [
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
      await added(service, { targetUrl: OTHER_HOOK.targetUrl });
      const [first, second] = items(await service.get("/hooks"));
      expect(first).toEqual({ _id: id, ...HOOK, createdAt: expect.any(String), campaignId: "cam_000001" });
      expect(Object.keys(second ?? {})).toEqual(["_id", "targetUrl", "createdAt"]);
    },
  ],
];
