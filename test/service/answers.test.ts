import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallerOptions, WireOutcome } from "../../src/service/api/caller.ts";
import { readClient, reserveWrites } from "../../src/service/api/client.ts";
import { type Behaviour, answer, startFaultServer } from "./fault-server.ts";

const NEVER = new AbortController().signal;
const MEGABYTE = 1024 * 1024;

let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

async function remove(options: CallerOptions): Promise<WireOutcome> {
  const { client, release } = await reserveWrites(options, 1, NEVER);
  try {
    return await client.deleteWebhook("hoo_1", NEVER);
  } finally {
    release();
  }
}

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
    server.behave((response) => void response.writeHead(200).end(`[{"_id":"hoo_1","targetUrl":"https://crm.example.com/","more":${nested}}]`));
    await expect(list()).rejects.toThrow("answered 200 without valid JSON");
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

test.each([500, 503, 307])("a delete that is answered %d with Retry-After is undecided, and sent once", async (status) => {
  server.behave(answer(status, "Unavailable", { "retry-after": "1" }));
  expect(await remove(server.caller())).toMatchObject({ kind: "unsure", answered: true });
  expect(server.received()).toHaveLength(1);
});

test("a secret in an answer is dropped wherever it is, however its name is written", async () => {
  const campaign = (creator: string) => `[{ "_id": "cam_1", "name": "Q3", "creator": ${creator}, "secret": { "deep": "hush-hush" } }]`;
  for (const creator of ['{ "id": 1, "secret": "hush-hush" }', String.raw`{ "id": 1, "s\u0065cret": ["hush-hush"] }`]) {
    server.behave((response) => void response.writeHead(200).end(campaign(creator)));
    expect(await readClient(server.caller()).campaigns({}, NEVER)).toEqual([{ _id: "cam_1", name: "Q3", creator: { id: 1 } }]);
  }
});
