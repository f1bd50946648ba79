import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";

/** A request's whole body; `gone`: the client disconnected before its end. */
export type BodyText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "gone" };

/** Reads a body of at most `maxBytes` as UTF-8. The rest of a larger body is discarded. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on("end", () =>
      resolve(size > maxBytes ? { kind: "too-large" } : { kind: "text", text: Buffer.concat(chunks).toString("utf8") }),
    );
    request.on("close", () => resolve({ kind: "gone" }));
    request.on("error", () => resolve({ kind: "gone" }));
  });
}

/** Whether a request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (length !== undefined && length !== "0") || request.headers["transfer-encoding"] !== undefined;
}
