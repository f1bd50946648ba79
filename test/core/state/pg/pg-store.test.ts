import { beforeAll } from "vitest";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { usePgStores } from "./pg-fixtures.ts";
import { usePostgres } from "./shared-postgres.ts";
import { stateStoreContract } from "../store-contract.ts";

const postgres = usePostgres();
const open = usePgStores();
let url = "";
let places = 0;

beforeAll(async () => {
  ({ url } = await postgres.database());
});

stateStoreContract({
  name: "in PostgreSQL",
  journal: false,
  backup: false,
  isAtomic: true,
  clock: nodeClock,
  place: () => {
    const name = `place ${String(++places)}`;
    return Promise.resolve(() => open(url, { name }));
  },
});
