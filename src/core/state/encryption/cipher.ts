import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

const CIPHER = "aes-256-gcm";
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Sealed {
  readonly key: Buffer;
  /**
   * Random and new for each message. By the birthday bound, one key may encrypt about 2^32 messages: state writes, journal
   * appends and plans together.
   */
  readonly nonce: Uint8Array;
  /** Authenticated with the message, but not part of it. */
  readonly header: string;
}

/** AES-256-GCM: the encrypted bytes, and the tag that authenticates them with the header. */
export function encrypted(bytes: Uint8Array, { key, nonce, header }: Sealed): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(header));
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Null if a byte of the message or of the header differs from what was encrypted. */
export function decrypted(data: Uint8Array, { key, nonce, header }: Sealed): Buffer | null {
  if (nonce.length !== NONCE_BYTES || data.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(header));
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(data.subarray(0, data.length - TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** A seal that only who has the key can make for this text: HMAC-SHA-256 in base64, under a key of its own. */
export function sealOf(text: string, key: Buffer): string {
  const own = hkdfSync("sha256", key, new Uint8Array(), "seals", 32);
  return createHmac("sha256", Buffer.from(own)).update(text).digest("base64");
}
