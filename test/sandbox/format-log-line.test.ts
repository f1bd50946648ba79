import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatLogLine } from "../../src/sandbox/format-log-line.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

let service: UnderTest;
let lines: string[];
beforeEach(async () => {
  lines = [];
  service = await startUnderTest({ onRequest: (request) => void lines.push(formatLogLine(request)) });
});
afterEach(() => service.close());

describe("log lines", () => {
  test("show time, method, path, status, duration, team and body", async () => {
    await service.addHook(
      { targetUrl: "https://crm.example.com/hook", secret: "correct-horse" },
      "?campaignId=cam_000001",
    );
    expect(lines).toEqual([
      '12:00:00.000  POST    /hooks?campaignId=cam_000001  200  0 ms  tea_000001  {"targetUrl":"https://crm.example.com/hook","secret":"****"}',
    ]);
  });

  test("show an error's message and a fault", async () => {
    await service.send({ method: "DELETE", path: "/hooks/hoo_999999" });
    service.sandbox.addFault({ when: "after", action: { kind: "drop" } });
    await service.get("/hooks").catch(() => null);
    expect(lines[0]).toContain("404  0 ms  tea_000001  Webhook not found");
    expect(lines[1]).toContain("GET     /hooks  ---  0 ms  tea_000001  [fault: drop after processing]");
  });

  test("never show a key or a secret, anywhere in the line", async () => {
    const key = service.sandbox.keys.good;
    await service.addHook({
      targetUrl: `https://x.example.com/correct-horse?k=${key}`,
      nested: [{ apiKey: "hunter22" }],
      secret: "correct-horse",
    });
    await service.get(`/hooks?api_key=${key}`);
    await service.send({ method: "POST", path: "/hooks", body: '{"secret":"correct-horse"' });
    await service.get("/hooks", "a-key-that-is-wrong");
    const secret = 'battery@staple "quoted"';
    await service.addHook({ targetUrl: `https://x.example.com/${encodeURIComponent(secret)}/${secret}`, secret });
    expect(lines).toHaveLength(5);
    for (const line of lines)
      expect(line).not.toMatch(/correct-horse|hunter22|sandbox-key|a-key-that-is-wrong|staple|quoted/);
  });

  test("mask leads' addresses", async () => {
    await service.send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada%40example.com" });
    expect(lines[0]).toContain("/campaigns/cam_000001/leads/a***@example.com");
  });

  test.each([
    ["a query", { path: "/hooks?lead=ada%2Bnews%40example.com" }],
    [
      "a body",
      {
        method: "POST",
        path: "/hooks",
        body: JSON.stringify({
          lead: ["ada+news@example.com"],
          targetUrl: "https://x.example.com/?lead=ada%2Bnews@example.com",
        }),
      },
    ],
    ["an answer", { path: "/campaigns/" }],
  ])("mask addresses in %s", async (where, request) => {
    const body = `${"x".repeat(190)} <ada+news@example.com>`;
    if (where === "an answer") service.sandbox.addFault({ action: { kind: "answer", status: 400, body } });
    await service.send(request);
    expect(lines[0]).not.toMatch(/ada|news/);
    expect(lines[0]).toContain("a***@");
  });

  test("have one line without control or direction characters", async () => {
    await service.addHook({ targetUrl: "https://x.example.com/\u202E\u001B[31m\u0085\u2028" });
    expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
  });
});
