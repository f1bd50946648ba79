import { createHmac } from "node:crypto";
import { recentlyUsed } from "../model/recently-used.ts";
import type { Fingerprinter } from "./fingerprint.ts";

/** About 20 MB. */
const MAX_KEPT = 100_000;

/**
 * Fingerprints that a process which runs for long computes once. It keeps no secret: only fingerprints, by digests under `key`, random
 * bytes that nobody else knows.
 */
export function keptFingerprints(fingerprinter: Fingerprinter, key: Uint8Array): Fingerprinter {
  const kept = recentlyUsed<Promise<string>>(MAX_KEPT);
  return (salt) => (secret) => {
    const name = createHmac("sha256", key)
      .update(JSON.stringify([salt, secret]))
      .digest("base64");
    const before = kept.get(name);
    if (before) return before;
    const fingerprint = fingerprinter(salt)(secret);
    kept.set(name, fingerprint);
    // What failed is tried again.
    fingerprint.catch(() => kept.delete(name));
    return fingerprint;
  };
}
