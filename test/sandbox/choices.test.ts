import { afterEach, describe, expect, test } from "vitest";
import type { SandboxChoicesChange } from "../../src/sandbox/choices.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { Reply, UnderTest } from "./sandbox-under-test.ts";

let service: UnderTest | undefined;
afterEach(() => service?.close());

const HOOK = { targetUrl: "https://crm.example.com/hook" };

type Row = readonly [
  what: string,
  choices: SandboxChoicesChange,
  ask: (service: UnderTest) => Promise<Reply>,
  expected: Partial<Reply>,
];

const lead = (service: UnderTest): Promise<Reply> =>
  service.send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada@example.com" });

const ROWS: Row[] = [
  [
    "hooks' errors as JSON strings",
    { errorForms: { deleteWebhook: "json" } },
    ({ send }) => send({ method: "DELETE", path: "/hooks/hoo_999999" }),
    { status: 404, json: "Webhook not found" },
  ],
  [
    "other errors as plain text",
    { errorForms: { listSchedules: "text" } },
    ({ get }) => get("/campaigns/cam_999999/schedules/"),
    { text: "Campaign not found" },
  ],
  ["other statuses", { statuses: { noKey: 403 } }, ({ get }) => get("/campaigns", null), { status: 403 }],
  [
    "but adding a webhook keeps its documented ones",
    { statuses: { noKey: 403 } },
    ({ addHook }) => addHook(HOOK, "", null),
    { status: 401 },
  ],
  [
    "an unknown campaign as `Campaign not found`",
    { unknownCampaign: "campaign-not-found" },
    ({ addHook }) => addHook(HOOK, "?campaignId=cam_999999"),
    { text: "Campaign not found" },
  ],
  [
    "a webhook for an unknown campaign accepted",
    { unknownCampaign: "accept" },
    ({ addHook }) => addHook(HOOK, "?campaignId=cam_999999"),
    { status: 200 },
  ],
  [
    "schedules without the trailing slash",
    { strictSlash: false },
    ({ get }) => get("/campaigns/cam_000004/schedules"),
    { status: 200, text: "[]" },
  ],
  ["pages from 0", { firstPage: 0 }, ({ get }) => get("/campaigns?page=1"), { text: "[]" }],
  ["a limit above 100 refused", { overLimit: "refuse" }, ({ get }) => get("/campaigns?limit=101"), { status: 400 }],
  [
    "a second unsubscribe refused",
    { repeatedUnsubscribe: "not-found" },
    async (service) => {
      await lead(service);
      return lead(service);
    },
    { json: "Lead not found" },
  ],
  [
    "a second unsubscribe answered like the first",
    {},
    async (service) => {
      await lead(service);
      return lead(service);
    },
    { status: 200 },
  ],
  [
    "warm-up settings in the sample's shape",
    { warmupShape: "sample" },
    ({ get }) => get("/warmup/usm_000001/settings"),
    {
      json: {
        warmEmailRampup: 3,
        warmEmailMax: 40,
        activeAt: "2026-02-02T08:00:00.000Z",
        deliverability: expect.anything(),
      },
    },
  ],
];

const EXPORT = "/campaigns/cam_000001/export/axp_000001/status";

describe("where the specification says nothing", () => {
  test.each(ROWS)("%s", async (_, choices, ask, expected) => {
    service = await startUnderTest({ choices });
    expect(await ask(service)).toMatchObject(expected);
  });

  test("exports can take time and fail", async () => {
    service = await startUnderTest({ choices: { exportStatus: "shown", exportOutcome: "error", exportMs: 10_000 } });
    await service.get("/campaigns/cam_000001/export/start");
    service.clock.advance(9999);
    expect((await service.get(EXPORT)).json).toMatchObject({ status: { status: "pending", progress: 2 } });
    service.clock.advance(1);
    expect((await service.get(EXPORT)).json).toMatchObject({ status: { status: "error" } });
  });

  test("the status of an export has a path that the sandbox only has on request", async () => {
    service = await startUnderTest();
    const { get, sandbox } = service;
    await get("/campaigns/cam_000001/export/start");
    expect(await get(EXPORT)).toMatchObject({ status: 404, text: "Not found" });
    sandbox.configure({ choices: { exportStatus: "shown" } });
    expect(await get(EXPORT)).toMatchObject({ status: 200, json: { ok: true } });
    const unknown = { status: 404, json: { ok: false, message: "Export not found" } };
    expect(await get("/campaigns/cam_000001/export/axp_999999/status")).toMatchObject(unknown);
    expect(await get("/campaigns/cam_000002/export/axp_000001/status")).toMatchObject(unknown);
    expect((await get(EXPORT, sandbox.keys.otherTeam)).json).toBe("Bad team");
    sandbox.configure({ choices: { foreign: "not-found" } });
    expect((await get(EXPORT, sandbox.keys.otherTeam)).json).toBe("Campaign not found");
  });

  test("ids can be random", async () => {
    let seed = 1;
    service = await startUnderTest({
      choices: { ids: "random" },
      random: () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647,
    });
    await service.addHook(HOOK);
    await service.addHook(HOOK);
    const ids = service.sandbox.webhooks().map((hook) => hook._id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^hoo_[a-z0-9]{16}$/);
  });

  test("the status of a refusal by the rate limit", async () => {
    service = await startUnderTest({ choices: { rateLimitStatus: 420 }, rateLimit: { limit: 1 } });
    await service.get("/campaigns");
    const refused = await service.get("/campaigns");
    expect(refused).toMatchObject({ status: 420, json: "Too many requests" });
    expect(refused.headers).toHaveProperty("retry-after");
  });
});
