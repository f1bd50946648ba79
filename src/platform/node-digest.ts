import type { KeyedDigest } from "../core/model/ports.ts";

/** HMAC-SHA-256. The module is asked for and not imported: importing it costs every start some milliseconds. */
export const nodeKeyedDigest: KeyedDigest = (key, text) => process.getBuiltinModule("node:crypto").createHmac("sha256", key).update(text).digest("hex");
