import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const MAX_CACHED = 100;
/** The digests of accepted secrets, because callers pass the same ones with every event. Never those of senders. */
const cache = new Map<string, Uint8Array>();

/**
 * Whether the secret is one of the list. Compares all bytes of the digests of all entries, so the time does not show how much of the
 * secret is right, or which entry it is.
 */
export function isAccepted(secret: string, secrets: readonly string[]): boolean {
  const digest = digestOf(secret);
  let isFound = 0;
  for (const accepted of secrets) isFound |= Number(areEqual(digest, cachedDigestOf(accepted)));
  return isFound === 1;
}

/** Throws a TypeError if the list is empty, or has an entry that is not a secret. */
export function checkSecrets(secrets: unknown): asserts secrets is readonly string[] {
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new TypeError(
      "secrets must be a list of at least one secret. To accept events without a secret, pass unverified: true.",
    );
  for (let index = 0; index < secrets.length; index++) {
    const problem = problemOf(secrets[index]);
    if (problem !== null) throw new TypeError(`secrets[${String(index)}] ${problem}`);
  }
}

/** Null for a secret. */
function problemOf(secret: unknown): string | null {
  if (typeof secret !== "string" || secret === "") {
    const problem = secret === "" ? "empty" : secret === null ? "null" : typeof secret;
    return `is ${problem}. Is an environment variable missing?`;
  }
  return /^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(secret)
    ? "starts or ends with white space or an invisible character, often the line break of its file. Remove it."
    : null;
}

function cachedDigestOf(accepted: string): Uint8Array {
  const cached = cache.get(accepted);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED) cache.clear();
  const digest = digestOf(accepted);
  cache.set(accepted, digest);
  return digest;
}

function digestOf(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  return difference === 0;
}
