/** The kinds of frames, with their numbers on the wire (RFC 9113, section 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const SETTING = { initialWindowSize: 4, maxFrameSize: 5 } as const;

export const FRAME_HEAD_BYTES = 9;
/** The payload limit of a frame unless a setting allows more. */
export const DEFAULT_FRAME_BYTES = 16_384;
export const DEFAULT_WINDOW_BYTES = 65_535;
export const MAX_WINDOW_BYTES = 0x7fff_ffff;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** The stream of the frame; 0 is the connection. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** The head of a frame whose payload has `length` bytes, followed by `bytes` uninitialised bytes. */
export function frameHead({ type, flags, stream }: Omit<Frame, "payload">, length: number, bytes = 0): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES + bytes);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** A frame in one buffer, for small payloads. */
export function wholeFrame({ payload, ...head }: Omit<Frame, "payload"> & { readonly payload: Uint8Array }): Buffer {
  const bytes = frameHead(head, payload.length, payload.length);
  bytes.set(payload, FRAME_HEAD_BYTES);
  return bytes;
}

/** The payload of a DATA or HEADERS frame without padding and priority. Throws if they are longer than the payload. */
export function unpadded({ flags, payload }: Pick<Frame, "flags" | "payload">): Buffer {
  const isPadded = (flags & FLAG.padded) !== 0;
  const start = (isPadded ? 1 : 0) + ((flags & FLAG.priority) === 0 ? 0 : 5);
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (start > end) throw new Error("a frame is shorter than its padding");
  return start === 0 && end === payload.length ? payload : payload.subarray(start, end);
}
