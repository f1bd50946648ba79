import type { Random } from "../../../src/core/model/ports.ts";
import { nodeRandom } from "../../../src/platform/node-random.ts";

const SALT_BYTES = 16;
const SALTS = Array.from({ length: 8 }, () => nodeRandom.bytes(SALT_BYTES));
let salted = 0;

/** This machine's chance, except that salts come round again: the fingerprint of a key with a new salt takes 40 ms, a known one nothing. */
export const fewSalts: Random = {
  uuid: () => nodeRandom.uuid(),
  bytes: (count) =>
    count === SALT_BYTES ? Uint8Array.from(SALTS[salted++ % SALTS.length] ?? []) : nodeRandom.bytes(count),
};
