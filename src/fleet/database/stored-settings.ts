import { type FleetSettings, type FleetStore, type GivenSettings } from "../fleet-store.ts";
import { mayRun } from "./due.ts";
import type { FleetDatabase } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

const COLUMNS = `auto, interval_ms::float8 AS "intervalMs", history_ms::float8 AS "historyMs"`;

/** What the controllers of a fleet have in common. */
export function settingsOf(database: FleetDatabase): Pick<FleetStore, "settle" | "settings" | "change"> {
  const names = namesIn(database);
  const settings = async (): Promise<FleetSettings> => {
    const [row] = await database.query<FleetSettings>({ text: `SELECT ${COLUMNS} FROM ${names.fleet}` });
    if (!row) throw new Error("The row of the fleet is missing.");
    return row;
  };
  const valuesOf = ({ auto, intervalMs, historyMs }: GivenSettings): readonly unknown[] => [auto ?? null, intervalMs ?? null, historyMs ?? null];
  const given = "auto = coalesce($1::text, auto), interval_ms = coalesce($2::bigint, interval_ms), history_ms = coalesce($3::bigint, history_ms)";
  return {
    settings,
    settle: async (wanted) => {
      await database.query({ text: `UPDATE ${names.fleet} SET ${given}, settled = true WHERE NOT settled`, values: valuesOf(wanted) });
      return settings();
    },
    change: (wanted) =>
      database.transaction(async (query) => {
        const [changed] = await query<FleetSettings>({
          text: `UPDATE ${names.fleet} SET ${given}, settled = true RETURNING ${COLUMNS}`,
          values: valuesOf(wanted),
        });
        if (!changed) throw new Error("The row of the fleet is missing.");
        // Teams that would come later than the new interval come within it, spread over it.
        await query({
          text: `UPDATE ${names.team} SET next_run = now() + random() * $1::float8 * interval '1 ms'
            WHERE next_trigger = 'interval' AND NOT running AND ${mayRun()} AND next_run > now() + $1::float8 * interval '1 ms'`,
          values: [changed.intervalMs],
        });
        return changed;
      }),
  };
}
