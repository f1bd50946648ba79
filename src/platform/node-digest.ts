import type { KeyedDigest } from "../core/model/ports.ts";

/** HMAC-SHA-256. Gets the module at the first use: importing it adds milliseconds to every start. */
export const nodeKeyedDigest: KeyedDigest = (key, text) =>
  process.getBuiltinModule("node:crypto").createHmac("sha256", key).update(text).digest("hex");
