import { expect, test } from "vitest";
import { tortureFleet } from "./fleet-torture.ts";

/** A part of `npm run torture -- --fleet`. */
test("a fleet whose controllers and database are killed, while others change webhooks, loses and doubles nothing, and every team converges", async () => {
  const { violations, figures } = await tortureFleet({
    teams: 8,
    kills: 3,
    databaseKills: 1,
    seed: 3,
    intervalS: 10,
    say: () => undefined,
  });
  expect(violations).toEqual([]);
  expect(Number(figures["SIGKILL"]) + Number(figures["SIGTERM"])).toBeGreaterThanOrEqual(3);
  expect(figures).toMatchObject({ "kills of the database": 1 });
  expect(figures["runs"]).toBeGreaterThan(8);
}, 600_000);
