import type { EventStore } from "./event-store.ts";
import { type FetchRequest, type FetchResponse, readFetchBody, type RequestLike } from "./fetch-request.ts";
import { type EventAnswer, handleBody, handleDelivery, type HandlerOptions, type Handling } from "./handle-delivery.ts";
import { answerNode, type NodeRequest, type NodeResponse, readNodeBody } from "./node-request.ts";
import { checkKnown } from "./known-options.ts";
import { checkOptions, MAX_BYTES, PARSE_OPTIONS } from "./parse-event.ts";

/** One function for both: `createServer(handler)`, `app.post(path, handler)`, `export const POST = handler`, `(c) => handler(c.req.raw)`. */
export interface EventHandler {
  /** Handler for `node:http`, and for frameworks with its requests. Never rejects. */
  (request: NodeRequest, response: NodeResponse): Promise<void>;
  /** Handler for Fetch's `Request`. Rejects only if it gets something else. */
  (request: FetchRequest): Promise<FetchResponse>;
  /**
   * Takes the body of a POST request as the object that a parser has made of it, as text or as bytes, and returns the answer to send: for
   * frameworks that read bodies themselves. The secret, duplicates and errors are as for a request. What the framework does with a body before is its own:
   * the method, the size of the body and its encoding are not checked. Never rejects.
   */
  handleParsed(body: unknown): Promise<EventAnswer>;
}

/** Throws a TypeError if the options cannot verify anything, or cannot tell the events of two handlers apart. */
export function makeHandler(
  options: HandlerOptions,
  ports: { readonly defaultStore: () => EventStore } & Pick<Handling, "newToken">,
): EventHandler {
  checkKnown(options, [...PARSE_OPTIONS, "store", "name", "onEvent", "onError", "onRejected"]);
  checkOptions(options);
  if (typeof options.onEvent !== "function") throw new TypeError("onEvent must be a function.");
  checkName(options);
  const handling: Handling = { options, store: options.store ?? ports.defaultStore(), newToken: ports.newToken };
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const handle = async (request: NodeRequest | RequestLike, response?: NodeResponse): Promise<FetchResponse | void> => {
    if (isFetch(request)) {
      const { status, headers, body } = await handleDelivery(handling, request.method, () =>
        readFetchBody(request, maxBytes),
      );
      return new Response(status === 204 ? null : body, { status, headers });
    }
    if (typeof response?.writeHead !== "function")
      throw new TypeError(
        "eventHandler needs a Request, or a request and a response of node:http. With Hono, pass it context.req.raw.",
      );
    answerNode(
      request,
      response,
      await handleDelivery(handling, request.method, () => readNodeBody(request, maxBytes)),
    );
  };
  return Object.assign(handle as EventHandler, { handleParsed: (body: unknown) => handleBody(handling, body) });
}

/** Callers without types can pass anything. */
function checkName({ store, name }: { readonly store?: unknown; readonly name?: unknown }): void {
  if (name === undefined ? store === undefined : typeof name === "string" && name !== "") return;
  throw new TypeError(
    'A handler with a store needs a name, as in name: "crm". Without one, an event that another handler with the same store has handled would be a duplicate.',
  );
}

/** No header of a request of `node:http` is a function. Callers without types can pass anything. */
function isFetch(request: NodeRequest | RequestLike): request is RequestLike {
  const { headers } = (request ?? {}) as { readonly headers?: { readonly get?: unknown } };
  return typeof headers?.get === "function";
}
