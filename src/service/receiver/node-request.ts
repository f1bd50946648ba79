import { alreadyRead, startBody } from "./body.ts";
import type { EventAnswer } from "./handle-delivery.ts";

type Listener = (chunk: Uint8Array | string) => void;

/** What the handler uses of `IncomingMessage` from `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly httpVersionMajor: number;
  readonly headers: {
    readonly "content-length"?: string | undefined;
    readonly "content-encoding"?: string | undefined;
  };
  /** The stream of a request in HTTP/2. */
  readonly stream?: { close(): void };
  /** Whether something has read from the body. */
  readonly readableDidRead: boolean;
  /** Whether something has read to its end, also if it is empty. */
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (chunk: Uint8Array | string) => void): unknown;
  off(event: string, listener: (chunk: Uint8Array | string) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What the handler uses of `ServerResponse` from `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: { readonly [name: string]: string }): unknown;
  end(text: string): unknown;
}

/** The body; null: the sender went away. Throws an `EventError` if the body is too large, or was read before. Stops at the limit. */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<Uint8Array | null> {
  if (request.readableDidRead || request.readableEnded) throw alreadyRead();
  if (request.destroyed) return null;
  const body = startBody((name) => request.headers[name], maxBytes);
  return new Promise((resolve, reject) => {
    const add: Listener = (chunk) => {
      try {
        body.add(chunk);
      } catch (error) {
        request.off("data", add);
        request.pause();
        reject(error);
      }
    };
    request.on("data", add);
    request.on("end", () => resolve(body.bytes()));
    request.on("close", () => resolve(null));
    request.on("error", () => resolve(null));
    // Something could have paused it.
    request.resume();
  });
}

/**
 * Sends the answer, whose body is ASCII. The connection, in HTTP/2 the stream, ends after an answer to a body that was not read to its end:
 * the sender would wait for ever to send the rest.
 */
export function answerNode(request: NodeRequest, response: NodeResponse, { status, body, headers }: EventAnswer): void {
  if (response.headersSent) return;
  const length = body === "" ? {} : { "content-length": String(body.length) };
  // In HTTP/2, it is no header.
  const connection = status === 413 && request.httpVersionMajor === 1 ? { connection: "close" } : {};
  response.writeHead(status, { ...headers, ...length, ...connection });
  response.end(body);
  if (status !== 413 || request.stream === undefined) return;
  request.stream.close();
  // What has arrived would keep the stream in memory.
  request.resume();
}
