import { EventError } from "./event-error.ts";
import { tooLarge } from "./parse-event.ts";

/** The bytes of a body that arrives in chunks. */
export interface Body {
  /** Throws an `EventError` if the body gets larger than allowed. */
  add(chunk: Uint8Array | string): void;
  bytes(): Uint8Array;
}

/** An empty body. `length`: what the request says about it; null or undefined: nothing. Throws an `EventError` if that is too much. */
export function startBody(length: string | null | undefined, maxBytes: number): Body {
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk) {
      const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(bytes);
    },
    bytes() {
      const all = new Uint8Array(size);
      let at = 0;
      for (const chunk of chunks) {
        all.set(chunk, at);
        at += chunk.length;
      }
      return all;
    },
  };
}

/** The error of a body that something else has read. */
export function alreadyRead(): EventError {
  return new EventError(
    "body_already_read",
    "Something read the body before eventHandler, probably a body parser such as express.json(). " +
      "Put eventHandler before the body parser, or pass the parsed body to parseEvent(request.body, { secrets }).",
  );
}
