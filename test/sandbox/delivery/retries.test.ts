import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { LoggedDelivery } from "../../../src/sandbox/delivery/delivery-log.ts";
import type { DeliverySettings } from "../../../src/sandbox/delivery/delivery-settings.ts";
import { DEFAULT_SETTINGS } from "../../../src/sandbox/sandbox-settings.ts";
import { httpTime } from "../../../src/sandbox/sandbox-time.ts";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import { activity, startReceiver, WAIT } from "./receiver.ts";
import type { Receiver } from "./receiver.ts";

let service: UnderTest;
let reported: LoggedDelivery[];
beforeEach(async () => {
  reported = [];
  // 5 s are 1 ms.
  const delivery = { speed: 5000, retriesMs: [5000, 5000, 5000] };
  service = await startUnderTest({ clock: realClock, delivery, onDelivery: (one) => void reported.push(one) });
});
afterEach(() => service.close());

/** A receiver that answers with these statuses, and then with 204. */
async function answering(
  ...statuses: readonly (number | Readonly<{ status: number; headers: Record<string, string> }>)[]
): Promise<Receiver> {
  const left = [...statuses];
  const receiver = await startReceiver((_request, response) => {
    const next = left.shift() ?? 204;
    if (typeof next === "number") response.writeHead(next).end("its words");
    else response.writeHead(next.status, next.headers).end();
  });
  service.sandbox.add("webhooks", { targetUrl: receiver.url });
  return receiver;
}

async function delivered(): Promise<LoggedDelivery> {
  service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  const last = service.sandbox.deliveries().at(-1);
  if (!last) throw new Error("no delivery");
  return last;
}

/** The wait after the first attempt, in milliseconds. */
async function firstWait(): Promise<number> {
  service.sandbox.emit(activity());
  await expect.poll(() => reported.length, WAIT).toBeGreaterThan(0);
  const { at = 0, durationMs = 0 } = reported[0]?.attempts[0] ?? {};
  expect(reported[0]).toMatchObject({ state: "retrying", nextAttemptAt: expect.any(Number) as number });
  return (reported[0]?.nextAttemptAt ?? 0) - (at + durationMs);
}

describe("the defaults", () => {
  test("follow Standard Webhooks: 15 s, and retries after 5 s, 5 min and 30 min", () => {
    expect(DEFAULT_SETTINGS.delivery).toMatchObject({
      timeoutMs: 15_000,
      retriesMs: [5000, 300_000, 1_800_000],
      success: "2xx",
      disableOn410: true,
      heedRetryAfter: true,
    });
  });

  test("retry after 5 s", async () => {
    service.sandbox.configure({ delivery: { retriesMs: DEFAULT_SETTINGS.delivery.retriesMs, speed: 1 } });
    await answering(500);
    expect(await firstWait()).toBe(5000);
  });
});

describe("an answer", () => {
  test.each([200, 201, 204, 299])("of %i is a success", async (status) => {
    const receiver = await answering(status);
    expect(await delivered()).toMatchObject({ state: "delivered", status, attempts: [{ status, error: null }] });
    expect(receiver.received).toHaveLength(1);
  });

  test.each([301, 302, 307, 400, 401, 404, 429, 500, 502, 504])(
    "of %i is a failure, with a retry of the same event",
    async (status) => {
      const receiver = await answering(status);
      expect(await delivered()).toMatchObject({
        state: "delivered",
        status: 204,
        attempts: [{ status, error: null }, { status: 204 }],
      });
      expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
    },
  );

  test("of failure to every attempt ends the delivery after the last retry", async () => {
    const receiver = await answering(500, 502, 503, 504);
    const { state, status, attempts, reason, nextAttemptAt } = await delivered();
    expect([state, status, attempts.map((one) => one.status), reason, nextAttemptAt]).toEqual([
      "failed",
      504,
      [500, 502, 503, 504],
      "answered 504",
      null,
    ]);
    expect(receiver.received).toHaveLength(4);
  });

  test("with a redirect is not followed", async () => {
    const elsewhere = await startReceiver();
    await answering(...Array.from({ length: 4 }, () => ({ status: 307, headers: { Location: elsewhere.url } })));
    expect(await delivered()).toMatchObject({ state: "failed", status: 307 });
    expect(elsewhere.received).toEqual([]);
  });

  test.each([
    ["200", 201, "failed"],
    ["200", 200, "delivered"],
    ["below-400", 302, "delivered"],
    ["below-400", 400, "failed"],
  ] as const)("counts by the setting success: %s, %i is %s", async (success, status, state) => {
    service.sandbox.configure({ delivery: { success, retriesMs: [] } });
    await answering(status);
    expect(await delivered()).toMatchObject({ state, status });
  });

  test("after more than a second is a success: only idle connections are closed early", async () => {
    const receiver = await startReceiver(
      (_request, response) => void setTimeout(() => response.writeHead(204).end(), 1300),
    );
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    expect(await delivered()).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
  });

  test("with a huge body counts by its status, and the body is not read", async () => {
    let isCut = false;
    const receiver = await startReceiver((_request, response) => {
      response.on("close", () => (isCut = true));
      response.writeHead(200);
      const chunk = Buffer.alloc(64_000);
      const more = (): void => {
        if (!isCut) response.write(chunk, () => setImmediate(more));
      };
      more();
    });
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    expect(await delivered()).toMatchObject({ state: "delivered", status: 200 });
    await expect.poll(() => isCut, WAIT).toBe(true);
  });
});

test("an answer that switches protocols is a failure, at once", async () => {
  service.sandbox.configure({ delivery: { retriesMs: [] } });
  const receiver = await startReceiver((request) => {
    request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  });
  service.sandbox.add("webhooks", { targetUrl: receiver.url });
  expect(await delivered()).toMatchObject({ state: "failed", status: 101, reason: "answered 101" });
});

describe("no answer", () => {
  const failing = async (answer: RequestListener, settings: Partial<DeliverySettings> = {}): Promise<unknown> => {
    service.sandbox.configure({ delivery: { retriesMs: [], ...settings } });
    const receiver = await startReceiver(answer);
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    const { state, status, attempts, reason } = await delivered();
    expect(attempts).toMatchObject([{ error: reason }]);
    return [state, status, reason];
  };

  test("within the time-out is a failure", async () => {
    expect(await failing(() => undefined, { timeoutMs: 50 })).toEqual(["failed", null, "timed out"]);
  });

  test("to the end within the time-out is a failure", async () => {
    const slow: RequestListener = (_request, response) => void response.writeHead(200).write("a");
    expect(await failing(slow, { timeoutMs: 50 })).toEqual(["failed", null, "timed out"]);
  });

  test("because of a reset is a failure", async () => {
    expect(await failing((request) => request.socket.resetAndDestroy())).toEqual(["failed", null, "connection reset"]);
  });

  test("to the end because of a reset is a failure", async () => {
    const cut: RequestListener = (request, response) => {
      response.writeHead(200, { "Content-Length": "10" });
      response.write("abc", () => request.socket.resetAndDestroy());
    };
    expect(await failing(cut)).toEqual(["failed", 200, "connection reset"]);
  });

  test("because nothing listens is a failure", async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    service.sandbox.add("webhooks", { targetUrl: `http://127.0.0.1:${String(port)}/` });
    const { state, attempts } = await delivered();
    expect([state, attempts.map(({ error }) => error)]).toEqual([
      "failed",
      Array.from({ length: 4 }, () => "connection refused"),
    ]);
  });

  test("but something that is not HTTP is a failure", async () => {
    const server = createServer((socket) => socket.on("error", () => undefined).end("SSH-2.0-server\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    service.sandbox.add("webhooks", {
      targetUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    });
    expect(await delivered()).toMatchObject({
      state: "failed",
      status: null,
      reason: expect.stringContaining("Parse Error") as string,
    });
  });
});

describe("a connection that stayed open", () => {
  /** Answers the first request of each connection, and cuts the connection off at the second. */
  const closesAfterOne = (request: IncomingMessage, response: ServerResponse): void => {
    if (answered.has(request.socket)) return void request.socket.resetAndDestroy();
    answered.add(request.socket);
    response.writeHead(204).end();
  };
  let answered: WeakSet<Socket>;
  beforeEach(() => {
    answered = new WeakSet();
    service.sandbox.configure({ delivery: { concurrency: 1, retriesMs: [] } });
  });

  test("and that the receiver closes without an answer is replaced by a new one, in the same attempt", async () => {
    const receiver = await startReceiver(closesAfterOne);
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    for (let count = 0; count < 3; count++)
      expect(await delivered()).toMatchObject({ state: "delivered", attempts: [{ status: 204, error: null }] });
  });

  test("is replaced once: a receiver that closes the new one, too, is a failed attempt", async () => {
    const receiver = await startReceiver((request, response) => {
      if (receiver.received.length > 1) request.socket.resetAndDestroy();
      else response.writeHead(204).end();
    });
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    expect(await delivered()).toMatchObject({ state: "delivered" });
    expect(await delivered()).toMatchObject({
      state: "failed",
      attempts: [{ status: null, error: "connection reset" }],
    });
    expect(receiver.received).toHaveLength(3);
  });
});

describe("Retry-After", () => {
  const waitFor = async (header: string, settings: Partial<DeliverySettings> = {}): Promise<number> => {
    service.sandbox.configure({ delivery: { speed: 1, retriesMs: [5000], ...settings } });
    await answering({ status: 503, headers: { "Retry-After": header } });
    return firstWait();
  };

  test("in seconds replaces the wait", async () => expect(await waitFor("120")).toBe(120_000));
  test("shorter than the schedule replaces it, too", async () => expect(await waitFor("1")).toBe(1000));
  test("as a date replaces the wait", async () => {
    const wait = await waitFor(httpTime(Date.now() + 60_000));
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });
  test("in the past retries at once", async () => {
    service.sandbox.configure({ delivery: { speed: 1, retriesMs: [600_000] } });
    const receiver = await answering({ status: 503, headers: { "Retry-After": httpTime(Date.now() - 60_000) } });
    expect(await delivered()).toMatchObject({ state: "delivered" });
    expect(receiver.received).toHaveLength(2);
  });
  test("has a longest wait", async () => expect(await waitFor("864000")).toBe(3_600_000));
  test("that is no time is ignored", async () => expect(await waitFor("soon")).toBe(5000));
  test("is ignored on request", async () => expect(await waitFor("120", { heedRetryAfter: false })).toBe(5000));
  test("becomes shorter with speed", async () => expect(await waitFor("1000", { speed: 10 })).toBe(100_000));
});

describe("an answer of 410", () => {
  test("disables the webhook: no retry, no later event, and no sign of it in the API", async () => {
    const receiver = await answering(410);
    expect(await delivered()).toMatchObject({
      state: "failed",
      status: 410,
      reason: "answered 410, which disables the webhook",
      attempts: [{ status: 410 }],
    });
    const [webhook] = service.sandbox.webhooks();
    expect(Date.parse(webhook?.disabledAt ?? "")).toBeGreaterThan(0);
    expect((await service.control("GET", "/webhooks")).json).toEqual([webhook]);
    expect((await service.get("/hooks")).text).not.toContain("disabled");
    service.sandbox.emit(activity());
    await service.sandbox.whenIdle();
    expect(receiver.received).toHaveLength(1);
  });

  test("drops the queued events", async () => {
    service.sandbox.configure({ delivery: { concurrency: 1 } });
    const receiver = await answering(410);
    for (let count = 0; count < 3; count++) service.sandbox.emit(activity());
    await service.sandbox.whenIdle();
    expect(service.sandbox.deliveries().map(({ state }) => state)).toEqual(["failed", "dropped", "dropped"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("disables no other webhook with the same target", async () => {
    const receiver = await answering(410);
    service.sandbox.add("webhooks", { targetUrl: receiver.url, type: "emailsReplied" });
    await delivered();
    expect(service.sandbox.webhooks().filter(({ disabledAt }) => disabledAt !== null)).toHaveLength(1);
  });

  test("is an ordinary failure on request", async () => {
    service.sandbox.configure({ delivery: { disableOn410: false } });
    await answering(410);
    expect(await delivered()).toMatchObject({ state: "delivered", attempts: [{ status: 410 }, { status: 204 }] });
  });
});
