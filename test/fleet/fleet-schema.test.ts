import { describe, expect, test } from "vitest";
import { checkFleetSchema, migrateFleet } from "../../src/fleet/database/fleet-schema.ts";
import { FleetUnavailable } from "../../src/fleet/fleet-store.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { configurationOf, migrated, scheduled, storeOf, useFleetDatabases } from "./fleet-fixtures.ts";

const postgres = usePostgres();
const open = useFleetDatabases();

const NEWER = { diagnostics: [expect.objectContaining({ code: "fleet_schema_newer" })] };

describe("the schema of a fleet", () => {
  test("two processes that start at once create it together", async () => {
    const { url } = await postgres.database();
    const [one, other] = [await open(url), await open(url)];
    await Promise.all([migrateFleet(one), migrateFleet(other)]);
    await storeOf(other).adopt(configurationOf("a", "team"), "start");
    expect(await storeOf(one).teams()).toMatchObject([{ name: "team", state: "new" }]);
    expect(await scheduled(one)).toMatchObject([{ name: "team" }]);
  });

  test("an older program refuses a schema that has become too new", async () => {
    const database = await migrated(await open((await postgres.database()).url));
    await database.query({ text: "UPDATE outreach_fleet.schema_version SET version = 99, oldest = 98" });
    await expect(migrateFleet(database)).rejects.toMatchObject(NEWER);
    await expect(storeOf(database).sweep()).rejects.toMatchObject(NEWER);
  });

  test("an older program works with a newer schema that allows it", async () => {
    const database = await migrated(await open((await postgres.database()).url));
    await database.query({ text: "UPDATE outreach_fleet.schema_version SET version = 99, oldest = 1" });
    await migrateFleet(database);
    await checkFleetSchema(database);
    expect(await database.query({ text: "SELECT version FROM outreach_fleet.schema_version" })).toEqual([
      { version: 99 },
    ]);
  });

  test("a user who may not create it learns which right is missing", async () => {
    const { url, name, user } = await postgres.database();
    await postgres.query(`ALTER DATABASE ${name} OWNER TO postgres; REVOKE CREATE ON DATABASE ${name} FROM ${user}`);
    await expect(migrateFleet(await open(url))).rejects.toMatchObject({
      diagnostics: [
        {
          code: "fleet_denied",
          hint: `Grant the right as an administrator: GRANT CREATE ON DATABASE "${name}" TO "${user}";`,
        },
      ],
    });
  });

  test("without a database, everything says so in words", async () => {
    const database = await open("postgres://user:password@127.0.0.1:1/none");
    await expect(migrateFleet(database)).rejects.toThrow(FleetUnavailable);
    await expect(storeOf(database).teams()).rejects.toThrow(
      "The connection to postgres://127.0.0.1:1/none failed: the connection was refused.",
    );
  });
});

test("a statement that the server gave up is one without an answer, which controllers repeat", async () => {
  const database = await open((await postgres.database()).url);
  for (const code of ["57014", "55P03", "40001", "40P01"]) {
    const given = { text: `DO $$ BEGIN RAISE SQLSTATE '${code}'; END $$` };
    await expect(database.query(given)).rejects.toThrow(FleetUnavailable);
    await expect(database.transaction((query) => query(given))).rejects.toThrow(FleetUnavailable);
  }
});
