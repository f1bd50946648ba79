import type { Clock } from "../core/model/ports.ts";
import { FleetUnavailable } from "./fleet-store.ts";
import type { FleetLog } from "./web/log.ts";

/** Asks the database until it answers. Throws what it refuses, and `FleetUnavailable` once `stop` is aborted. */
export type Patiently = <T>(ask: () => Promise<T>, stop: AbortSignal) => Promise<T>;

export interface PatiencePorts {
  readonly clock: Clock;
  readonly log: FleetLog;
  /** From 0 to less than 1. */
  readonly chance: () => number;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

/** Logs when the database goes away, and when it is back. */
export function patiently({ clock, log, chance }: PatiencePorts): Patiently {
  let isAway = false;
  return async (ask, stop) => {
    for (let longestMs = FIRST_PAUSE_MS; ; longestMs = Math.min(2 * longestMs, LONGEST_PAUSE_MS)) {
      try {
        const answer = await ask();
        if (isAway) log("info", "database-back", "The database is available again.");
        isAway = false;
        return answer;
      } catch (error) {
        if (!(error instanceof FleetUnavailable) || stop.aborted) throw error;
        if (!isAway) log("warn", "database-away", `The database is not available: ${error.message} Waiting for it.`);
        isAway = true;
      }
      // Controllers that lost it together do not come back together.
      await clock.sleep(Math.round((longestMs * (1 + chance())) / 2), stop);
    }
  };
}
