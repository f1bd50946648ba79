import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Triggered } from "../../../src/sandbox/events/triggered-events.ts";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import { startReceiver } from "../delivery/receiver.ts";
import type { Received, Receiver } from "../delivery/receiver.ts";

let service: UnderTest;
beforeEach(async () => {
  service = await startUnderTest({ clock: realClock });
});
afterEach(() => service.close());

const UNSUBSCRIBE = { method: "DELETE", path: "/campaigns/cam_000002/leads/ADA@example.com" };

/** What a receiver got, by id: attempts run side by side. */
function byId({ received }: Receiver): readonly Received["body"][] {
  return received.map(({ body }) => body).toSorted((a, b) => String(a["_id"]).localeCompare(String(b["_id"])));
}

async function trigger(body: unknown): Promise<Triggered> {
  const { status, json } = await service.control("POST", "/events", body);
  expect({ status, json }).toMatchObject({ status: 200 });
  return json as Triggered;
}

describe("POST /_sandbox/events", () => {
  test("delivers the event and its group, and answers with the deliveries", async () => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url, secret: "correct-horse" });
    service.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/hooks", type: "warmed" });
    const triggered = await trigger({
      type: "emailsReplied",
      campaignId: "cam_000002",
      lead: "katherine@example.net",
      set: { cc: "Alan <ALAN@example.com>" },
    });
    expect(triggered).toEqual({
      events: [
        { _id: "act_000001", type: "emailsReplied", deliveries: [1], skipped: [] },
        { _id: "act_000002", type: "warmed", deliveries: [2], skipped: ["hoo_000002"] },
      ],
      unfinished: 2,
      unmatched: null,
    });
    await service.sandbox.whenIdle();
    expect(byId(receiver)).toMatchObject([
      {
        _id: "act_000001",
        campaignId: "cam_000002",
        leadEmail: "katherine@example.net",
        cc: [{ address: "alan@example.com", name: "Alan" }],
        secret: "correct-horse",
      },
      { _id: "act_000002", type: "warmed", leadEmail: "katherine@example.net", secret: "correct-horse" },
    ]);
  });

  test.each<readonly [string, readonly object[], object, string | null]>([
    ["no webhooks", [], {}, "team tea_000001 has no webhooks"],
    ["another team", [{ teamId: "tea_000002" }], {}, "team tea_000001 has no webhooks"],
    ["another type", [{ type: "smsSent" }], {}, "no webhook of team tea_000001 is for emailsBounced"],
    [
      "another campaign",
      [{ campaignId: "cam_000002" }],
      {},
      "the webhooks for emailsBounced are for other campaigns than cam_000001",
    ],
    [
      "disabled",
      [{ disabledAt: "2026-07-01T00:00:00Z" }],
      {},
      "the webhooks for emailsBounced are disabled, because their receiver answered 410",
    ],
    [
      "no campaign",
      [{ campaignId: "cam_000001", type: null }],
      { type: "sendLimitReached" },
      "the webhooks for sendLimitReached are for single campaigns, and this event has none",
    ],
    ["one that is skipped", [{}], {}, null],
  ])("says why no webhook matches: %s", async (_, webhooks, change, unmatched) => {
    for (const webhook of webhooks)
      service.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/hooks", ...webhook });
    expect((await trigger({ type: "emailsBounced", ...change })).unmatched).toBe(unmatched);
  });

  test("says that a webhook for first activities has had it", async () => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url, isFirst: true });
    expect((await trigger({ type: "emailsBounced" })).unmatched).toBeNull();
    expect((await trigger({ type: "emailsBounced" })).unmatched).toBe(
      "the webhooks for emailsBounced receive only first activities, and this is not the first one",
    );
  });

  test.each([
    [undefined, "must be object, not undefined"],
    [{}, "type: is missing"],
    [{ type: "emailsSent", count: 0 }, "count: must be at least 1"],
    [{ type: "emailsSent", count: 10_001 }, "count: must be at most 10000"],
    [
      { type: "emailsSent", campaing: "cam_1" },
      "campaing: is unknown; known names: type, teamId, campaignId, lead, thirdParty, set, count",
    ],
    [{ type: "emailsSnt" }, "no event type is named emailsSnt; did you mean emailsSent?"],
    [
      { type: "emailsSent", set: { subjct: "x" } },
      "subjct: an event of type emailsSent has no such field; did you mean subject?",
    ],
    [
      '{"type":"emailsSent","set":{"__proto__":{"polluted":1}}}',
      expect.stringContaining(
        "__proto__: an event of type emailsSent has no such field; its fields are _id, ",
      ) as string,
    ],
  ])("refuses %j", async (body, error) => {
    expect(await service.control("POST", "/events", body)).toMatchObject({ status: 400, json: { errors: [error] } });
    expect({}).not.toHaveProperty("polluted");
    expect((await trigger({ type: "emailsBounced" })).events[0]?._id).toBe("act_000001");
  });

  test("the sandbox in the same process does the same", () => {
    expect(service.sandbox.trigger({ type: "smsSent", count: 2 }).map(({ type }) => type)).toEqual([
      "smsSent",
      "contacted",
      "smsSent",
      "contacted",
    ]);
    expect(() => service.sandbox.trigger({ type: "smsSnt" })).toThrow(
      "no event type is named smsSnt; did you mean smsSent?",
    );
  });
});

describe("unsubscribing a lead through the API", () => {
  test("is an event of that lead and campaign, once", async () => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    expect((await service.send(UNSUBSCRIBE)).status).toBe(200);
    expect((await service.send(UNSUBSCRIBE)).status).toBe(200);
    await service.sandbox.whenIdle();
    expect(receiver.received.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        _id: "act_000001",
        type: "emailsUnsubscribed",
        campaignId: "cam_000002",
        leadId: "lea_000004",
        leadEmail: "ada@example.com",
        sendUserId: "usr_000002",
        subject: "Spring webinar follow-up",
      }),
    ]);
  });

  test.each([
    ["an unknown lead", { method: "DELETE", path: "/campaigns/cam_000002/leads/nobody@example.com" }],
    ["another team's campaign", { method: "DELETE", path: "/campaigns/cam_000101/leads/ruby@example.com" }],
    ["a wrong key", { ...UNSUBSCRIBE, key: "wrong" }],
  ])("is none if it fails: %s", async (_, request) => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    service.sandbox.add("webhooks", { targetUrl: receiver.url, teamId: "tea_000002" });
    expect((await service.send(request)).status).toBeGreaterThanOrEqual(400);
    await service.sandbox.whenIdle();
    expect(receiver.received).toEqual([]);
  });
});
