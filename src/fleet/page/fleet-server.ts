import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { withinTime } from "../../core/model/async.ts";
import type { Clock } from "../../core/model/ports.ts";
import { type RouteOptions, fleetRoutes } from "./fleet-routes.ts";

export interface FleetServerOptions extends Omit<RouteOptions, "isLocal"> {
  readonly listen: { readonly host: string; readonly port: number };
}

export interface FleetServer {
  /** The address, for example `http://127.0.0.1:4040`. */
  readonly url: string;
  /** Accepts no more requests, and finishes those that have arrived, for at most two seconds. */
  close(): Promise<void>;
}

const ARRIVAL_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 2000;
/** Bounds the memory for requests. Further connections are closed. */
const MAX_CONNECTIONS = 256;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Serves the page, the status, the metrics and the API of a controller. Rejects if the address cannot be listened on. */
export async function openFleetServer(options: FleetServerOptions): Promise<FleetServer> {
  const { host, port } = options.listen;
  const { fetch } = fleetRoutes({
    ...options,
    allowedHosts: [...options.allowedHosts, host.toLowerCase()],
    isLocal: LOOPBACK.test(host),
  });
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    serverOptions: { requestTimeout: ARRIVAL_TIMEOUT_MS, headersTimeout: ARRIVAL_TIMEOUT_MS },
  }) as Server;
  server.maxConnections = MAX_CONNECTIONS;
  const working = new Set<ServerResponse>();
  server.prependListener("request", (_, response) => {
    working.add(response);
    response.once("close", () => working.delete(response));
  });
  await once(server.listen(port, host), "listening");
  return { url: urlOf(host, server), close: () => close(server, working, options.clock) };
}

async function close(server: Server, working: ReadonlySet<ServerResponse>, clock: Clock): Promise<void> {
  const closed = new Promise<unknown>((resolve) => server.close(resolve));
  // Otherwise the server waits for further requests of those that it answers now.
  for (const response of working) if (!response.headersSent) response.setHeader("connection", "close");
  await withinTime(closed, CLOSE_TIMEOUT_MS, clock, () => undefined);
  server.closeAllConnections();
  await closed;
}

/** An address that means every address of this machine is reached by the loopback one. */
function urlOf(host: string, server: Server): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${String(port)}`;
}
