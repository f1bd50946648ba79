import type { EventStore } from "./event-store.ts";
import { type FetchRequest, type FetchResponse, readFetchBody, type RequestLike } from "./fetch-request.ts";
import { handleDelivery, type HandlerOptions } from "./handle-delivery.ts";
import { answerNode, type NodeRequest, type NodeResponse, readNodeBody } from "./node-request.ts";
import { checkOptions, MAX_BYTES } from "./parse-event.ts";

/** One function for both: `createServer(handler)`, `app.post(path, handler)`, `export const POST = handler`, `(c) => handler(c.req.raw)`. */
export interface EventHandler {
  /** For `node:http`, and for frameworks with its requests. Never rejects. */
  (request: NodeRequest, response: NodeResponse): Promise<void>;
  /** For Fetch's `Request`. Rejects only if it gets something else. */
  (request: FetchRequest): Promise<FetchResponse>;
}

/**
 * Makes a handler of `options`, with `defaultStore` for options without a store. Throws a TypeError if the options cannot verify anything.
 */
export function makeHandler(options: HandlerOptions, defaultStore: () => EventStore): EventHandler {
  checkOptions(options);
  if (typeof options.onEvent !== "function") throw new TypeError("onEvent must be a function.");
  const store = options.store ?? defaultStore();
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const handle = async (request: NodeRequest | RequestLike, response?: NodeResponse): Promise<FetchResponse | void> => {
    if (isFetch(request)) {
      const { status, text, headers } = await handleDelivery(options, store, request.method, () => readFetchBody(request, maxBytes));
      return new Response(status === 204 ? null : text, { status, headers });
    }
    if (typeof response?.writeHead !== "function")
      throw new TypeError("eventHandler needs a Request, or a request and a response of node:http. With Hono, pass it context.req.raw.");
    answerNode(request, response, await handleDelivery(options, store, request.method, () => readNodeBody(request, maxBytes)));
  };
  return handle as EventHandler;
}

/** No header of a request of `node:http` is a function. Callers without types can pass anything. */
function isFetch(request: NodeRequest | RequestLike): request is RequestLike {
  const { headers } = (request ?? {}) as { readonly headers?: { readonly get?: unknown } };
  return typeof headers?.get === "function";
}
