import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Delivery } from "../../../src/sandbox/delivery/delivery-log.ts";
import { WebhookQueue } from "../../../src/sandbox/delivery/webhook-queue.ts";
import { activity } from "./receiver.ts";

const delivery = (id: number, nextAttemptAt: number | null = null): Delivery => ({
  id,
  at: 0,
  activity: activity(),
  webhookId: "hoo_000001",
  targetUrl: "http://127.0.0.1:1/",
  redeliveryOf: null,
  state: nextAttemptAt === null ? "pending" : "retrying",
  attempts: [],
  nextAttemptAt,
  reason: null,
});

const shifted = (queue: WebhookQueue): number[] => {
  const ids: number[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) ids.push(next.id);
  return ids;
};

describe("the queue of a webhook", () => {
  test("keeps the order of thousands of deliveries", () => {
    const queue = new WebhookQueue("hoo_000001");
    const ids = Array.from({ length: 5000 }, (_, id) => id);
    for (const id of ids) queue.push(delivery(id));
    expect([queue.waiting, queue.length]).toEqual([5000, 5000]);
    expect(queue.pop()?.id).toBe(4999);
    expect(shifted(queue)).toEqual(ids.slice(0, -1));
    expect(queue.shift()).toBeUndefined();
  });

  test("makes retries due in the order of their times, also after some were removed", () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });
    fc.assert(
      fc.property(times, fc.nat(60), fc.integer({ min: 0, max: 60 }), (dueAt, removed, now) => {
        const queue = new WebhookQueue("hoo_000001");
        const retries = dueAt.map((at, id) => delivery(id, at));
        for (const retry of retries) queue.pushRetry(retry);
        const gone = retries[removed];
        if (gone) queue.removeRetry(gone);
        const times = (from: number, to: number): readonly number[] =>
          dueAt.filter((at, id) => id !== removed && at >= from && at <= to).toSorted((a, b) => a - b);
        queue.moveDue(now);
        expect(shifted(queue).map((id) => dueAt[id])).toEqual(times(0, now));
        expect(
          queue
            .takeAll()
            .map(({ nextAttemptAt }) => Number(nextAttemptAt))
            .toSorted((a, b) => a - b),
        ).toEqual(times(now + 1, 100));
        expect([queue.length, queue.nextRetryAt]).toEqual([0, Number.POSITIVE_INFINITY]);
      }),
    );
  });
});
