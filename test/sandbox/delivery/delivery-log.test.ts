import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LoggedDelivery } from "../../../src/sandbox/delivery/delivery-log.ts";
import { formatDeliveryLine } from "../../../src/sandbox/delivery/format-delivery-line.ts";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import { activity, startReceiver, WAIT } from "./receiver.ts";

let service: UnderTest;
beforeEach(async () => {
  service = await startUnderTest({ clock: realClock, deliveryLogLimit: 20, delivery: { retriesMs: [600_000] } });
});
afterEach(() => service.close());

const emit = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index++) service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
};

describe("the control API", () => {
  test("has the deliveries with their attempts, continues after an id, and removes those that are finished", async () => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url, secret: "correct-horse" });
    await emit(3);
    const all = await service.control("GET", "/deliveries");
    expect(all.json).toEqual(service.sandbox.deliveries());
    expect(all.text).not.toContain("correct-horse");
    expect((await service.control("GET", "/deliveries?after=2")).json).toMatchObject([{ id: 3 }]);
    expect((await service.control("DELETE", "/deliveries")).json).toEqual({ ok: true });
    expect((await service.control("GET", "/deliveries")).json).toEqual([]);
    await emit(1);
    expect((await service.control("GET", "/deliveries")).json).toMatchObject([{ id: 4 }]);
  });

  test("changes the settings of the delivery, and refuses unknown ones", async () => {
    expect((await service.control("PATCH", "/settings", { delivery: { speed: 100 } })).json).toMatchObject({
      delivery: { speed: 100, timeoutMs: 15_000 },
    });
    expect((await service.control("PATCH", "/settings", { delivery: { hosts: "internet" } })).json).toEqual({
      errors: ['delivery.hosts: must be one of "loopback", "any", "none"'],
    });
    expect((await service.control("PATCH", "/settings", { delivery: { retriesMs: [-1] } })).status).toBe(400);
  });

  test("delivers an event again, with the same id, as a new delivery", async () => {
    const receiver = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    await emit(1);
    const again = await service.control("POST", "/deliveries/1/redeliver");
    expect(again).toMatchObject({ status: 200, json: { id: 2, redeliveryOf: 1, state: "pending" } });
    await service.sandbox.whenIdle();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
    expect(service.sandbox.deliveries().map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  });

  test.each([
    "/deliveries/7/redeliver",
    "/deliveries/x/redeliver",
    "/deliveries/1/deliver",
    "/deliveries/1/redeliver/now",
  ])("answers 404 to a delivery or route that does not exist: %s", async (path) =>
    expect((await service.control("POST", path)).status).toBe(404),
  );
});

describe("redelivery", () => {
  test("after a 410 enables the webhook", async () => {
    let isGone = true;
    const receiver = await startReceiver((_request, response) => void response.writeHead(isGone ? 410 : 204).end());
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    await emit(1);
    isGone = false;
    service.sandbox.redeliver(1);
    await service.sandbox.whenIdle();
    expect(service.sandbox.webhooks()).toMatchObject([{ disabledAt: null }]);
    await emit(1);
    expect(service.sandbox.deliveries().map(({ state }) => state)).toEqual(["failed", "delivered", "delivered"]);
  });

  test("of a delivery that waits for a retry comes at once, instead of the retry", async () => {
    let isDown = true;
    const receiver = await startReceiver((_request, response) => void response.writeHead(isDown ? 500 : 204).end());
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    service.sandbox.emit(activity());
    await expect.poll(() => service.sandbox.deliveries()[0]?.state, WAIT).toBe("retrying");
    isDown = false;
    service.sandbox.redeliver(1);
    await service.sandbox.whenIdle();
    expect(service.sandbox.deliveries()).toMatchObject([
      { state: "cancelled", reason: "The event was delivered again by hand." },
      { state: "delivered" },
    ]);
  });

  test("while a retry is under way is refused", async () => {
    service.sandbox.configure({ delivery: { retriesMs: [0] } });
    let count = 0;
    const receiver = await startReceiver((_request, response) => void (count++ === 0 && response.writeHead(500).end()));
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    service.sandbox.emit(activity());
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    expect(service.sandbox.deliveries()).toMatchObject([
      { state: "pending", nextAttemptAt: null, attempts: [{ status: 500 }] },
    ]);
    expect(() => service.sandbox.redeliver(1)).toThrow("delivery 1: is still pending");
  });

  test("of an event that was skipped works when its host is allowed", async () => {
    const receiver = await startReceiver();
    service.sandbox.configure({ delivery: { hosts: "none" } });
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    await emit(1);
    expect(() => service.sandbox.redeliver(1)).toThrow("delivery 1: The sandbox delivers no events.");
    expect((await service.control("POST", "/deliveries/1/redeliver")).status).toBe(409);
    service.sandbox.configure({ delivery: { hosts: "loopback" } });
    service.sandbox.redeliver(1);
    await service.sandbox.whenIdle();
    expect(receiver.received).toHaveLength(1);
  });

  test("of a pending delivery, or to a webhook that was deleted, is refused", async () => {
    const receiver = await startReceiver(() => undefined);
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    service.sandbox.emit(activity());
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    expect(() => service.sandbox.redeliver(1)).toThrow("delivery 1: is still pending");
    service.sandbox.remove("webhooks", "hoo_000001");
    receiver.server.closeAllConnections();
    await service.sandbox.whenIdle();
    expect(() => service.sandbox.redeliver(1)).toThrow("delivery 1: its webhook hoo_000001 no longer exists");
    expect(() => service.sandbox.redeliver(2)).toThrow("delivery 2: is not in the log");
  });
});

test("the log keeps the last finished deliveries and every unfinished one", async () => {
  const receiver = await startReceiver(
    (_request, response) => void response.writeHead(response.req.url === "/down" ? 500 : 204).end(),
  );
  service.sandbox.add("webhooks", { targetUrl: receiver.url.replace("/hook", "/down"), type: "emailsSent" });
  service.sandbox.add("webhooks", { targetUrl: receiver.url, type: "emailsReplied" });
  service.sandbox.emit(activity({ type: "emailsSent" }));
  for (let index = 0; index < 100; index++) service.sandbox.emit(activity());
  await expect
    .poll(
      () =>
        service.sandbox
          .deliveries()
          .filter(({ state }) => state !== "delivered")
          .map(({ state }) => state),
      WAIT,
    )
    .toEqual(["retrying"]);
  const ids = service.sandbox.deliveries().map(({ id }) => id);
  expect(ids[0]).toBe(1);
  expect(ids.length - 1).toBeGreaterThanOrEqual(20);
  expect(ids.length - 1).toBeLessThanOrEqual(25);
  expect(ids.at(-1)).toBe(101);
});

describe("a line of the log", () => {
  const DELIVERY: LoggedDelivery = {
    id: 1,
    at: Date.parse("2026-07-01T12:00:00.000Z"),
    eventId: "act_000001",
    type: "emailsReplied",
    webhookId: "hoo_000001",
    targetUrl: "http://127.0.0.1:3000/hook",
    state: "delivered",
    status: 204,
    attempts: [{ at: Date.parse("2026-07-01T12:00:01.500Z"), durationMs: 12, status: 204, error: null }],
    nextAttemptAt: null,
    reason: null,
    redeliveryOf: null,
  };
  const failed = { at: Date.parse("2026-07-01T12:00:01.500Z"), durationMs: 12, status: 500, error: null };
  const TARGET = "12:00:01.500  EVENT   emailsReplied  http://127.0.0.1:3000/hook";
  const IDS = "act_000001  hoo_000001";

  test.each([
    ["a delivered event", {}, `${TARGET}  204  12 ms  ${IDS}`],
    [
      "a retry",
      { state: "retrying", nextAttemptAt: failed.at + 12 + 5000, attempts: [failed] },
      `${TARGET}  500  12 ms  ${IDS}  [retry 1 in 5 s]`,
    ],
    [
      "a late retry",
      { state: "retrying", nextAttemptAt: failed.at + 12 + 1_800_000, attempts: [failed, failed, failed] },
      `${TARGET}  500  12 ms  ${IDS}  [retry 3 in 30 min]`,
    ],
    [
      "the last failure",
      { state: "failed", attempts: [failed, failed] },
      `${TARGET}  500  12 ms  ${IDS}  [failed: 2 attempts]`,
    ],
    [
      "a 410",
      { state: "failed", attempts: [{ ...failed, status: 410 }] },
      `${TARGET}  410  12 ms  ${IDS}  [failed: 1 attempt; the webhook is now disabled]`,
    ],
    [
      "no answer",
      { state: "failed", attempts: [{ ...failed, status: null, error: "timed out" }] },
      `${TARGET}  ---  12 ms  ${IDS}  timed out  [failed: 1 attempt]`,
    ],
    [
      "a skipped webhook",
      { state: "skipped", attempts: [], reason: "Why." },
      `12:00:00.000  EVENT   emailsReplied  http://127.0.0.1:3000/hook  ${IDS}  [skipped: Why.]`,
    ],
  ] as const)("shows %s", (_, change, line) => {
    expect(formatDeliveryLine({ ...DELIVERY, ...change })).toBe(line);
  });

  test("masks secrets and emails in the target, and has no control characters", () => {
    const targetUrl = "http://127.0.0.1:3000/of/ada@example.com?apiKey=hunter22&lead=ada%40example.com&token=hunter22";
    const line = formatDeliveryLine({ ...DELIVERY, targetUrl, eventId: "act_\u001B[31m\u202E" });
    expect(line).toContain("http://127.0.0.1:3000/of/a***@example.com?apiKey=****&lead=a***@example.com&token=****");
    expect(line).not.toMatch(/hunter22|ada|[\p{Cc}\p{Cf}]/u);
  });
});
