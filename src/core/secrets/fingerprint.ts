import { getOrMake } from "../model/maps.ts";
import { scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";

/** This cost makes it slow to guess weak secrets from a stolen state: about 40 ms and 16 MB per guess. */
const COST = { N: 16_384, r: 8, p: 1 };
const BYTES = 16;

/** Fingerprints of secrets under a salt (hexadecimal): the same for the same secret. */
export type Fingerprinter = (salt: string) => (secret: string) => Promise<string>;

/** Each distinct secret is computed once. */
export const fingerprinter: Fingerprinter = (salt) => {
  const known = new Map<string, Promise<string>>();
  const compute = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
  return (secret) =>
    getOrMake(known, secret, async () =>
      (await compute(secret, Buffer.from(salt, "hex"), BYTES, COST)).toString("hex"),
    );
};
