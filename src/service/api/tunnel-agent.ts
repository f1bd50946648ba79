import * as http from "node:http";
import * as https from "node:https";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";

type Connected = (error: Error | null, socket?: Duplex | null) => void;

/** The proxy answered something else than a tunnel. */
export class TunnelRefused extends Error {
  override readonly name = "TunnelRefused";
  readonly status: number;

  constructor(status: number) {
    super(`the proxy answered ${String(status)}`);
    this.status = status;
  }
}

/**
 * Reaches every host through a proxy's tunnel (CONNECT), with the keep-alive of Node's own agent. Node 24 has this built in
 * (`proxyEnv`). Libraries for older versions log the proxy's password under `DEBUG`, or keep unanswered tunnels open.
 */
export class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #closing = new AbortController();

  constructor(proxy: URL, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: https.RequestOptions, connected: Connected): undefined {
    const { protocol, hostname, port, username, password } = this.#proxy;
    const host = options.host ?? "";
    const target = `${isIPv6(host) ? `[${host}]` : host}:${String(options.port)}`;
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
      "base64",
    );
    const request = (protocol === "https:" ? https : http).request({
      method: "CONNECT",
      host: hostname.replaceAll(/^\[|\]$/g, ""),
      port: port || (protocol === "https:" ? 443 : 80),
      path: target,
      headers: {
        host: target,
        ...(username === "" && password === "" ? {} : { "proxy-authorization": `Basic ${credentials}` }),
      },
      agent: false,
      signal: this.#closing.signal,
    });
    request.once("connect", ({ statusCode = 0 }, socket) => {
      const tunnelled: https.RequestOptions & { readonly socket: Duplex } = { ...options, socket };
      if (statusCode >= 200 && statusCode < 300) return connected(null, super.createConnection(tunnelled));
      socket.destroy();
      connected(new TunnelRefused(statusCode));
    });
    request.once("error", connected);
    request.end();
  }

  override destroy(): void {
    this.#closing.abort();
    super.destroy();
  }
}
