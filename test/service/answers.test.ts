import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallerOptions, WireOutcome } from "../../src/service/api/caller.ts";
import { readSchedules } from "../../src/service/resources/schedules-data-source.ts";
import { type WriteClient, readClient, reserveWrites } from "../../src/service/api/client.ts";
import { type Behaviour, answer, ends, inSequence, startFaultServer } from "./fault-server.ts";

const NEVER = new AbortController().signal;
const MEGABYTE = 1024 * 1024;

let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

async function written(
  options: CallerOptions,
  write: (client: WriteClient) => Promise<WireOutcome>,
): Promise<WireOutcome> {
  const { client, release } = await reserveWrites(options, 1, NEVER);
  try {
    return await write(client);
  } finally {
    release();
  }
}

const remove = (options: CallerOptions): Promise<WireOutcome> =>
  written(options, (client) => client.deleteWebhook("hoo_1", NEVER));

const list = () => readClient(server.caller()).listWebhooks(new Set(), NEVER);

describe("an answer", () => {
  const sized =
    (bytes: number): Behaviour =>
    (response) =>
      void response.writeHead(200).end(`[]${" ".repeat(bytes - 2)}`);

  test("may have 10 MB and no more", async () => {
    server.behave(sized(10 * MEGABYTE));
    expect((await list()).webhooks).toEqual([]);
    server.behave(sized(10 * MEGABYTE + 1));
    await expect(list()).rejects.toThrow("the answer is larger than 10 MB");
  });

  test("that never ends is given up once it has 10 MB, and the connection is closed", async () => {
    let closed = 0;
    server.behave((response) => {
      response.on("close", () => closed++).writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(MEGABYTE)));
      };
      response.on("drain", more);
      more();
    });
    await expect(list()).rejects.toThrow("the answer is larger than 10 MB");
    await expect.poll(() => closed).toBe(server.received().length);
  });

  test("that is nested thousands of levels deep is not read", async () => {
    const nested = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    server.behave(
      (response) =>
        void response.writeHead(200).end(`[{"_id":"hoo_1","targetUrl":"https://crm.example.com/","more":${nested}}]`),
    );
    await expect(list()).rejects.toThrow("answered 200 without valid JSON");
  });

  test("may be nested 500 levels deep and no more", async () => {
    const nested = (levels: number): string =>
      `[{"_id":"hoo_1","targetUrl":"https://a.example/","more":${"[".repeat(levels)}${"]".repeat(levels)}}]`;
    server.behave((response) => void response.writeHead(200).end(nested(498)));
    expect((await list()).webhooks).toHaveLength(1);
    server.behave((response) => void response.writeHead(200).end(nested(499)));
    await expect(list()).rejects.toThrow("answered 200 without valid JSON");
  });

  test("that is not HTTP is an error that says so", async () => {
    server.behave(ends.noHttp);
    await expect(list()).rejects.toThrow("GET /hooks: the answer is not HTTP");
  });

  test("that is compressed is not read, and one that says that it is not compressed is", async () => {
    server.behave((response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("[]")));
    await expect(list()).rejects.toThrow("the answer is compressed, but the request did not allow that");
    server.behave((response) => void response.writeHead(200, { "content-encoding": "br" }).end("[]"));
    await expect(list()).rejects.toThrow("compressed");
    server.behave(answer(200, [], { "content-encoding": "identity" }));
    expect((await list()).webhooks).toEqual([]);
  });
});

test.each([500, 503, 307])(
  "a delete that is answered %d with Retry-After is undecided, and sent once",
  async (status) => {
    server.behave(answer(status, "Unavailable", { "retry-after": "1" }));
    expect(await remove(server.caller())).toMatchObject({ kind: "unsure", answered: true });
    expect(server.received()).toHaveLength(1);
  },
);

test("a secret in an answer is dropped wherever it is, however its name is written", async () => {
  const campaign = (creator: string) =>
    `[{ "_id": "cam_1", "name": "Q3", "creator": ${creator}, "secret": { "deep": "hush-hush" } }]`;
  for (const creator of ['{ "id": 1, "secret": "hush-hush" }', String.raw`{ "id": 1, "s\u0065cret": ["hush-hush"] }`]) {
    server.behave((response) => void response.writeHead(200).end(campaign(creator)));
    expect(await readClient(server.caller()).campaigns({}, NEVER)).toEqual([
      { _id: "cam_1", name: "Q3", creator: { id: 1 } },
    ]);
  }
});

describe("the answer to an unsubscription", () => {
  const lead = { campaignId: "cam_1", email: "ada@example.com" };
  const unsubscribe = (one = lead) => written(server.caller(), (client) => client.unsubscribeLead(one, NEVER));

  test.each([
    ["the lead", { _id: "lea_1", email: "ada@example.com" }],
    ["the lead in other letters", { _id: "lea_1", email: "Ada@Example.com" }],
  ])("with %s shows that it was carried out", async (_, body) => {
    server.behave(answer(200, body));
    expect(await unsubscribe({ ...lead, email: "adA@example.com" })).toEqual({ kind: "answered", json: body });
    expect(server.received()).toMatchObject([
      { method: "DELETE", url: { pathname: "/api/campaigns/cam_1/leads/adA%40example.com" } },
    ]);
  });

  test.each<readonly [string, unknown]>([
    ["another lead", { _id: "lea_1", email: "eve@example.com" }],
    ["no address", { _id: "lea_1" }],
    ["an address that is not text", { _id: "lea_1", email: 5 }],
    ["no id", { email: "ada@example.com" }],
    ["an empty id", { _id: "", email: "ada@example.com" }],
    ["an id that is not text", { _id: 1, email: "ada@example.com" }],
    ["null", null],
    ["a number", 5],
  ])("with %s leaves the outcome open", async (_, body) => {
    server.behave(answer(200, body));
    expect(await unsubscribe()).toEqual({
      kind: "unsure",
      cause: "DELETE /campaigns/cam_1/leads/…: answered 200 without the lead",
      answered: true,
    });
  });

  test("that refuses it stays a refusal", async () => {
    server.behave(answer(404, "Lead not found"));
    expect(await unsubscribe()).toMatchObject({ kind: "refused", known: "lead_not_found" });
  });

  test("does not exist for ids and addresses that are not safe in a path", async () => {
    await expect(unsubscribe({ ...lead, campaignId: "../hooks" })).rejects.toThrow('"../hooks" is not a campaign id');
    await expect(unsubscribe({ ...lead, email: "ada" })).rejects.toThrow("the lead's address is not safe in a path");
  });
});

describe("the answer to the start of an export", () => {
  const start = (id = "cam_1") => written(server.caller(), (client) => client.startExport(id, NEVER));

  test.each<readonly [string, unknown, WireOutcome["kind"]]>([
    ["the export", { _id: "axp_1", status: "pending" }, "answered"],
    ["no status", { _id: "axp_1" }, "unsure"],
    ["a status that is not text", { _id: "axp_1", status: 1 }, "unsure"],
    ["no id", { status: "pending" }, "unsure"],
    ["an id that is not text", { _id: 1, status: "pending" }, "unsure"],
    ["null", null, "unsure"],
    ["text", '"pending"', "unsure"],
  ])("with %s", async (_, body, kind) => {
    server.behave(answer(200, body));
    const unsure = { cause: "GET /campaigns/cam_1/export/start: answered 200 without the export", answered: true };
    expect(await start()).toMatchObject({ kind, ...(kind === "unsure" ? unsure : {}) });
  });

  test("that fails is told as it is", async () => {
    server.behave(answer(500, "Internal error"));
    expect(await start()).toMatchObject({
      kind: "unsure",
      cause: expect.stringContaining("answered 500 Internal error") as string,
    });
    await expect(start("axp_1")).rejects.toThrow('"axp_1" is not a campaign id');
  });
});

describe("the answers to other reads", () => {
  const client = () => readClient(server.caller());

  test.each<readonly [string, unknown]>([
    ["an object", { schedules: [] }],
    ["null", null],
    ["a list with null", [null]],
    ["a list with text", ["skd_1"]],
    ["a schedule without an id", [{ name: "Week" }]],
    ["a schedule whose id is not text", [{ _id: 1, name: "Week" }]],
    ["a schedule without a name", [{ _id: "skd_1" }]],
    ["a schedule whose name is no text", [{ _id: "skd_1", name: {} }]],
  ])("are no schedules if they are %s", async (_, body) => {
    server.behave(answer(200, body));
    await expect(readSchedules(client(), "cam_1", NEVER)).rejects.toThrow(
      "GET /campaigns/cam_1/schedules/: the answer is not a list of schedules",
    );
  });

  test.each<readonly [string, unknown]>([
    ["a list", []],
    ["null", null],
    ["text", '"on"'],
  ])("are no warm-up settings if they are %s", async (_, body) => {
    server.behave(answer(200, body));
    await expect(client().object("/warmup/{mailboxId}/settings", { mailboxId: "box-1" }, NEVER)).rejects.toThrow(
      "GET /warmup/box-1/settings: the answer is not an object",
    );
  });

  test.each<readonly [string, unknown]>([
    ["a campaign without an id", [{ name: "Q3" }]],
    ["a campaign whose id is not text", [{ _id: 1, name: "Q3" }]],
    ["a campaign without a name", [{ _id: "cam_1" }]],
    ["a campaign whose name is no text", [{ _id: "cam_1", name: {} }]],
    ["a list with null", [null]],
    ["a list with text", ["cam_1"]],
  ])("are no campaigns if they are %s", async (_, body) => {
    server.behave(answer(200, body));
    await expect(client().campaigns({}, NEVER)).rejects.toThrow(
      "GET /campaigns: the answer is not a list of campaigns",
    );
  });

  test("are what they are otherwise, and nothing is read by an unsafe id", async () => {
    server.behave(answer(200, [{ _id: "skd_1", name: "Week" }]));
    expect(await readSchedules(client(), "cam_1", NEVER)).toEqual([{ _id: "skd_1", name: "Week" }]);
    server.behave(answer(200, { dailyLimit: 3 }));
    expect(await client().object("/warmup/{mailboxId}/settings", { mailboxId: "box-1" }, NEVER)).toEqual({
      dailyLimit: 3,
    });
    await expect(readSchedules(client(), "skd_1", NEVER)).rejects.toThrow('"skd_1" is not a campaign id');
    await expect(client().object("/warmup/{mailboxId}/settings", { mailboxId: "../x" }, NEVER)).rejects.toThrow(
      '"../x" is not a mailbox id',
    );
  });
});

test("a read that the rate limit refuses without saying how long to wait waits a second", async () => {
  server.behave(inSequence(answer(429, "Too many"), answer(200, [])));
  const options = server.caller();
  await readClient(options).listWebhooks(new Set(), NEVER);
  expect(options.clock.monotonicMs()).toBe(1000);
});

test("a read that is refused without a wait waits by itself, twice as long each time", async () => {
  server.behave(answer(429, "Too many", { "retry-after": "0" }));
  const options = server.caller();
  await expect(readClient(options).listWebhooks(new Set(), NEVER)).rejects.toThrow("429");
  expect(options.clock.slept.slice(0, 7)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
});
