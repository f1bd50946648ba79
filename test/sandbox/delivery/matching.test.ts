import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import { activity, startReceiver } from "./receiver.ts";

let service: UnderTest;
beforeEach(async () => {
  service = await startUnderTest({ clock: realClock });
});
afterEach(() => service.close());

test("an event is one POST with a JSON body, and the webhook's secret in it", async () => {
  const receiver = await startReceiver();
  await service.addHook({ targetUrl: `${receiver.url}?a=1`, type: "emailsReplied", secret: "correct-horse" });
  const one = activity();
  service.sandbox.emit(one);
  await service.sandbox.whenIdle();
  expect(receiver.received).toEqual([
    {
      method: "POST",
      url: "/hook?a=1",
      headers: expect.objectContaining({ "content-type": "application/json", "user-agent": "outreach-as-code-sandbox" }) as unknown,
      body: { ...one.payload, secret: "correct-horse" },
    },
  ]);
  expect(service.sandbox.deliveries()).toMatchObject([
    { id: 1, eventId: one.payload["_id"], type: "emailsReplied", webhookId: "hoo_000001", state: "delivered", status: 204, nextAttemptAt: null, reason: null },
  ]);
});

test("without a secret, the body is the payload", async () => {
  const receiver = await startReceiver();
  await service.addHook({ targetUrl: receiver.url });
  const one = activity();
  service.sandbox.emit(one);
  await service.sandbox.whenIdle();
  expect(receiver.received.map(({ body }) => body)).toEqual([one.payload]);
});

describe("an event goes to the webhooks", () => {
  const OF_CAMPAIGN = activity();
  const WITHOUT = activity({ campaignId: null, leadId: null, type: "connectionIssue" });
  test.each([
    ["with its type and campaign", { type: "emailsReplied", campaignId: "cam_000001" }, OF_CAMPAIGN, 1],
    ["for all types and campaigns", {}, OF_CAMPAIGN, 1],
    ["for all types of its campaign", { campaignId: "cam_000001" }, OF_CAMPAIGN, 1],
    ["not of another type", { type: "emailsSent" }, OF_CAMPAIGN, 0],
    ["not of another campaign", { campaignId: "cam_000002" }, OF_CAMPAIGN, 0],
    ["not of another team", { teamId: "tea_000002" }, OF_CAMPAIGN, 0],
    ["without a campaign, if it has none", {}, WITHOUT, 1],
    ["not of a campaign, if it has none", { campaignId: "cam_000001" }, WITHOUT, 0],
    ["not disabled", { disabledAt: "2026-07-01T12:00:00Z" }, OF_CAMPAIGN, 0],
  ] as const)("%s", async (_, webhook, event, count) => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url, ...webhook });
    const { deliveries, skipped } = service.sandbox.emit(event);
    expect([deliveries.length, skipped]).toEqual([count, []]);
    await service.sandbox.whenIdle();
    expect(receiver.received).toHaveLength(count);
  });
});
