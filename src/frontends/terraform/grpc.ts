import { encodeFields } from "./http2/encode-fields.ts";
import type { ServerStream } from "./http2/server-stream.ts";

/** Answers one message with one. */
export type UnaryRoute = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Answers one message with any number of them, each sent as it comes. The iteration ends early when the caller has gone. */
export interface StreamingRoute {
  readonly stream: (request: Uint8Array) => AsyncIterable<Uint8Array>;
}

/** Serves one method. `held`: the stream stays open, and nothing is sent on it. */
export type Route = UnaryRoute | StreamingRoute | "held";

/** Methods by their path, `/tfplugin6.Provider/GetMetadata`. */
export type Routes = ReadonlyMap<string, Route>;

/** The status codes of gRPC that are sent here. */
const OK = 0;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;

const HEADER_BYTES = 5;
/** The fields of a header block, without a table and without compression (RFC 7541): the few that are sent are encoded once. */
const RESPONSE_HEADERS = encodeFields({ ":status": "200", "content-type": "application/grpc" });
const OK_TRAILERS = statusFields(OK);

/**
 * Answers one gRPC call. Calls `done` when the answer is sent, or when there is nothing to wait for. Never throws: an error
 * becomes the status of the call.
 */
export function answerCall(stream: ServerStream, routes: Routes, done: () => void): void {
  const route = routes.get(stream.path);
  if (route === undefined) return refuse(stream, { status: UNIMPLEMENTED, message: `unknown method ${stream.path}` }, done);
  if (route === "held") {
    stream.respond(RESPONSE_HEADERS);
    return done();
  }
  stream.receive((body) => {
    if (body === null) return done();
    if (typeof route === "function") answerUnary(stream, { route, body }, done);
    else void answerStreaming(stream, { route, body }).then((trailers) => stream.end(trailers, done));
  });
}

/** Answers at once what needs no waiting: a promise for each of thousands of calls takes time of its own. */
function answerUnary(stream: ServerStream, { route, body }: { readonly route: UnaryRoute; readonly body: Buffer }, done: () => void): void {
  const fail = (error: unknown): void => refuse(stream, { status: INTERNAL, message: asError(error).message }, done);
  const answer = (response: Uint8Array): void => {
    stream.respond(RESPONSE_HEADERS);
    stream.write(frame(response));
    stream.end(OK_TRAILERS, done);
  };
  try {
    const response = route(unframe(body));
    if (response instanceof Uint8Array) answer(response);
    else response.then(answer, fail);
  } catch (error) {
    fail(error);
  }
}

/** Resolves with the trailers. Messages wait until the caller takes them. */
async function answerStreaming(stream: ServerStream, { route, body }: { readonly route: StreamingRoute; readonly body: Buffer }): Promise<Uint8Array> {
  stream.respond(RESPONSE_HEADERS);
  try {
    for await (const message of route.stream(unframe(body))) {
      if (stream.isGone) break;
      stream.write(frame(message));
      await stream.drained();
    }
    return OK_TRAILERS;
  } catch (error) {
    return statusFields(INTERNAL, asError(error).message);
  }
}

/** An answer without a message: its headers are the last. */
function refuse(stream: ServerStream, { status, message }: { readonly status: number; readonly message: string }, done: () => void): void {
  stream.end(Buffer.concat([RESPONSE_HEADERS, statusFields(status, message)]), done);
}

function statusFields(status: number, message = ""): Uint8Array {
  return encodeFields({ "grpc-status": String(status), ...(message === "" ? {} : { "grpc-message": encodeURIComponent(message) }) });
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
