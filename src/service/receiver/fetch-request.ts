import { alreadyRead, startBody } from "./body.ts";

/** What the handler uses of Fetch's `Request`. */
export interface RequestLike {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly body: BodyStream | null;
  readonly bodyUsed: boolean;
}

interface BodyStream {
  readonly locked: boolean;
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** Fetch's `Request`, where the platform has it. */
// eslint-disable-next-line no-restricted-globals -- a type
export type FetchRequest = typeof globalThis extends { Request: { prototype: infer Platform } }
  ? Platform
  : RequestLike;

/** Fetch's `Response`, where the platform has it. */
// eslint-disable-next-line no-restricted-globals -- a type
export type FetchResponse = typeof globalThis extends { Response: { prototype: infer Platform } }
  ? Platform
  : { readonly status: number };

/** The body; null: the sender went away. Throws an `EventError` if the body is too large, or was read before. Stops at the limit. */
export async function readFetchBody(request: RequestLike, maxBytes: number): Promise<Uint8Array | null> {
  if (request.bodyUsed || request.body?.locked === true) throw alreadyRead();
  const body = startBody((name) => request.headers.get(name), maxBytes);
  if (request.body === null) return body.bytes();
  const reader = request.body.getReader();
  for (;;) {
    const part = await reader.read().catch(() => null);
    if (part === null) return null;
    if (part.done || part.value === undefined) return body.bytes();
    try {
      body.add(part.value);
    } catch (error) {
      reader.cancel().catch(() => undefined);
      throw error;
    }
  }
}
