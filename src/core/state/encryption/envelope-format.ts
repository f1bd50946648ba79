import { parseJson } from "../../model/shape.ts";

/** The key of an encrypted file, as the file names it. */
export interface StoredKey {
  /** Tells keys apart, and reveals nothing of them. */
  readonly id: string;
  /** How the key is derived from a passphrase; absent for a key that is used as it is. */
  readonly scrypt?: StoredScrypt;
}

export interface StoredScrypt {
  /** Base64. */
  readonly salt: string;
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** What an encrypted file says in plain text. All of it is authenticated. */
export interface EnvelopeHeader {
  readonly encryption: 1;
  readonly kind: "state" | "plan" | "journal";
  readonly key: StoredKey;
}

/** An encrypted document: one JSON object. */
export interface Envelope extends EnvelopeHeader {
  /** The lineage in a state itself. */
  readonly lineage?: string;
  readonly serial?: number;
  /** The name of the store that has a moved state now. */
  readonly movedTo?: string;
  /** Base64: 12 random bytes, new with every write. */
  readonly nonce: string;
  /** Base64: the encrypted document, and the tag of 16 bytes that authenticates it with everything above. */
  readonly data: string;
}

/** The envelope that these bytes are; null for anything else. Only `encryption` is sure to be what its type says. */
export function parseEnvelope(bytes: Uint8Array): Envelope | null {
  // Neither a journal nor a binary file: large ones need not be parsed.
  if (bytes.find((byte) => !WHITESPACE.has(byte)) !== OPENING_BRACE) return null;
  const parsed = parseJson(bytes);
  return isEncrypted(parsed) ? (parsed as unknown as Envelope) : null;
}

/** Whether a parsed document, or the first line of a journal, says that it is encrypted. */
export function isEncrypted(
  parsed: unknown,
): parsed is { readonly encryption: unknown; readonly key?: { readonly id?: unknown }; readonly movedTo?: unknown } {
  return typeof parsed === "object" && parsed !== null && "encryption" in parsed;
}

const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const OPENING_BRACE = 0x7b;
