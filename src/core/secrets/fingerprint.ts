import { scrypt } from "node:crypto";

/** This cost makes it slow to guess weak secrets from a stolen state: about 40 ms and 16 MB per guess. */
const COST = { N: 16_384, r: 8, p: 1 };
const BYTES = 16;

/** Fingerprints of secrets under a salt (hexadecimal): the same for the same secret. */
export type Fingerprinter = (salt: string) => (secret: string) => Promise<string>;

/** Each distinct secret is computed once. */
export const fingerprinter: Fingerprinter = (salt) => {
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
};
