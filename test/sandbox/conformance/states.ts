import { expect } from "vitest";
import { added, HOOK, ids, names, object } from "./row.ts";
import type { Row } from "./row.ts";

export const STATES: Row[] = [
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
      const status = async (one: Record<string, unknown>): Promise<unknown> => object(await get(`/sandbox-only/exports/${String(one["_id"])}`))["status"];
      expect([await status(first), await status(second)]).toEqual(["done", "pending"]);
    },
  ],
  [
    "The export's status has a path that only the sandbox has, and a header says so.",
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
    async (service) => {
      const created = [await added(service), await added(service)];
      expect(ids(await service.get("/hooks"))).toEqual(created);
    },
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
    "A webhook's `secret` cannot be changed: no operation changes a webhook.",
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
