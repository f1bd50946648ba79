import { afterAll } from "vitest";
import { s3Fixtures } from "./s3-fixtures.ts";
import { stateStoreContract } from "../store-contract.ts";
import type { S3Options } from "./s3-server.ts";

const { clock, start, closeAll } = s3Fixtures();
afterAll(closeAll);

const SERVERS: readonly (readonly [name: string, options: S3Options])[] = [
  ["s3", {}],
  ["s3, on a server that refuses conditions of a DELETE", { deleteConditions: "refused" }],
  ["s3, on a server that ignores conditions of a DELETE", { deleteConditions: "ignored" }],
];

for (const [name, options] of SERVERS) {
  stateStoreContract({
    name,
    journal: false,
    backup: false,
    isAtomic: true,
    clock,
    place: async () => {
      const { open } = await start(options);
      return () => open();
    },
  });
}
