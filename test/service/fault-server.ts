import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type CallerOptions } from "../../src/service/api/caller.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { slidingPacer } from "../../src/service/api/pacer.ts";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { virtualClock } from "../core/virtual-clock.ts";

export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request or leaves it open. `count` is the number of earlier requests. */
export type Behaviour = (response: ServerResponse, count: number, received: Received) => void;

export const API_KEY = "key-of-ada-1843";

/** An ordinary answer. A value other than text is sent as JSON. */
export function answer(status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Behaviour {
  return (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  };
}

/** One behaviour per request; the last one repeats. */
export function inSequence(...behaviours: readonly Behaviour[]): Behaviour {
  return (response, count, received) => behaviours[Math.min(count, behaviours.length - 1)]?.(response, count, received);
}

export const ends = {
  /** The connection closes before the first byte of an answer. */
  dropped: ((response) => void response.socket?.destroy()) satisfies Behaviour,
  reset: ((response) => void response.socket?.resetAndDestroy()) satisfies Behaviour,
  resetInBody: ((response) => {
    response
      .writeHead(200, { "content-length": "1000" })
      .write('{"_id":"hoo_1"', () => response.socket?.resetAndDestroy());
  }) satisfies Behaviour,
  truncated: ((response) => {
    response.writeHead(200, { "content-length": "1000" }).write('{"_id":"hoo_1"}', () => response.socket?.end());
  }) satisfies Behaviour,
  truncatedChunks: ((response) => {
    response.writeHead(200, { "transfer-encoding": "chunked" }).write('{"_id":"hoo_1"}', () => response.socket?.end());
  }) satisfies Behaviour,
  silent: (() => undefined) satisfies Behaviour,
  trickling: ((response) => {
    response.writeHead(200, { "content-length": "1000" });
    const drip = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drip));
  }) satisfies Behaviour,
  noHttp: ((response) => void response.socket?.end("SSH-2.0-toy\r\n")) satisfies Behaviour,
};

/** A service on this machine with the given behaviour, and callers for it. */
export async function startFaultServer() {
  let behaviour: Behaviour = answer(200, []);
  let received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = {
        method,
        url: new URL(url, "http://service"),
        headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      received.push(one);
      behaviour(response, received.length - 1, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = nodeExchange(nodeClock);
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api`;
  return {
    baseUrl,
    transport,
    /** The requests since the last `behave`. */
    received: (): readonly Received[] => received,
    behave: (next: Behaviour) => {
      behaviour = next;
      received = [];
    },
    caller: (
      more: Partial<CallerOptions> = {},
    ): CallerOptions & { readonly clock: ReturnType<typeof virtualClock> } => {
      const clock = virtualClock();
      return {
        baseUrl,
        apiKey: API_KEY,
        transport,
        pacer: slidingPacer(clock),
        timeoutMs: 5000,
        userAgent: "toy/1",
        jitter: () => 0,
        redactor: redactor(),
        ...more,
        clock,
      };
    },
    close: async () => {
      transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
