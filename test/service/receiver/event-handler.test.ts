import { once } from "node:events";
import * as http from "node:http";
import * as http2 from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  createSuppressionWatch,
  type EventError,
  eventHandler,
  type EventStore,
  type HandlerOptions,
  memoryStore,
  type OutreachEvent,
  parseEvent,
} from "../../../src/service/receiver/index.ts";
import { listen, PLATFORMS, serveHandler, serveHono } from "./receivers.ts";

const SECRETS = ["whsec-old", "whsec-new"];
const EVENT = {
  _id: "act_1",
  type: "emailsReplied",
  teamId: "tea_1",
  createdAt: "2026-01-02T03:04:05.000Z",
  leadEmail: "ada@example.com",
};
const BODY = JSON.stringify({ ...EVENT, secret: "whsec-new" });

const rejections: unknown[] = [];
const note = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(() => {
  process.off("unhandledRejection", note);
  if (rejections.length > 0)
    throw new Error("a promise was rejected, and nothing handled it", { cause: rejections.splice(0) });
});

/** A handler that records what it gets. */
function recorder(options: Partial<HandlerOptions> = {}): {
  readonly options: HandlerOptions;
  readonly events: OutreachEvent[];
  readonly errors: unknown[];
  readonly rejected: EventError[];
} {
  const events: OutreachEvent[] = [];
  const errors: unknown[] = [];
  const rejected: EventError[] = [];
  const own: HandlerOptions = {
    secrets: SECRETS,
    onEvent: (event) => void events.push(event),
    onError: (error) => void errors.push(error),
    onRejected: (error) => void rejected.push(error),
  };
  return { options: { ...own, ...options } as HandlerOptions, events, errors, rejected };
}

const failingStore: EventStore = {
  claim: () => Promise.reject(new Error("asked")),
  complete: () => undefined,
  release: () => undefined,
};

const post = (url: string, body: BodyInit = BODY, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: "POST", body, ...init });

describe.for(PLATFORMS)("a receiver on %s", (platform) => {
  test("hands an event on without its secret, and answers 204", async () => {
    const { options, events, errors } = recorder();
    const url = await serveHandler(platform, eventHandler(options));
    const answer = await post(url);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(events).toEqual([EVENT]);
    expect(errors).toEqual([]);
  });

  test("answers an event of outreach doctor --receivers once its secret is verified, without onEvent and the store", async () => {
    const { options, events, errors, rejected } = recorder({ name: "crm", store: failingStore });
    const url = await serveHandler(platform, eventHandler(options));
    const asks = { _id: "vfy_1", type: "verification", createdAt: EVENT.createdAt };
    const statuses = [];
    for (const secret of ["whsec-new", "hidden", undefined])
      statuses.push((await post(url, JSON.stringify({ ...asks, secret }))).status);
    expect({ statuses, events, errors, rejected: rejected.map(({ code }) => code) }).toEqual({
      statuses: [204, 401, 401],
      events: [],
      errors: [],
      rejected: ["secret_wrong", "secret_missing"],
    });
    // Only the type and the id together: the service may begin to use either.
    for (const real of [
      { ...asks, _id: "act_1" },
      { ...asks, type: "paused" },
    ])
      await post(url, JSON.stringify({ ...real, secret: "whsec-new" }));
    expect(errors).toHaveLength(2);
  });

  test.for<[number, string, string, string]>([
    [401, "secret_missing", "no secret", JSON.stringify(EVENT)],
    [401, "secret_wrong", "a wrong secret", JSON.stringify({ ...EVENT, secret: "hidden" })],
    [400, "invalid_json", "no JSON", "{hidden"],
    [400, "invalid_json", "no body", ""],
    [400, "not_an_event", "no event", '{"secret":"whsec-new"}'],
    [413, "body_too_large", "a long body", JSON.stringify({ ...EVENT, more: "x".repeat(2000) })],
    [
      400,
      "not_an_event",
      "a deep body",
      `{"_id":"act_1","type":"paused","secret":"whsec-new","more":${"[".repeat(400)}${"]".repeat(400)}}`,
    ],
  ])("answers %d (%s) to a request with %s, and says why to onRejected", async ([status, code, , body]) => {
    const { options, events, errors, rejected } = recorder({ maxBytes: 1000 });
    const answer = await post(await serveHandler(platform, eventHandler(options)), body);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/plain; charset=utf-8"]);
    expect(await answer.text()).toBe(`${rejected[0]?.message ?? ""}\n`);
    expect(rejected).toMatchObject([{ code }]);
    expect(events).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("answers 415 to a compressed body, says why to onRejected, and serves the next", async () => {
    const { options, events, errors, rejected } = recorder();
    const url = await serveHandler(platform, eventHandler(options));
    for (const [encoding, body] of [
      ["gzip", gzipSync(BODY)],
      ["br", brotliCompressSync(BODY)],
      ["gzip, identity", gzipSync(BODY)],
    ] as const) {
      const answer = await post(url, new Uint8Array(body), { headers: { "content-encoding": encoding } });
      expect([answer.status, await answer.text()]).toEqual([415, `${rejected.at(-1)?.message ?? ""}\n`]);
    }
    expect(rejected).toMatchObject(Array.from({ length: 3 }, () => ({ code: "body_compressed" })));
    expect((await post(url, BODY, { headers: { "content-encoding": "Identity" } })).status).toBe(204);
    expect([events, errors]).toEqual([[EVENT], []]);
  });

  test("hands an event to both of two handlers with one store, and once to two with one name", async () => {
    const store = memoryStore();
    const handled: string[] = [];
    for (const [index, name] of ["crm", "billing", "crm"].entries()) {
      const { options } = recorder({ store, name, onEvent: () => void handled.push(`${name} ${String(index)}`) });
      expect((await post(await serveHandler(platform, eventHandler(options)))).status).toBe(204);
    }
    expect(handled).toEqual(["crm 0", "billing 1"]);
  });

  test("a late failure does not free the claim of another delivery", async () => {
    let now = 0;
    const store = memoryStore({ claimMs: 1000, now: () => now });
    const running: { readonly fail: (error: Error) => void; readonly succeed: () => void }[] = [];
    const onEvent = () => new Promise<void>((succeed, fail) => running.push({ fail, succeed }));
    const { options } = recorder({ store, name: "crm", onEvent });
    const url = await serveHandler(platform, eventHandler(options));
    const slow = post(url);
    await expect.poll(() => running.length).toBe(1);
    now = 1000;
    const second = post(url);
    await expect.poll(() => running.length).toBe(2);
    running[0]?.fail(new Error("no database"));
    expect((await slow).status).toBe(500);
    const third = post(url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(running).toHaveLength(2);
    running[1]?.succeed();
    expect([(await second).status, (await third).status]).toEqual([204, 204]);
    expect(running).toHaveLength(2);
  });

  test.for(["GET", "PUT", "DELETE", "OPTIONS"])("answers 405 to %s", async (method) => {
    const { options } = recorder();
    const answer = await fetch(await serveHandler(platform, eventHandler(options)), { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("answers 500 if onEvent fails, gives the error to onError, and handles the event when it comes again", async () => {
    let attempts = 0;
    const broken = new Error("no database");
    const { options, errors } = recorder({
      onEvent: () => {
        if (++attempts === 1) throw broken;
        return attempts === 2 ? Promise.reject(broken) : undefined;
      },
    });
    const url = await serveHandler(platform, eventHandler(options));
    expect((await post(url)).status).toBe(500);
    expect((await post(url)).status).toBe(500);
    expect((await post(url)).status).toBe(204);
    expect((await post(url)).status).toBe(204);
    expect(attempts).toBe(3);
    expect(errors).toEqual([broken, broken]);
  });

  test("handles an event once that comes twenty times at the same time, and another type with the same id too", async () => {
    const handled: string[] = [];
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { options } = recorder({
      onEvent: async ({ type }) => {
        handled.push(type);
        await gate;
      },
    });
    const url = await serveHandler(platform, eventHandler(options));
    const group = JSON.stringify({ ...EVENT, type: "warmed", secret: "whsec-old" });
    const answers = Array.from({ length: 20 }, () => [post(url), post(url, group)]).flat();
    await expect.poll(() => handled.length).toBe(2);
    go();
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(204);
    expect(handled.toSorted()).toEqual(["emailsReplied", "warmed"]);
  });

  test("accepts a body that comes slowly, in pieces that cut a character", async () => {
    const { options, events } = recorder();
    const url = await serveHandler(platform, eventHandler(options));
    const bytes = Buffer.from(JSON.stringify({ ...EVENT, leadFirstName: "Zoë", secret: "whsec-new" }));
    const request = http.request(url, { method: "POST" });
    const answered = once(request, "response") as Promise<[http.IncomingMessage]>;
    for (const byte of bytes) {
      request.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    request.end();
    expect((await answered)[0].statusCode).toBe(204);
    expect(events).toEqual([{ ...EVENT, leadFirstName: "Zoë" }]);
  });

  test("does nothing if the sender goes away in the middle of the body, and serves the next", async () => {
    const { options, events, errors } = recorder();
    const url = await serveHandler(platform, eventHandler(options));
    for (let time = 0; time < 3; time++) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.write("POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\n");
      // The server continues when it hands the request to the handler.
      await once(socket, "data");
      await new Promise((resolve) => socket.write(BODY, resolve));
      socket.resetAndDestroy();
    }
    expect((await post(url)).status).toBe(204);
    expect(events).toEqual([EVENT]);
    expect(errors).toEqual([]);
  });

  test("stops reading a body without end, and closes the connection", async () => {
    const { options, rejected } = recorder({ maxBytes: 1000 });
    const url = await serveHandler(platform, eventHandler(options));
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const received: string[] = [];
    socket.on("data", (chunk) => received.push(String(chunk)));
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
    const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 100_000) {
      sent++;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(rejected).toMatchObject([{ code: "body_too_large" }]);
    // The answer is lost if the reset of the connection overtakes it.
    expect(received.join("")).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
    expect(sent).toBeLessThan(100_000);
  });

  test("answers 500 if the store fails, and 503 if another process handles the event", async () => {
    const fail = (): never => {
      throw new Error("no store");
    };
    const works = memoryStore();
    const stores: readonly [number, number, EventStore][] = [
      [500, 0, { ...works, claim: fail }],
      [500, 0, { ...works, claim: () => Promise.resolve("maybe" as "done") }],
      [500, 1, { ...works, complete: fail }],
      [503, 0, { ...works, claim: () => Promise.resolve("busy") }],
    ];
    for (const [status, handled, store] of stores) {
      const { options, events, errors } = recorder({ store, name: "crm" });
      const answer = await post(await serveHandler(platform, eventHandler(options)));
      expect([answer.status, events.length, errors.length]).toEqual([status, handled, status === 500 ? 1 : 0]);
      expect(answer.headers.get("retry-after")).toBe(status === 503 ? "5" : null);
    }
  });

  test("reports both errors if onEvent fails and the store cannot release the event", async () => {
    const failed = (message: string) => (): never => {
      throw new Error(message);
    };
    const store = { ...memoryStore(), release: failed("no store") };
    const { options, errors } = recorder({ store, name: "crm", onEvent: failed("no database") });
    expect((await post(await serveHandler(platform, eventHandler(options)))).status).toBe(500);
    expect(errors).toEqual([new Error("no store"), new Error("no database")]);
  });

  test("writes to console.error without onError, and if onError fails itself", async () => {
    const { error } = console;
    const logged: unknown[] = [];
    console.error = (...words) => void logged.push(...words);
    try {
      const fail = (): never => {
        throw new Error("no database");
      };
      const bare = eventHandler({ secrets: SECRETS, onEvent: fail });
      expect((await post(await serveHandler(platform, bare))).status).toBe(500);
      const twice = eventHandler({
        secrets: SECRETS,
        onEvent: fail,
        onError: () => Promise.reject(new Error("no log")),
      });
      expect((await post(await serveHandler(platform, twice))).status).toBe(500);
      expect(logged).toEqual([new Error("no database"), new Error("no log")]);
      logged.length = 0;
      expect((await post(await serveHandler(platform, bare), "{")).status).toBe(400);
      expect(logged).toEqual([]);
    } finally {
      console.error = error;
    }
  });
});

describe("a body that something has read before", () => {
  const expectRejected = async (answer: Response, errors: readonly unknown[]): Promise<void> => {
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("handleParsed(request.body)");
    expect(errors).toMatchObject([{ code: "body_already_read" }]);
  };

  test("is an error at once on node:http", async () => {
    const { options, errors, events } = recorder();
    const handler = eventHandler(options);
    const url = await listen(
      http.createServer((request, response) => {
        void (async () => {
          Object.assign(request, { body: JSON.parse(await text(request)) as unknown });
          await handler(request, response);
        })();
      }),
    );
    await expectRejected(await post(url), errors);
    expect(events).toEqual([]);
  });

  test("is an error at once if it was empty", async () => {
    const { options, errors } = recorder();
    const handler = eventHandler(options);
    const url = await listen(
      http.createServer((request, response) => {
        void text(request).then(() => handler(request, response));
      }),
    );
    await expectRejected(await post(url, ""), errors);
  });

  test("is an error at once if it was read in part", async () => {
    const { options, errors } = recorder();
    const handler = eventHandler(options);
    const url = await listen(
      http.createServer((request, response) => {
        request.once("readable", () => {
          request.read(1);
          void handler(request, response);
        });
      }),
    );
    await expectRejected(await post(url), errors);
  });

  test("is an error at once with Hono", async () => {
    const { options, errors, events } = recorder();
    const handler = eventHandler(options);
    const url = await serveHono((app) =>
      app.post("/", async (context) => {
        await context.req.json();
        return handler(context.req.raw);
      }),
    );
    await expectRejected(await post(url), errors);
    expect(events).toEqual([]);
  });

  test("is an error at once if a reader has locked it", async () => {
    const { options, errors } = recorder();
    const request = new Request("http://127.0.0.1/", { method: "POST", body: BODY });
    request.body?.getReader();
    await expectRejected(await eventHandler(options)(request), errors);
  });
});

test("a Request whose body fails is answered, and the handler does not reject", async () => {
  const { options, events, errors } = recorder();
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const init: RequestInit & { readonly duplex: "half" } = { method: "POST", body, duplex: "half" };
  expect((await eventHandler(options)(new Request("http://127.0.0.1/", init))).status).toBe(400);
  expect([events, errors]).toEqual([[], []]);
});

test("a request that something has paused is read", async () => {
  const { options, events } = recorder();
  const handler = eventHandler(options);
  const url = await listen(http.createServer((request, response) => void handler(request.pause(), response)));
  expect((await post(url, BODY, { signal: AbortSignal.timeout(10_000) })).status).toBe(204);
  expect(events).toEqual([EVENT]);
});

describe("an unknown option is a TypeError", () => {
  const { options } = recorder();
  const onBreach = (): void => undefined;
  test.each<[string, () => unknown, string]>([
    ["of a handler", () => eventHandler({ ...options, onRejcted: onBreach } as never), "Unknown option onRejcted. "],
    [
      "that is undefined",
      () => eventHandler({ ...options, maxbytes: undefined } as never),
      "Unknown option maxbytes. ",
    ],
    ["of parseEvent", () => parseEvent(BODY, { secrets: SECRETS, secret: "x" } as never), "Unknown option secret. "],
    ["of memoryStore", () => memoryStore({ max: 5 } as never), "The options are: limit, claimMs, now."],
    ["of a watch", () => createSuppressionWatch({ list: [], onBreach, onFound: onBreach } as never), "onFound"],
  ])("%s", (_, call, said) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(said);
  });
});

test("options can be an object of a class", async () => {
  class Receiver {
    readonly handled: OutreachEvent[] = [];
    readonly errors: unknown[] = [];
    get secrets(): readonly string[] {
      return SECRETS;
    }
    onEvent(event: OutreachEvent): void {
      this.handled.push(event);
      if (event.type === "warmed") throw new Error("no database");
    }
    onError(error: unknown): void {
      this.errors.push(error);
    }
  }
  const receiver = new Receiver();
  const url = await serveHandler("node:http", eventHandler(receiver));
  expect((await post(url)).status).toBe(204);
  expect((await post(url, BODY.replace("emailsReplied", "warmed"))).status).toBe(500);
  expect(receiver.handled).toMatchObject([EVENT, { type: "warmed" }]);
  expect(receiver.errors).toEqual([new Error("no database")]);
});

test("a handler ends when the sender goes away while the event is handled", async () => {
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const { options, errors } = recorder({ onEvent: () => gate });
  const handler = eventHandler(options);
  const ends: Promise<void>[] = [];
  const url = await listen(http.createServer((request, response) => void ends.push(handler(request, response))));
  const stop = new AbortController();
  const answer = post(url, BODY, { signal: stop.signal });
  await expect.poll(() => ends.length).toBe(1);
  stop.abort();
  await expect(answer).rejects.toThrow("aborted");
  go();
  await Promise.all(ends);
  expect(errors).toEqual([]);
});

test("the handler serves HTTP/2, without a header that HTTP/2 does not have", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const { options, events } = recorder({ maxBytes: 1000 });
  const handler = eventHandler(options);
  const server = http2.createServer((request, response) => void handler(request, response));
  const client = http2.connect(await listen(server));
  const statuses: unknown[] = [];
  for (const body of [BODY, "x".repeat(2000)]) {
    const request = client.request({ ":method": "POST", ":path": "/" });
    request.end(body);
    const [headers] = (await once(request, "response")) as [http2.IncomingHttpHeaders];
    statuses.push(headers[":status"]);
  }
  client.destroy();
  process.off("warning", warn);
  expect(statuses).toEqual([204, 413]);
  expect(events).toEqual([EVENT]);
  expect(warnings).toEqual([]);
});

test.for([
  ["without an announced length", {}],
  ["with an announced length", { "content-length": "10000000" }],
] as const)(
  "a stream of HTTP/2 with a body %s that is too large ends with the answer, and the connection serves the next",
  async ([, headers]) => {
    const { options, events } = recorder({ maxBytes: 1000 });
    const handler = eventHandler(options);
    const closed: Promise<unknown>[] = [];
    const server = http2.createServer((request, response) => {
      closed.push(new Promise((resolve) => request.stream.on("close", resolve)));
      void handler(request, response);
    });
    const client = http2.connect(await listen(server));
    onTestFinished(() => client.destroy());
    const large = client.request({ ":method": "POST", ":path": "/", ...headers });
    const [answered, reset] = [once(large, "response") as Promise<[http2.IncomingHttpHeaders]>, once(large, "aborted")];
    let said = "";
    large.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
    // More than both sides buffer: the sender waits for a reader.
    large.write(Buffer.alloc(5_000_000, "x"));
    expect((await answered)[0][":status"]).toBe(413);
    await Promise.all([reset, ...closed]);
    expect(large.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
    expect(said).toContain("more than 1000 bytes");
    const next = client.request({ ":method": "POST", ":path": "/" });
    next.end(BODY);
    expect(((await once(next, "response")) as [http2.IncomingHttpHeaders])[0][":status"]).toBe(204);
    expect(events).toEqual([EVENT]);
  },
);

test("secrets that are a function are read at the first request, and not before", async () => {
  let given: readonly string[] = [];
  const { options, events, errors } = recorder({ secrets: () => given });
  const handler = eventHandler(options);
  const url = await serveHandler("node:http", handler);
  expect((await post(url)).status).toBe(500);
  given = [""];
  expect((await post(url)).status).toBe(500);
  expect(errors).toEqual([expect.any(TypeError), expect.any(TypeError)]);
  expect((errors[1] as TypeError).message).toBe("secrets[0] is empty. Is an environment variable missing?");
  given = SECRETS;
  expect((await post(url)).status).toBe(204);
  expect((await post(url, BODY.replace("whsec-new", "another"))).status).toBe(401);
  expect(events).toEqual([EVENT]);
});

describe("a body that a framework has read", () => {
  test.for<[string, unknown]>([
    ["an object", { ...EVENT, secret: "whsec-new" }],
    ["text", BODY],
    ["bytes", Buffer.from(BODY)],
  ])("is handled once as %s, also if the same event comes as a request", async ([, body]) => {
    const { options, events } = recorder();
    const handler = eventHandler(options);
    expect(await handler.handleParsed(body)).toEqual({ status: 204, headers: {}, body: "" });
    expect((await handler.handleParsed(body)).status).toBe(204);
    expect((await handler(new Request("http://127.0.0.1/", { method: "POST", body: BODY }))).status).toBe(204);
    expect(events).toEqual([EVENT]);
  });

  const cyclic: { [name: string]: unknown } = { ...EVENT, secret: "whsec-new" };
  cyclic["one"] = cyclic["other"] = { cyclic };
  test.for<[number, string, unknown]>([
    [400, "not_an_event", undefined],
    [400, "not_an_event", null],
    [400, "not_an_event", "[]"],
    [400, "invalid_json", ""],
    [400, "not_an_event", { secret: "whsec-new" }],
    [400, "not_an_event", cyclic],
    [401, "secret_wrong", { ...EVENT, secret: "another" }],
    [401, "secret_missing", EVENT],
    [413, "body_too_large", `${BODY}${" ".repeat(2000)}`],
  ])("is answered with %d (%s): %j", async ([status, code, body]) => {
    const { options, events, rejected } = recorder({ maxBytes: 1000 });
    const answer = await eventHandler(options).handleParsed(body);
    expect(answer).toEqual({
      status,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: `${rejected[0]?.message ?? ""}\n`,
    });
    expect(rejected).toMatchObject([{ code }]);
    expect(events).toEqual([]);
  });

  test("is answered with 500 if onEvent fails", async () => {
    const broken = new Error("no database");
    const { options, errors } = recorder({ onEvent: () => Promise.reject(broken) });
    expect((await eventHandler(options).handleParsed(BODY)).status).toBe(500);
    expect(errors).toEqual([broken]);
  });
});

test("a handler whose list of secrets is emptied later accepts nothing", async () => {
  const secrets = [...SECRETS];
  const { options, events, errors } = recorder({ secrets });
  const url = await serveHandler("node:http", eventHandler(options));
  expect((await post(url)).status).toBe(204);
  secrets.length = 0;
  expect((await post(url, BODY.replace("act_1", "act_2"))).status).toBe(500);
  expect(events).toEqual([EVENT]);
  expect(errors).toEqual([expect.any(TypeError)]);
});

test("an answer that was already sent stays as it is", async () => {
  const { options, errors } = recorder();
  const handler = eventHandler(options);
  const url = await listen(
    http.createServer((request, response) => {
      response.writeHead(202).end();
      void handler(request, response);
    }),
  );
  expect((await post(url)).status).toBe(202);
  expect(errors).toEqual([]);
});

test("anything other than a request is a TypeError that says what to pass", async () => {
  const handler = eventHandler(recorder().options) as unknown as (...words: unknown[]) => Promise<unknown>;
  const context = { req: { raw: new Request("http://127.0.0.1/") } };
  for (const words of [[], [null], [context, () => undefined], [{ headers: {}, method: "POST" }]])
    await expect(handler(...words)).rejects.toThrow(/^eventHandler needs .* context\.req\.raw/);
});

test.for<[RegExp, object]>([
  [/at least one secret/, { onEvent: () => undefined }],
  [/secrets\[0\] is undefined/, { secrets: [undefined], onEvent: () => undefined }],
  [/onEvent/, { secrets: SECRETS }],
  [/secrets\[1\] starts or ends with white space/, { secrets: ["whsec-1", "whsec-2\n"], onEvent: () => undefined }],
  [/secrets\[0\] starts or ends with white space/, { secrets: [" whsec-1"], onEvent: () => undefined }],
  [/secrets\[0\] starts or ends with .* invisible/, { secrets: ["whsec-1\u{200b}"], onEvent: () => undefined }],
  [/A handler with a store needs a name/, { secrets: SECRETS, onEvent: () => undefined, store: memoryStore() }],
  [
    /A handler with a store needs a name/,
    { secrets: SECRETS, onEvent: () => undefined, store: memoryStore(), name: "" },
  ],
])("options without what a handler needs are a TypeError when it is made: %s", ([message, options]) => {
  expect(() => eventHandler(options as HandlerOptions)).toThrow(message);
});
