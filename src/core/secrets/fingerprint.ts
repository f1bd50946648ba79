import { scrypt } from "node:crypto";

/** The cost makes guessing weak secrets from a stolen state slow: about 40 ms and 16 MB a guess. */
const COST = { N: 16_384, r: 8, p: 1 };
const BYTES = 16;

/** Fingerprints under one salt, each distinct secret computed once. The salt is hexadecimal. */
export function fingerprinter(salt: string): (secret: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (secret) => {
    const before = known.get(secret);
    if (before) return before;
    const computed = new Promise<string>((resolve, reject) => {
      scrypt(secret, Buffer.from(salt, "hex"), BYTES, COST, (error, key) => {
        if (error) reject(error);
        else resolve(key.toString("hex"));
      });
    });
    known.set(secret, computed);
    return computed;
  };
}
