import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

/** Answers one message with one. */
export type UnaryRoute = (request: Uint8Array) => Promise<Uint8Array>;

/** Answers one message with any number of them, each sent as it comes. The iteration ends early when the caller has gone. */
export interface StreamingRoute {
  readonly stream: (request: Uint8Array) => AsyncIterable<Uint8Array>;
}

/** What serves one method. `held` is a stream that is only held open. */
export type Route = UnaryRoute | StreamingRoute | "held";

/** Methods by their path, `/tfplugin6.Provider/GetMetadata`. */
export type Routes = ReadonlyMap<string, Route>;

/** The status codes of gRPC that are sent here. */
const OK = 0;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;

const HEADER_BYTES = 5;
const RESPONSE_HEADERS = { ":status": 200, "content-type": "application/grpc" };

/**
 * Answers one gRPC call over HTTP/2, and resolves when the answer is on its way, or when there is nothing to wait for. Never
 * throws: what fails is the status of the call, or a stream that is gone.
 */
export function answerCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, routes: Routes): Promise<void> {
  stream.on("error", () => undefined);
  const path = String(headers[":path"]);
  const route = routes.get(path);
  if (route === undefined) {
    refuse(stream, UNIMPLEMENTED, `unknown method ${path}`);
    return Promise.resolve();
  }
  if (route === "held") {
    stream.respond(RESPONSE_HEADERS);
    stream.resume();
    return Promise.resolve();
  }
  return typeof route === "function" ? answerUnary(stream, route) : answerStreaming(stream, route);
}

async function answerUnary(stream: ServerHttp2Stream, route: UnaryRoute): Promise<void> {
  try {
    const response = await route(await received(stream));
    if (stream.destroyed) return;
    stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(statusHeaders(OK)));
    stream.end(frame(response));
    await closed(stream);
  } catch (error) {
    refuse(stream, INTERNAL, asError(error).message);
  }
}

async function answerStreaming(stream: ServerHttp2Stream, { stream: answers }: StreamingRoute): Promise<void> {
  let outcome = statusHeaders(OK);
  stream.on("wantTrailers", () => stream.sendTrailers(outcome));
  try {
    const request = await received(stream);
    if (!stream.destroyed) stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
    for await (const message of answers(request)) {
      if (stream.destroyed) return;
      if (!stream.write(frame(message))) await writable(stream);
    }
  } catch (error) {
    const { message } = asError(error);
    if (!stream.headersSent) return refuse(stream, INTERNAL, message);
    outcome = statusHeaders(INTERNAL, message);
  }
  if (stream.destroyed) return;
  stream.end();
  await closed(stream);
}

/** The one message of the caller. By events, not by iteration, which takes thousands of calls much longer. */
async function received(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", resolve);
    stream.on("close", () => {
      if (!stream.readableEnded) reject(new Error("the caller has gone"));
    });
  });
  return unframe(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
}

/** Resolves when there is room for more, or when the stream has ended. */
function writable(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) return resolve();
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

function closed(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once("close", resolve);
  });
}

function refuse(stream: ServerHttp2Stream, status: number, message: string): void {
  if (stream.destroyed || stream.headersSent) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  stream.resume();
  stream.respond({ ...RESPONSE_HEADERS, ...statusHeaders(status, message) }, { endStream: true });
}

function statusHeaders(status: number, message = ""): { readonly [name: string]: string } {
  return { "grpc-status": String(status), ...(message === "" ? {} : { "grpc-message": encodeURIComponent(message) }) };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A message on the wire: one byte for compression (none), four for the length, the message. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** The one message of a unary call. Throws for a compressed message, or when the length is not what was announced. */
export function unframe(framed: Buffer): Uint8Array {
  if (framed.length < HEADER_BYTES) throw new Error("the call carries no message");
  if (framed[0] !== 0) throw new Error("compressed messages are not supported");
  if (framed.readUInt32BE(1) !== framed.length - HEADER_BYTES) throw new Error("the message has another length than announced");
  return framed.subarray(HEADER_BYTES);
}
