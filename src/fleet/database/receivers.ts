import type { VerifiedReceiver } from "../team-work.ts";
import { type FleetDatabase, namesIn } from "./fleet-database.ts";

/** What the receivers of a team answered. */
export interface TeamReceivers {
  readonly verifiedMs: number;
  readonly receivers: readonly VerifiedReceiver[];
}

/** More are left out of the metrics, those that are ok first. */
const MOST_SHOWN = 5000;
/** Results that nobody renews any more say nothing about now. */
const IS_CURRENT = "removed IS NULL AND verify_next > now() - interval '1 day'";

/** The receivers of teams, as the processes that may send them events have found them. */
export function receiversOf(database: FleetDatabase) {
  const { team: table } = namesIn(database);
  return {
    /** Whether this process verifies the team now: one process, once an interval. */
    claimVerification: async (team: string, intervalMs: number): Promise<boolean> => {
      const claimed = await database.query({
        text: `UPDATE ${table} SET verify_next = now() + $2::float8 * interval '1 ms'
          WHERE name = $1 AND removed IS NULL AND NOT paused AND (verify_next IS NULL OR verify_next <= now()) RETURNING name`,
        values: [team, intervalMs],
      });
      return claimed.length > 0;
    },
    storeReceivers: async (team: string, receivers: readonly VerifiedReceiver[]): Promise<void> => {
      await database.query({
        text: `UPDATE ${table} SET receivers = $2, verified = now() WHERE name = $1`,
        values: [team, JSON.stringify(receivers)],
      });
    },
    /** Of all teams, those that failed first. */
    receivers: () =>
      database.query<VerifiedReceiver & { readonly team: string }>({
        text: `SELECT name AS team, r.* FROM ${table}, jsonb_to_recordset(receivers) AS r (address text, host text, "isOk" boolean, text text)
          WHERE ${IS_CURRENT} ORDER BY "isOk", name, address LIMIT ${String(MOST_SHOWN)}`,
      }),
    /** Null where nobody verifies them. */
    teamReceivers: async (team: string): Promise<TeamReceivers | null> => {
      const [found = null] = await database.query<TeamReceivers>({
        text: `SELECT receivers, (extract(epoch FROM verified) * 1000)::float8 AS "verifiedMs" FROM ${table} WHERE name = $1 AND receivers IS NOT NULL AND ${IS_CURRENT}`,
        values: [team],
      });
      return found;
    },
  };
}
