import { nodeExchange } from "./node-exchange.ts";
import { type Proxy, proxyFor } from "./proxy.ts";
import { isSecureUrl } from "./service-path.ts";
import { type Web, WebFailure } from "../../core/model/web.ts";

const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

interface WebOptions {
  readonly environment: { readonly [name: string]: string | undefined };
  /** Keeps a proxy's password out of all output. */
  readonly hide: (secret: string) => void;
  /** A longer answer is none. By default, a state fits in. */
  readonly maxResponseBytes?: number;
}

/** HTTP with the servers that keep states, and others. Each host has the proxy that the environment names for it. Plain http only reaches this machine. */
export function nodeWeb(
  clock: { monotonicMs(): number },
  { environment, hide, maxResponseBytes = MAX_RESPONSE_BYTES }: WebOptions,
): Web {
  const exchanges = new Map<string, Web>();
  const exchangeFor = (url: URL): Web => {
    const before = exchanges.get(url.origin);
    if (before) return before;
    const exchange = nodeExchange(clock, { proxy: openProxy(url), maxResponseBytes });
    exchanges.set(url.origin, exchange);
    return exchange;
  };
  const openProxy = (url: URL): Proxy | null => {
    const proxy = proxyFor(url.href, environment);
    if (proxy === null) return null;
    if ("problem" in proxy) throw new WebFailure(proxy.problem, { sent: false });
    hide(decodeURIComponent(proxy.url.password));
    return proxy;
  };
  return {
    send: async (request, signal, into) => {
      signal.throwIfAborted();
      if (!isSecureUrl(request.url))
        throw new WebFailure("plain http only reaches this machine: use https", { sent: false });
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
