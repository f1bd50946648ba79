import { createHash } from "node:crypto";

/** Eight hexadecimal digits that change when the text does: against torn and edited files, not against forgers. */
export function checksum(text: string): string {
  return digest(text).slice(0, 8);
}

/** 32 hexadecimal digits that tell texts apart. */
export function digest(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
