import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LoggedDelivery } from "../../../src/sandbox/delivery/delivery-log.ts";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import { activity, startReceiver, WAIT } from "./receiver.ts";
import type { Receiver } from "./receiver.ts";

let service: UnderTest;
let reported: LoggedDelivery[];
beforeEach(async () => {
  reported = [];
  service = await startUnderTest({
    clock: realClock,
    delivery: { retriesMs: [600_000] },
    onDelivery: (delivery) => void reported.push(delivery),
  });
});
afterEach(() => service.close());

/** A receiver that answers when it is told to. */
async function hanging(): Promise<Receiver & { readonly release: () => void }> {
  let open: ServerResponse[] | null = [];
  const receiver = await startReceiver((_request, response) => {
    if (open) open.push(response);
    else response.writeHead(204).end();
  });
  return {
    ...receiver,
    release: () => {
      for (const response of open ?? []) response.writeHead(204).end();
      open = null;
    },
  };
}

const emit = (count: number): void => {
  for (let index = 0; index < count; index++) service.sandbox.emit(activity());
};
const states = (webhookId: string): { readonly [state: string]: number } => {
  const counts: { [state: string]: number } = {};
  for (const one of service.sandbox.deliveries())
    if (one.webhookId === webhookId) counts[one.state] = (counts[one.state] ?? 0) + 1;
  return counts;
};

test.each([30, 250])("a receiver that hangs holds up no other, with %i webhooks", async (count) => {
  const [slow, fast] = [await hanging(), await startReceiver()];
  for (let index = 0; index < count; index++) service.sandbox.add("webhooks", { targetUrl: slow.url });
  const { _id } = service.sandbox.add("webhooks", { targetUrl: fast.url });
  emit(20);
  await expect.poll(() => fast.received.length, WAIT).toBe(20);
  await expect.poll(() => states(_id), WAIT).toEqual({ delivered: 20 });
  expect(states("hoo_000001")).toEqual({ pending: 20 });
});

test("a webhook has at most 10 attempts at the same time, and the next one starts when one ends", async () => {
  const slow = await hanging();
  service.sandbox.add("webhooks", { targetUrl: slow.url });
  emit(25);
  await expect.poll(() => slow.received.length, WAIT).toBe(10);
  slow.release();
  await service.sandbox.whenIdle();
  expect(slow.received).toHaveLength(25);
});

test("thousands of events of one webhook arrive, each once", async () => {
  const receiver = await startReceiver();
  service.sandbox.add("webhooks", { targetUrl: receiver.url });
  emit(3000);
  await service.sandbox.whenIdle();
  expect(new Set(receiver.received.map(({ body }) => body["_id"])).size).toBe(3000);
  expect(receiver.received).toHaveLength(3000);
});

test("with a concurrency of 1, the receiver gets the events in their order", async () => {
  service.sandbox.configure({ delivery: { concurrency: 1 } });
  const receiver = await startReceiver();
  service.sandbox.add("webhooks", { targetUrl: receiver.url });
  emit(50);
  await service.sandbox.whenIdle();
  expect(receiver.received.map(({ body }) => body["_id"])).toEqual(
    service.sandbox.deliveries().map(({ eventId }) => eventId),
  );
});

describe("a full queue", () => {
  test("drops the newest events of the webhook that fills it, and says so once", async () => {
    service.sandbox.configure({ delivery: { queueLimit: 20 } });
    const slow = await hanging();
    const { _id } = service.sandbox.add("webhooks", { targetUrl: slow.url });
    emit(50);
    expect(states(_id)).toEqual({ pending: 20, dropped: 30 });
    const dropped = service.sandbox.deliveries().filter(({ state }) => state === "dropped");
    expect(dropped.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 21));
    expect(dropped[0]?.reason).toBe("The queue was full (settings.delivery.queueLimit).");
    expect(reported.map(({ id }) => id)).toEqual([21]);
    slow.release();
    await service.sandbox.whenIdle();
    expect(slow.received).toHaveLength(20);
    emit(20);
    await service.sandbox.whenIdle();
    expect(states(_id)).toEqual({ delivered: 40, dropped: 30 });
  });

  test("drops no events of other webhooks", async () => {
    service.sandbox.configure({ delivery: { queueLimit: 40 } });
    const [slow, fast] = [await hanging(), await startReceiver()];
    const full = service.sandbox.add("webhooks", { targetUrl: slow.url });
    emit(60);
    const other = service.sandbox.add("webhooks", { targetUrl: fast.url });
    emit(5);
    await expect.poll(() => fast.received.length, WAIT).toBe(5);
    await expect.poll(() => states(other._id), WAIT).toEqual({ delivered: 5 });
    expect(states(full._id)).toEqual({ pending: 40, dropped: 25 });
  });

  test("counts the deliveries that wait for a retry", async () => {
    service.sandbox.configure({ delivery: { queueLimit: 20 } });
    const failing = await startReceiver((_request, response) => void response.writeHead(500).end());
    const { _id } = service.sandbox.add("webhooks", { targetUrl: failing.url });
    emit(20);
    await expect.poll(() => states(_id), WAIT).toEqual({ retrying: 20 });
    emit(5);
    expect(states(_id)).toEqual({ retrying: 20, dropped: 5 });
  });
});

describe("a webhook that is deleted", () => {
  test("gets none of its queued events, and what is under way may still arrive", async () => {
    const slow = await hanging();
    service.sandbox.add("webhooks", { targetUrl: slow.url });
    emit(15);
    await expect.poll(() => slow.received.length, WAIT).toBe(10);
    expect((await service.send({ method: "DELETE", path: "/hooks/hoo_000001" })).status).toBe(200);
    expect(states("hoo_000001")).toEqual({ pending: 10, cancelled: 5 });
    slow.release();
    await service.sandbox.whenIdle();
    expect(states("hoo_000001")).toEqual({ delivered: 10, cancelled: 5 });
    expect(service.sandbox.deliveries().at(-1)?.reason).toBe("The webhook was deleted.");
    emit(1);
    expect(service.sandbox.deliveries()).toHaveLength(15);
  });

  test.each(["the control API", "the process"])("through %s: its retries are cancelled", async (through) => {
    const failing = await startReceiver((_request, response) => void response.writeHead(500).end());
    service.sandbox.add("webhooks", { targetUrl: failing.url });
    emit(2);
    await expect.poll(() => states("hoo_000001"), WAIT).toEqual({ retrying: 2 });
    if (through === "the process") service.sandbox.remove("webhooks", "hoo_000001");
    else await service.control("DELETE", "/webhooks/hoo_000001");
    await service.sandbox.whenIdle();
    expect(states("hoo_000001")).toEqual({ cancelled: 2 });
  });

  test("while an attempt is under way that then fails: there is no retry", async () => {
    let fail = (): void => undefined;
    const receiver = await startReceiver((_request, response) => (fail = () => void response.writeHead(500).end()));
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    emit(1);
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    service.sandbox.remove("webhooks", "hoo_000001");
    fail();
    await service.sandbox.whenIdle();
    expect(service.sandbox.deliveries()).toMatchObject([
      { state: "cancelled", status: 500, reason: "The webhook was deleted." },
    ]);
  });
});

describe("while events are under way", () => {
  test("a reset cancels them, empties the log, and the sandbox delivers again", async () => {
    const slow = await hanging();
    service.sandbox.add("webhooks", { targetUrl: slow.url });
    emit(15);
    await expect.poll(() => slow.received.length, WAIT).toBe(10);
    const idle = service.sandbox.whenIdle();
    service.sandbox.reset();
    await idle;
    expect(service.sandbox.deliveries()).toEqual([]);
    const fast = await startReceiver();
    service.sandbox.add("webhooks", { targetUrl: fast.url });
    emit(1);
    await service.sandbox.whenIdle();
    expect(fast.received).toHaveLength(1);
    expect(slow.received).toHaveLength(10);
  });

  test("a new seed cancels them, and the log says so", async () => {
    const slow = await hanging();
    service.sandbox.add("webhooks", { targetUrl: slow.url });
    emit(15);
    await expect.poll(() => slow.received.length, WAIT).toBe(10);
    service.sandbox.seed({ campaigns: [] });
    expect(states("hoo_000001")).toEqual({ cancelled: 15 });
    expect(service.sandbox.deliveries()[0]).toMatchObject({
      reason: "The sandbox was reset, seeded or closed.",
      attempts: [{ status: null, error: "cancelled" }],
    });
  });

  test("a close ends everything at once", async () => {
    const slow = await hanging();
    let open = 0;
    slow.server.on("connection", (socket) => {
      open++;
      socket.on("close", () => open--);
    });
    service.sandbox.add("webhooks", { targetUrl: slow.url });
    emit(15);
    await expect.poll(() => slow.received.length, WAIT).toBe(10);
    const idle = service.sandbox.whenIdle();
    await service.sandbox.close();
    await idle;
    await expect.poll(() => open, WAIT).toBe(0);
    expect(service.sandbox.emit(activity())).toEqual({ deliveries: [], skipped: [] });
  });
});
