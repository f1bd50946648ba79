import { createHash, createHmac } from "node:crypto";

/** Eight hexadecimal digits that change when the text does: against torn and edited files, not against forgers. */
export function checksum(text: string | Iterable<string>): string {
  const hash = createHash("sha256");
  for (const piece of typeof text === "string" ? [text] : text) hash.update(piece);
  return hash.digest("hex").slice(0, 8);
}

/** What only the owner of the key (hexadecimal) can compute of a text. */
export function keyedDigest(key: string, text: string): string {
  return createHmac("sha256", Buffer.from(key, "hex")).update(text).digest("hex");
}

/** Names a version of a state by its bytes. */
export function versionOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** 32 hexadecimal digits that tell texts apart. */
export function digest(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
