import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { LoggedDelivery } from "../../../src/sandbox/delivery/delivery-log.ts";
import { readTarget, refuseTarget } from "../../../src/sandbox/delivery/target.ts";
import { startTlsFront } from "../../service/network.ts";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import type { UnderTest } from "../sandbox-under-test.ts";
import { activity, startReceiver } from "./receiver.ts";

let service: UnderTest;
let reported: LoggedDelivery[];
beforeEach(async () => {
  reported = [];
  service = await startUnderTest({
    clock: realClock,
    delivery: { retriesMs: [] },
    onDelivery: (delivery) => void reported.push(delivery),
  });
});
afterEach(() => service.close());

test.each([
  ["http://127.0.0.1:3000/hook", true],
  ["http://127.1.2.3/hook", true],
  ["http://127.1/hook", true],
  ["http://0x7f000001/hook", true],
  ["https://[::1]:3000/hook", true],
  ["http://localhost:3000/hook", true],
  ["http://LOCALHOST/hook", true],
  ["http://localhost./hook", true],
  ["http://crm.localhost:3000/hook", true],
  ["https://crm.example.com/hook", false],
  ["http://localhost.example.com/hook", false],
  ["http://notlocalhost/hook", false],
  ["http://127.0.0.1.example.com/hook", false],
  ["http://127.0.0.1@example.com/hook", false],
  ["http://0.0.0.0/hook", false],
  ["http://[::ffff:127.0.0.1]/hook", false],
  ["http://10.0.0.1/hook", false],
  ["http://[fe80::1]/hook", false],
  ["http://128.0.0.1/hook", false],
  ["ftp://127.0.0.1/hook", false],
  ["no URL", false],
] as const)("%s is on this machine: %s", (targetUrl, isLocal) => {
  const target = readTarget({ targetUrl, secret: null });
  expect(refuseTarget(target, "loopback") === null).toBe(isLocal);
  expect(refuseTarget(target, "none")).not.toBeNull();
  if (target) expect(refuseTarget(target, "any")).toBeNull();
});

test.each(["localhost", "crm.localhost"])(
  "%s reaches receivers of both address families, without a look-up",
  async (name) => {
    for (const host of ["127.0.0.1", "::1"]) {
      const receiver = await startReceiver(undefined, host);
      const { _id } = service.sandbox.add("webhooks", { targetUrl: `http://${name}:${String(receiver.port)}/hook` });
      service.sandbox.emit(activity());
      await service.sandbox.whenIdle();
      service.sandbox.remove("webhooks", _id);
      expect(receiver.received.map(({ headers }) => headers.host)).toEqual([`${name}:${String(receiver.port)}`]);
    }
  },
);

describe("a webhook whose host is not allowed", () => {
  test("is logged once, with the reason and the way out", async () => {
    service.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/hook" });
    for (let count = 0; count < 3; count++)
      expect(service.sandbox.emit(activity())).toEqual({ deliveries: [], skipped: ["hoo_000001"] });
    await service.sandbox.whenIdle();
    expect(service.sandbox.deliveries()).toMatchObject([
      {
        state: "skipped",
        webhookId: "hoo_000001",
        targetUrl: "https://crm.example.com/hook",
        attempts: [],
        reason: "The target is not on this machine. To deliver to any host, start the sandbox with --deliver any.",
      },
    ]);
    expect(reported).toEqual(service.sandbox.deliveries());
  });

  test("is logged again when the reason changes", () => {
    service.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/hook" });
    service.sandbox.emit(activity());
    service.sandbox.configure({ delivery: { hosts: "none" } });
    service.sandbox.emit(activity());
    service.sandbox.emit(activity());
    expect(service.sandbox.deliveries().map(({ reason }) => reason)).toEqual([
      "The target is not on this machine. To deliver to any host, start the sandbox with --deliver any.",
      "The sandbox delivers no events. To deliver to this machine, start it with --deliver loopback.",
    ]);
  });

  test("delays no other webhook, and receives events as soon as it is allowed", async () => {
    const receiver = await startReceiver();
    service.sandbox.configure({ delivery: { hosts: "none" } });
    service.sandbox.add("webhooks", { targetUrl: receiver.url });
    service.sandbox.emit(activity());
    service.sandbox.configure({ delivery: { hosts: "loopback" } });
    service.sandbox.emit(activity());
    await service.sandbox.whenIdle();
    expect(receiver.received).toHaveLength(1);
  });
});

test("a sandbox that is busy while it connects to localhost delivers, all the same", async () => {
  const receiver = await startReceiver();
  service.sandbox.add("webhooks", { targetUrl: `http://localhost:${String(receiver.port)}/hook` });
  service.sandbox.emit(activity());
  await new Promise((resolve) => setImmediate(resolve));
  // Longer than Node gives one address before it tries the next.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await service.sandbox.whenIdle();
  expect(service.sandbox.deliveries()).toMatchObject([{ state: "delivered" }]);
});

test("the control API takes no events: a webhook that leads to it cannot reset the sandbox, or deliver without end", async () => {
  for (const path of ["/reset", "/deliveries/1/redeliver"])
    service.sandbox.add("webhooks", { targetUrl: service.sandbox.controlUrl + path });
  for (let count = 0; count < 2; count++) service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  expect(service.sandbox.deliveries().map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test("user info in a URL is sent as HTTP Basic, and is in no log", async () => {
  const receiver = await startReceiver();
  service.sandbox.add("webhooks", { targetUrl: receiver.url.replace("http://", "http://grace:pass%20word@") });
  service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  expect(receiver.received[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from("grace:pass word").toString("base64")}`,
  );
  expect(service.sandbox.deliveries()[0]?.targetUrl).toBe(receiver.url);
  expect(JSON.stringify(service.sandbox.deliveries())).not.toMatch(/grace|pass/);
});

test("a webhook's secret in its URL is in no log", async () => {
  const receiver = await startReceiver();
  service.sandbox.add("webhooks", {
    targetUrl: `${receiver.url}/correct-horse?s=correct-horse`,
    secret: "correct-horse",
  });
  service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  expect(receiver.received[0]?.url).toBe("/hook/correct-horse?s=correct-horse");
  expect(JSON.stringify(service.sandbox.deliveries())).not.toContain("correct-horse");
});

test("connections to a receiver stay open", async () => {
  const receiver = await startReceiver();
  let connections = 0;
  receiver.server.on("connection", () => connections++);
  service.sandbox.configure({ delivery: { concurrency: 1 } });
  service.sandbox.add("webhooks", { targetUrl: receiver.url });
  for (let count = 0; count < 20; count++) service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  expect([receiver.received.length, connections]).toEqual([20, 1]);
});

test("a receiver with an unknown certificate is a failed attempt", async () => {
  const receiver = await startReceiver();
  const front = await startTlsFront(receiver.port, "localhost");
  onTestFinished(() => front.close());
  service.sandbox.add("webhooks", { targetUrl: `https://localhost:${String(front.port)}/hook` });
  service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  expect(service.sandbox.deliveries()).toMatchObject([
    { state: "failed", status: null, reason: expect.stringContaining("DEPTH_ZERO_SELF_SIGNED_CERT") as string },
  ]);
  expect(receiver.received).toEqual([]);
});

test("https to a receiver without TLS is a failed attempt", async () => {
  const plain = createServer();
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void plain.close());
  const address = plain.address();
  service.sandbox.add("webhooks", {
    targetUrl: `https://127.0.0.1:${String(typeof address === "object" ? address?.port : "")}/`,
  });
  service.sandbox.emit(activity());
  await service.sandbox.whenIdle();
  expect(service.sandbox.deliveries()).toMatchObject([
    { state: "failed", status: null, attempts: [{ error: expect.stringMatching(/./) as string }] },
  ]);
});
