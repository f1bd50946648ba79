import { once } from "node:events";
import * as http from "node:http";
import type * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import type { EventHandler } from "../../../src/service/receiver/index.ts";

/** How a user's program serves the handler. */
export const PLATFORMS = ["node:http", "Hono on Node"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Serves the handler on loopback until the test ends. Returns its address. */
export async function serveHandler(platform: Platform, handler: EventHandler): Promise<string> {
  // oxlint-disable-next-line typescript/no-misused-promises -- its promise never rejects
  if (platform === "node:http") return listen(http.createServer(handler));
  return serveHono((app) => app.all("/", (context) => handler(context.req.raw)));
}

export async function serveHono(add: (app: Hono) => unknown): Promise<string> {
  const app = new Hono();
  add(app);
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }) as http.Server;
  return listening(server);
}

export async function listen(server: http.Server | http2.Http2Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  return listening(server);
}

async function listening(server: http.Server | http2.Http2Server): Promise<string> {
  if (!server.listening) await once(server, "listening");
  onTestFinished(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}
