import { EventError } from "./event-error.ts";
import { tooLarge } from "./parse-event.ts";

/** The bytes of a body that arrives in chunks. */
export interface Body {
  /** Throws an `EventError` if the body gets larger than allowed. */
  add(chunk: Uint8Array | string): void;
  bytes(): Uint8Array;
}

/** An empty body. `header` gives what the request says about it. Throws an `EventError` if it is too large, or compressed. */
export function startBody(
  header: (name: "content-encoding" | "content-length") => string | null | undefined,
  maxBytes: number,
): Body {
  refuseCompressed(header("content-encoding"));
  if (Number(header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
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

/** Throws an `EventError` unless the bytes of a body are its text. */
export function refuseCompressed(encoding: string | null | undefined): void {
  if (/^(?:identity)?$/i.test(encoding ?? "")) return;
  // The header is not repeated: anyone can have written it.
  throw new EventError(
    "body_compressed",
    "The body has a content-encoding, but events are read as they are. Does a proxy compress them?",
  );
}

/** The error of a body that something else has read. */
export function alreadyRead(): EventError {
  return new EventError(
    "body_already_read",
    "Something read the body before eventHandler, probably a body parser such as express.json(). " +
      "Put eventHandler before the body parser, or pass what the parser made of it to handleParsed(request.body).",
  );
}
