import { once } from "node:events";
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { createCertificate } from "../../../src/frontends/terraform/plugin/certificate.ts";
import { PlanResourceChange_Request } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import type { Route, Routes } from "../../../src/frontends/terraform/plugin/grpc.ts";
import { chooseEndpoint } from "../../../src/frontends/terraform/plugin/handshake.ts";
import { PluginServer } from "../../../src/frontends/terraform/plugin/plugin-server.ts";
import { ProtocolClient, framed } from "./protocol-client.ts";

const own = createCertificate();
const started: { close(): void }[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.close();
});

const ECHO = "/test.Echo/Say";

async function serve(routes: Routes = new Map([[ECHO, (request) => Promise.resolve(request)]]), platform = "linux") {
  const server = new PluginServer(routes, {
    certificate: createCertificate(),
    clientCertificate: own.certificate,
    endpoint: chooseEndpoint(platform, [tmpdir(), "/tmp"]),
  });
  started.push(server);
  return { server, line: await server.listen() };
}

async function connected(line: string, certificate: typeof own | null = own): Promise<ProtocolClient> {
  const client = await ProtocolClient.connect(line, certificate);
  started.push(client);
  return client;
}

describe("the plugin server", () => {
  it.each(["linux", "win32"])("answers calls over mutual TLS (%s)", async (platform) => {
    const { line } = await serve(undefined, platform);
    expect(line).toMatch(platform === "win32" ? /^1\|6\|tcp\|127\.0\.0\.1:\d+\|grpc\|/ : /^1\|6\|unix\|\//);
    const client = await connected(line);
    const { status, body } = await client.call(ECHO, framed(Buffer.from("hello")));
    expect([status, body.subarray(5).toString()]).toEqual([0, "hello"]);
  });

  it.each([
    ["no certificate", null],
    ["a stranger's certificate", createCertificate()],
  ])("serves nobody who shows %s", async (_what, certificate) => {
    let calls = 0;
    const { line } = await serve(new Map([[ECHO, (request) => Promise.resolve((calls++, request))]]));
    const attempt = connected(line, certificate).then((client) => client.call(ECHO, framed(Buffer.from("hello"))));
    await expect(attempt).rejects.toThrow(/REFUSED_STREAM|socket|without a status|aborted|ECONNRESET/i);
    const client = await connected(line);
    expect([(await client.call(ECHO, framed(Buffer.from("hello")))).status, calls]).toEqual([0, 1]);
  });

  it("carries large messages, and thousands of calls at a time", async () => {
    const client = await connected((await serve()).line);
    const large = Buffer.alloc(20 * 1024 * 1024, 7);
    const { body } = await client.call(ECHO, framed(large));
    expect(body.subarray(5).equals(large)).toBe(true);
    const results = await Promise.all(
      Array.from({ length: 5000 }, (_, index) => client.call(ECHO, framed(Buffer.from(String(index))))),
    );
    expect(results.every(({ body: answer }, index) => answer.subarray(5).toString() === String(index))).toBe(true);
  });

  const faults: readonly [string, string, Buffer, number, RegExp][] = [
    [
      "a method that is not served",
      "/tfplugin6.Provider/OpenEphemeralResource",
      framed(Buffer.alloc(0)),
      12,
      /unknown method/,
    ],
    ["a compressed message", ECHO, framed(Buffer.from("x"), { compressed: 1 }), 13, /compressed/],
    ["a call without a message", ECHO, Buffer.alloc(0), 13, /no message/],
    [
      "a message that ends before its announced length",
      ECHO,
      Buffer.concat([Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), Buffer.from("y")]),
      13,
      /length/,
    ],
    ["half of a message's head", ECHO, Buffer.from([0, 0, 0]), 13, /no message/],
    [
      "bytes that are no such message",
      "/tfplugin6.Provider/PlanResourceChange",
      framed(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])),
      13,
      /premature EOF/,
    ],
    ["a message of another length", ECHO, Buffer.concat([framed(Buffer.from("x")), Buffer.from("y")]), 13, /length/],
    ["a handler that throws", "/test.Echo/Fail", framed(Buffer.alloc(0)), 13, /^broken: 100 %$/],
  ];
  it.each(faults)("answers %s with a status", async (_what, path, request, expected, message) => {
    const routes: Routes = new Map<string, Route>([
      [ECHO, (bytes) => Promise.resolve(bytes)],
      ["/test.Echo/Fail", () => Promise.reject(new Error("broken: 100 %"))],
      [
        "/tfplugin6.Provider/PlanResourceChange",
        async (bytes) => PlanResourceChange_Request.encode(PlanResourceChange_Request.decode(bytes)).finish(),
      ],
    ]);
    const client = await connected((await serve(routes)).line);
    const result = await client.call(path, request);
    expect(result.status).toBe(expected);
    expect(result.message).toMatch(message);
  });

  it("outlives callers that break off, and what is not HTTP at all", async () => {
    const { line, server } = await serve();
    const client = await connected(line);
    const [, , , path = "", , der = ""] = line.trimEnd().split("|");
    const stranger = connectTls({
      path,
      ca: pem(der),
      servername: "localhost",
      ALPNProtocols: ["h2"],
      key: own.key,
      cert: own.certificate,
    });
    stranger.on("error", () => undefined);
    await once(stranger, "secureConnect");
    stranger.write("GET / HTTP/1.1\r\n\r\n\u0000\u0001\u0002");
    await new Promise((resolve) => stranger.once("close", resolve).resume());
    const broken = await ProtocolClient.connect(line, own);
    void broken.open(ECHO).catch(() => undefined);
    await broken.call(ECHO, framed(Buffer.from("before")));
    broken.close();
    await delay(50);
    expect((await client.call(ECHO, framed(Buffer.from("still here")))).status).toBe(0);
    await server.idle();
  });

  it("holds the broker's and the output's streams open until the end", async () => {
    const { line, server } = await serve();
    const client = await connected(line);
    const streams = await Promise.all(
      ["/plugin.GRPCBroker/StartStream", "/plugin.GRPCStdio/StreamStdio"].map((path) => client.open(path)),
    );
    expect(streams.map(({ headers }) => headers[":status"])).toEqual([200, 200]);
    let closed = 0;
    for (const stream of streams) void stream.closed.then(() => closed++);
    expect((await client.call(ECHO, framed(Buffer.from("still here")))).status).toBe(0);
    expect(closed).toBe(0);
    server.close();
    await Promise.all(streams.map((stream) => stream.closed));
  });

  it("ends when told to, after the calls under way", async () => {
    let finish = (): void => undefined;
    const slow = new Promise<Uint8Array>((resolve) => (finish = () => resolve(Buffer.from("done"))));
    const { line, server } = await serve(new Map([[ECHO, () => slow]]));
    const client = await connected(line);
    const call = client.call(ECHO, framed(Buffer.alloc(0)));
    await delay(50);
    expect((await client.call("/plugin.GRPCController/Shutdown", framed(Buffer.alloc(0)))).status).toBe(0);
    await server.ended;
    let idle = false;
    const waiting = server.idle().then(() => (idle = true));
    await delay(50);
    expect(idle).toBe(false);
    finish();
    await waiting;
    expect((await call).body.subarray(5).toString()).toBe("done");
  });

  it("ends when the connection is gone", async () => {
    const { line, server } = await serve();
    const client = await connected(line);
    await client.call(ECHO, framed(Buffer.alloc(0)));
    client.close();
    await expect(server.ended).resolves.toBe("gone");
  });
});

function pem(der: string): string {
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(der, "base64").toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}
