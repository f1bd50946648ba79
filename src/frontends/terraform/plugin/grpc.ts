import { type ServerHttp2Stream, constants } from "node:http2";
import { mapAnswer } from "../wire/wire-diagnostics.ts";
import type { MessageFns } from "../generated/tfplugin6.ts";

/** Answers one message with one. */
export type UnaryRoute = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Answers one message with any number of them, each sent as it comes. The iteration ends early when the caller has gone. */
export interface StreamingRoute {
  readonly stream: (request: Uint8Array) => AsyncIterable<Uint8Array>;
}

/** Serves one method. `open`: the stream stays open, and nothing is sent on it. */
export type Route = UnaryRoute | StreamingRoute | "open";

/** Methods by their path, `/tfplugin6.Provider/GetMetadata`. */
export type Routes = ReadonlyMap<string, Route>;

/** The status codes of gRPC that are sent here. */
const OK = 0;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;

const HEADER_BYTES = 5;
const RESPONSE_HEADERS = { ":status": 200, "content-type": "application/grpc" };
const OK_TRAILERS = statusHeaders(OK);

/**
 * Answers one gRPC call. Calls `done` when the answer is sent, or when there is nothing to wait for. Never throws: an error
 * becomes the status of the call.
 */
export function answerCall(stream: ServerHttp2Stream, path: string, routes: Routes, done: () => void): void {
  stream.on("error", () => undefined);
  const route = routes.get(path);
  if (route === undefined) {
    refuse(stream, { status: UNIMPLEMENTED, message: `unknown method ${path}` });
    return done();
  }
  if (route === "open") {
    stream.respond(RESPONSE_HEADERS);
    stream.resume();
    return done();
  }
  let answering: Promise<void> | null = null;
  // A caller that is gone ends the stream, but not the work for it.
  stream.once("close", () => void finished(answering, done));
  receive(stream, (body) => {
    answering = typeof route === "function" ? answerUnary(stream, route, body) : answerStreaming(stream, route, body);
  });
}

async function finished(answering: Promise<void> | null, done: () => void): Promise<void> {
  await answering;
  done();
}

/** By events, not by iteration, which takes thousands of calls much longer. A caller that goes away only closes the stream. */
function receive(stream: ServerHttp2Stream, received: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
  stream.on("end", () => {
    if (!isGone(stream)) received(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
}

/** Whether nothing can be sent any more. */
function isGone(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed;
}

/** Answers at once what needs no waiting, and returns null: a promise for each of thousands of calls takes time of its own. Never rejects. */
function answerUnary(stream: ServerHttp2Stream, route: UnaryRoute, body: Buffer): Promise<void> | null {
  const fail = (error: unknown): void => refuse(stream, { status: INTERNAL, message: asError(error).message });
  const answer = (response: Uint8Array): void => {
    if (isGone(stream)) return;
    stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers(OK_TRAILERS));
    stream.end(frame(response));
  };
  try {
    const response = route(unframe(body));
    if (!(response instanceof Uint8Array)) return response.then(answer, fail);
    answer(response);
  } catch (error) {
    fail(error);
  }
  return null;
}

/** Messages wait until the caller takes them. Never rejects. */
async function answerStreaming(
  stream: ServerHttp2Stream,
  { stream: answers }: StreamingRoute,
  body: Buffer,
): Promise<void> {
  let trailers = OK_TRAILERS;
  if (isGone(stream)) return;
  stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
  stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  try {
    for await (const message of answers(unframe(body))) {
      if (isGone(stream)) return;
      if (!stream.write(frame(message))) await writable(stream);
    }
  } catch (error) {
    trailers = statusHeaders(INTERNAL, asError(error).message);
  }
  if (!isGone(stream)) stream.end();
}

/** Resolves when the stream takes more, or has ended. */
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

/** An answer without a message: its headers are the last. */
function refuse(
  stream: ServerHttp2Stream,
  { status, message }: { readonly status: number; readonly message: string },
): void {
  if (isGone(stream)) return;
  if (stream.headersSent) return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
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
  if (framed.readUInt32BE(1) !== framed.length - HEADER_BYTES)
    throw new Error("the message has another length than announced");
  return framed.subarray(HEADER_BYTES);
}

interface Method {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each method has message types of its own
  readonly requestType: MessageFns<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly responseType: MessageFns<any>;
  readonly responseStream: boolean;
}

interface Service {
  readonly fullName: string;
  readonly methods: { readonly [name: string]: Method };
}

type Message<T> = T extends { decode(...args: never[]): infer M } ? M : never;

type Answer<M extends Method> = M["responseStream"] extends true
  ? AsyncIterable<Message<M["responseType"]>>
  : Message<M["responseType"]> | Promise<Message<M["responseType"]>>;

/** Implements a service: one function for each method, messages in and out. */
export type Handlers<S extends Service> = {
  readonly [M in keyof S["methods"]]: (request: Message<S["methods"][M]["requestType"]>) => Answer<S["methods"][M]>;
};

/** The routes of a service whose methods all take one message. */
export function routesOf<S extends Service>(service: S, handlers: Handlers<S>): Routes {
  return new Map(
    Object.entries(service.methods).map(([key, method]): [string, Route] => [
      `/${service.fullName}/${method.name}`,
      routeOf(method, handlers[key]),
    ]),
  );
}

function routeOf({ requestType, responseType, responseStream }: Method, handler: unknown): Route {
  if (!responseStream) {
    const handle = handler as (request: unknown) => unknown;
    return (request) =>
      mapAnswer(handle(requestType.decode(request)), (response) => responseType.encode(response).finish());
  }
  const handle = handler as (request: unknown) => AsyncIterable<unknown>;
  return {
    stream: async function* (request) {
      for await (const message of handle(requestType.decode(request))) yield responseType.encode(message).finish();
    },
  };
}
