import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CONTROL_ROUTES } from "../../src/sandbox/control-api.ts";
import { parseSandboxSeed } from "../../src/sandbox/seed.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

const HOOK = { targetUrl: "https://crm.example.com/hook", secret: "correct-horse" };

let service: UnderTest;
beforeEach(async () => {
  service = await startUnderTest();
});
afterEach(() => service.close());

describe("the control API", () => {
  test("lists its routes", async () => {
    expect((await service.control("GET", "")).json).toEqual(CONTROL_ROUTES);
    expect((await service.control("GET", "/")).json).toEqual(CONTROL_ROUTES);
  });

  test("is not part of the API: no key, no rate limit, no log", async () => {
    service.sandbox.configure({ rateLimit: { limit: 1 } });
    const first = await service.control("GET", "/settings");
    expect((await service.control("GET", "/settings")).status).toBe(200);
    expect(first.headers).not.toHaveProperty("x-ratelimit-limit");
    expect(service.sandbox.requests()).toEqual([]);
  });

  test("and the API refuse requests from other machines and web pages", async () => {
    const foreign = [
      { Host: "evil.example.com" },
      { Host: "127.0.0.1.evil.example.com" },
      { Host: "evil-localhost:4010" },
      { Origin: "http://evil.example.com" },
      { Origin: "null" },
    ];
    for (const headers of foreign)
      for (const request of [
        { path: "/_sandbox/state", absolute: true },
        { path: "/hooks" },
        { method: "POST", path: "/hooks", body: JSON.stringify(HOOK) },
      ]) {
        const reply = await service.send({ ...request, headers });
        expect([headers, reply.status]).toEqual([headers, 403]);
        expect(reply.text).not.toContain("sandbox-key");
      }
    expect([service.sandbox.webhooks(), service.sandbox.requests()]).toEqual([[], []]);
    for (const Host of ["localhost", "127.1.2.3:80", "[::1]:4010", "api.localhost:4010", "LOCALHOST"])
      expect((await service.send({ path: "/hooks", headers: { Host } })).status).toBe(200);
  });

  test("state is a seed that recreates the sandbox", async () => {
    await service.addHook({ ...HOOK, type: "smsSent" }, "?campaignId=cam_000001&isFirst=true&automationId=flow");
    await service.get("/campaigns/cam_000001/export/start");
    await service.send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada@example.com" });
    const { json } = await service.control("GET", "/state");
    expect(json).toMatchObject({ webhooks: [{ secret: "correct-horse", automationId: "flow" }] });
    const { seed, errors } = parseSandboxSeed(json);
    expect(errors).toEqual([]);
    const again = await startUnderTest(seed ? { seed } : {});
    expect(again.sandbox.state()).toEqual(service.sandbox.state());
    await again.close();
  });

  test("reset restores records, settings, faults and the log, and counts ids from the start", async () => {
    const before = service.sandbox.state();
    await service.addHook(HOOK);
    service.sandbox.configure({ choices: { firstPage: 0 }, latency: { minMs: 1, maxMs: 2 } });
    service.sandbox.addFault({ action: { kind: "drop" } });
    expect((await service.control("POST", "/reset")).status).toBe(200);
    expect(service.sandbox.state()).toEqual(before);
    expect([service.sandbox.faults(), service.sandbox.requests()]).toEqual([[], []]);
    await service.addHook(HOOK);
    expect(service.sandbox.webhooks()[0]?._id).toBe("hoo_000001");
  });

  test("seed replaces records and settings, or reports the errors and changes nothing", async () => {
    expect((await service.control("POST", "/seed", { campaigns: [{ _id: "cam_1" }] })).json).toEqual({
      errors: ["campaigns[0].name: is missing"],
    });
    const wrong = { campaigns: [{ _id: "cam_1", name: "x", teamId: "tea_9" }] };
    expect((await service.control("POST", "/seed", wrong)).status).toBe(400);
    expect(service.sandbox.records("campaigns")).toHaveLength(9);
    await service.control("POST", "/seed", {
      campaigns: [{ _id: "cam_1", name: "x" }],
      settings: { profile: { envelope: "data" } },
    });
    expect(service.sandbox.records("campaigns")).toHaveLength(1);
    expect((await service.get("/hooks")).json).toEqual({ data: [] });
  });

  test("the request log has whole bodies, continues after an id, and can be emptied", async () => {
    await service.addHook(HOOK, "?campaignId=cam_000001");
    await service.get("/hooks", "no-such-key");
    const { json } = await service.control("GET", "/requests");
    expect(json).toMatchObject([
      {
        id: 1,
        at: service.clock.now(),
        method: "POST",
        path: "/hooks",
        target: "/api/hooks?campaignId=cam_000001",
        query: { campaignId: "cam_000001" },
        body: HOOK,
        key: "sandbox-key-good",
        team: "tea_000001",
        operation: "addWebhook",
        processed: true,
        status: 200,
        response: expect.stringContaining("hoo_000001"),
        durationMs: 0,
        fault: null,
      },
      { id: 2, body: null, key: "no-such-key", team: null, status: 401 },
    ]);
    expect((await service.control("GET", "/requests?after=1")).json).toMatchObject([{ id: 2 }]);
    await service.control("DELETE", "/requests");
    expect(service.sandbox.requests()).toEqual([]);
  });

  test("settings can be read and changed, including latency", async () => {
    const change = {
      latency: { minMs: 100, maxMs: 300 },
      rateLimit: { kind: "sliding" },
      choices: { statuses: { badTeam: 403 } },
    };
    const { json } = await service.control("PATCH", "/settings", change);
    expect(json).toMatchObject({
      latency: change.latency,
      rateLimit: { limit: 20, windowMs: 2000, kind: "sliding" },
      choices: { statuses: { badTeam: 403, noKey: 401 } },
    });
    expect((await service.control("GET", "/settings")).json).toEqual(json);
    await service.get("/hooks");
    expect(service.sandbox.requests()[0]?.durationMs).toBe(200);
    expect((await service.control("PATCH", "/settings", { latency: 3 })).status).toBe(400);
  });

  test("faults can be added, listed and removed", async () => {
    const { json } = await service.control("POST", "/faults", { action: { kind: "html" }, path: "/hooks", times: 2 });
    expect(json).toEqual({ id: "fault_1" });
    expect((await service.get("/hooks")).status).toBe(502);
    expect((await service.control("GET", "/faults")).json).toMatchObject([{ id: "fault_1", hits: 1 }]);
    expect((await service.control("DELETE", "/faults/fault_1")).status).toBe(200);
    expect((await service.control("DELETE", "/faults/fault_1")).status).toBe(404);
    await service.control("POST", "/faults", { action: { kind: "drop" } });
    await service.control("DELETE", "/faults");
    expect((await service.get("/hooks")).status).toBe(200);
    expect((await service.control("POST", "/faults", { action: { kind: "melt" } })).status).toBe(400);
    expect((await service.control("POST", "/faults", { action: { kind: "late", delayMs: -1 } })).status).toBe(400);
  });

  test("webhooks can be added, changed and removed without API requests", async () => {
    const { control, get, sandbox } = service;
    expect((await control("POST", "/webhooks", HOOK)).json).toMatchObject({ _id: "hoo_000001", teamId: "tea_000001" });
    const change = { targetUrl: "https://elsewhere.example.com/" };
    expect((await control("PATCH", "/webhooks/hoo_000001", change)).json).toMatchObject({
      ...change,
      secret: HOOK.secret,
    });
    expect((await get("/hooks")).json).toMatchObject([change]);
    expect((await control("GET", "/webhooks/hoo_000001")).status).toBe(200);
    expect((await control("DELETE", "/webhooks/hoo_000001")).status).toBe(200);
    expect((await control("DELETE", "/webhooks/hoo_000001")).status).toBe(404);
    expect(sandbox.webhooks()).toEqual([]);
  });

  test("every collection can be read and extended", async () => {
    const { control } = service;
    const records: [string, object, string][] = [
      ["teams", { _id: "tea_9" }, "tea_9"],
      ["users", { _id: "usr_9", teamId: "tea_9" }, "usr_9"],
      ["keys", { key: "another", userId: "usr_9" }, "another"],
      ["schedules", { _id: "skd_9" }, "skd_9"],
      ["campaigns", { _id: "cam_9", name: "Nine", teamId: "tea_9" }, "cam_9"],
      ["leads", { _id: "lea_9", campaignId: "cam_9", email: "nine@example.com" }, "lea_9"],
      ["mailboxes", { _id: "usm_9", userId: "usr_9" }, "usm_9"],
      ["webhooks", { _id: "hoo_9", ...HOOK }, "hoo_9"],
      ["exports", { _id: "axp_9", campaignId: "cam_9" }, "axp_9"],
    ];
    for (const [collection, record] of records) {
      expect((await control("POST", `/${collection}`, record)).json).toMatchObject(record);
      expect((await control("GET", `/${collection}`)).json).toEqual(
        expect.arrayContaining([expect.objectContaining(record)]),
      );
      expect((await control("POST", `/${collection}`, record)).status).toBe(400);
    }
    expect((await service.get("/campaigns", "another")).json).toMatchObject([{ _id: "cam_9" }]);
    for (const [collection, , id] of records.reverse())
      expect((await control("DELETE", `/${collection}/${id}`)).status).toBe(200);
  });

  test("an array adds all of its records, or none", async () => {
    const { control, sandbox } = service;
    const before = sandbox.records("leads");
    const lead = (email: string, campaignId = "cam_000002"): object => ({ campaignId, email });
    const refused: [unknown, readonly string[]][] = [
      [
        [lead("one@example.com"), { email: "two" }],
        ["[1].campaignId: is missing", "[1].email: must match ^[^@\\s]+@[^@\\s]+$ (an email address)"],
      ],
      [[lead("one@example.com"), "two@example.com"], ["[1]: must be object, not string"]],
      [[lead("one@example.com"), lead("ONE@example.com")], ["[1].email: already exists"]],
      [
        [lead("one@example.com"), lead("two@example.com", "cam_9")],
        ['[1].campaignId: "cam_9" does not exist in campaigns'],
      ],
      [{ email: "one@example.com" }, ["campaignId: is missing"]],
      [lead("one@example.com", "cam_9"), ['campaignId: "cam_9" does not exist in campaigns']],
      [7, ["must be object, not number"]],
      [undefined, ["must be object, not undefined"]],
    ];
    for (const [body, errors] of refused)
      expect(await control("POST", "/leads", body)).toMatchObject({ status: 400, json: { errors } });
    expect(sandbox.records("leads")).toEqual(before);

    expect(await control("POST", "/leads", [])).toMatchObject({ status: 200, json: [] });
    const added = await control("POST", "/leads", [lead("one@example.com"), lead("two@example.com")]);
    expect(added).toMatchObject({ status: 200, json: [{ email: "one@example.com" }, { email: "two@example.com" }] });
    expect(sandbox.records("leads")).toEqual([...before, ...(added.json as object[])]);
  });

  test("a blocked user, an ended export, an unsubscribed lead", async () => {
    const { control, get, sandbox } = service;
    await get("/campaigns/cam_000001/export/start");
    await control("PATCH", "/exports/axp_000001", { durationMs: 0, outcome: "error" });
    sandbox.configure({ choices: { exportStatus: "shown" } });
    expect((await get("/campaigns/cam_000001/export/axp_000001/status")).json).toMatchObject({
      status: { status: "error" },
    });
    await control("PATCH", "/leads/lea_000001", { isPaused: true });
    expect(sandbox.records("leads")[0]).toMatchObject({ _id: "lea_000001", isPaused: true });
    expect((await control("PATCH", "/leads/lea_000001", { email: "x@example.com" })).status).toBe(400);
    await control("PATCH", "/users/usr_000001", { blocked: true });
    expect((await get("/campaigns")).json).toBe("User linked to this API key is blocked");
  });

  test("unknown routes and records are reported", async () => {
    expect((await service.control("GET", "/nothing")).status).toBe(404);
    expect((await service.control("GET", "/webhooks/hoo_1/more")).status).toBe(404);
    expect((await service.control("PUT", "/webhooks")).status).toBe(404);
    expect((await service.control("GET", "/%E0%A4%A")).status).toBe(400);
    expect((await service.control("POST", "/webhooks", "{")).status).toBe(400);
    expect((await service.control("GET", "/exports/axp_1.csv")).status).toBe(404);
  });
});

describe("the sandbox in the same process", () => {
  test("adds, changes and removes records, and throws on invalid changes", () => {
    const { sandbox } = service;
    const hook = sandbox.add("webhooks", HOOK);
    sandbox.change("webhooks", hook._id, { type: "smsSent" });
    expect(sandbox.webhooks()).toEqual([{ ...hook, type: "smsSent" }]);
    expect(sandbox.remove("webhooks", hook._id)).toBe(true);
    expect(sandbox.remove("webhooks", hook._id)).toBe(false);
    expect(() => sandbox.change("webhooks", hook._id, {})).toThrow("no such record in webhooks");
    expect(() => sandbox.add("campaigns", { _id: "cam_000001", name: "x" })).toThrow("already exists");
    expect(() => sandbox.seed({ users: [{ _id: "usr_1", teamId: "tea_1" }] })).toThrow("does not exist in teams");
  });

  test("keeps the last requests", async () => {
    const small = await startUnderTest({ logLimit: 10 });
    for (let count = 0; count < 30; count++) await small.get("/hooks");
    const ids = small.sandbox.requests().map((request) => request.id);
    expect(ids.at(-1)).toBe(30);
    expect(ids.length).toBeGreaterThanOrEqual(10);
    expect(ids.length).toBeLessThanOrEqual(13);
    await small.close();
  });

  test("listens on loopback, on the given port and path", async () => {
    const port = Number(new URL(service.sandbox.url).port);
    await expect(startUnderTest({ port })).rejects.toThrow("EADDRINUSE");
    const other = await startUnderTest({ basePath: "v1/api/" });
    expect(other.sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/api$/);
    expect((await other.get("/hooks")).status).toBe(200);
    await other.close();
  });

  test("refuses a body that is too large", async () => {
    const reply = await service.addHook({ targetUrl: `https://example.com/${"x".repeat(1_000_000)}` });
    expect(reply).toMatchObject({ status: 413, text: "The request body is too large" });
  });
});
