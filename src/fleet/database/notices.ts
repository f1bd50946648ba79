import type { SentNotices } from "../team/send-notices.ts";
import { type FleetDatabase, namesIn } from "./fleet-database.ts";

/** When findings that persist were sent. Only one run of a team is at work at a time. */
export function noticesOf(database: FleetDatabase) {
  const { team: table } = namesIn(database);
  return {
    sentNotices: async (team: string): Promise<SentNotices> => {
      const [row] = await database.query<{ readonly notified: SentNotices }>({
        text: `SELECT notified FROM ${table} WHERE name = $1`,
        values: [team],
      });
      return row?.notified ?? {};
    },
    keepNotices: async (team: string, sent: SentNotices): Promise<void> => {
      await database.query({
        text: `UPDATE ${table} SET notified = $2 WHERE name = $1 AND notified <> $2`,
        values: [team, JSON.stringify(sent)],
      });
    },
  };
}
