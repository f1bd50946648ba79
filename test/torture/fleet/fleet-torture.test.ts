import { expect, test } from "vitest";
import { tortureFleet } from "./fleet-torture.ts";

/** A part of `npm run torture -- --fleet`. */
test("a fleet whose controllers and database are killed, while others change webhooks, loses and doubles nothing, and every team converges", async () => {
  const { violations, figures } = await tortureFleet({ teams: 12, kills: 4, databaseKills: 1, seed: 3, intervalS: 10, say: () => undefined });
  expect(violations).toEqual([]);
  expect(figures["runs"]).toBeGreaterThan(12);
}, 300_000);
