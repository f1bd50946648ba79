import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createCertificate } from "../../../src/frontends/terraform/plugin/certificate.ts";
import type { StreamingRoute } from "../../../src/frontends/terraform/plugin/grpc.ts";
import { chooseEndpoint } from "../../../src/frontends/terraform/plugin/handshake.ts";
import { PluginServer } from "../../../src/frontends/terraform/plugin/plugin-server.ts";
import { ProtocolClient, framed, unframed } from "./protocol-client.ts";

const COUNT = "/test.Count/Up";
const started: { close(): void }[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.close();
});

async function serve(stream: StreamingRoute["stream"]) {
  const own = createCertificate();
  const endpoint = chooseEndpoint("linux", [tmpdir(), "/tmp"]);
  const server = new PluginServer(new Map([[COUNT, { stream }]]), {
    certificate: createCertificate(),
    clientCertificate: own.certificate,
    endpoint,
  });
  const client = await ProtocolClient.connect(await server.listen(), own);
  started.push(client, server);
  return { server, client };
}

/** As many messages as the request says, each of this many bytes. */
async function* up(request: Uint8Array, bytes = 1) {
  for (let count = 0; count < (request[0] ?? 0); count++) {
    await delay(0);
    yield Buffer.alloc(bytes, count);
  }
}

describe("a call that is answered with a stream", () => {
  it.each([0, 1, 3])("gets %i messages and a status", async (count) => {
    const { client } = await serve(up);
    const { status, body } = await client.call(COUNT, framed(Buffer.from([count])));
    expect([status, unframed(body).map((message) => message[0])]).toEqual([
      0,
      Array.from({ length: count }, (_, index) => index),
    ]);
  });

  it("gets messages that are larger together than what is under way at a time", async () => {
    const size = 300_000;
    const { client } = await serve((request) => up(request, size));
    const { status, body } = await client.call(COUNT, framed(Buffer.from([40])));
    const messages = unframed(body);
    expect([status, messages.length, messages.at(-1)?.equals(Buffer.alloc(size, 39))]).toEqual([0, 40, true]);
  });

  it("gets what came before a failure, and why it failed", async () => {
    const { client } = await serve(async function* (request) {
      yield* up(request);
      throw new Error("broken: 100 %");
    });
    const { status, message, body } = await client.call(COUNT, framed(Buffer.from([2])));
    expect([status, message, unframed(body)]).toEqual([13, "broken: 100 %", [Buffer.from([0]), Buffer.from([1])]]);
  });

  it("gets a status when it carries no message", async () => {
    const { client } = await serve(up);
    expect(await client.call(COUNT, Buffer.alloc(0))).toMatchObject({
      status: 13,
      message: "the call carries no message",
    });
  });

  it("gets each message as it comes, and is over when the caller has gone", async () => {
    let ended = false;
    const { client, server } = await serve(async function* () {
      try {
        for (;;) {
          yield Buffer.alloc(100_000);
          await delay(1);
        }
      } finally {
        ended = true;
      }
    });
    const { headers } = await client.open(COUNT, framed(Buffer.alloc(0)));
    expect(headers[":status"]).toBe(200);
    expect(ended).toBe(false);
    client.close();
    await server.idle();
    expect(ended).toBe(true);
  });
});
