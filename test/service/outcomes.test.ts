import { gzipSync } from "node:zlib";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { RetryRule } from "../../src/core/model/definition.ts";
import type { CallerOptions, WireOutcome } from "../../src/service/api/caller.ts";
import { readClient, reserveWrites } from "../../src/service/api/client.ts";
import { type Pacer, slidingPacer } from "../../src/service/api/pacer.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { type NewWebhook, OPTIONAL_FIELDS } from "../../src/service/api/webhook-calls.ts";
import { API_KEY, type Behaviour, answer, ends, inSequence, startFaultServer } from "./fault-server.ts";

const NEVER = new AbortController().signal;
const SECRET = "hook-secret-77";
const WEBHOOK: NewWebhook = {
  targetUrl: "https://crm.example.com/h",
  type: "emailsSent",
  secret: SECRET,
};
const CREATED = {
  _id: "hoo_1",
  targetUrl: "https://crm.example.com/h",
  createdAt: "2026-01-01T00:00:00.000Z",
  type: "emailsSent",
};

let stop: AbortController;
let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

async function post(options: CallerOptions = server.caller(), retry?: RetryRule): Promise<WireOutcome> {
  const { client, release } = await reserveWrites(options, 1, NEVER);
  try {
    return await client.addWebhook(WEBHOOK, NEVER, retry);
  } finally {
    release();
  }
}

async function remove(options: CallerOptions = server.caller()): Promise<WireOutcome> {
  const { client, release } = await reserveWrites(options, 1, NEVER);
  try {
    return await client.deleteWebhook("hoo_1", NEVER);
  } finally {
    release();
  }
}

const list = (options: CallerOptions = server.caller()) => readClient(options).listWebhooks(new Set(), NEVER);

const html: Behaviour = (response) =>
  void response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
const gzip: Behaviour = (response) =>
  void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(CREATED)));
const huge: Behaviour = (response) =>
  void response.writeHead(200).end(`{"_id":"hoo_1","x":"${"x".repeat(11 * 1024 * 1024)}"}`);

/** Every answer that leaves the outcome open. */
const INDEFINITE: readonly (readonly [string, Behaviour])[] = [
  ["a connection closed without an answer", ends.dropped],
  ["a connection reset without an answer", ends.reset],
  ["a reset in the middle of the answer", ends.resetInBody],
  ["a truncated answer", ends.truncated],
  ["an answer in chunks cut short", ends.truncatedChunks],
  ["no answer in time", ends.silent],
  ["an answer that comes too slowly", ends.trickling],
  ["an answer that is not HTTP", ends.noHttp],
  ["500", answer(500, "Internal error")],
  ["500 with a documented message", answer(500, "Bad team")],
  ["500 with Retry-After", answer(500, "Internal error", { "retry-after": "1" })],
  ["503", answer(503, "Unavailable")],
  ["503 with Retry-After", answer(503, "Unavailable", { "retry-after": "1" })],
  ["502 with a page", html],
  ["504", answer(504, "")],
  ["a redirect elsewhere", answer(307, "", { location: "http://127.0.0.1:1/hooks" })],
  ["a permanent redirect", answer(301, "", { location: "/hooks" })],
  ["a redirect with Retry-After", answer(307, "", { location: "/hooks", "retry-after": "1" })],
  ["a redirect with Retry-After", answer(307, "", { "retry-after": "1" })],
  ["a redirect with a documented message", answer(302, "User linked to this API key is blocked")],
  ["204 without a body", answer(204, "")],
  ["201 without an id", answer(201, { targetUrl: WEBHOOK.targetUrl })],
  ["408", answer(408, "Request Timeout")],
  ["408 with Retry-After", answer(408, "Request Timeout", { "retry-after": "1" })],
  ["408 with a documented message", answer(408, "User linked to this API key is blocked")],
  ["425", answer(425, "Too Early")],
  ["200 with a page", answer(200, "<html>Sign in</html>")],
  ["200 with an empty body", answer(200, "")],
  ["200 with JSON cut off", answer(200, '{"_id":"hoo_1"')],
  ["200 with null", answer(200, null)],
  ["200 with a list", answer(200, [CREATED])],
  ["200 with text", answer(200, '"hoo_1"')],
  ["200 without an id", answer(200, { targetUrl: WEBHOOK.targetUrl })],
  ["200 with an invalid id", answer(200, { ...CREATED, _id: "../x" })],
  ["200 with the id of another resource", answer(200, { ...CREATED, _id: "cam_1" })],
  ["200 with an empty id", answer(200, { ...CREATED, _id: "" })],
  ["200 with null as the id", answer(200, { ...CREATED, _id: null })],
  ["200 with two ids", answer(200, '{"_id": "hoo_1", "_id" : "hoo_2"}')],
  ["200 that is compressed", gzip],
  ["200 of more than 10 MB", huge],
  ["403 with Retry-After", answer(403, "Forbidden", { "retry-after": "1" })],
  ["420 with Retry-After", answer(420, "Calm down", { "retry-after": "0" })],
];

/** Every answer that rejects the request itself, without a documented message, and what a user reads. */
const REJECTIONS: readonly (readonly [string, number, Behaviour, string])[] = [
  ["an undocumented 400", 400, answer(400, "Invalid type"), "400 Invalid type"],
  ["422", 422, answer(422, '"targetUrl is not reachable"'), "422 targetUrl is not reachable"],
  ["409 without words", 409, answer(409, ""), "409"],
  ["403", 403, answer(403, "Forbidden"), "403 Forbidden"],
  ["404 with a documented message that has another status", 404, answer(404, "Bad team"), "404 Bad team"],
  ["400 whose message is a property of every object", 400, answer(400, "constructor"), "400 constructor"],
  ["404 with a page", 404, answer(404, "<html>Not found</html>"), "404 an HTML page, as a gateway sends it"],
  [
    "403 with a whole page",
    403,
    answer(403, "\n<!DOCTYPE html>\n<html lang=en><title>Blocked</title></html>"),
    "403 an HTML page, as a gateway sends it",
  ],
  ["400 with words about a page", 400, answer(400, "<p> is not a <html> page"), "400 <p> is not a <html> page"],
];

describe("a create", () => {
  const quick = () => server.caller({ timeoutMs: 250 });

  test.each(INDEFINITE)("is undecided after %s, and never sent again", async (_, behaviour) => {
    server.behave(behaviour);
    const outcome = await post(quick());
    expect(outcome).toMatchObject({ kind: "unsure", cause: expect.stringMatching(/^POST \/hooks: /) });
    expect(server.received().map(({ method }) => method)).toEqual(["POST"]);
  });

  test.each(REJECTIONS)(
    "is rejected by %s, in the service's words, and not sent again",
    async (_, status, behaviour, words) => {
      server.behave(behaviour);
      expect(await post()).toEqual({ kind: "refused", known: null, status, message: `POST /hooks: ${words}` });
      expect(server.received()).toHaveLength(1);
    },
  );

  test.each<readonly [string, Behaviour, boolean]>([
    ["no answer in time", ends.silent, false],
    ["a connection closed without an answer", ends.dropped, false],
    ["a reset in the middle of the answer", ends.resetInBody, false],
    ["503", answer(503, "Unavailable"), true],
    ["403 with Retry-After", answer(403, "Forbidden", { "retry-after": "1" }), true],
    ["200 with a page", answer(200, "<html>Sign in</html>"), true],
    ["200 without an id", answer(200, {}), true],
  ])("after %s tells whether the service has answered", async (_, behaviour, answered) => {
    server.behave(behaviour);
    expect(await post(quick())).toMatchObject({ kind: "unsure", answered });
  });

  test.each(INDEFINITE)("is not sent again when %s follows a refusal by the rate limit", async (_, behaviour) => {
    server.behave(inSequence(answer(429, "", { "retry-after": "1" }), behaviour));
    expect(await post(quick())).toMatchObject({ kind: "unsure" });
    expect(server.received()).toHaveLength(2);
  });

  test.each([
    ["an answer with an id", answer(200, CREATED)],
    ["an id alone", answer(200, { _id: "hoo_1" })],
    [
      "201 with the full record",
      answer(201, { ...CREATED, campaignId: "cam_1", isFirst: false, automationId: 5, teamId: "tea_1" }),
    ],
    ["202 with an id", answer(202, { _id: "hoo_1" })],
    [
      "an id in an object within, and in a text",
      answer(200, { ...CREATED, team: { _id: "tea_1" }, note: '{"_id": "hoo_2"}' }),
    ],
    ["a URL written differently", answer(200, { ...CREATED, targetUrl: "https://CRM.example.com/h/" })],
    [
      "an answer in two pieces",
      ((response) =>
        void (response.writeHead(200), response.write('{"_id":'), response.end('"hoo_1"}'))) satisfies Behaviour,
    ],
  ])("is done after %s", async (_, behaviour) => {
    server.behave(behaviour);
    expect(await post()).toMatchObject({ kind: "answered", json: { _id: "hoo_1" } });
  });

  test.each([
    [400, "Bad team", "bad_team"],
    [400, '"Bad team"', "bad_team"],
    [404, "Webhook not found", "webhook_not_found"],
    [401, "", "unauthorized"],
    [401, "Who are you?", "unauthorized"],
    [403, "The authentication you supplied is incorrect", "wrong_key"],
    [401, "No API key provided", "no_key"],
    [418, "User linked to this API key is blocked", "key_blocked"],
  ] as const)("is refused after %i %j", async (status, message, known) => {
    server.behave(answer(status, message));
    expect(await post()).toMatchObject({
      kind: "refused",
      known,
      message: expect.stringContaining(`POST /hooks: ${String(status)}`),
    });
    expect(server.received()).toHaveLength(1);
  });

  test("is refused when nobody listens: nothing is sent", async () => {
    const probe = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const baseUrl = `http://127.0.0.1:${String(port)}/api`;
    const outcome = await post(server.caller({ baseUrl, baseUrlFrom: "OUTREACH_BASE_URL" }));
    const message = `POST /hooks: ${baseUrl} refused the connection (OUTREACH_BASE_URL); the request was not sent`;
    expect(outcome).toEqual({ kind: "refused", known: null, message });
  });

  test("is refused when the other side does not speak TLS: nothing is sent", async () => {
    const outcome = await post(server.caller({ baseUrl: server.baseUrl.replace("http:", "https:") }));
    expect(outcome).toMatchObject({
      kind: "refused",
      known: null,
      message: expect.stringMatching(/api does not speak TLS; the request was not sent$/),
    });
  });

  test.each([
    ["without Retry-After", {}, 1000],
    ["with seconds", { "retry-after": "3" }, 3000],
    ["with a fraction of seconds", { "retry-after": "0.5" }, 500],
    ["with a negative number", { "retry-after": "-5" }, 250],
    [
      "with a date",
      { date: new Date(1_700_000_000_000).toUTCString(), "retry-after": new Date(1_700_000_007_000).toUTCString() },
      7000,
    ],
    [
      "with a date, and this machine's clock an hour behind",
      { date: new Date(1_700_003_600_000).toUTCString(), "retry-after": new Date(1_700_003_607_000).toUTCString() },
      7000,
    ],
    [
      "with a date, and this machine's clock an hour ahead",
      { date: new Date(1_699_996_400_000).toUTCString(), "retry-after": new Date(1_699_996_407_000).toUTCString() },
      6000,
    ],
    ["with a date that has passed", { "retry-after": new Date(1_600_000_000_000).toUTCString() }, 250],
    ["with what is neither", { "retry-after": "soon" }, 1000],
  ] as const)("is sent again after the rate limit %s", async (_, headers, waitedMs) => {
    server.behave(inSequence(answer(429, "Too many", headers), answer(200, CREATED)));
    const options = server.caller();
    expect(await post(options)).toMatchObject({ kind: "answered" });
    expect(server.received()).toHaveLength(2);
    expect(options.clock.monotonicMs()).toBe(waitedMs);
  });

  test("after another 4xx with Retry-After is undecided, and later requests wait", async () => {
    server.behave(inSequence(answer(420, "Calm down", { "retry-after": "3" }), answer(200, [CREATED])));
    const options = server.caller();
    expect(await post(options)).toEqual({
      kind: "unsure",
      cause: "POST /hooks: answered 420 with Retry-After",
      answered: true,
    });
    await list(options);
    expect(options.clock.monotonicMs()).toBe(3000);
  });

  describe.each([
    ["a write", false, 600],
    ["the create half of a replace", true, 1800],
  ] as const)("as %s", (_, ofReplace, seconds) => {
    const rule: RetryRule = { ofReplace, stop: NEVER };

    test("is sent again after the longest wait that is accepted", async () => {
      server.behave(inSequence(answer(429, "Too many", { "retry-after": String(seconds) }), answer(200, CREATED)));
      const options = server.caller();
      expect(await post(options, rule)).toMatchObject({ kind: "answered" });
      expect(options.clock.monotonicMs()).toBe(seconds * 1000);
    });

    test.each([
      ["a little longer", String(seconds + 1)],
      ["a day", "86400"],
      ["until a far date", new Date(1_900_000_000_000).toUTCString()],
    ])("is refused at once when the rate limit asks to wait %s", async (_wait, retryAfter) => {
      server.behave(answer(429, "Too many", { "retry-after": retryAfter }));
      const options = server.caller();
      expect(await post(options, rule)).toMatchObject({
        kind: "refused",
        known: null,
        message: expect.stringMatching(
          /^POST \/hooks: 429 refused by the rate limit, once; the service asks to wait \d+ s, longer than outreach waits$/,
        ),
      });
      expect([server.received().length, options.clock.monotonicMs()]).toEqual([1, 0]);
    });

    test.each(["1", "0", null])(
      "is refused when the rate limit refuses it all the time, with Retry-After: %s",
      async (retryAfter) => {
        server.behave(answer(429, "Too many", retryAfter === null ? {} : { "retry-after": retryAfter }));
        const options = server.caller();
        expect(await post(options, rule)).toMatchObject({
          kind: "refused",
          known: null,
          message: expect.stringMatching(new RegExp(`times; its ${String(seconds / 60)} minutes are over$`)),
        });
        expect(options.clock.monotonicMs()).toBe(seconds * 1000);
        // Not more often than every 8 s, once it waits long.
        expect(server.received().length).toBeLessThan(seconds / 8 + 7);
      },
    );

    test("is refused when a later wait would end too late", async () => {
      server.behave(
        inSequence(
          answer(429, "Too many", { "retry-after": String(seconds - 10) }),
          answer(429, "Too many", { "retry-after": "11" }),
        ),
      );
      const options = server.caller();
      expect(await post(options, rule)).toMatchObject({ kind: "refused" });
      expect([server.received().length, options.clock.monotonicMs()]).toEqual([2, (seconds - 10) * 1000]);
    });
  });

  test("waits twice as long before each attempt, up to 8 s, if the service refuses without asking to wait", async () => {
    const refused = answer(429, "Too many", { "retry-after": "0" });
    server.behave(inSequence(...Array.from({ length: 8 }, () => refused), answer(200, CREATED)));
    const options = server.caller();
    expect(await post(options)).toMatchObject({ kind: "answered" });
    expect(options.clock.slept).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  test("waits a random time longer than the service asks, so that processes do not return together", async () => {
    const refused = answer(429, "Too many", { "retry-after": "2" });
    const waits = async (jitter: number): Promise<readonly number[]> => {
      server.behave(inSequence(refused, refused, refused, answer(200, CREATED)));
      const options = server.caller({ jitter: () => jitter });
      expect(await post(options)).toMatchObject({ kind: "answered" });
      return options.clock.slept;
    };
    expect(await waits(0)).toEqual([2000, 2000, 2000]);
    expect(await waits(0.5)).toEqual([2125, 2250, 2500]);
    expect(await waits(0.999)).toEqual([2249.75, 2499.5, 2999]);
  });

  test.each<readonly [string, Behaviour]>([
    ["while it waits", answer(429, "Too many", { "retry-after": "2" })],
    ["before the refusal came", (response, ...of) => (stop.abort(), answer(429, "Too many")(response, ...of))],
  ])("is refused for certain when the run is interrupted %s", async (_, behaviour) => {
    stop = new AbortController();
    server.behave(behaviour);
    const caller = server.caller();
    const clock: typeof caller.clock = {
      ...caller.clock,
      sleep: (ms, signal) => {
        queueMicrotask(() => stop.abort());
        return caller.clock.sleep(ms, signal);
      },
    };
    expect(await post({ ...caller, clock }, { stop: stop.signal })).toEqual({
      kind: "refused",
      known: null,
      message: "POST /hooks: 429 refused by the rate limit, once; the run was interrupted",
    });
    expect(server.received()).toHaveLength(1);
  });

  test("is sent again after 429 with a documented message, and not after a conflict with Retry-After", async () => {
    server.behave(inSequence(answer(429, "User linked to this API key is blocked"), answer(200, CREATED)));
    expect(await post()).toMatchObject({ kind: "answered" });
    server.behave(answer(409, "Duplicate", { "retry-after": "1" }));
    expect(await post()).toEqual({ kind: "refused", known: null, status: 409, message: "POST /hooks: 409 Duplicate" });
    expect(server.received()).toHaveLength(1);
  });

  test("is not sent again if it must not be any more", async () => {
    server.behave(
      inSequence(
        answer(429, "Too many", { "retry-after": "1" }),
        answer(429, "Too many", { "retry-after": "1" }),
        answer(200, CREATED),
      ),
    );
    let asked = 0;
    const onlyOnce = () => (asked++ === 0 ? Promise.resolve() : Promise.reject(new Error("too late")));
    expect(await post(server.caller(), { before: onlyOnce, stop: NEVER })).toMatchObject({
      kind: "refused",
      known: null,
      message: expect.stringContaining("rate limit"),
    });
    expect([asked, server.received().length]).toEqual([2, 2]);
  });

  test("is refused for certain if the rate limit refused it and no further request can be reserved", async () => {
    server.behave(answer(429, "Too many", { "retry-after": "1" }));
    const caller = server.caller();
    let reserved = 0;
    const pacer: Pacer = {
      pause: (ms) => caller.pacer.pause(ms),
      reserve: async (...of) =>
        reserved++ === 0 ? caller.pacer.reserve(...of) : Promise.reject(new Error("interrupted")),
    };
    expect(await post({ ...caller, pacer })).toMatchObject({
      kind: "refused",
      known: null,
      message: expect.stringContaining("rate limit"),
    });
    expect([reserved, server.received().length]).toEqual([2, 1]);
  });

  test("that is half of a replace is sent again at once although another replace waits for the same slots", async () => {
    server.behave(inSequence(answer(429, "Too many", { "retry-after": "1" }), answer(200, CREATED)));
    const caller = server.caller();
    const options = { ...caller, pacer: slidingPacer(caller.clock, 0.1) };
    const replace = async () => {
      const { client, release } = await reserveWrites(options, 2, NEVER);
      const outcomes = [await client.deleteWebhook("hoo_1", NEVER), await client.addWebhook(WEBHOOK, NEVER)];
      release();
      return outcomes.map(({ kind }) => kind);
    };
    expect(await Promise.all([replace(), replace()])).toEqual([
      ["answered", "answered"],
      ["answered", "answered"],
    ]);
    expect(server.received().map(({ method }) => method)).toEqual(["DELETE", "DELETE", "POST", "DELETE", "POST"]);
  });

  test("contains every field in its documented place", async () => {
    server.behave(answer(200, CREATED));
    const { client, release } = await reserveWrites(server.caller(), 1, NEVER);
    await client.addWebhook(
      {
        targetUrl: "https://a.example/ü?x=1&y",
        type: "emailsSent",
        campaignId: "cam_1",
        isFirst: true,
        automationId: "a b&c",
        secret: SECRET,
      },
      NEVER,
    );
    release();
    const [{ url, body, headers } = { url: new URL("x:y"), body: "", headers: {} }] = server.received();
    expect(url.pathname).toBe("/api/hooks");
    expect([...url.searchParams].toSorted()).toEqual([
      ["automationId", "a b&c"],
      ["campaignId", "cam_1"],
      ["isFirst", "true"],
    ]);
    expect(JSON.parse(body)).toEqual({
      targetUrl: "https://a.example/ü?x=1&y",
      type: "emailsSent",
      campaignId: "cam_1",
      isFirst: true,
      secret: SECRET,
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      authorization: `Basic ${Buffer.from(`:${API_KEY}`).toString("base64")}`,
    });
  });

  test("omits absent fields", async () => {
    server.behave(answer(200, CREATED));
    const { client, release } = await reserveWrites(server.caller(), 1, NEVER);
    await client.addWebhook(
      {
        targetUrl: "https://a.example/",
        ...Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, null])),
        secret: null,
      },
      NEVER,
    );
    release();
    expect(server.received()[0]).toMatchObject({
      body: '{"targetUrl":"https://a.example/"}',
      url: expect.objectContaining({ search: "" }),
    });
  });

  test.each([
    ["its body", () => JSON.stringify({ error: SECRET })],
    ["its key", () => `denied: ${API_KEY}`],
    ["its Authorization header", () => `Basic ${Buffer.from(`:${API_KEY}`).toString("base64")}`],
    ["its secret where the message is cut off", () => `${"x".repeat(195)}${SECRET}`],
  ])("does not repeat %s when the service echoes it", async (_, echo) => {
    server.behave(answer(500, echo()));
    const text = JSON.stringify(await post());
    for (const part of [SECRET, SECRET.slice(0, 5), API_KEY, Buffer.from(`:${API_KEY}`).toString("base64")])
      expect(text).not.toContain(part);
  });

  test("repeats the service's message without control characters, in one line", async () => {
    server.behave(answer(500, "a\u001b[31mred\u202e\n\tb"));
    expect(await post()).toMatchObject({ cause: "POST /hooks: answered 500 a [31mred b" });
  });
});

describe("a delete", () => {
  test("is done after an answer with the removed object", async () => {
    server.behave(answer(200, CREATED));
    expect(await remove()).toMatchObject({ kind: "answered" });
    expect(server.received()[0]).toMatchObject({
      method: "DELETE",
      url: expect.objectContaining({ pathname: "/api/hooks/hoo_1" }),
    });
    expect(server.received()[0]?.headers).not.toHaveProperty("content-type");
  });

  test("is refused by the documented message with any 4xx, because no status is documented", async () => {
    for (const status of [400, 404, 410]) {
      server.behave(answer(status, "Webhook not found"));
      expect(await remove()).toMatchObject({ kind: "refused", known: "webhook_not_found" });
    }
  });

  test("is sent again after a 4xx with Retry-After: a second one does nothing more", async () => {
    server.behave(inSequence(answer(420, "Calm down", { "retry-after": "3" }), answer(200, CREATED)));
    const options = server.caller();
    expect(await remove(options)).toMatchObject({ kind: "answered" });
    expect(options.clock.monotonicMs()).toBe(3000);
  });

  test.each([
    ["a redirect with Retry-After", answer(307, "", { "retry-after": "1" })],
    ["another object's id", answer(200, { ...CREATED, _id: "hoo_2" })],
    ["the documented message with 500", answer(500, "Webhook not found")],
    ["the documented message with 200", answer(200, '"Webhook not found"')],
    ["408", answer(408, "Webhook not found")],
  ])("is undecided after %s", async (_, behaviour) => {
    server.behave(behaviour);
    expect(await remove()).toMatchObject({ kind: "unsure" });
    expect(server.received()).toHaveLength(1);
  });

  test.each([
    ["a page that says 404", answer(404, "<html>Webhook not found</html>")],
    ["401 without a message, which is documented only for a create", answer(401, "")],
    ["an undocumented 400", answer(400, "Something is wrong")],
  ])("is rejected, and nothing is gone, after %s", async (_, behaviour) => {
    server.behave(behaviour);
    expect(await remove()).toMatchObject({ kind: "refused", known: null, status: expect.any(Number) as number });
    expect(server.received()).toHaveLength(1);
  });

  test.each(["", "hoo_../x", "cam_1", "..", "hoo_1/..", `hoo_${"1".repeat(130)}`])(
    "of the id %j is not sent",
    async (id) => {
      server.behave(answer(200, CREATED));
      const { client, release } = await reserveWrites(server.caller(), 1, NEVER);
      await expect((async () => client.deleteWebhook(id, NEVER))()).rejects.toThrow("not a webhook id");
      release();
      expect(server.received()).toEqual([]);
    },
  );
});

describe("a read", () => {
  test.each<readonly [string, Behaviour]>([
    ["a connection closed without an answer", ends.dropped],
    ["a reset in the middle of the answer", ends.resetInBody],
    ["a truncated answer", ends.truncated],
    ["500", answer(500, "Internal error")],
    ["502 with a page", html],
    ["200 with a page", answer(200, "<html>Sign in</html>")],
    ["200 with two ids of one object", answer(200, '[{"_id":"hoo_1","targetUrl":"https://x.example","_id":"hoo_2"}]')],
    ["429", answer(429, "Too many")],
    ["429 with Retry-After", answer(429, "Too many", { "retry-after": "7" })],
    ["503 with Retry-After", answer(503, "Unavailable", { "retry-after": "7" })],
    ["a 4xx with Retry-After", answer(420, "Calm down", { "retry-after": "7" })],
  ])("is sent again after %s", async (_, behaviour) => {
    server.behave(inSequence(behaviour, behaviour, answer(200, [CREATED])));
    const options = server.caller();
    const { webhooks } = await list(options);
    expect(webhooks.map(({ _id }) => _id)).toEqual(["hoo_1"]);
    expect(server.received()).toHaveLength(3);
    expect(options.clock.monotonicMs()).toBeGreaterThan(0);
  });

  test("waits twice as long before each attempt", async () => {
    server.behave(inSequence(answer(500, ""), answer(500, ""), answer(500, ""), answer(200, [])));
    const options = server.caller();
    await list(options);
    expect(options.clock.slept).toEqual([250, 500, 1000]);
  });

  test("waits at most ten minutes", async () => {
    server.behave(inSequence(answer(429, "", { "retry-after": "600" }), answer(200, [])));
    const options = server.caller();
    await list(options);
    expect(options.clock.monotonicMs()).toBe(600_000);
    server.behave(inSequence(answer(429, "", { "retry-after": "601" }), answer(200, [])));
    await expect(list()).rejects.toThrow("429");
    expect(server.received()).toHaveLength(1);
  });

  test.each<readonly [string, Behaviour]>([
    ["429", answer(429, "Too many", { "retry-after": "1" })],
    ["503 with Retry-After", answer(503, "Unavailable", { "retry-after": "1" })],
    ["403 when nothing remains", answer(403, "Slow down", { "x-ratelimit-remaining": "0" })],
    ["429 with a documented message", answer(429, "User linked to this API key is blocked")],
  ])("is repeated after %s for ten minutes", async (_, behaviour) => {
    server.behave(behaviour);
    const options = server.caller();
    await expect(list(options)).rejects.toMatchObject({ name: "ServiceError" });
    expect(options.clock.monotonicMs()).toBe(600_000);
    expect(server.received().length).toBeGreaterThan(60);
  });

  test("counts refusals by the rate limit and other failures apart", async () => {
    const failures = [answer(500, ""), answer(429, ""), answer(429, ""), answer(500, ""), answer(429, "")];
    server.behave(inSequence(...failures, answer(500, ""), answer(200, [])));
    await list();
    expect(server.received()).toHaveLength(7);
  });

  test.each<readonly [string, Behaviour, number]>([
    ["408 with Retry-After", answer(408, "Request Timeout", { "retry-after": "1" }), 4],
    ["425", answer(425, "Too Early"), 4],
    ["409 with Retry-After", answer(409, "Conflict", { "retry-after": "1" }), 1],
    ["a documented message with Retry-After", answer(400, "Bad team", { "retry-after": "1" }), 1],
  ])("does not count %s as a refusal by the rate limit", async (_, behaviour, sent) => {
    server.behave(behaviour);
    await expect(list()).rejects.toMatchObject({ name: "ServiceError" });
    expect(server.received()).toHaveLength(sent);
  });

  test("ends when the run is interrupted during the wait for the rate limit", async () => {
    stop = new AbortController();
    server.behave(answer(429, "", { "retry-after": "2" }));
    const caller = server.caller();
    const clock: typeof caller.clock = {
      ...caller.clock,
      sleep: (ms, signal) => {
        queueMicrotask(() => stop.abort(new Error("interrupted")));
        return caller.clock.sleep(ms, signal);
      },
    };
    await expect(readClient({ ...caller, clock }).listWebhooks(new Set(), stop.signal)).rejects.toThrow("interrupted");
    expect(server.received()).toHaveLength(1);
  });

  test("waits as long as the service asks, each time", async () => {
    server.behave(
      inSequence(answer(503, "", { "retry-after": "7" }), answer(429, "", { "retry-after": "2" }), answer(200, [])),
    );
    const options = server.caller();
    await list(options);
    expect(options.clock.monotonicMs()).toBe(9000);
  });

  test.each<readonly [string, Behaviour, number]>([
    ["endless 500s", answer(500, "Internal error"), 4],
    ["a wait of a day", answer(429, "Too many", { "retry-after": "86400" }), 1],
    ["an error in the request", answer(400, "Something is wrong"), 1],
    ["a redirect", answer(302, "", { location: "/api/hooks" }), 1],
    ["a success other than 200", answer(206, []), 1],
  ])("fails after %s", async (_, behaviour, sent) => {
    server.behave(behaviour);
    await expect(list()).rejects.toMatchObject({
      name: "ServiceError",
      known: null,
      message: expect.stringMatching(/^GET \/hooks: /),
    });
    expect(server.received()).toHaveLength(sent);
  });

  test.each([
    [401, "The authentication you supplied is incorrect", "wrong_key"],
    [403, '"User linked to this API key is blocked"', "key_blocked"],
    [400, "Bad team", "bad_team"],
  ] as const)("fails with the service's message: %i %s", async (status, message, known) => {
    server.behave(answer(status, message));
    await expect(list()).rejects.toMatchObject({ known, message: expect.stringContaining(String(status)) });
    expect(server.received()).toHaveLength(1);
  });

  test("ends when the run is interrupted during the wait for an answer", async () => {
    const stop = new AbortController();
    server.behave(() => stop.abort(new Error("interrupted")));
    await expect(readClient(server.caller()).listWebhooks(new Set(), stop.signal)).rejects.toThrow("interrupted");
    expect(server.received()).toHaveLength(1);
  });

  test("ends when the run is interrupted during the wait for a retry", async () => {
    const stop = new AbortController();
    server.behave(answer(500, ""));
    const caller = server.caller();
    const clock = {
      ...caller.clock,
      sleep: (_: number, signal: AbortSignal) => {
        stop.abort(new Error("interrupted"));
        return caller.clock.sleep(1, signal);
      },
    };
    await expect(readClient({ ...caller, clock }).listWebhooks(new Set(), stop.signal)).rejects.toThrow("interrupted");
    expect(server.received()).toHaveLength(1);
  });
});

describe("the transport", () => {
  const request = (more: object = {}) => ({
    method: "GET" as const,
    url: new URL(`${server.baseUrl}/hooks`),
    headers: {},
    body: null,
    timeoutMs: 5000,
    ...more,
  });

  test("sends nothing for an interrupted run", async () => {
    server.behave(answer(200, []));
    await expect(server.transport.send(request(), AbortSignal.abort(new Error("stop")))).rejects.toMatchObject({
      sent: false,
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.received()).toEqual([]);
  });

  test("distinguishes a timeout from other failures", async () => {
    server.behave(ends.silent);
    await expect(server.transport.send(request({ timeoutMs: 50 }), NEVER)).rejects.toMatchObject({
      sent: true,
      problem: null,
      message: "no complete answer within 0.05 s",
    });
    server.behave(ends.reset);
    await expect(server.transport.send(request(), NEVER)).rejects.toMatchObject({
      sent: true,
      message: "the connection was reset without an answer",
    });
  });

  test("keeps the connection, and does not follow redirects", async () => {
    const transport = nodeExchange(nodeClock);
    server.behave(answer(302, "", { location: "/elsewhere" }));
    const first = await transport.send(request(), NEVER);
    expect(first).toMatchObject({ status: 302, headers: { location: "/elsewhere" } });
    await transport.send(request(), NEVER);
    expect(server.received()).toHaveLength(2);
    transport.close();
  });

  test("keeps no connection after it is closed", async () => {
    const transport = nodeExchange(nodeClock);
    let closed = 0;
    server.behave((response, count, received) => {
      response.socket?.once("close", () => closed++);
      answer(200, [])(response, count, received);
    });
    await transport.send(request(), NEVER);
    transport.close();
    // Idle connections end by themselves after 4 s.
    await expect.poll(() => closed, { timeout: 3000 }).toBe(1);
  });

  test("reports that nothing was sent to an unknown host", async () => {
    await expect(
      server.transport.send(request({ url: new URL("http://no-such-host.invalid/") }), NEVER),
    ).rejects.toMatchObject({ sent: false });
  });
});
