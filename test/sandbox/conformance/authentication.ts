import { expect } from "vitest";
import { basic } from "../sandbox-under-test.ts";
import { added, HOOK, MESSAGES, ROUTES } from "./row.ts";
import type { Row } from "./row.ts";

export const AUTHENTICATION: Row[] = [
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
  ["An empty password is no key.", async ({ get }) => expect((await get("/campaigns", "")).json).toBe(MESSAGES.none)],
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
    "A resource of another team yields `Bad team` or a not-found message: the option for the not-found message.",
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
