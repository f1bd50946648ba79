import type { BegunRun } from "../fleet-store.ts";
import type { StateMark } from "../team-work.ts";
import type { FleetDatabase } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

/** What this process remembers of the teams' states: a restored database has forgotten it. */
export interface SeenStates {
  /** The newer one of what the database says of a team's state and what this process has seen. */
  newest(team: string, run: Pick<BegunRun, "seen"> & { readonly resumedMs: number | null }): StateMark | null;
  note(team: string, seen: StateMark, run: Pick<BegunRun, "beganMs">): void;
  /** Tells the database, and so the other processes. */
  publish(database: FleetDatabase): Promise<void>;
}

interface SeenState {
  readonly mark: StateMark;
  /** The database's time. */
  readonly atMs: number;
}

export function seenStates(): SeenStates {
  const states = new Map<string, SeenState>();
  return {
    newest: (team, { seen, resumedMs }) => {
      const own = states.get(team);
      // Somebody has resumed the team since, and so accepted its state.
      if (!own || (resumedMs !== null && resumedMs > own.atMs)) return seen;
      const isSame = seen?.place === own.mark.place && seen.lineage === own.mark.lineage;
      return seen === null || (isSame && seen.serial < own.mark.serial) ? own.mark : seen;
    },
    note: (team, mark, { beganMs }) => void states.set(team, { mark, atMs: beganMs }),
    publish: async (database) => {
      if (states.size === 0) return;
      const all = [...states].map(([name, { mark, atMs }]) => ({ name, at: atMs, seen: mark }));
      await database.query({
        text: `UPDATE ${namesIn(database).team} t SET seen = own.seen FROM jsonb_to_recordset($1) AS own (name text, at float8, seen jsonb)
          WHERE t.name = own.name AND (t.resumed IS NULL OR t.resumed <= to_timestamp(own.at / 1000)) AND (t.seen IS NULL OR (
            t.seen - 'serial' = own.seen - 'serial' AND (t.seen ->> 'serial')::bigint < (own.seen ->> 'serial')::bigint))`,
        values: [JSON.stringify(all)],
      });
    },
  };
}
