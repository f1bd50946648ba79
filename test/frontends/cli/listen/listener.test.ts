import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  type Answer,
  type Delivery,
  MAX_BODY_BYTES,
  type Listener,
  startListener,
} from "../../../../src/frontends/cli/commands/listen/listener.ts";
import { until } from "../project.ts";

async function open(receive: (delivery: Delivery) => Promise<Answer>, arrivalTimeoutMs = 60_000): Promise<Listener> {
  const listener = await startListener({ host: "127.0.0.1", port: 0, receive, arrivalTimeoutMs });
  onTestFinished(() => listener.close());
  return listener;
}

const accept = (): Promise<Answer> => Promise.resolve({ status: 200, text: "" });

/** Everything that the listener answers to these bytes. */
async function answered(listener: Listener, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

test("a body that does not arrive in time is answered with 408", async () => {
  const listener = await open(accept, 200);
  expect(await answered(listener, "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{")).toMatch(
    /^HTTP\/1\.1 408 /,
  );
});

test("a body without an announced length ends at the limit", async () => {
  const received: number[] = [];
  const listener = await open(({ body }) => {
    received.push(body.length);
    return accept();
  });
  const statusOf = (size: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const sending = request(
        listener.url,
        { method: "POST", headers: { "transfer-encoding": "chunked" } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sending.on("error", reject);
      for (let sent = 0; sent < size; sent += 65_536) sending.write(Buffer.alloc(Math.min(65_536, size - sent)));
      sending.end();
    });
  expect(await statusOf(MAX_BODY_BYTES)).toBe(200);
  expect(await statusOf(MAX_BODY_BYTES + 1)).toBe(413);
  expect(received).toEqual([MAX_BODY_BYTES]);
});

test("a connection stays open for the next event, also after a refused one", async () => {
  const listener = await open(accept);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ports = new Set<number | undefined>();
  for (const method of ["POST", "GET", "POST"]) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(listener.url, { method, agent }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on("end", () => resolve(response.statusCode));
      });
      sending.on("error", reject);
      sending.end(method === "POST" ? "{}" : undefined);
    });
    expect(status).toBe(method === "POST" ? 200 : 405);
  }
  expect(ports.size).toBe(1);
});

/** A connection whose bytes nobody has read yet ends with a reset. */
function dropped(error: NodeJS.ErrnoException): string {
  if (error.code !== "ECONNRESET") throw error;
  return "";
}

test("closing answers what has arrived, and drops what has not", async () => {
  let finish = (): void => undefined;
  const listener = await open(() => new Promise((resolve) => (finish = () => resolve({ status: 201, text: "" }))));
  // Connections are accepted in their order: once the whole one has arrived, the other one is there.
  const half = answered(listener, "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{").catch(dropped);
  const whole = answered(listener, "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}");
  await until(() => listener.working() === 1, "one has arrived");
  const closed = listener.close();
  finish();
  expect(await whole).toMatch(/^HTTP\/1\.1 201 /);
  expect(await half).toBe("");
  await closed;
});

test.each(["https://evil.example.com", "null", "http://127.0.0.1:4020"])(
  "an event of a web page with the origin %s is answered with 403",
  async (origin) => {
    const received: Delivery[] = [];
    const listener = await open((delivery) => {
      received.push(delivery);
      return accept();
    });
    const bytes = `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: ${origin}\r\ncontent-type: text/plain\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`;
    expect(await answered(listener, bytes)).toMatch(/^HTTP\/1\.1 403 [^]*Origin header/);
    expect(received).toEqual([]);
  },
);
