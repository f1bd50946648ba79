import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fault, FaultAction } from "../../src/sandbox/faults.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { Reply, UnderTest } from "./sandbox-under-test.ts";

const HOOK = { targetUrl: "https://crm.example.com/hook", type: "emailsReplied" };

let service: UnderTest;
beforeEach(async () => {
  service = await startUnderTest();
});
afterEach(() => service.close());

/** The client's view of a POST under this fault: its reply, or the code of the failed connection. */
async function post(fault: Fault): Promise<Reply | string> {
  service.sandbox.addFault(fault);
  try {
    return await service.addHook(HOOK);
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const BROKEN: readonly [what: string, action: FaultAction][] = [
  ["drop", { kind: "drop" }],
  ["reset in the body", { kind: "reset" }],
  ["reset before the answer", { kind: "reset", afterBytes: 0 }],
  ["truncated", { kind: "truncate" }],
  ["truncated to nothing", { kind: "truncate", afterBytes: 0 }],
];

describe("faults", () => {
  describe.each(["before", "after"] as const)("%s processing", (when) => {
    const live = when === "after" ? 1 : 0;

    test.each(BROKEN)("%s: the connection fails", async (_, action) => {
      expect(await post({ when, action })).toBe("ECONNRESET");
      expect(service.sandbox.webhooks()).toHaveLength(live);
      const [request] = service.sandbox.requests();
      expect(request).toMatchObject({
        processed: when === "after",
        fault: `${action.kind} ${when} processing`,
        body: HOOK,
      });
    });

    test("HTML with a status", async () => {
      const reply = await post({ when, action: { kind: "html", status: 502 } });
      expect(reply).toMatchObject({ status: 502, text: expect.stringContaining("<h1>502 Bad Gateway</h1>") });
      expect(reply).toHaveProperty("headers.content-type", "text/html; charset=utf-8");
      expect(service.sandbox.webhooks()).toHaveLength(live);
    });

    test("any status with any headers", async () => {
      const reply = await post({
        when,
        action: { kind: "answer", status: 503, headers: { "Retry-After": "7", Date: null } },
      });
      expect(reply).toMatchObject({ status: 503, text: "Service Unavailable", headers: { "retry-after": "7" } });
      expect(reply).not.toHaveProperty("headers.date");
      expect(service.sandbox.webhooks()).toHaveLength(live);
      expect(service.sandbox.requests()[0]).toMatchObject({ status: 503 });
    });

    test("a redirect to another host", async () => {
      const headers = { Location: "https://elsewhere.example.com/" };
      expect(await post({ when, action: { kind: "answer", status: 307, headers } })).toMatchObject({
        status: 307,
        headers: { location: headers.Location },
      });
    });

    test("another body", async () => {
      expect(await post({ when, action: { kind: "answer", status: 200, body: "null" } })).toMatchObject({ json: null });
    });

    test("slow, a byte at a time", async () => {
      const start = service.clock.now();
      const reply = await post({ when, action: { kind: "slow", bytes: 4, pauseMs: 10 } });
      expect(reply).toMatchObject({ status: when === "after" ? 200 : 503 });
      expect(service.clock.now() - start).toBe(Math.ceil(Buffer.byteLength((reply as Reply).text) / 4) * 10);
    });
  });

  test("late before processing: the request takes effect after the delay", async () => {
    const start = service.clock.now();
    expect(await post({ when: "before", action: { kind: "late", delayMs: 5000 } })).toMatchObject({ status: 200 });
    expect(service.sandbox.webhooks()[0]?.createdAt).toBe(new Date(start + 5000).toISOString());
  });

  test("late after processing: only the answer is late", async () => {
    const start = service.clock.now();
    expect(await post({ when: "after", action: { kind: "late", delayMs: 5000 } })).toMatchObject({ status: 200 });
    expect(service.sandbox.webhooks()[0]?.createdAt).toBe(new Date(start).toISOString());
    expect(service.sandbox.requests()[0]?.durationMs).toBe(5000);
  });

  test("an answer with only headers keeps its body", async () => {
    const reply = await post({ when: "after", action: { kind: "answer", headers: { "X-Proxy": "yes" } } });
    expect(reply).toMatchObject({ status: 200, json: { _id: "hoo_000001" }, headers: { "x-proxy": "yes" } });
  });

  test("bytes that are not text", async () => {
    const action: FaultAction = {
      kind: "answer",
      status: 200,
      headers: { "Content-Encoding": "gzip" },
      bodyBase64: Buffer.from([0x1f, 0x8b, 0x41]).toString("base64"),
    };
    expect(await post({ action })).toMatchObject({ headers: { "content-length": "3", "content-encoding": "gzip" } });
  });

  test("hit once by default", async () => {
    const { sandbox, get } = service;
    const action: FaultAction = { kind: "html" };
    const statuses = async (fault: Omit<Fault, "action">): Promise<number[]> => {
      sandbox.clearFaults();
      sandbox.addFault({ action, ...fault });
      const seen: number[] = [];
      for (let count = 0; count < 4; count++) seen.push((await get("/hooks")).status);
      return seen;
    };
    expect(await statuses({})).toEqual([502, 200, 200, 200]);
    expect(await statuses({ times: 2 })).toEqual([502, 502, 200, 200]);
    expect(await statuses({ times: null })).toEqual([502, 502, 502, 502]);
    expect(await statuses({ skip: 2 })).toEqual([200, 200, 502, 200]);
    expect(await statuses({ times: null, probability: 0.4 })).toEqual([200, 200, 200, 200]);
    expect(await statuses({ times: null, probability: 0.6 })).toEqual([502, 502, 502, 502]);
  });

  test.each<[string, Omit<Fault, "action">, boolean]>([
    ["the method", { method: "get" }, true],
    ["another method", { method: "POST" }, false],
    ["the path", { path: "/hooks" }, true],
    ["a pattern of the path", { path: "/h*s" }, true],
    ["another path", { path: "/hook" }, false],
    ["the operation", { operation: "listWebhooks" }, true],
    ["another operation", { operation: "addWebhook" }, false],
    ["the key", { key: "sandbox-key-good" }, true],
    ["another key", { key: "sandbox-key-other-team" }, false],
    ["any condition", { where: (request) => request.query["offset"] === "10" }, true],
  ])("hit by %s", async (_, fault, hits) => {
    service.sandbox.addFault({ action: { kind: "html" }, ...fault });
    expect((await service.get("/hooks?offset=10")).status).toBe(hits ? 502 : 200);
  });

  test("the first one added hits first; removed ones do not hit", async () => {
    const { sandbox, get } = service;
    const first = sandbox.addFault({ action: { kind: "html", status: 500 } });
    sandbox.addFault({ action: { kind: "html", status: 501 } });
    expect(sandbox.faults()).toHaveLength(2);
    expect(sandbox.removeFault(first)).toBe(true);
    expect(sandbox.removeFault(first)).toBe(false);
    expect((await get("/hooks")).status).toBe(501);
    expect(sandbox.faults()).toEqual([]);
  });

  test("both before and after can hit one request", async () => {
    service.sandbox.addFault({ action: { kind: "late", delayMs: 10 } });
    expect(await post({ when: "after", action: { kind: "drop" } })).toBe("ECONNRESET");
    expect(service.sandbox.requests()[0]?.fault).toBe("late before processing, drop after processing");
  });

  test("closing cuts open requests", async () => {
    const waiting = await startUnderTest({
      clock: {
        now: () => 0,
        sleep: (_, signal) =>
          new Promise((__, reject) => signal?.addEventListener("abort", () => reject(new Error("closed")))),
      },
    });
    waiting.sandbox.addFault({ action: { kind: "late", delayMs: 1000 } });
    const reply = waiting.get("/hooks").catch((error: unknown) => (error as { code?: string }).code);
    while (waiting.sandbox.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await waiting.close();
    expect(await reply).toBe("ECONNRESET");
    await waiting.close();
  });
});
