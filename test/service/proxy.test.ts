import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { proxyFor } from "../../src/service/api/proxy.ts";
import { TunnelAgent } from "../../src/service/api/tunnel-agent.ts";
import { HIDDEN_HOST, startProxy, startTlsFront } from "./network.ts";

const BASE = "https://api.example.com/api";
const PROXY = "http://proxy.example.com:3128";

describe("the proxy of the environment", () => {
  test.each([
    [{ HTTPS_PROXY: PROXY }, BASE, PROXY],
    [{ https_proxy: PROXY }, BASE, PROXY],
    [{ HTTPS_PROXY: PROXY, https_proxy: "http://other:1" }, BASE, PROXY],
    [{ HTTPS_PROXY: "", https_proxy: PROXY }, BASE, PROXY],
    [{ HTTPS_PROXY: "proxy.example.com:3128" }, BASE, PROXY],
    [{ HTTPS_PROXY: "https://proxy.example.com" }, BASE, "https://proxy.example.com"],
    [{ HTTPS_PROXY: "http://ada:p%40ss@proxy.example.com:3128" }, BASE, PROXY],
    [{}, BASE, null],
    [{ HTTPS_PROXY: "" }, BASE, null],
    [{ HTTP_PROXY: PROXY, ALL_PROXY: PROXY }, BASE, null],
    [{ HTTPS_PROXY: PROXY }, "https://localhost:8443/api", null],
    [{ HTTPS_PROXY: PROXY }, "https://127.0.0.1/api", null],
    [{ HTTPS_PROXY: PROXY }, "https://[::1]:8443/api", null],
    [{ HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY }, "http://127.0.0.1:4010/api", null],
  ])("of %o for %s is %s", (environment, baseUrl, shown) => {
    const proxy = proxyFor(baseUrl, environment);
    expect(proxy && "shown" in proxy ? proxy.shown : proxy).toBe(shown);
  });

  test.each([
    ["*", BASE, true],
    ["api.example.com", BASE, true],
    ["example.com", BASE, true],
    [".example.com", BASE, true],
    ["*.example.com", BASE, true],
    ["EXAMPLE.com", BASE, true],
    ["other.test, example.com", BASE, true],
    ["other.test example.com", BASE, true],
    ["example.com:443", BASE, true],
    ["example.com:8443", BASE, false],
    ["example.com:8443", "https://api.example.com:8443/api", true],
    [".api.example.com", BASE, false],
    ["ample.com", BASE, false],
    ["api.example.com.evil.test", BASE, false],
    [" , ", BASE, false],
    ["10.1.2.3", "https://10.1.2.3/api", true],
    ["10.0.0.0/8", "https://10.1.2.3/api", true],
    ["10.0.0.0/8:443", "https://10.1.2.3/api", true],
    ["10.0.0.0/8:8443", "https://10.1.2.3/api", false],
    ["10.0.0.0/16", "https://10.1.2.3/api", false],
    ["10.0.0.0/99", "https://10.1.2.3/api", false],
    ["2.3", "https://10.1.2.3/api", false],
    ["fd00::/8", "https://[fd00::17]/api", true],
    ["fd00::17", "https://[fd00::17]/api", true],
    ["[fd00::17]:443", "https://[fd00::17]/api", true],
    ["fe00::/8", "https://[fd00::17]/api", false],
  ])("with NO_PROXY=%j does not apply to %s: %s", (noProxy, baseUrl, isExcluded) => {
    for (const name of ["NO_PROXY", "no_proxy"])
      expect(proxyFor(baseUrl, { HTTPS_PROXY: PROXY, [name]: noProxy }) === null).toBe(isExcluded);
  });

  test.each([
    [
      "socks5://proxy.example.com:1080",
      "HTTPS_PROXY names a proxy of the kind socks5; only http and https are supported.",
    ],
    ["http://ada:secret-word@", "HTTPS_PROXY is not the URL of a proxy."],
    [
      "http://ada:100%@proxy.example.com",
      "The user name or the password in HTTPS_PROXY contains a %: write it as %25.",
    ],
  ])("cannot be %s", (written, problem) => {
    expect(proxyFor(BASE, { HTTPS_PROXY: written })).toEqual({ problem });
  });
});

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

function through({ port }: { readonly port: number }, target = 443, credentials = "") {
  const proxy = proxyFor(`https://${HIDDEN_HOST}`, { HTTPS_PROXY: `http://${credentials}127.0.0.1:${String(port)}` });
  if (!proxy || "problem" in proxy) throw new Error("no proxy");
  const transport = nodeExchange(nodeClock, { proxy });
  open.push(transport);
  const url = new URL(`https://${HIDDEN_HOST}:${String(target)}/api/hooks`);
  return (timeoutMs = 5000, signal = new AbortController().signal) =>
    transport.send({ method: "POST", url, headers: {}, body: Buffer.from("{}"), timeoutMs }, signal);
}

describe("a request that meets a problem on its way through a proxy was not sent", () => {
  async function proxied(options: Parameters<typeof startProxy>[0] = {}) {
    const proxy = await startProxy(options);
    open.push(proxy);
    return proxy;
  }

  test("where the proxy wants another password, which no message contains", async () => {
    const proxy = await proxied({ credentials: "ada:right" });
    const text = `the proxy http://127.0.0.1:${String(proxy.port)} (HTTPS_PROXY) refused to connect, with status 407`;
    const failure = expect.objectContaining({
      kind: "proxy",
      isTemporary: false,
      hint: expect.stringContaining("valid user name and password") as string,
    }) as object;
    await expect(through(proxy, 443, "ada:wrong-word@")()).rejects.toMatchObject({
      sent: false,
      message: text,
      problem: failure,
    });
    expect(proxy.tunnels).toEqual([`${HIDDEN_HOST}:443`]);
  });

  test("where the proxy cannot reach the service, which may be temporary", async () => {
    const proxy = await proxied({ answer: "HTTP/1.1 502 Bad Gateway" });
    await expect(through(proxy)()).rejects.toMatchObject({
      sent: false,
      problem: { kind: "proxy", isTemporary: true },
    });
  });

  test("where nobody listens at the proxy's address", async () => {
    const proxy = await startProxy();
    await proxy.close();
    await expect(through(proxy)()).rejects.toMatchObject({
      sent: false,
      message: expect.stringContaining("(HTTPS_PROXY) refused the connection") as string,
    });
  });

  test("where the proxy answers nothing in time, and no connection stays open", async () => {
    const proxy = await proxied({ answer: null });
    const message = expect.stringContaining("(HTTPS_PROXY) accepted no connection within 0.1 s") as string;
    await expect(through(proxy)(100)).rejects.toMatchObject({ sent: false, message });
  });

  test("where the run is interrupted before there is a tunnel", async () => {
    const proxy = await proxied({ answer: null });
    const stop = new AbortController();
    const sending = through(proxy)(5000, stop.signal);
    await expect.poll(() => proxy.tunnels.length).toBe(1);
    stop.abort();
    await expect(sending).rejects.toMatchObject({ sent: false, message: "interrupted" });
  });

  test("where the certificate behind it is not trusted", async () => {
    const front = await startTlsFront(9);
    open.push(front);
    const problem = expect.objectContaining({
      kind: "certificate",
      isTemporary: false,
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") as string,
    }) as object;
    await expect(through(await proxied(), front.port)()).rejects.toMatchObject({ sent: false, problem });
  });
});

describe("the request for a tunnel", () => {
  test.each([
    [
      "http://proxy.example.com",
      "service.test",
      { host: "proxy.example.com", port: 80, path: "service.test:443", headers: { host: "service.test:443" } },
    ],
    ["https://proxy.example.com", "service.test", { host: "proxy.example.com", port: 443 }],
    ["http://proxy.example.com:3128", "::1", { port: "3128", path: "[::1]:443" }],
    ["http://[fd00::1]:3128", "service.test", { host: "fd00::1" }],
    [
      "http://ada:p%40ss@proxy.example.com",
      "service.test",
      { headers: { "proxy-authorization": `Basic ${Buffer.from("ada:p@ss").toString("base64")}` } },
    ],
    [
      "http://ada@proxy.example.com",
      "service.test",
      { headers: { "proxy-authorization": `Basic ${Buffer.from("ada:").toString("base64")}` } },
    ],
    [
      "http://:pass@proxy.example.com",
      "service.test",
      { headers: { "proxy-authorization": `Basic ${Buffer.from(":pass").toString("base64")}` } },
    ],
  ])("to %s for %s", (proxy, host, expected) => {
    const asked: http.RequestOptions[] = [];
    const module = proxy.startsWith("https:") ? https : http;
    const request = vi.spyOn(module, "request").mockImplementation(((options: http.RequestOptions) => {
      asked.push(options);
      return { once: () => undefined, end: () => undefined };
    }) as never);
    syncBuiltinESMExports();
    try {
      new TunnelAgent(new URL(proxy), {}).createConnection({ host, port: 443 }, () => undefined);
    } finally {
      request.mockRestore();
      syncBuiltinESMExports();
    }
    expect(asked).toMatchObject([expected]);
    if (!proxy.includes("@")) expect(asked[0]?.headers).not.toHaveProperty("proxy-authorization");
  });
});

describe("closing", () => {
  test("ends a request for a tunnel that is under way", async () => {
    const proxy = await startProxy({ answer: null });
    open.push(proxy);
    const agent = new TunnelAgent(new URL(`http://127.0.0.1:${String(proxy.port)}`), {});
    const failed = new Promise((resolve) => agent.createConnection({ host: HIDDEN_HOST, port: 443 }, resolve));
    await expect.poll(() => proxy.tunnels.length).toBe(1);
    agent.destroy();
    expect(await failed).toMatchObject({ name: "AbortError" });
  });

  test("ends a tunnel that is kept for the next request", async () => {
    const service = http.createServer((_request, response) => void response.end("ok"));
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const front = await startTlsFront((service.address() as AddressInfo).port);
    const proxy = await startProxy();
    open.push({ close: () => new Promise((resolve) => service.close(resolve)) }, front, proxy);
    const agent = new TunnelAgent(new URL(`http://127.0.0.1:${String(proxy.port)}`), {
      keepAlive: true,
      ca: front.certificate.certificate,
    });
    const text = await new Promise((resolve, reject) => {
      const request = http.request(
        `https://${HIDDEN_HOST}:${String(front.port)}/`,
        { agent },
        (response) => void response.on("data", (chunk) => resolve(String(chunk))),
      );
      request.on("error", reject).end();
    });
    await expect.poll(() => Object.keys(agent.freeSockets)).toHaveLength(1);
    const kept = Object.values(agent.freeSockets).flat();
    agent.destroy();
    expect([text, kept.map((socket) => socket?.destroyed)]).toEqual(["ok", [true]]);
  });
});
