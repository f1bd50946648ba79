import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeWeb } from "../../src/service/api/node-web.ts";
import { answer, ends, startFaultServer } from "./fault-server.ts";
import { startProxy } from "./network.ts";

const NEVER = new AbortController().signal;

let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

function open(environment: { readonly [name: string]: string } = {}) {
  const hidden: string[] = [];
  const web = nodeWeb(nodeClock, { environment, hide: (secret) => void hidden.push(secret) });
  const send = (url = server.baseUrl, signal = NEVER) =>
    web.send({ method: "GET", url: new URL(url), headers: {}, body: null, timeoutMs: 5000 }, signal);
  return { web, send, hidden };
}

describe("a request to a server of states", () => {
  test("is answered by bytes, and the connection is kept for the next one until it is closed", async () => {
    const { web, send } = open();
    const ports = new Set<number | undefined>();
    let closed = 0;
    server.behave((response, count, received) => {
      if (!ports.has(response.socket?.remotePort)) response.socket?.once("close", () => closed++);
      ports.add(response.socket?.remotePort);
      answer(200, "ü")(response, count, received);
    });
    expect([(await send()).body, (await send()).body]).toEqual([Buffer.from("ü"), Buffer.from("ü")]);
    expect([ports.size, closed]).toEqual([1, 0]);
    web.close();
    // Idle connections end by themselves after 4 s.
    await expect.poll(() => closed, { timeout: 3000 }).toBe(1);
  });

  test("is not sent over plain http to another machine", async () => {
    await expect(open().send("http://state.example.com/")).rejects.toMatchObject({
      sent: false,
      message: "plain http only reaches this machine: use https",
    });
  });

  test("that fails tells whether it was sent", async () => {
    server.behave(ends.reset);
    await expect(open().send()).rejects.toMatchObject({ name: "WebFailure", sent: true });
  });

  test.each(["before", "during"])("of a run that is interrupted %s it ends with the reason of that", async (when) => {
    const [stop, reason] = [new AbortController(), new Error("interrupted")];
    if (when === "before") stop.abort(reason);
    server.behave(() => stop.abort(reason));
    await expect(open().send(server.baseUrl, stop.signal)).rejects.toBe(reason);
    expect(server.received()).toHaveLength(when === "before" ? 0 : 1);
  });

  test("goes through the proxy of the environment, whose password is kept out of output", async () => {
    const proxy = await startProxy({ credentials: "ada:other" });
    const { send, hidden } = open({ HTTPS_PROXY: `http://ada:p%40ss@127.0.0.1:${String(proxy.port)}` });
    for (let time = 0; time < 2; time++)
      await expect(send("https://state.test/prod")).rejects.toMatchObject({ sent: false, problem: { kind: "proxy" } });
    expect([hidden, proxy.tunnels]).toEqual([["p@ss"], ["state.test:443", "state.test:443"]]);
    await proxy.close();
  });

  test("is not sent where the environment names a proxy that is none", async () => {
    const { send, hidden } = open({ HTTPS_PROXY: "socks5://proxy.example.com" });
    await expect(send("https://state.test/prod")).rejects.toMatchObject({
      sent: false,
      message: expect.stringContaining("socks5") as string,
    });
    expect(hidden).toEqual([]);
  });
});
