import type { Random } from "../core/model/ports.ts";

/** Uses the global object: importing node:crypto adds milliseconds to every start. */
export const nodeRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};
