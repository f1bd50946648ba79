import type { TLSSocket } from "node:tls";
import {
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW_BYTES,
  FLAG,
  FRAME,
  FRAME_HEAD_BYTES,
  type Frame,
  MAX_WINDOW_BYTES,
  SETTING,
  unpadded,
  wholeFrame,
} from "./frames.ts";
import { HeaderDecoder } from "./header-decoder.ts";
import { ServerStream } from "./server-stream.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const MAX_HEADER_BYTES = 65_536;
const PROTOCOL_ERROR = 1;
const NOTHING = Buffer.alloc(0);

/** Headers that further frames continue. */
interface OpenHeaders {
  readonly stream: number;
  readonly isEnd: boolean;
  readonly parts: Buffer[];
}

/**
 * Serves one connection over HTTP/2 (RFC 9113), as far as calls of gRPC need it; `onCall` gets each stream when its headers
 * are there. A plan makes thousands of small calls, of which each would take Node's own server several times as long. A
 * caller that breaks the protocol loses the connection.
 */
export function serveConnection(socket: TLSSocket, onCall: (stream: ServerStream) => void): void {
  void new Connection(socket, onCall);
}

class Connection {
  readonly #socket: TLSSocket;
  readonly #onCall: (stream: ServerStream) => void;
  readonly #headers = new HeaderDecoder();
  readonly #streams = new Map<number, ServerStream>();
  #isGreeted = false;
  #unread: Buffer = NOTHING;
  #openHeaders: OpenHeaders | null = null;
  #lastStream = 0;
  /** Bytes that the caller may still send before it gets a larger window. */
  #granted = MAX_WINDOW_BYTES;
  /** Bytes that the caller accepts: on all streams, on a new stream, and in one frame. */
  readonly #allowance = { window: DEFAULT_WINDOW_BYTES, streamWindow: DEFAULT_WINDOW_BYTES, frame: DEFAULT_FRAME_BYTES };
  #outgoing: Buffer[] = [];
  #sent: (() => void)[] = [];

  constructor(socket: TLSSocket, onCall: (stream: ServerStream) => void) {
    this.#socket = socket;
    this.#onCall = onCall;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("close", () => this.#end());
    // Messages may have any size, and the caller is trusted, so it never has to wait.
    const settings = Buffer.alloc(6);
    settings.writeUInt16BE(SETTING.initialWindowSize);
    settings.writeUInt32BE(MAX_WINDOW_BYTES, 2);
    this.#send(wholeFrame({ type: FRAME.settings, flags: 0, stream: 0, payload: settings }));
    this.#grant(MAX_WINDOW_BYTES - DEFAULT_WINDOW_BYTES);
  }

  #read(chunk: Buffer): void {
    const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    try {
      this.#unread = bytes.subarray(this.#readFrames(bytes));
    } catch {
      const payload = Buffer.alloc(8);
      payload.writeUInt32BE(this.#lastStream);
      payload.writeUInt32BE(PROTOCOL_ERROR, 4);
      this.#socket.removeAllListeners("data");
      this.#send(wholeFrame({ type: FRAME.goAway, flags: 0, stream: 0, payload }), () => this.#socket.destroy());
    }
  }

  /** Returns the offset of the first incomplete frame. */
  #readFrames(bytes: Buffer): number {
    let at = 0;
    if (!this.#isGreeted) {
      const greeting = bytes.toString("latin1", 0, PREFACE.length);
      if (!PREFACE.startsWith(greeting)) throw new Error("the caller does not speak HTTP/2");
      if (greeting.length < PREFACE.length) return 0;
      this.#isGreeted = true;
      at = PREFACE.length;
    }
    for (;;) {
      const body = at + FRAME_HEAD_BYTES;
      if (bytes.length < body) return at;
      const length = bytes.readUIntBE(at, 3);
      if (length > DEFAULT_FRAME_BYTES) throw new Error("a frame is too large");
      if (bytes.length < body + length) return at;
      const stream = bytes.readUInt32BE(at + 5) & MAX_WINDOW_BYTES;
      this.#take({ type: bytes[at + 3] ?? 0, flags: bytes[at + 4] ?? 0, stream, payload: bytes.subarray(body, body + length) });
      at = body + length;
    }
  }

  #take(frame: Frame): void {
    if (this.#openHeaders !== null && frame.type !== FRAME.continuation) throw new Error("headers are not continued");
    switch (frame.type) {
      case FRAME.data:
        return this.#takeData(frame);
      case FRAME.headers:
        this.#openHeaders = { stream: frame.stream, isEnd: (frame.flags & FLAG.endStream) !== 0, parts: [] };
        return this.#takeHeaders(frame, unpadded(frame));
      case FRAME.continuation:
        return this.#takeHeaders(frame, frame.payload);
      case FRAME.reset:
        return this.#streams.get(frame.stream)?.abandon();
      case FRAME.settings:
        return this.#takeSettings(frame);
      case FRAME.ping:
        if (frame.payload.length !== 8) throw new Error("a ping has another length");
        if ((frame.flags & FLAG.ack) === 0) this.#send(wholeFrame({ ...frame, flags: FLAG.ack }));
        return undefined;
      case FRAME.windowUpdate:
        return this.#takeWindow(frame);
      case FRAME.pushPromise:
        throw new Error("a caller cannot push");
      default:
        // PRIORITY and GOAWAY need no answer, and unknown frames must be ignored.
        return undefined;
    }
  }

  #takeData(frame: Frame): void {
    this.#granted -= frame.payload.length;
    if (this.#granted < MAX_WINDOW_BYTES / 2) this.#grant(MAX_WINDOW_BYTES - this.#granted);
    const chunk = unpadded(frame);
    this.#streams.get(frame.stream)?.take(chunk, (frame.flags & FLAG.endStream) !== 0);
  }

  #takeHeaders({ stream: id, flags }: Frame, part: Buffer): void {
    const open = this.#openHeaders;
    if (open?.stream !== id) throw new Error("there is nothing to continue");
    open.parts.push(part);
    const block = open.parts.length === 1 ? part : Buffer.concat(open.parts);
    if (block.length > MAX_HEADER_BYTES) throw new Error("headers are too large");
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#openHeaders = null;
    const path = this.#headers.find(":path", block);
    const before = this.#streams.get(id);
    if (before) return before.take(NOTHING, open.isEnd);
    // Frames for a finished stream do not open a new one.
    if (id <= this.#lastStream) return;
    if (id % 2 === 0 || path === null) throw new Error("this is not a request");
    this.#lastStream = id;
    this.#open(id, path).take(NOTHING, open.isEnd);
  }

  #open(id: number, path: string): ServerStream {
    const stream = new ServerStream({ id, path }, this.#allowance, {
      send: (frame, sent) => this.#send(frame, sent),
      over: () => void this.#streams.delete(id),
    });
    this.#streams.set(id, stream);
    this.#onCall(stream);
    return stream;
  }

  #takeSettings({ flags, payload }: Frame): void {
    if ((flags & FLAG.ack) !== 0) return;
    if (payload.length % 6 !== 0) throw new Error("settings have another length");
    for (let at = 0; at < payload.length; at += 6) {
      const name = payload.readUInt16BE(at);
      const value = payload.readUInt32BE(at + 2);
      if (name === SETTING.maxFrameSize) this.#allowance.frame = Math.max(value, DEFAULT_FRAME_BYTES);
      if (name !== SETTING.initialWindowSize) continue;
      const more = value - this.#allowance.streamWindow;
      this.#allowance.streamWindow = value;
      for (const stream of this.#streams.values()) stream.widen(more);
    }
    this.#send(wholeFrame({ type: FRAME.settings, flags: FLAG.ack, stream: 0, payload: NOTHING }));
  }

  #takeWindow({ stream: id, payload }: Frame): void {
    const more = payload.readUInt32BE(0) & MAX_WINDOW_BYTES;
    if (id !== 0) return this.#streams.get(id)?.widen(more);
    this.#allowance.window += more;
    for (const stream of this.#streams.values()) stream.widen(0);
  }

  /** Lets the caller send this many bytes more. */
  #grant(more: number): void {
    this.#granted += more;
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(more);
    this.#send(wholeFrame({ type: FRAME.windowUpdate, flags: 0, stream: 0, payload }));
  }

  /** Frames of one turn leave in one write: one TLS record, for which the caller wakes up once. */
  #send(bytes: Buffer, sent?: () => void): void {
    if (this.#outgoing.length === 0) void Promise.resolve().then(() => this.#flush());
    this.#outgoing.push(bytes);
    if (sent) this.#sent.push(sent);
  }

  #flush(): void {
    const [bytes, sent] = [Buffer.concat(this.#outgoing), this.#sent];
    this.#outgoing = [];
    this.#sent = [];
    // The callback also runs when the connection is lost.
    this.#socket.write(bytes, () => {
      for (const done of sent) done();
    });
  }

  #end(): void {
    for (const stream of this.#streams.values()) stream.abandon();
  }
}
