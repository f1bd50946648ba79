import type { Random } from "../core/model/ports.ts";

/** The global object is used because importing node:crypto costs every start some milliseconds. */
export const nodeRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};
