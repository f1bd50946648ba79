import { expect } from "vitest";
import { added, HOOK, ids, names, object, OTHER_HOOK } from "./row.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import type { Row } from "./row.ts";

/** The status of an export of a campaign. Its path is not in the specification, so the sandbox has it only on request. */
async function exportStatus(
  { get, sandbox }: UnderTest,
  campaignId: string,
  exportId: unknown,
): Promise<Record<string, unknown>> {
  sandbox.configure({ choices: { exportStatus: "shown" } });
  const { ok, status } = object(await get(`/campaigns/${campaignId}/export/${String(exportId)}/status`));
  expect(ok).toBe(true);
  return status as Record<string, unknown>;
}

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
    async (service) => {
      const { get, clock, send, sandbox } = service;
      const { _id: id } = object(await get("/campaigns/cam_000001/export/start"));
      const pending = await exportStatus(service, "cam_000001", id);
      expect(pending).toMatchObject({ status: "pending" });
      expect(pending).not.toHaveProperty("url");
      clock.advance(5000);
      const done = await exportStatus(service, "cam_000001", id);
      expect(done).toMatchObject({
        status: "done",
        progress: 3,
        total: 3,
        endedAt: new Date(clock.now() - 3000).toISOString(),
      });
      const csv = await send({ path: String(done["url"]).slice(sandbox.url.length), absolute: true });
      expect(csv.headers["content-type"]).toContain("text/csv");
      expect(csv.headers["content-length"]).toBe(String(done["fileSize"]));
      expect(csv.text.split("\r\n")).toHaveLength(5);
    },
  ],
  [
    "pending to error: without a download address.",
    async (service) => {
      const { _id: id } = object(await service.get("/campaigns/cam_000006/export/start"));
      service.clock.advance(2000);
      const over = await exportStatus(service, "cam_000006", id);
      expect(over["status"]).toBe("error");
      expect(over).not.toHaveProperty("url");
    },
  ],
  [
    "Several exports of the same campaign can run at once, identified by export id.",
    async (service) => {
      const { get, clock } = service;
      const first = object(await get("/campaigns/cam_000001/export/start"));
      clock.advance(1500);
      const second = object(await get("/campaigns/cam_000001/export/start"));
      expect(second["_id"]).not.toBe(first["_id"]);
      clock.advance(1000);
      const status = async (one: Record<string, unknown>): Promise<unknown> =>
        (await exportStatus(service, "cam_000001", one["_id"]))["status"];
      expect([await status(first), await status(second)]).toEqual(["done", "pending"]);
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
      const created = [await added(service), await added(service, OTHER_HOOK)];
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
