import { FLAG, FRAME, frameHead, wholeFrame } from "./frames.ts";

/** Bytes that the caller accepts: on all streams, on a new stream, and in one frame. All streams of a connection share it. */
export interface Allowance {
  window: number;
  readonly streamWindow: number;
  readonly frame: number;
}

interface Ports {
  /** `sent` is called when the bytes are written, or cannot be. */
  readonly send: (bytes: Buffer, sent?: () => void) => void;
  /** Called once, when the stream is finished. */
  readonly over: () => void;
}

/** One request and its answer. */
export class ServerStream {
  readonly path: string;
  readonly #id: number;
  readonly #allowance: Allowance;
  readonly #ports: Ports;
  #window: number;
  #chunks: Buffer[] = [];
  #isWhole = false;
  #isGone = false;
  #hasHeaders = false;
  #received: ((body: Buffer | null) => void) | null = null;
  /** Data that the caller does not accept yet. */
  #waiting: Buffer[] = [];
  #drained: (() => void)[] = [];
  #ending: { readonly trailers: Uint8Array; readonly sent: () => void } | null = null;

  constructor({ id, path }: { readonly id: number; readonly path: string }, allowance: Allowance, ports: Ports) {
    this.path = path;
    this.#id = id;
    this.#allowance = allowance;
    this.#window = allowance.streamWindow;
    this.#ports = ports;
  }

  /** The caller cancelled the call or lost the connection. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get hasHeaders(): boolean {
    return this.#hasHeaders;
  }

  /** Calls back once: with the whole body, or with null if the caller is gone before it is complete. */
  receive(received: (body: Buffer | null) => void): void {
    this.#received = received;
  }

  /** Sends encoded headers. */
  respond(headers: Uint8Array): void {
    this.#hasHeaders = true;
    this.#sendHeaders(headers, FLAG.endHeaders);
  }

  /** Sends data after the headers. */
  write(data: Buffer): void {
    if (this.#isGone) return;
    this.#waiting.push(data);
    this.#pump();
  }

  /** Resolves when the caller has accepted all data, or is gone. */
  async drained(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  /** Sends encoded trailers after all data. `sent` is called when they are written, or the caller is gone. */
  end(trailers: Uint8Array, sent: () => void): void {
    if (this.#isGone) return sent();
    this.#ending = { trailers, sent };
    this.#pump();
  }

  /** Takes a part of the request. The connection calls this and the functions below. */
  take(chunk: Buffer, isEnd: boolean): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
    if (!isEnd || this.#isWhole) return;
    this.#isWhole = true;
    const [first, ...more] = this.#chunks;
    this.#chunks = [];
    this.#received?.(first && more.length === 0 ? first : Buffer.concat(first ? [first, ...more] : []));
  }

  /** The caller accepts more on this stream, or on all streams. */
  widen(bytes: number): void {
    this.#window += bytes;
    this.#pump();
  }

  abandon(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#waiting = [];
    this.#ports.over();
    if (!this.#isWhole) this.#received?.(null);
    this.#resume();
    this.#ending?.sent();
  }

  #pump(): void {
    const allowance = this.#allowance;
    for (let [data] = this.#waiting; data; [data] = this.#waiting) {
      const bytes = Math.min(data.length, allowance.window, this.#window, allowance.frame);
      if (bytes <= 0 && data.length > 0) return;
      this.#ports.send(frameHead({ type: FRAME.data, flags: 0, stream: this.#id }, bytes));
      this.#ports.send(data.subarray(0, bytes));
      allowance.window -= bytes;
      this.#window -= bytes;
      if (bytes < data.length) this.#waiting[0] = data.subarray(bytes);
      else this.#waiting.shift();
    }
    this.#resume();
    if (!this.#ending) return;
    this.#sendHeaders(this.#ending.trailers, FLAG.endHeaders | FLAG.endStream, this.#ending.sent);
    this.#ending = null;
    this.#ports.over();
  }

  #resume(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #sendHeaders(payload: Uint8Array, flags: number, sent?: () => void): void {
    this.#ports.send(wholeFrame({ type: FRAME.headers, flags, stream: this.#id, payload }), sent);
  }
}
