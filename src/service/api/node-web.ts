import { type BodySink, type ByteRequest, type ByteResponse, type Exchange, nodeExchange } from "./node-exchange.ts";
import { type Proxy, proxyFor } from "./proxy.ts";
import { isSecureUrl } from "./service-path.ts";
import { TransportError } from "./transport.ts";

const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** HTTP with the servers that keep states: `Web` of the ports. Each host has the proxy that the environment names for it. Plain http only reaches this machine. */
export interface NodeWeb {
  /** With `into`, the body of a 200 goes there while it arrives. */
  send(request: ByteRequest, signal: AbortSignal, into?: BodySink): Promise<ByteResponse>;
  close(): void;
}

interface WebOptions {
  readonly environment: { readonly [name: string]: string | undefined };
  /** Keeps a proxy's password out of all output. */
  readonly hide: (secret: string) => void;
}

export function nodeWeb(clock: { monotonicMs(): number }, { environment, hide }: WebOptions): NodeWeb {
  const exchanges = new Map<string, Exchange>();
  const exchangeFor = (url: URL): Exchange => {
    const before = exchanges.get(url.origin);
    if (before) return before;
    const exchange = nodeExchange(clock, { proxy: openProxy(url), maxResponseBytes: MAX_RESPONSE_BYTES });
    exchanges.set(url.origin, exchange);
    return exchange;
  };
  const openProxy = (url: URL): Proxy | null => {
    const proxy = proxyFor(url.href, environment);
    if (proxy === null) return null;
    if ("problem" in proxy) throw new TransportError(proxy.problem, { sent: false });
    hide(decodeURIComponent(proxy.url.password));
    return proxy;
  };
  return {
    send: async (request, signal, into) => {
      signal.throwIfAborted();
      if (!isSecureUrl(request.url)) throw new TransportError("plain http only reaches this machine: use https", { sent: false });
      try {
        return await exchangeFor(request.url).send(request, signal, into);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      }
    },
    close: () => {
      for (const exchange of exchanges.values()) exchange.close();
    },
  };
}
