import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** The digests of a list of secrets, which callers usually pass again with every event. */
interface Accepted {
  /** A copy, because the caller can change the list. */
  readonly secrets: readonly string[];
  readonly digests: readonly Uint8Array[];
}

const cache = new WeakMap<readonly string[], Accepted>();

/**
 * Whether the secret is one of the list. The time depends on the length of `secret` and of the list, and on nothing else: it compares
 * digests of one length, all bytes of all of them. Throws a TypeError if the list is empty or has an entry that is not a secret.
 */
export function isAccepted(secret: string, secrets: readonly string[]): boolean {
  const digest = digestOf(secret);
  let isFound = 0;
  for (const accepted of digestsOf(secrets)) isFound |= Number(areEqual(digest, accepted));
  return isFound === 1;
}

/** Throws a TypeError if the list is empty, or has an entry that is not a secret. */
export function digestsOf(secrets: readonly string[]): readonly Uint8Array[] {
  const known = cache.get(secrets);
  if (known !== undefined && areSame(known.secrets, secrets)) return known.digests;
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new TypeError("secrets must be a list of at least one secret. To accept events without a secret, pass unverified: true.");
  for (const [index, secret] of secrets.entries())
    if (typeof secret !== "string" || secret === "")
      throw new TypeError(`secrets[${String(index)}] is ${secret === "" ? "empty" : typeof secret}. Is an environment variable missing?`);
  const copy = [...secrets];
  const digests = copy.map(digestOf);
  cache.set(secrets, { secrets: copy, digests });
  return digests;
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((secret, index) => secret === other[index]);
}

function digestOf(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
