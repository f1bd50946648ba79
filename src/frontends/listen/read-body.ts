import type { IncomingMessage } from "node:http";

/** `gone`: the sender disconnected before the end. */
export type ReadBody = { readonly kind: "body"; readonly body: Uint8Array } | { readonly kind: "too-large" } | { readonly kind: "gone" };

/** Reads a body of at most `maxBytes`. The rest of a larger one is discarded. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      resolve({ kind: "too-large" });
    });
    request.on("end", () => resolve({ kind: "body", body: Buffer.concat(chunks) }));
    request.on("close", () => resolve({ kind: "gone" }));
    request.on("error", () => resolve({ kind: "gone" }));
  });
}
