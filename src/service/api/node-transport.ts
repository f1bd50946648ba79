import { nodeExchange } from "./node-exchange.ts";
import type { Proxy } from "./proxy.ts";
import type { Transport } from "./transport.ts";

const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** The service's HTTP: text in UTF-8, through the proxy if there is one. */
export function nodeTransport(clock: { monotonicMs(): number }, proxy: Proxy | null = null, maxSockets?: number): Transport {
  const { send, close } = nodeExchange(clock, { proxy, maxResponseBytes: MAX_RESPONSE_BYTES, ...(maxSockets === undefined ? {} : { maxSockets }) });
  return {
    send: async (request, signal) => {
      const response = await send(request, signal);
      return { ...response, body: response.body.toString("utf8") };
    },
    close,
  };
}
