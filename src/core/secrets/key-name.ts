import { createHash } from "node:crypto";

/** A name for the data of one API key of one service, which does not reveal the key: 32 hexadecimal digits. */
export function keyName({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }): string {
  return createHash("sha256")
    .update(JSON.stringify([new URL(baseUrl).origin, apiKey]))
    .digest("hex")
    .slice(0, 32);
}
