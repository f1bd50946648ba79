import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Activity } from "../../../src/sandbox/events/activity.ts";
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
      headers: expect.objectContaining({
        "content-type": "application/json",
        "user-agent": "outreach-as-code-sandbox",
      }) as unknown,
      body: { ...one.payload, secret: "correct-horse" },
    },
  ]);
  expect(service.sandbox.deliveries()).toMatchObject([
    {
      id: 1,
      eventId: one.payload["_id"],
      type: "emailsReplied",
      webhookId: "hoo_000001",
      state: "delivered",
      status: 204,
      nextAttemptAt: null,
      reason: null,
    },
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

describe("a webhook with isFirst receives", () => {
  const ADA = { leadId: "lea_000001" };
  const CHARLES = { leadId: "lea_000002" };
  const emitted = async (changes: readonly Partial<Activity>[]): Promise<readonly unknown[]> => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url, isFirst: true });
    for (const change of changes) {
      service.sandbox.emit(activity(change));
      await service.sandbox.whenIdle();
    }
    return receiver.received.map(({ body }) => [body["type"], body["campaignId"], body["leadId"]]);
  };

  test("the first activity of each type, for each lead in a campaign", async () => {
    expect(
      await emitted([ADA, ADA, CHARLES, { ...ADA, type: "emailsSent" }, ADA, { ...ADA, campaignId: "cam_000002" }]),
    ).toEqual([
      ["emailsReplied", "cam_000001", "lea_000001"],
      ["emailsReplied", "cam_000001", "lea_000002"],
      ["emailsSent", "cam_000001", "lea_000001"],
      ["emailsReplied", "cam_000002", "lea_000001"],
    ]);
  });

  test("without a lead, the first of each type in a campaign, or in the team", async () => {
    const complete = { type: "campaignComplete", leadId: null } as const;
    const issue = { type: "connectionIssue", campaignId: null, leadId: null } as const;
    expect(await emitted([complete, complete, { ...complete, campaignId: "cam_000002" }, issue, issue])).toEqual([
      ["campaignComplete", "cam_000001", undefined],
      ["campaignComplete", "cam_000002", undefined],
      ["connectionIssue", undefined, undefined],
    ]);
  });

  test("nothing if the first activity is older than the webhook, until the sandbox is reset", async () => {
    service.sandbox.emit(activity(ADA));
    expect(await emitted([ADA])).toEqual([]);
    service.sandbox.reset();
    expect(await emitted([ADA])).toHaveLength(1);
  });

  test("with firstPer webhook, the first activity that matches it", async () => {
    service.sandbox.configure({ delivery: { firstPer: "webhook" } });
    service.sandbox.emit(activity(ADA));
    expect(await emitted([ADA, ADA, CHARLES])).toEqual([["emailsReplied", "cam_000001", "lea_000001"]]);
  });

  test("each of more activities than are remembered: of 100,000, the oldest is forgotten", () => {
    const { _id } = service.sandbox.add("webhooks", { targetUrl: "http://127.0.0.1:1/", isFirst: true });
    service.sandbox.configure({ delivery: { hosts: "none" } });
    const one = activity();
    const isFirst = (lead: number): boolean =>
      service.sandbox.emit({ ...one, leadId: `lea_${String(lead)}` }).skipped.includes(_id);
    for (let lead = 0; lead < 100_000; lead++) isFirst(lead);
    expect([isFirst(0), isFirst(99_999)]).toEqual([false, false]);
    expect(isFirst(100_000)).toBe(true);
    expect([isFirst(1), isFirst(0)]).toEqual([false, true]);
  });

  test("other webhooks receive every activity", async () => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    for (let count = 0; count < 3; count++) service.sandbox.emit(activity());
    await service.sandbox.whenIdle();
    expect(receiver.received).toHaveLength(3);
  });
});
