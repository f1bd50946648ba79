import { randomBytes, randomUUID } from "node:crypto";
import type { Random } from "../core/model/ports.ts";

export const nodeRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
};
